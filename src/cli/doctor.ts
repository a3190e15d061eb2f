// By the name of the entry: a second importer of its file would cost every start one more file.
import { platformTarget } from '#loader'
import { engineAttempts, engineFeatures, enginePath } from '../engine/engine.ts'
import type { LoadAttempt } from '../engine/loading.ts'
import { engineTakesKeys } from '../engine/private-keys.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import {
  type Command,
  exitAgrees,
  exitUnavailable,
  jsonOption,
  jsonText,
  UsageError,
} from './command.ts'

export const doctor: Command = {
  usage: [''],
  about:
    'Shows the engine in use, its features, and each place where the loader looked for it. Without an\nengine, shows the reason and the remedy.',
  options: [jsonOption],
  run({ flags, positionals }, terminal) {
    if (positionals.length > 0) throw new UsageError('expected no arguments')
    const facts = {
      node: process.version,
      platform: platformTarget(),
      ...engineFacts(),
      signs: engineTakesKeys() ? ('natively' as const) : ('in JavaScript' as const),
      looked: engineAttempts(),
    }
    terminal.print(flags.has('json') ? jsonText(facts) : textOf(facts))
    return facts.works ? exitAgrees : exitUnavailable
  },
}

interface EngineFacts {
  readonly engine?: string
  readonly features: readonly string[]
  readonly works: boolean
  /** The reason why there is no engine, and the remedy. */
  readonly failure?: string
}

function engineFacts(): EngineFacts {
  const path = enginePath()
  try {
    return {
      ...(path !== undefined && { engine: path }),
      features: engineFeatures(),
      // An empty transaction of version 4 decodes only if numbers and strings cross the seam.
      works: decodeTransaction('0400008085202f89000000000000000000000000000000000000000000')
        .overwintered,
    }
  } catch (error) {
    if (!isAntaraError(error, 'engine_unavailable')) throw error
    return { features: [], works: false, failure: error.message }
  }
}

interface Facts extends EngineFacts {
  readonly node: string
  readonly platform: string
  /** Natively in constant time, or in JavaScript, whose time may depend on the key. */
  readonly signs: 'natively' | 'in JavaScript'
  readonly looked: readonly LoadAttempt[]
}

function textOf({ node, platform, engine, features, failure, signs, looked }: Facts): string {
  const attempts = looked.map(({ path, failure: why }) => `${path}: ${why ?? 'loaded'}`)
  return [
    `Node      ${node} on ${platform}`,
    `engine    ${engine ?? 'none'}`,
    ...(failure === undefined
      ? [
          `uses      ${features.join(', ')}`,
          `signs     ${signs}`,
          `looked    ${attempts.join('\n          ')}`,
        ]
      : ['', failure]),
    '',
  ].join('\n')
}

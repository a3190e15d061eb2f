import type { Network } from '../chain/network.ts'
import { native, requireNarrow, reserveWords, run, words } from '../engine/engine.ts'
import * as at from '../engine/words.ts'
import { encodeAddress } from './base58.ts'
import { type DecodedScript, type ScriptType, scriptTypes } from './types.ts'

/** In the order of native/core/script/templates.h, ConditionSupport. */
export const conditionSupport: readonly Network['conditions'][] = ['none', 'komodo', 'tokel']

export interface ScriptsToDescribe {
  readonly scriptSigs: readonly string[]
  readonly scriptPubKeys: readonly string[]
  readonly network: Network
  /** Whether a signature's hash type is shown by name in scriptSigs, as today's daemon does. */
  readonly showSighash: boolean
}

export interface DescribedScripts {
  /** asm of each scriptSig. */
  readonly scriptSigs: readonly string[]
  readonly scriptPubKeys: readonly DecodedScript[]
}

/** Describes all scripts of a transaction in one native call. */
export function describeScripts(scripts: ScriptsToDescribe): DescribedScripts {
  const { scriptSigs, scriptPubKeys, network, showSighash } = scripts
  const count = scriptSigs.length + scriptPubKeys.length
  const joined = scriptSigs.join('') + scriptPubKeys.join('')
  requireNarrow(joined)
  const support = conditionSupport.indexOf(network.conditions)
  const text = run((hex: string) => {
    reserveWords(at.resultBase + at.scriptWords * count)
    let word = at.resultBase
    for (const script of scriptSigs) words[word++] = script.length + at.scriptSigFlag
    for (const script of scriptPubKeys) words[word++] = script.length
    return native.describeScripts(hex, count, support, showSighash)
  }, joined)

  let word = at.resultBase
  let position = 0
  const nextText = (characters: number) => {
    const start = position
    position += characters
    return text.slice(start, position)
  }
  const describedSigs = scriptSigs.map(() => {
    const asm = nextText(words[word + at.scriptAsmLength]!)
    word += at.scriptWords
    return asm
  })
  const describedPubKeys = scriptPubKeys.map((): DecodedScript => {
    const type = scriptTypes[words[word + at.scriptType]!]!
    const reqSigs = words[word + at.scriptRequiredSignatures]!
    const destinations = words[word + at.scriptDestinations]!
    const asm = nextText(words[word + at.scriptAsmLength]!)
    word += at.scriptWords
    if (destinations === 0) return { type, asm }
    const prefix = addressPrefix(type, network)
    const addresses = Array.from({ length: destinations }, () =>
      encodeAddress(prefix, nextText(40)),
    )
    return { type, asm, reqSigs, addresses }
  })
  return { scriptSigs: describedSigs, scriptPubKeys: describedPubKeys }
}

function addressPrefix(type: ScriptType, network: Network): number {
  if (type === 'scripthash') return network.scriptHashPrefix
  if (type === 'cryptocondition') return network.conditionPrefix
  return network.pubKeyHashPrefix
}

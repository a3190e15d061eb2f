import { engineAttempts, engineFeatures, enginePath } from '../engine/engine.ts'
import { platformTarget } from '../engine/loader.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { type Command, exitAgrees, jsonOption, jsonText } from './command.ts'

export const doctor: Command = {
  usage: [''],
  about: 'Says which native engine is in use, where it was looked for and what it makes use of.',
  options: [jsonOption],
  run({ flags }, terminal) {
    const facts = {
      node: process.version,
      platform: platformTarget(),
      engine: enginePath,
      features: engineFeatures(),
      // An empty transaction of version 4 decodes only if words, strings and numbers all arrive.
      works: decodeTransaction('0400008085202f89000000000000000000000000000000000000000000')
        .overwintered,
      looked: engineAttempts,
    }
    if (flags.has('json')) {
      terminal.print(jsonText(facts))
      return exitAgrees
    }
    terminal.print(
      [
        `Node      ${facts.node} on ${facts.platform}`,
        `engine    ${facts.engine}`,
        `uses      ${facts.features.join(', ')}`,
        `looked    ${facts.looked.map(({ path, failure }) => `${path}: ${failure ?? 'loaded'}`).join('\n          ')}`,
        '',
      ].join('\n'),
    )
    return exitAgrees
  },
}

import type { Network } from '../chain/network.ts'
import { conditionUri } from '../condition/uri.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { decodeConditionScript } from '../script/read-condition-script.ts'
import { decodeScript } from '../script/script.ts'
import { decodeTokenPayload } from '../token/payload/decode.ts'
import { type Command, exitAgrees, jsonOption, jsonText, onePositional } from './command.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { readSource } from './read.ts'
import { resultText } from './show-value.ts'

export const script: Command = {
  usage: ['[HEX | FILE | -]'],
  about: `Shows the script of an output: its type, its text form, its payee, its crypto-condition, and the
token payload of a nulldata output.`,
  options: [jsonOption, networkOption],
  async run(parsed, terminal) {
    const hex = await readSource(onePositional(parsed), terminal)
    const described = describe(hex, chosenNetwork(parsed))
    terminal.print(parsed.flags.has('json') ? jsonText(described) : resultText(described))
    return exitAgrees
  },
}

function describe(hex: string, network: Network): object {
  const decoded = decodeScript(hex, network)
  const condition = decodeConditionScript(hex, network)
  const payload = decoded.type === 'nulldata' ? payloadIn(hex) : undefined
  return {
    ...decoded,
    ...(condition !== undefined && {
      condition: { ...condition, uri: conditionUri(condition.condition) },
    }),
    ...(payload !== undefined && { payload }),
  }
}

/** Returns a token payload, or the reason why the data are not a valid one. */
function payloadIn(hex: string): object | string | undefined {
  try {
    return decodeTokenPayload(hex)
  } catch (error) {
    if (isAntaraError(error)) return sentenceOf(error)
    throw error
  }
}

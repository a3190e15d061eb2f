import {
  decodeCondition,
  decodeFulfillment,
  encodeCondition,
  encodeFulfillment,
} from '../condition/codec.ts'
import { conditionFromJson } from '../condition/json.ts'
import type { ConditionTree } from '../condition/types.ts'
import { conditionUri, parseConditionUri } from '../condition/uri.ts'
import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import { parseJson } from '../primitives/json-fields.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { didYouMean } from './closest.ts'
import {
  type Command,
  exitAgrees,
  jsonText,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { readSource } from './read.ts'

const actions: readonly string[] = ['decode', 'encode', 'uri']

export const condition: Command = {
  usage: ['decode [HEX | URI | FILE | -]', 'encode [FILE | -]', 'uri [HEX | FILE | -]'],
  about: `  decode   what a condition, a fulfillment or a condition's URI says
  encode   the condition of a tree in JSON, and its fulfillment if it has one; the tree in our form
           ({ "type": "threshold-sha-256", "threshold": 2, "subconditions": [ … ] }) or in that of
           the daemon's C library ("subfulfillments", base64)
  uri      the URI of a condition or a fulfillment, or of a tree`,
  options: [{ name: 'json', about: 'for programs; decode and encode print JSON anyway' }],
  words: actions,
  async run(parsed, terminal) {
    const [action] = parsed.positionals
    if (action !== 'decode' && action !== 'encode' && action !== 'uri') {
      throw new UsageError(
        action === undefined
          ? 'expected decode, encode or uri, got nothing'
          : `expected decode, encode or uri, got ${tellableKey(action)}${didYouMean(action, actions)}`,
      )
    }
    const text = await readArgument(parsed, terminal)
    switch (action) {
      case 'decode':
        terminal.print(jsonText(describe(text)))
        break
      case 'encode':
        terminal.print(jsonText(fromFile(() => encode(readTree(text)))))
        break
      case 'uri':
        terminal.print(fromFile(() => uriText(text, parsed.flags.has('json'))))
    }
    return exitAgrees
  },
}

async function readArgument({ positionals }: ParsedArguments, terminal: Terminal): Promise<string> {
  if (positionals.length > 2) {
    throw new UsageError(`one argument expected, got ${positionals.length - 1}`)
  }
  const given = positionals[1]
  return given?.startsWith('ni:') === true ? given : readSource(given, terminal)
}

function describe(text: string): object {
  if (text.startsWith('ni:')) {
    const parsed = parseConditionUri(text)
    return { condition: encodeCondition(parsed), ...parsed }
  }
  const fulfillment = fulfillmentOf(text)
  if (fulfillment !== undefined) return { ...summary(fulfillment), fulfillment }
  const { isCanonical, ...decoded } = decodeCondition(text, { rules: 'daemon' })
  return { ...summary(decoded), isCanonical, decoded }
}

/** A fulfillment, or nothing if the text is rather a condition. */
function fulfillmentOf(hex: string): ConditionTree | undefined {
  try {
    return decodeFulfillment(hex)
  } catch (error) {
    if (!isAntaraError(error)) throw error
    // What is neither is reported as the fulfillment that it is not, unless it is a condition.
    if (isCondition(hex)) return undefined
    throw error
  }
}

function isCondition(hex: string): boolean {
  try {
    decodeCondition(hex, { rules: 'daemon' })
    return true
  } catch (error) {
    if (isAntaraError(error)) return false
    throw error
  }
}

function summary(tree: ConditionTree): { condition: string; uri: string } {
  return { condition: encodeCondition(tree), uri: conditionUri(tree) }
}

function encode(tree: ConditionTree): object {
  const encoded = summary(tree)
  try {
    return { ...encoded, fulfillment: encodeFulfillment(tree) }
  } catch (error) {
    // Many trees are not fulfilled yet; their condition is what was asked for.
    if (isAntaraError(error, 'fulfillment_incomplete')) return encoded
    throw error
  }
}

/** What the library calls misuse is, in a file, a member of the wrong type. */
function fromFile<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new AntaraError('malformed_case', { path: 'tree', actual: error.message })
  }
}

function readTree(text: string): ConditionTree {
  const json = parseTree(text)
  return isForeign(text) ? conditionFromJson(json) : (json as ConditionTree)
}

/** Whether a tree is in the form of the C library, by members that only that has. */
function isForeign(text: string): boolean {
  return /"(?:subfulfillments?|codehex)"|"\(anon\)"/.test(text)
}

function parseTree(text: string): unknown {
  parseJson(text)
  // Costs are amounts: text in what we print, bigint in a tree.
  return JSON.parse(text, (name, value) => {
    const isCost = name === 'cost' && /^[0-9]{1,20}$/.test(String(value))
    return isCost && !isForeign(text) ? BigInt(value) : value
  })
}

function uriText(text: string, asJson: boolean): string {
  const tree = text.startsWith('{')
    ? readTree(text)
    : (fulfillmentOf(text) ?? decodeCondition(text, { rules: 'daemon' }))
  const uri = conditionUri(tree)
  return asJson ? jsonText({ uri }) : `${uri}\n`
}

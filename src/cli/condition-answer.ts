// The answers of `antara-tx condition` for one input, as `--json` and `--lines` print them.

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
import { malformed, parseJson } from '../primitives/json-fields.ts'

export const conditionActions = ['decode', 'encode', 'uri'] as const
export type ConditionAction = (typeof conditionActions)[number]

/** Returns the report of an action of `antara-tx condition` on a text, as `--json` prints it. */
export function conditionAnswer(action: ConditionAction, text: string): object {
  switch (action) {
    case 'decode':
      return describe(text)
    case 'encode':
      return fromFile(() => encode(readTree(text)))
    case 'uri':
      return { uri: conditionUriOf(text) }
  }
}

/** Returns the URI of a condition, a fulfillment or a tree. */
export function conditionUriOf(text: string): string {
  return fromFile(() => uriOf(text))
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

/** Decodes a fulfillment; returns `undefined` if the text is a condition. */
function fulfillmentOf(hex: string): ConditionTree | undefined {
  try {
    return decodeFulfillment(hex)
  } catch (error) {
    if (!isAntaraError(error)) throw error
    // Text that is neither is reported as a malformed fulfillment, unless it is a condition.
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
    // Many trees are not fulfilled yet, and their condition is the answer.
    if (isAntaraError(error, 'fulfillment_incomplete')) return encoded
    throw error
  }
}

/** Reports the library's argument errors as members of the wrong type in a file. */
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

/** Returns true if a tree has members that only the form of the C library has. */
function isForeign(text: string): boolean {
  return /"(?:subfulfillments?|codehex)"|"\(anon\)"/.test(text)
}

/** Limit of JSON values; a tree that a chain accepts has some hundreds. */
const valuesMax = 1 << 17

function parseTree(text: string): unknown {
  parseJson(text, valuesMax)
  const hasText = isForeign(text)
  // Costs are amounts: text in printed JSON, bigint in a tree.
  return JSON.parse(text, (name, value) => {
    if (name !== 'cost') return value
    // A larger number has lost digits already.
    if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) {
      throw malformed('cost', `at most ${Number.MAX_SAFE_INTEGER} as a number`, value)
    }
    return !hasText && /^[0-9]{1,20}$/.test(String(value)) ? BigInt(value) : value
  })
}

function uriOf(text: string): string {
  const tree = text.startsWith('{')
    ? readTree(text)
    : (fulfillmentOf(text) ?? decodeCondition(text, { rules: 'daemon' }))
  return conditionUri(tree)
}

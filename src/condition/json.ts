// Converts conditions to and from the JSON of the daemons' C library.

import { AntaraError } from '../errors/antara-error.ts'
import { kindOf } from '../primitives/arguments.ts'
import { base64FromHex, hexFromBase64 } from '../primitives/base64.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { redactKey } from '../primitives/redact-key.ts'
import {
  conditionDepthMax,
  conditionNodesMax,
  forEachNode,
  requireHexParts,
  writeTrees,
} from './tree-words.ts'
import {
  type Condition,
  type ConditionTree,
  type ConditionType,
  conditionTypeOfNumber,
  conditionTypeRow,
  fingerprintDigits,
  isCompound,
  isConditionType,
  maskOfTypes,
  partOf,
  typesOfMask,
} from './types.ts'

/** The C library's JSON form of a condition, which daemons and other tools exchange. */
export interface ConditionJson {
  readonly type: string
  readonly [member: string]: unknown
}

export interface JsonOptions {
  /**
   * The dialect to write. `komodo`, the default, uses base64 for URLs; `tokel` the standard
   * alphabet.
   */
  readonly dialect?: 'komodo' | 'tokel'
}

/**
 * Returns the C library's JSON form of a tree.
 *
 * Keys and signatures of secp256k1 are upper-case hex, other bytes base64. A node of type
 * `condition` becomes `(anon)`. It also has its type (`cond_type`), as Tokel writes it, so that it
 * can be read again.
 *
 * @param options - the `dialect`: default `komodo`, base64 of the URL alphabet without padding
 * @throws {AntaraError} as `encodeCondition`, for a value that is not a tree; `number_out_of_range`
 *   for a cost over 2^53 - 1, because a JSON number would round it
 * @see komodo src/cryptoconditions/src/json_rpc.c, cc_conditionToJSON
 * @example
 * conditionToJson({ type: 'eval-sha-256', code: 'f2' }) // { type: 'eval-sha-256', code: '8g' }
 */
export function conditionToJson(tree: ConditionTree, options: JsonOptions = {}): ConditionJson {
  requireKnownMembers(options, ['dialect'], 'options')
  writeTrees([{ tree, form: 'condition' }]) // refuses values that are not trees
  requireHexParts(tree)
  forEachNode(tree, (node, pathOf) => {
    if (node.type !== 'condition' || node.cost <= Number.MAX_SAFE_INTEGER) return
    throw new AntaraError('number_out_of_range', {
      path: pathOf('cost'),
      expected: 'at most 2^53 - 1, as a JSON number holds it',
      actual: node.cost,
    })
  })
  return writeNode(tree, options.dialect ?? 'komodo')
}

function writeNode(tree: ConditionTree, dialect: 'komodo' | 'tokel'): ConditionJson {
  const base64 = (hex: string) => base64FromHex(hex, dialect === 'komodo' ? 'url' : 'standard')
  const { type } = tree
  switch (type) {
    case 'prefix-sha-256': {
      const { maxMessageLength, prefix, subcondition } = tree
      const subfulfillment = writeNode(subcondition, dialect)
      return { type, maxMessageLength, prefix: base64(prefix), subfulfillment }
    }
    case 'threshold-sha-256': {
      const subfulfillments = tree.subconditions.map((member) => writeNode(member, dialect))
      return { type, threshold: tree.threshold, subfulfillments }
    }
    case 'condition': {
      const { conditionType, fingerprint, cost, subtypes } = tree
      return {
        type: '(anon)',
        fingerprint: base64(fingerprint.padEnd(64, '0')),
        cost: Number(cost),
        ...(dialect === 'komodo' || isCompound(conditionType)
          ? { subtypes: maskOfTypes(subtypes) }
          : {}),
        cond_type: conditionTypeRow(conditionType).number,
      }
    }
    default: {
      const written: Record<string, string> = { type }
      for (const { slot, member, json, tokelHex } of conditionTypeRow(type).parts) {
        const hex = partOf(tree, slot)
        if (hex === undefined || json === undefined) continue
        if (dialect === 'tokel' && tokelHex !== undefined) written[tokelHex] = hex.toUpperCase()
        else written[member] = json === 'hex' ? hex.toUpperCase() : base64(hex)
      }
      return written as ConditionJson & typeof written
    }
  }
}

/**
 * Reads the C library's JSON form of a tree, in either dialect.
 *
 * Base64 may use either alphabet, padded or not; hex may have either case. Unknown members, such as
 * Tokel's `dontFulfill`, are ignored.
 *
 * @param json - a parsed JSON value
 * @returns the tree, with bytes as hex
 * @throws {AntaraError} `malformed_condition_json` with the path, `condition_nesting_over_limit`,
 *   `condition_members` for more than 65,536 nodes; the keys themselves are checked by
 *   `encodeCondition`
 * @see komodo src/cryptoconditions/src/json_rpc.c, cc_conditionFromJSON
 * @example
 * conditionFromJson({ type: 'preimage-sha-256', preimage: 'YWFh' })
 * // { type: 'preimage-sha-256', preimage: '616161' }
 */
export function conditionFromJson(json: unknown): ConditionTree {
  return readNode(json, '', 1, { left: conditionNodesMax })
}

/** @param nodes - those that may follow: members that share objects stand for more than they are */
function readNode(
  json: unknown,
  path: string,
  depth: number,
  nodes: { left: number },
): ConditionTree {
  if (nodes.left === 0) throw new AntaraError('condition_members', { path })
  nodes.left -= 1
  if (depth > conditionDepthMax) throw new AntaraError('condition_nesting_over_limit', { path })
  if (typeof json !== 'object' || json === null) throw malformed(path, 'an object', json)
  const member = memberReader(json as Record<string, unknown>, path)
  const type = member.text('type')
  if (type === '(anon)') return readBare(member)
  if (!isConditionType(type)) throw malformed(member.path('type'), 'a type of condition', type)
  if (type === 'prefix-sha-256') {
    const maxMessageLength = member.integer('maxMessageLength')
    const inside = member.path('subfulfillment')
    const subcondition = readNode(member.value('subfulfillment'), inside, depth + 1, nodes)
    return { type, prefix: member.base64('prefix'), maxMessageLength, subcondition }
  }
  if (type === 'threshold-sha-256') {
    const threshold = member.integer('threshold')
    const inside = member.path('subfulfillments')
    const subconditions = member
      .array('subfulfillments')
      .map((item, index) => readNode(item, `${inside}[${index}]`, depth + 1, nodes))
    return { type, threshold, subconditions }
  }
  const read: Record<string, string> = { type }
  for (const { member: name, json, isOptional, tokelHex } of conditionTypeRow(type).parts) {
    if (json === undefined || (isOptional && !member.has(name))) continue
    const isTokel = tokelHex !== undefined && !member.has(name)
    read[name] = isTokel ? member.hex(tokelHex) : member[json](name)
  }
  return read as unknown as ConditionTree
}

function readBare(member: MemberReader): Condition {
  const conditionType = conditionTypeOfNumber(member.integer('cond_type'))
  if (conditionType === undefined) {
    throw malformed(member.path('cond_type'), "a type's number", member.value('cond_type'))
  }
  const fingerprint = member.base64('fingerprint')
  const { hashesKey } = conditionTypeRow(conditionType)
  return {
    type: 'condition',
    conditionType,
    fingerprint: hashesKey ? fingerprint.slice(0, fingerprintDigits(conditionType)) : fingerprint,
    cost: BigInt(member.integer('cost')),
    subtypes: member.has('subtypes') ? readMask(member, conditionType) : [],
  }
}

function readMask(member: MemberReader, type: ConditionType): ConditionType[] {
  const mask = member.integer('subtypes')
  const types = typesOfMask(mask)
  if (maskOfTypes(types) !== mask || types.includes(type)) {
    throw malformed(member.path('subtypes'), 'a mask of other types', mask)
  }
  return types
}

type MemberReader = ReturnType<typeof memberReader>

function memberReader(json: Record<string, unknown>, path: string) {
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`)
  const has = (name: string) => Object.hasOwn(json, name) && json[name] !== null
  const value = (name: string) => (Object.hasOwn(json, name) ? json[name] : undefined)
  const text = (name: string): string => {
    const found = value(name)
    if (typeof found !== 'string') throw malformed(pathOf(name), 'a string', found)
    return found
  }
  const base64 = (name: string): string => {
    const hex = hexFromBase64(text(name))
    if (hex === undefined) throw malformed(pathOf(name), 'base64', value(name))
    return hex
  }
  const hex = (name: string): string => {
    if (!/^(?:[0-9a-f]{2})*$/i.test(text(name))) throw malformed(pathOf(name), 'hex', value(name))
    return text(name).toLowerCase()
  }
  const integer = (name: string): number => {
    const found = value(name)
    if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < 0) {
      throw malformed(pathOf(name), 'an integer from 0 to 2^53 - 1', found)
    }
    return found
  }
  const array = (name: string): readonly unknown[] => {
    const found = value(name)
    if (!Array.isArray(found)) throw malformed(pathOf(name), 'an array', found)
    return found
  }
  return { path: pathOf, has, value, text, base64, hex, integer, array }
}

function malformed(path: string, expected: string, actual: unknown): AntaraError {
  const other = typeof actual === 'number' ? actual : kindOf(actual)
  const shown = typeof actual === 'string' ? redactKey(actual) : other
  return new AntaraError('malformed_condition_json', { path, expected, actual: shown })
}

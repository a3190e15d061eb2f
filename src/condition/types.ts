// The types of conditions, their nodes in a tree, and a row with the parts of each type.

import type { NodeSlot } from '../engine/tree-lists.ts'

/** Names as in the C library and in condition URIs. */
export type ConditionType =
  | 'preimage-sha-256'
  | 'prefix-sha-256'
  | 'threshold-sha-256'
  | 'rsa-sha-256'
  | 'ed25519-sha-256'
  | 'secp256k1-sha-256'
  | 'secp256k1hash-sha-256'
  | 'eval-sha-256'

/**
 * A condition, with the parts that may fulfill it. All bytes are hex.
 *
 * A key without a signature, a bare `condition`, and a threshold or prefix over those are
 * unfulfilled. Preimages and evals are always fulfilled.
 */
export type ConditionTree =
  | PreimageNode
  | PrefixNode
  | ThresholdNode
  | RsaNode
  | Ed25519Node
  | Secp256k1Node
  | Secp256k1HashNode
  | EvalNode
  | Condition

export interface PreimageNode {
  readonly type: 'preimage-sha-256'
  readonly preimage: string
}

/** Fulfilled if `subcondition` is fulfilled for the message with `prefix` before it. */
export interface PrefixNode {
  readonly type: 'prefix-sha-256'
  readonly prefix: string
  /**
   * In bytes. Part of the condition's cost. `verifyFulfillment` does not enforce it; neither does
   * the C library.
   */
  readonly maxMessageLength: number
  readonly subcondition: ConditionTree
}

/** Fulfilled if `threshold` of its 1 to 255 members are fulfilled. */
export interface ThresholdNode {
  readonly type: 'threshold-sha-256'
  readonly threshold: number
  readonly subconditions: readonly ConditionTree[]
}

export interface RsaNode {
  readonly type: 'rsa-sha-256'
  /** 128 to 512 bytes. The exponent is 65537. */
  readonly modulus: string
  readonly signature?: string
}

export interface Ed25519Node {
  readonly type: 'ed25519-sha-256'
  /** 32 bytes. */
  readonly publicKey: string
  /** 64 bytes. */
  readonly signature?: string
}

export interface Secp256k1Node {
  readonly type: 'secp256k1-sha-256'
  /** 33 bytes. It need not be a point of the curve: burned tokens belong to a key that is not. */
  readonly publicKey: string
  /** 64 bytes: r and s. */
  readonly signature?: string
}

/** Tokel's type: a key given by its hash; the signature reveals the key. */
export interface Secp256k1HashNode {
  readonly type: 'secp256k1hash-sha-256'
  /** 20 bytes: RIPEMD-160 of SHA-256 of the public key. */
  readonly publicKeyHash: string
  readonly publicKey?: string
  readonly signature?: string
}

/** Fulfilled if the chain's module of the code's first byte accepts the transaction. */
export interface EvalNode {
  readonly type: 'eval-sha-256'
  readonly code: string
  /** Bytes that Tokel allows beside the code in a fulfillment; no rule looks at them. */
  readonly parameter?: string
}

/** A bare condition, as in a script, or in place of an unfulfilled member. */
export interface Condition {
  readonly type: 'condition'
  readonly conditionType: ConditionType
  /** 32 bytes; 20 for secp256k1hash-sha-256. */
  readonly fingerprint: string
  /** 0n to 2^63 - 1. */
  readonly cost: bigint
  /** Types inside, in the order of their numbers. Only thresholds and prefixes have them. */
  readonly subtypes: readonly ConditionType[]
}

/** A member of a type that contains bytes. */
interface ConditionPart {
  /** Name of the tree's member, whose value is hex. */
  readonly member: string
  readonly slot: NodeSlot
  readonly isOptional?: boolean
  /**
   * Encoding in the C library's JSON, under the same name. Absent if that JSON lacks the member.
   */
  readonly json?: 'base64' | 'hex'
  /** Name in Tokel's JSON, whose value is hex. */
  readonly tokelHex?: string
}

/** The properties of a type. Its bytes are described in native/core/cc/condition_types.h. */
interface ConditionTypeRow {
  /** Its DER tag, and its bit in a mask. */
  readonly number: number
  /** Members in the order of the C library's JSON. */
  readonly parts: readonly ConditionPart[]
  /** The kind of key that signs for it. */
  readonly key?: 'rsa' | 'ed25519' | 'secp256k1'
  /**
   * True if its fingerprint is the hash160 of that key (20 bytes); all other fingerprints have 32
   * bytes.
   */
  readonly hashesKey?: boolean
  /** Builds the node from its bytes. Only types without members have it. */
  readonly leaf?: (value: string, second: string | undefined, keyHash: string) => ConditionTree
}

const signature = { member: 'signature', slot: 'second', isOptional: true } as const

/** The rows, in the order of the types' numbers. */
const rows: Readonly<Record<ConditionType, ConditionTypeRow>> = {
  'preimage-sha-256': {
    number: 0,
    parts: [{ member: 'preimage', slot: 'value', json: 'base64' }],
    leaf: (value) => ({ type: 'preimage-sha-256', preimage: value }),
  },
  'prefix-sha-256': {
    number: 1,
    parts: [{ member: 'prefix', slot: 'value', json: 'base64' }],
  },
  'threshold-sha-256': { number: 2, parts: [] },
  'rsa-sha-256': {
    number: 3,
    parts: [
      { member: 'modulus', slot: 'value', json: 'base64' },
      { ...signature, json: 'base64' },
    ],
    key: 'rsa',
    leaf: (value, second) => ({ type: 'rsa-sha-256', modulus: value, signature: second! }),
  },
  'ed25519-sha-256': {
    number: 4,
    parts: [
      { member: 'publicKey', slot: 'value', json: 'base64' },
      { ...signature, json: 'base64' },
    ],
    key: 'ed25519',
    leaf: (value, second) => ({ type: 'ed25519-sha-256', publicKey: value, signature: second! }),
  },
  'secp256k1-sha-256': {
    number: 5,
    parts: [
      { member: 'publicKey', slot: 'value', json: 'hex' },
      { ...signature, json: 'hex' },
    ],
    key: 'secp256k1',
    leaf: (value, second) => ({ type: 'secp256k1-sha-256', publicKey: value, signature: second! }),
  },
  'secp256k1hash-sha-256': {
    number: 6,
    parts: [
      { member: 'publicKeyHash', slot: 'keyHash', json: 'hex' },
      { member: 'publicKey', slot: 'value', isOptional: true, json: 'hex' },
      { ...signature, json: 'hex' },
    ],
    key: 'secp256k1',
    hashesKey: true,
    leaf: (value, second, keyHash) => ({
      type: 'secp256k1hash-sha-256',
      publicKeyHash: keyHash,
      publicKey: value,
      signature: second!,
    }),
  },
  'eval-sha-256': {
    number: 15,
    parts: [
      { member: 'code', slot: 'value', json: 'base64', tokelHex: 'codehex' },
      { member: 'parameter', slot: 'second', isOptional: true },
    ],
    leaf: (value, second) => {
      if (second === undefined) return { type: 'eval-sha-256', code: value }
      return { type: 'eval-sha-256', code: value, parameter: second }
    },
  },
}

/** All types in the order of their numbers. */
const conditionTypes = Object.freeze(Object.keys(rows)) as readonly ConditionType[]

const rowsByName = new Map<unknown, ConditionTypeRow>(Object.entries(rows))

const typesByNumber: (ConditionType | undefined)[] = Array.from({ length: 16 }, (_, number) =>
  conditionTypes.find((type) => rows[type].number === number),
)

/** Returns the row of a type; undefined for an unknown type and for a bare condition. */
export function conditionTypeRow(type: ConditionType): ConditionTypeRow
export function conditionTypeRow(type: unknown): ConditionTypeRow | undefined
export function conditionTypeRow(type: unknown): ConditionTypeRow | undefined {
  return rowsByName.get(type)
}

export function conditionTypeOfNumber(number: number): ConditionType | undefined {
  return typesByNumber[number]
}

export function isConditionType(text: unknown): text is ConditionType {
  return rowsByName.has(text)
}

/** Returns the hex of a node's member. */
export function partOf(tree: ConditionTree, slot: NodeSlot): string | undefined {
  const part = conditionTypeRow(tree.type)?.parts.find((it) => it.slot === slot)
  return part && (tree as unknown as Record<string, string | undefined>)[part.member]
}

/** Hex digits of a type's fingerprint. */
export function fingerprintDigits(type: ConditionType): number {
  return conditionTypeRow(type).hashesKey ? 40 : 64
}

/** The types with members; only these have subtypes. */
export function isCompound(type: ConditionType): boolean {
  return conditionTypeRow(type).leaf === undefined
}

/** @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_typeMask */
export function typesOfMask(mask: number): ConditionType[] {
  return conditionTypes.filter((type) => (mask >>> rows[type].number) & 1)
}

/** Maps numbers back to names. */
export function maskOfTypes(types: readonly ConditionType[]): number {
  return types.reduce((mask, type) => mask | (1 << rows[type].number), 0)
}

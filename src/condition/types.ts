/** Names as the C library and condition URIs have them. */
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
 * A condition and what may fulfill it. All bytes are hex.
 *
 * A key without a signature, a `condition` of which nothing more is known, and a threshold or
 * prefix over those are unfulfilled; preimages and evals always are fulfilled.
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

/** Fulfilled by what fulfills `subcondition` for the message with `prefix` before it. */
export interface PrefixNode {
  readonly type: 'prefix-sha-256'
  readonly prefix: string
  /** In bytes. Part of the condition's cost; like the C library's, our `verifyFulfillment` enforces nothing. */
  readonly maxMessageLength: number
  readonly subcondition: ConditionTree
}

/** Fulfilled when `threshold` of its members are; 1 to 255 members. */
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
  /** 33 bytes. Not necessarily a point of the curve: burned tokens belong to a key that is none. */
  readonly publicKey: string
  /** 64 bytes: r and s. */
  readonly signature?: string
}

/** Tokel's: a key behind its hash, revealed by the signature. */
export interface Secp256k1HashNode {
  readonly type: 'secp256k1hash-sha-256'
  /** 20 bytes: RIPEMD-160 of SHA-256 of the public key. */
  readonly publicKeyHash: string
  readonly publicKey?: string
  readonly signature?: string
}

/** Fulfilled if the chain's module for the code's first byte agrees. */
export interface EvalNode {
  readonly type: 'eval-sha-256'
  readonly code: string
  /** Bytes that Tokel allows beside the code in a fulfillment; no rule looks at them. */
  readonly parameter?: string
}

/** A condition by itself: what a script holds, and what stands for an unfulfilled member. */
export interface Condition {
  readonly type: 'condition'
  readonly conditionType: ConditionType
  /** 32 bytes; 20 for secp256k1hash-sha-256. */
  readonly fingerprint: string
  /** 0n to 2^63 - 1. */
  readonly cost: bigint
  /** Types inside, in the order of their numbers; only of a threshold or prefix. */
  readonly subtypes: readonly ConditionType[]
}

/** Numbers of the types: DER tags, and bits of a mask. */
export const conditionTypeNumbers: Readonly<Record<ConditionType, number>> = Object.freeze({
  'preimage-sha-256': 0,
  'prefix-sha-256': 1,
  'threshold-sha-256': 2,
  'rsa-sha-256': 3,
  'ed25519-sha-256': 4,
  'secp256k1-sha-256': 5,
  'secp256k1hash-sha-256': 6,
  'eval-sha-256': 15,
})

/** All types in the order of their numbers. */
const conditionTypes: readonly ConditionType[] = Object.freeze(
  Object.keys(conditionTypeNumbers) as ConditionType[],
)

const typesByNumber: (ConditionType | undefined)[] = Array.from({ length: 16 }, (_, number) =>
  conditionTypes.find((type) => conditionTypeNumbers[type] === number),
)

export function conditionTypeOfNumber(number: number): ConditionType | undefined {
  return typesByNumber[number]
}

export function isConditionType(text: unknown): text is ConditionType {
  return typeof text === 'string' && Object.hasOwn(conditionTypeNumbers, text)
}

/** The types that hold other conditions, and alone name subtypes. */
export function isCompound(type: ConditionType): boolean {
  return type === 'prefix-sha-256' || type === 'threshold-sha-256'
}

/** @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_typeMask */
export function typesOfMask(mask: number): ConditionType[] {
  return conditionTypes.filter((type) => (mask >>> conditionTypeNumbers[type]) & 1)
}

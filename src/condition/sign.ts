import { concatBytes } from '@noble/hashes/utils.js'
import { publicKeys } from '#public-keys'
import { hash160 } from '../engine/calls.ts'
import { type HeldKey, holdKey } from '../engine/private-keys.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'
import { isPrivateKey } from '../primitives/secp256k1.ts'
import { decodeCondition, encodeCondition } from './codec.ts'
import { hashToSign, secp256k1Failure } from './keys.ts'
import type { Ed25519Signer } from './public-keys.ts'
import { type ConditionTree, conditionTypeRow, partOf } from './types.ts'

/**
 * Signs a message with every key of a tree that belongs to a private key.
 *
 * secp256k1 keys, also those given by their hash, get a low-S signature with an RFC 6979 nonce: over
 * the message if it has 32 bytes, otherwise over its SHA-256. Ed25519 keys sign the message with the
 * prefixes around them. secp256k1 keys below a prefix stay unsigned, because the C library has no
 * rule for them. Each secp256k1 signature is verified before it is returned.
 *
 * @param message - hex; for an input of a transaction its `signatureHash`
 * @param privateKey - 32 bytes, hex: a secp256k1 key, an Ed25519 seed, or both
 * @returns the tree with signatures; without a matching key, the tree as it was
 * @throws {AntaraError} `malformed_private_key`, and as `encodeCondition`
 * @see komodo src/cryptoconditions/src/secp256k1.c, cc_signTreeSecp256k1Msg32
 * @example
 * const signed = signFulfillment(tree, signatureHash(hex, 0, { scriptCode, value }), privateKey)
 * encodeFulfillment(signed)
 */
export function signFulfillment(
  tree: ConditionTree,
  message: string,
  privateKey: string,
): ConditionTree {
  requireString(message, 'message')
  requireString(privateKey, 'privateKey')
  // This also refuses values that are not trees, before anything recurses into them.
  const { conditionType, subtypes } = decodeCondition(encodeCondition(tree))
  const hasPrefix = conditionType === 'prefix-sha-256' || subtypes.includes('prefix-sha-256')
  const signer = signerOf(privateKey)
  return signNode(tree, { message: bytesFromHex(message, 'message'), hasPrefix, signer })
}

interface Signer {
  /** Undefined if the bytes are not a secp256k1 key; an Ed25519 seed need not be one. */
  readonly secp256k1: HeldKey | undefined
  readonly ed25519: Ed25519Signer
}

interface Signing {
  readonly message: Uint8Array
  readonly hasPrefix: boolean
  readonly signer: Signer
}

function signerOf(privateKey: string): Signer {
  const isHex = /^[0-9a-f]{64}$/i.test(privateKey)
  if (!isHex) throw new AntaraError('malformed_private_key')
  const secretKey = bytesFromHex(privateKey)
  const ed25519 = publicKeys.ed25519Signer(secretKey)
  if (!isPrivateKey(secretKey)) return { secp256k1: undefined, ed25519 }
  // `holdKey` takes its bytes over, and the other signer still needs them.
  return { secp256k1: holdKey(secretKey.slice()), ed25519 }
}

function signNode(tree: ConditionTree, signing: Signing): ConditionTree {
  const { message, signer, hasPrefix } = signing
  if (tree.type === 'threshold-sha-256') {
    const subconditions = tree.subconditions.map((member) => signNode(member, signing))
    return { ...tree, subconditions }
  }
  if (tree.type === 'prefix-sha-256') {
    const extended = concatBytes(bytesFromHex(tree.prefix), message)
    return { ...tree, subcondition: signNode(tree.subcondition, { ...signing, message: extended }) }
  }
  switch (conditionTypeRow(tree.type)?.key) {
    case 'ed25519':
      if (partOf(tree, 'value')?.toLowerCase() !== signer.ed25519.publicKey) return tree
      return { ...tree, signature: signer.ed25519.sign(message) } as ConditionTree
    case 'secp256k1':
      if (hasPrefix || signer.secp256k1 === undefined) return tree
      return signSecp256k1(tree, signer.secp256k1, message)
    default:
      return tree
  }
}

function signSecp256k1(
  node: ConditionTree,
  { publicKeys: [publicKey], sign }: HeldKey,
  message: Uint8Array,
): ConditionTree {
  const keyHash = partOf(node, 'keyHash')
  const isOurs =
    keyHash === undefined
      ? partOf(node, 'value')?.toLowerCase() === publicKey
      : keyHash.toLowerCase() === hash160(publicKey)
  if (!isOurs) return node
  const hash = hashToSign(message)
  const signature = sign(hexFromBytes(hash))
  const failure = secp256k1Failure(publicKey, signature, hash)
  if (failure !== undefined) throw new AntaraError(failure)
  return { ...node, publicKey, signature } as ConditionTree
}

import { tokensEvalCode } from '../../chain/modules.ts'
import type { Network } from '../../chain/network.ts'
import type { ConditionTree } from '../../condition/types.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { requireObject, requireString } from '../../primitives/arguments.ts'
import { normalizeHex } from '../../primitives/hex.ts'
import { compressedKeyDigits } from '../../primitives/hex-forms.ts'
import { requireKnownMembers } from '../../primitives/known-members.ts'
import { isAddressLike, redactPublicKey } from '../../primitives/redact-key.ts'
import { conditionScript, conditionTree } from '../../script/condition-script.ts'
import { addressOfScript } from '../../script/script.ts'

export interface TokenScriptOptions {
  /** One byte each; for a non-fungible token the first byte of its data and f2. Default: f2. */
  readonly evalCodes?: readonly number[]
}

/**
 * Returns the scriptPubKey that holds tokens for a public key, or for either one of two.
 *
 * @param pubkeys - compressed, hex; they need not be points of the curve
 * @returns hex
 * @throws {AntaraError} `malformed_hex`, `wrong_length`
 * @see komodo src/cc/CCtokenutils.cpp, MakeTokensCC1vout and MakeTokensCC1of2vout
 * @example
 * tokenScript('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')
 * // '2ea22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401cc'
 */
export function tokenScript(
  pubkeys: string | readonly [string, string],
  options: TokenScriptOptions = {},
): string {
  return conditionScript(tokenConditionTree(pubkeys, options))
}

/**
 * Returns the condition tree behind `tokenScript`, for signing and fulfilling it.
 *
 * @param pubkeys - compressed, hex; they need not be points of the curve
 * @param options - eval codes of the modules; default 0xf2 alone
 * @returns the tree, without signatures
 * @throws {AntaraError} `malformed_hex`, `wrong_length`
 * @see komodo src/cc/CCtokenutils.cpp, MakeTokensCCcond1 and MakeTokensCCcond1of2
 * @example
 * encodeFulfillment(signFulfillment(tokenConditionTree(pubkey), hash, privateKey))
 */
export function tokenConditionTree(
  pubkeys: string | readonly [string, string],
  options: TokenScriptOptions = {},
): ConditionTree {
  requireObject(options, 'options')
  requireKnownMembers(options, ['evalCodes'], 'options')
  const { evalCodes = [tokensEvalCode] } = options
  const keys = typeof pubkeys === 'string' ? [pubkeys] : pubkeys
  return conditionTree(evalCodes, keys.map(keyNode))
}

/**
 * Returns the address that holds a public key's tokens, on chains of tokeld those of tokens v1. A
 * wallet has the addresses of tokens v2 in `addresses()`.
 *
 * @param pubkey - compressed, hex
 * @param options - eval codes of the modules; default 0xf2 alone
 * @returns Base58Check
 * @throws {AntaraError} as `tokenScript`
 * @example
 * tokenAddress('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', networks.assetChain)
 * // 'RCCahKiyBWPEcj9RhqDirfFrgu9eLeUPnd'
 */
export function tokenAddress(
  pubkey: string,
  network: Network,
  options: TokenScriptOptions = {},
): string {
  const address = addressOfScript(tokenScript(pubkey, options), network)
  if (address === undefined) {
    throw new TypeError(`network: ${network.name} has no crypto-conditions, so no token addresses`)
  }
  return address
}

/**
 * The script of the marker: each creation pays 10000 satoshis to it, by which wallets find tokens.
 * It is `tokenScript` of the module's key, spelled out because loading the library calls no native
 * code.
 */
export const markerScript =
  '2ea22c8020432de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cc'

function keyNode(pubkey: unknown, index: number): ConditionTree {
  const path = `pubkeys[${index}]`
  requireString(pubkey, path)
  if (isAddressLike(pubkey)) {
    const actual = redactPublicKey(pubkey)
    throw new AntaraError('malformed_hex', { path, offset: 0, expected: 'a public key', actual })
  }
  const publicKey = normalizeHex(pubkey, path)
  if (publicKey.length === compressedKeyDigits) return { type: 'secp256k1-sha-256', publicKey }
  throw new AntaraError('wrong_length', {
    path,
    expected: '33 bytes',
    actual: `${publicKey.length / 2} bytes`,
  })
}

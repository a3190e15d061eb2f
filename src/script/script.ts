// Scripts and addresses: decodes and converts them.

import { defaultNetwork, type Network, requireNetwork } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { keyHashScript, scriptHashScript } from './addressed-script.ts'
import { describeScripts } from './describe.ts'
import { decodeAddress } from './read-address.ts'
import type { DecodedScript } from './types.ts'

/**
 * Decodes a scriptPubKey to its type, text form and addresses, as the daemon shows them.
 *
 * The default network has crypto-conditions (`assetChain`).
 *
 * @param script - hex
 * @returns the type, the text form (`asm`), and the addresses if there are any
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`; any bytes are some script
 * @see komodo src/rpc/rawtransaction.cpp, ScriptPubKeyToJSON
 * @example
 * decodeScript('6a0b68656c6c6f20776f726c64')
 * // { type: 'nulldata', asm: 'OP_RETURN 68656c6c6f20776f726c64' }
 */
export function decodeScript(script: string, network: Network = defaultNetwork): DecodedScript {
  requireNetwork(network, 'network')
  requireString(script, 'script')
  return describeScripts({
    scriptSigs: [],
    scriptPubKeys: [normalizeHex(script, 'script')],
    network,
    showSighash: false,
  }).scriptPubKeys[0]!
}

/**
 * Returns the address that a scriptPubKey pays; `undefined` if it pays none or several.
 *
 * On komodod's chains, addresses of crypto-conditions have the same form as addresses of keys.
 *
 * @param script - hex
 * @returns Base58Check
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 * @see komodo src/script/standard.cpp, ExtractDestinations
 * @example
 * addressOfScript('76a9143bdb00e1143be1f59682fcb817ad82e5acd57efc88ac', networks.komodo)
 * // 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
 */
export function addressOfScript(script: string, network: Network): string | undefined {
  return onlyAddress(decodeScript(script, network))
}

/** Returns the addresses of several scripts in lower-case hex, in two calls of the native core. */
export function addressesOfScripts(
  scriptPubKeys: readonly string[],
  network: Network,
): (string | undefined)[] {
  const described = describeScripts({ scriptSigs: [], scriptPubKeys, network, showSighash: false })
  return described.scriptPubKeys.map(onlyAddress)
}

function onlyAddress({ addresses }: DecodedScript): string | undefined {
  return addresses?.length === 1 ? addresses[0] : undefined
}

/** Returns why a text is not an address of any network, in words. */
function whyNoAddress(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== text) return trimmed === '' ? 'blanks' : 'blanks around it'
  if (isCompressedKey(text.toLowerCase())) return 'a public key'
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return 'a character that Base58 does not have'
  if (text.length < 26 || text.length > 35) return `${text.length} characters`
  return 'a checksum that does not match: a character is mistyped'
}

/**
 * Returns the scriptPubKey that pays an address of a key or a script.
 *
 * A condition's address cannot be converted back, because it is the hash of the condition's script.
 * If such an address has the prefix of keys, as on komodod's chains, the result would pay a key
 * that nobody has. So do not pass an address that may be a condition's.
 *
 * @param address - Base58Check of a prefix and 20 bytes
 * @returns hex: of 25 bytes for a key, of 23 for a script
 * @throws {AntaraError} `unknown_address` for malformed text, a prefix of another network, or the
 *   prefix of conditions
 * @see komodo src/script/standard.cpp, GetScriptForDestination
 * @example
 * scriptOfAddress('REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', networks.komodo)
 * // '76a9143bdb00e1143be1f59682fcb817ad82e5acd57efc88ac'
 */
export function scriptOfAddress(address: string, network: Network): string {
  requireString(address, 'address')
  requireNetwork(network, 'network')
  const { pubKeyHashPrefix, scriptHashPrefix, name } = network
  const decoded = decodeAddress(address)
  if (decoded === undefined) {
    throw new AntaraError('unknown_address', {
      expected: 'Base58Check of a prefix and 20 bytes',
      actual: `${redactKey(address)}: ${whyNoAddress(address)}`,
    })
  }
  if (decoded.prefix === pubKeyHashPrefix) return keyHashScript(decoded.hash160)
  if (decoded.prefix === scriptHashPrefix) return scriptHashScript(decoded.hash160)
  throw new AntaraError('unknown_address', {
    expected: `prefix ${pubKeyHashPrefix} or ${scriptHashPrefix} of ${name}`,
    actual: `prefix ${decoded.prefix}`,
  })
}

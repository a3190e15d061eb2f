// Messages signed with an address's key.

import { sha256 } from '@noble/hashes/sha2.js'
import { recoverPublicKey, sign } from '@noble/secp256k1'
import type { Network } from '../../chain/network.ts'
import { bytesFromHex, hexFromBytes } from '../../primitives/hex.ts'
import { readPrivateKey } from '../../signing/wif.ts'
import { compactSize } from '../state/block.ts'
import type { WalletKey } from '../state/wallet.ts'

/** komodo src/main.cpp, strMessageMagic */
const magic = 'Komodo Signed Message:\n'

function messageHash(message: string): Uint8Array {
  const parts = [magic, message].map((part) => Buffer.from(part, 'utf8'))
  const framed = parts.map((part) => compactSize(part.length) + part.toString('hex')).join('')
  return sha256(sha256(bytesFromHex(framed)))
}

/** Base64 of a header, r and s. @see komodo src/key.cpp, SignCompact */
export function signedMessage(
  message: string,
  { wif, publicKey }: WalletKey,
  network: Network,
): string {
  const secret = readPrivateKey(wif, network, 'key')
  const signature = sign(messageHash(message), secret, { prehash: false, format: 'recovered' })
  const header = 27 + signature[0]! + (publicKey.length === 66 ? 4 : 0)
  return Buffer.from([header, ...signature.subarray(1)]).toString('base64')
}

/** The public key that signed, in the form that the header tells; undefined if none could have. */
export function recoveredKey(message: string, base64: string): string | undefined {
  const signature = Buffer.from(base64, 'base64')
  const header = signature[0] ?? 0
  if (signature.length !== 65 || header < 27 || header > 34) return undefined
  try {
    const recovery = Uint8Array.of((header - 27) & 3, ...signature.subarray(1))
    const compressed = recoverPublicKey(recovery, messageHash(message), { prehash: false })
    return hexFromBytes(compressed)
  } catch {
    return undefined
  }
}

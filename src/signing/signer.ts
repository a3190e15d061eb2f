import type { Network } from '../chain/network.ts'
import { hash160 } from '../engine/calls.ts'
import { holdKey } from '../engine/private-keys.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { verifySignature } from './verify.ts'
import { readPrivateKey } from './wif.ts'

/**
 * A key that can sign. Only a closure holds the private key, so no logger, debugger output or error
 * shows it.
 */
export interface Signer {
  /** The compressed, then the uncompressed public key. */
  readonly publicKeys: readonly [string, string]
  /** Signs a hash: r and s, 64 bytes, verified by the native core. */
  sign(hash: string): string
}

/** @throws {AntaraError} `malformed_private_key`, with the path and without any part of the key */
export function readSigner(key: unknown, network: Network, path: string): Signer {
  const { publicKeys, sign } = holdKey(readPrivateKey(key, network, path))
  const [publicKey] = publicKeys
  return {
    publicKeys,
    sign(hash) {
      const signature = sign(hash)
      const { code } = verifySignature({ hash, publicKey, signature, encoding: 'compact' })
      if (code !== undefined) throw new AntaraError(code)
      return signature
    },
  }
}

/** The signer for each hash of a public key, and the form of the key that was hashed. */
export type KeysByHash = ReadonlyMap<string, { signer: Signer; publicKey: string }>

export function keysByHash(signers: readonly Signer[]): KeysByHash {
  return new Map(
    signers.flatMap((signer) =>
      signer.publicKeys
        .filter((it) => it !== '')
        .map((publicKey) => [hash160(publicKey), { signer, publicKey }] as const),
    ),
  )
}

// Reads the keys that a wallet is opened with: signers, public keys, or a keychain.

import { argumentError, requireArray, requireSome, requireUint32 } from '../primitives/arguments.ts'
import type { WalletOptions } from './contract.ts'
import { discoveringRing, fixedRing, type KeyRing, watchedKeys } from './key-ring.ts'
import { type OwnScripts, ownScriptsOf } from './own-scripts.ts'
import { readSigners, type WalletSigner } from './signer.ts'
import type { ViewContext } from './view.ts'

/** @throws {TypeError} without a key, with keys of two kinds, or for malformed keys */
export async function readKeys(
  { signers, publicKeys, keychain, gapLimit = 20, keysMax = 1000 }: WalletOptions,
  context: Omit<ViewContext, 'own'>,
): Promise<{ readonly ring: KeyRing; readonly own: OwnScripts }> {
  const given = { signers, publicKeys, keychain }
  const [name, another] = Object.entries(given).flatMap(([key, it]) =>
    it === undefined ? [] : key,
  )
  if (another !== undefined) throw argumentError(another, `no ${name} beside it`, 'both')
  requireUint32(gapLimit, 'gapLimit')
  requireUint32(keysMax, 'keysMax')
  if (gapLimit === 0) throw argumentError('gapLimit', 'at least 1', gapLimit)
  if (keychain !== undefined) {
    const own = ownScriptsOf([], context.network)
    return {
      own,
      ring: await discoveringRing(keychain, { ...context, own }, { gapLimit, keysMax }),
    }
  }
  const ring = signers === undefined ? watchingRing(publicKeys) : signingRing(signers)
  return { ring, own: ownScriptsOf(ring.publicKeys, context.network) }
}

function signingRing(signers: readonly WalletSigner[]): KeyRing {
  requireArray(signers, 'signers')
  requireSome(signers, 'signers', 'signer')
  const read = readSigners(signers)
  return fixedRing(
    read.map(({ publicKey }) => publicKey),
    read,
  )
}

function watchingRing(publicKeys: readonly string[] | undefined): KeyRing {
  requireArray(publicKeys, 'publicKeys')
  requireSome(publicKeys, 'publicKeys', 'public key')
  return fixedRing(watchedKeys(publicKeys, 'publicKeys'), [])
}

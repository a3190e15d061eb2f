// The keys of a node's identities, and the wallets that they begin with.

import { hash160 } from '../engine/calls.ts'
import { requireUint32 } from '../primitives/arguments.ts'
import { encodeAddress } from '../script/base58.ts'
import type { Engine } from './engine.ts'
import { identityKey } from './identities.ts'
import type { IdentityOptions } from './identity-types.ts'
import { withEntry } from './state/ordered-map.ts'
import { emptyWallet, keyOfWif, type Wallet, type WalletKey, withKey } from './state/wallet.ts'

interface IdentityKey {
  readonly key: WalletKey
  readonly pubkey: string | undefined
}

export function identityKeys(
  { rules }: Engine,
  identities: number | readonly IdentityOptions[],
  seed?: string,
): IdentityKey[] {
  if (typeof identities === 'number') requireUint32(identities, 'identities')
  const list =
    typeof identities === 'number'
      ? Array.from({ length: identities }, (): IdentityOptions => ({}))
      : identities
  if (list.length === 0) {
    const given = identities === 0 ? '0' : 'an empty array'
    throw new TypeError(`identities: expected at least one, got ${given}`)
  }
  return list.map(({ wif, pubkey }, at) => {
    const key =
      wif === undefined ? identityKey(rules.network, at, seed) : keyOfWif(wif, rules.network)
    return { key, pubkey: pubkey === false ? undefined : (pubkey ?? key.publicKey) }
  })
}

export function walletOf(engine: Engine, key: WalletKey, pubkey: string | undefined): Wallet {
  const wallet = withKey({ ...emptyWallet, pubkey }, key)
  return { ...wallet, accounts: withEntry(wallet.accounts, addressOf(engine, key.publicKey), '') }
}

export function addressOf({ rules }: Engine, publicKey: string): string {
  return encodeAddress(rules.network.pubKeyHashPrefix, hash160(publicKey))
}

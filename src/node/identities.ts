// The keys of a node's identities, and the wallets that they begin with. Everybody knows the keys, so
// they are worth nothing outside a development chain.

import { sha256 } from '@noble/hashes/sha2.js'
import type { Network } from '../chain/network.ts'
import { hash160 } from '../engine/calls.ts'
import { requireUint32 } from '../primitives/arguments.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { encodeAddress } from '../script/base58.ts'
import { encodeWif } from '../signing/wif.ts'
import type { Engine } from './engine.ts'
import type { IdentityOptions } from './identity-types.ts'
import { withEntry } from './state/ordered-map.ts'
import { emptyWallet, keyOfWif, type Wallet, type WalletKey, withKey } from './state/wallet.ts'

const seed = 'antara-tx development node, throw-away key'

/** Keys that every node starts with: computing a point takes longer than the rest of the start. */
const published: Readonly<Record<string, WalletKey>> = {
  '0': {
    wif: 'UsNyGFHU93948f19ogqT39ckxvHLvggZYUyKJWU6uxq8AUZsQ5Ek',
    publicKey: '024bb09c7e785268795dc46b485d1b3718ed6f452030936370550de61e7670c117',
  },
  '1': {
    wif: 'UxNkCaCyuC5z4V84gU4yyxYbGiBpNBshofYPCHbJEQyjRukUjP8N',
    publicKey: '03f67b2fa577c0d3f47aa9aece14925b6eeb81da5b9f24b98763251d2aad0ad2fb',
  },
}

/** The key of an identity that was given none. */
export function identityKey(network: Network, at: number, own?: string): WalletKey {
  // The length keeps the keys of one text apart from those of any other.
  if (own !== undefined) return newKey(network, `${own.length}:${own} ${at}`)
  return published[at] ?? newKey(network, String(at))
}

/** A key that follows from a name: the same ones every time, so that tests can be repeated. */
export function newKey(network: Network, name: string): WalletKey {
  const privateKey = hexFromBytes(sha256(Buffer.from(`${seed} ${name}`, 'utf8')))
  return keyOfWif(encodeWif(privateKey, network), network)
}

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

// Throw-away keys: everybody knows them, so they are worth nothing outside a development chain.

import { sha256 } from '@noble/hashes/sha2.js'
import type { Network } from '../chain/network.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { encodeWif } from '../signing/wif.ts'
import { keyOfWif, type WalletKey } from './state/wallet.ts'

const seed = 'antara-tx development node, throw-away key'

/** A key that follows from a name: the same ones every time, so that tests can be repeated. */
export function newKey(network: Network, name: string): WalletKey {
  const privateKey = hexFromBytes(sha256(Buffer.from(`${seed} ${name}`, 'utf8')))
  return keyOfWif(encodeWif(privateKey, network), network)
}

/** Nodes with many coins of one key, each started at its first use. */
import { getPublicKey } from '@noble/secp256k1'
import { addressOf, networks } from '../libraries/antara-tx.mjs'
import { startServerProcess } from '../libraries/server-process.mjs'

export const key = '7'.padStart(64, '0')
const own = Buffer.from(getPublicKey(Buffer.from(key, 'hex'))).toString('hex')
export const address = addressOf(own, networks.assetChain)

/** @type {Map<number, Promise<{ url: string, user: string, password: string }>>} */
const started = new Map()

/** @param {number} coins */
export function daemonWith(coins) {
  const running = started.get(coins) ?? startServerProcess('wallet-node.mjs', [address, `${coins}`])
  started.set(coins, running)
  return running
}

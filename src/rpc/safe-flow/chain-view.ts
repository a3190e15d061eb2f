// A daemon's claims about its chain. None is proven: each is compared with the journal's records,
// and it ends an attempt only if the caller trusts the server.

import { isHex32 } from '../../primitives/hex-forms.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError } from '../errors.ts'
import type { CallOptions } from '../options.ts'
import type { Attempt } from './attempts.ts'
import type { TransactionSource } from './evidence.ts'
import { callOptions } from './options.ts'
import { depthMax, type Place } from './place.ts'
import { readTransaction } from './transaction.ts'

interface ChainView {
  /** Returns the hash of block 1; asset chains share the genesis block but not this one. */
  chain(): Promise<string | undefined>
  place(txid: string): Promise<Place>
  tip(): Promise<number | undefined>
  spender(outpoint: string): Promise<string | undefined>
  isDead(attempt: Attempt): Promise<boolean>
}

export function daemonView(
  client: DaemonClient,
  options: CallOptions,
  lookUp: TransactionSource,
): ChainView {
  const limits = callOptions(options)
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.call(method, params, limits)
    } catch (error) {
      if (isRpcError(error, 'daemon') || isRpcError(error, 'shape')) return undefined
      throw error
    }
  }
  const tip = async () => wholeNumber(await call('getblockcount', []))

  const spentInfo = async (outpoint: string) => {
    const [txid, index] = outpoint.split(':')
    const spent = await call('getspentinfo', [{ txid, index: Number(index) }])
    const spender = memberOf(spent, 'txid')
    const isTxid = typeof spender === 'string' && isHex32(spender.toLowerCase())
    return {
      spender: isTxid ? spender.toLowerCase() : undefined,
      height: wholeNumber(memberOf(spent, 'height')),
    }
  }

  /** Returns true if a deep enough transaction spends an output; its own bytes must show it. */
  const isSpentDeep = async (outpoint: string, own: string, height: number): Promise<boolean> => {
    const { spender, height: at } = await spentInfo(outpoint)
    if (spender === undefined || spender === own || at === undefined) return false
    if (at < 1 || at + depthMax > height) return false
    const hex = await lookUp(spender)
    const tx = typeof hex === 'string' ? await readTransaction(hex) : undefined
    if (tx?.txid !== spender) return false
    return tx.inputs.some((input) => `${input.txid}:${input.vout}` === outpoint)
  }

  return {
    tip,
    spender: async (outpoint) => (await spentInfo(outpoint)).spender,
    async chain() {
      const hash = await call('getblockhash', [1])
      return typeof hash === 'string' && isHex32(hash.toLowerCase())
        ? hash.toLowerCase()
        : undefined
    },
    async place(txid) {
      const reply = await call('getrawtransaction', [txid, 1])
      const confirmations = wholeNumber(memberOf(reply, 'confirmations')) ?? 0
      if (confirmations < 1) return {}
      const height = wholeNumber(memberOf(reply, 'height'))
      const last = height ?? (await tip())
      return last === undefined ? {} : { height: height ?? last - confirmations + 1 }
    },
    async isDead({ txid, hex, outpoints }) {
      const height = await tip()
      const tx = await readTransaction(hex)
      if (height === undefined || tx === undefined) return false
      if (tx.expiryHeight > 0 && height >= tx.expiryHeight + depthMax) return true
      for (const outpoint of outpoints) {
        if (await isSpentDeep(outpoint, txid, height)) return true
      }
      return false
    },
  }
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null
  return isObject && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** Returns a whole number of a raw answer, whose numbers keep their digits; else `undefined`. */
function wholeNumber(value: unknown): number | undefined {
  const number = Number(String(value))
  return value !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

// Claims of a daemon about its chain. None of them is proven. A flow compares them with the
// journal's records, and lets them end an attempt only if the caller trusts the server.

import { depthMax } from '../../journal/recorded-payment.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import { wholeNumberIn } from '../../primitives/whole-number.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { unlessRefused } from '../errors.ts'
import type { CallOptions } from '../options.ts'
import type { Attempt } from './attempts.ts'
import type { TransactionSource } from './evidence.ts'
import { callOptions } from './options.ts'
import type { Place } from './place.ts'
import { readAnswer, readTransaction } from './transaction.ts'

interface ChainView {
  /** Returns the hash of block 1; asset chains share the genesis block but not this one. */
  chain(): Promise<string | undefined>
  /** Returns the height of the block that has a transaction, if one has it. */
  place(txid: string): Promise<Place>
  /** Returns the height of the last block. */
  tip(): Promise<number | undefined>
  /** Returns the txid of the transaction that spends an output, `txid:vout`. */
  spender(outpoint: string): Promise<string | undefined>
  /** Returns true if no block has the attempt, because an output that it spends is unspent. */
  isUnmined(attempt: Attempt): Promise<boolean>
  /**
   * Returns true if the attempt can never be mined: it expired unmined, or another transaction spent
   * one of its inputs. Either must be so deep in the chain that no reorganization undoes it.
   */
  isDead(attempt: Attempt): Promise<boolean>
}

/** @param lookUp - returns the bytes of a transaction */
export function daemonView(
  client: DaemonClient,
  options: CallOptions,
  lookUp: TransactionSource,
): ChainView {
  const limits = callOptions(options)
  const call = (method: string, params: readonly unknown[]): Promise<unknown> =>
    unlessRefused(client.call(method, params, limits))
  const tip = async () => wholeNumberIn(await call('getblockcount', []))

  const spentInfo = async (outpoint: string) => {
    const [txid, index] = outpoint.split(':')
    const spent: Members = Object(await call('getspentinfo', [{ txid, index: Number(index) }]))
    return { spender: hex32Of(spent.txid), height: wholeNumberIn(spent.height) }
  }

  /**
   * Returns true if another transaction than the attempt spends an output, `depthMax` blocks below
   * the tip or deeper. `getspentinfo` is not enough: the bytes of the spender must show the input.
   */
  const isSpentByOther = async (
    outpoint: string,
    attemptTxid: string,
    tipHeight: number,
  ): Promise<boolean> => {
    const { spender, height } = await spentInfo(outpoint)
    if (spender === undefined || spender === attemptTxid || height === undefined) return false
    if (height < 1 || height + depthMax > tipHeight) return false
    const tx = await readAnswer(await lookUp(spender))
    if (tx?.txid !== spender) return false
    return tx.inputs.some((input) => `${input.txid}:${input.vout}` === outpoint)
  }

  /**
   * Returns true if an input of the attempt is unspent in the chain, which proves that it was not
   * mined. Without a transaction index, `getrawtransaction` does not find a mined transaction whose
   * outputs are all spent.
   */
  const hasUnspentInput = async (outpoints: Iterable<string>): Promise<boolean> => {
    for (const outpoint of outpoints) {
      const [txid, index] = outpoint.split(':')
      const output = await call('gettxout', [txid, Number(index), false])
      if (typeof output === 'object' && output !== null) return true
    }
    return false
  }

  return {
    tip,
    spender: async (outpoint) => (await spentInfo(outpoint)).spender,
    async chain() {
      return hex32Of(await call('getblockhash', [1]))
    },
    async place(txid) {
      const reply = await call('getrawtransaction', [txid, 1])
      if (confirmationsOf(Object(reply)) < 1) return {}
      const tipHeight = await tip()
      return tipHeight === undefined ? {} : placeIn(reply, tipHeight)
    },
    isUnmined: ({ outpoints }) => hasUnspentInput(outpoints),
    async isDead({ txid, hex, outpoints }) {
      const tipHeight = await tip()
      const tx = await readTransaction(hex)
      if (tipHeight === undefined || tx === undefined) return false
      const isExpiredAt = (height: number | undefined) =>
        height !== undefined && tx.expiryHeight > 0 && height >= tx.expiryHeight + depthMax
      // The daemon may roll back between two calls: the input is then unspent in a shorter chain.
      if (isExpiredAt(tipHeight) && (await hasUnspentInput(outpoints))) {
        if (isExpiredAt(await tip())) return true
      }
      for (const outpoint of outpoints) {
        if (await isSpentByOther(outpoint, txid, tipHeight)) return true
      }
      return false
    },
  }
}

type Members = Readonly<Record<string, unknown>>

function hex32Of(value: unknown): string | undefined {
  const digits = typeof value === 'string' ? value.toLowerCase() : ''
  return isHex32(digits) ? digits : undefined
}

function confirmationsOf({ rawconfirmations, confirmations }: Members): number {
  // Only the raw number counts blocks that are not notarised.
  return wholeNumberIn(rawconfirmations) ?? wholeNumberIn(confirmations) ?? 0
}

/**
 * Returns the place that a daemon reports in `getrawtransaction TXID 1`.
 *
 * @param tipHeight - height that the daemon reported after it
 */
export function placeIn(reply: unknown, tipHeight: number): Place {
  const members: Members = Object(reply)
  const confirmations = confirmationsOf(members)
  if (confirmations < 1) return {}
  // The daemon names height -1 for a block that left the chain.
  const { height: named = tipHeight - confirmations + 1 } = members
  const height = wholeNumberIn(named)
  return height !== undefined && height >= 1 && height <= tipHeight ? { height } : {}
}

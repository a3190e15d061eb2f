// Which listed transaction spends an output, and why others can no longer be mined.

import type { ChainOptions } from '../chain-source/source.ts'
import { heightsOf } from './looks.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { Session } from './session.ts'
import { type NotMined, reasonNotMined } from './wait.ts'

/**
 * Returns the transaction that spends an output, with its height. Reads the history of the wallet's
 * scripts, and that of the output's own script.
 */
export async function spenderOf(
  { context: { known }, planContext }: Session,
  outpoint: string,
  options: ChainOptions,
): Promise<{ readonly txid: string; readonly height: number } | undefined> {
  const { listed } = await planContext.historyOf(spendOf(outpoint), options)
  const from = listed.find(({ txid }) => outpoint.startsWith(txid))?.height ?? 0
  for (const entry of listed.toReversed()) {
    // A transaction cannot be in an earlier block than the output that it spends.
    if (entry.height !== 0 && entry.height < from) break
    await known.fetch([entry.txid], options)
    const { inputs = [] } = known.get(entry.txid) ?? {}
    if (inputs.some((input) => keyOfOutpoint(input) === outpoint)) return entry
  }
  return undefined
}

/** Returns the part that is known of a transaction that spends an output. */
const spendOf = (outpoint: string) => {
  const [txid, vout] = outpoint.split(':') as [string, string]
  return { inputs: [{ txid, vout: Number(vout) }], outputs: [] }
}

/** Returns why none of several transactions can be mined; `undefined` while one of them can. */
export async function lostReason(
  { context: { chain, known }, planContext }: Session,
  attempts: readonly { readonly txid: string; readonly hex: string }[],
  options: ChainOptions,
): Promise<NotMined | undefined> {
  const { height } = await chain.tip(options)
  let reason: NotMined | undefined
  for (const { txid, hex } of attempts) {
    const transaction = known.add(hex)
    if (transaction === undefined) return undefined
    const history = await planContext.historyOf(transaction, options)
    // The bytes come from the journal, because a server may keep those of a mined payment to itself.
    if ((heightsOf(history.listed).get(txid) ?? 0) > 0) return undefined
    reason = await reasonNotMined(known, txid, { height, source: chain.name, ...history }, options)
    if (reason === undefined || reason.reason === 'unverified') return undefined
  }
  return reason
}

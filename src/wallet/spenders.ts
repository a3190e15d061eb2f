// Which transactions of the wallet spend an output, and why others can no longer be mined.

import type { ChainOptions } from '../chain-source/source.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { Session } from './session.ts'
import { type NotMined, reasonNotMined } from './wait.ts'

/** Returns the wallet's transaction that spends an output, with its height. */
export async function spenderOf(
  { context: { known }, entries }: Session,
  outpoint: string,
  options: ChainOptions,
): Promise<{ readonly txid: string; readonly height: number } | undefined> {
  const listed = await entries(options)
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

/** Returns why none of several transactions can be mined; `undefined` while one of them can. */
export async function lostReason(
  { context, entries }: Session,
  attempts: readonly { readonly txid: string; readonly hex: string }[],
  options: ChainOptions,
): Promise<NotMined | undefined> {
  const { chain, known } = context
  const { height } = await chain.tip(options)
  const listed = await entries(options)
  // The history needs no bytes for this, and a server may keep those of a mined payment to itself.
  const isMined = attempts.some((it) =>
    listed.some((one) => one.txid === it.txid && one.height > 0),
  )
  if (isMined) return undefined
  let reason: NotMined | undefined
  for (const { txid, hex } of attempts) {
    known.add(hex)
    reason = await reasonNotMined(context, txid, { height, listed }, options)
    if (reason === undefined || reason.reason === 'unverified') return undefined
  }
  return reason
}

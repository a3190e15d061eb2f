// Reads what a payee got from the address index of a daemon. A popular payee has many rows, so the
// blocks that no reorganization replaces are read once.

import { depthMax } from '../../journal/recorded-payment.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { recentValues } from '../../primitives/recent.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { askAtOnce } from './at-once.ts'
import type { MinedSpend, RecordedHeights } from './look-back.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'
import { comparedNow, listed, receiptReader, type SeenSpends, seenAbove } from './own-spends.ts'

/** A payee of a payment in coins. */
export interface Payee {
  readonly address: string
  readonly amount: bigint
}

/** The rows of the blocks above `from`, up to `through`. */
interface Received {
  readonly from: number
  readonly through: number
  /** The hash of the block `through`. On another chain, the rows are read again. */
  readonly hash: string
  readonly rows: readonly MinedSpend[]
}

/** With fewer rows, reading them again costs less than the question for a hash. */
const rowsWorthKeeping = 1000
/** The most rows that are kept for a client, about 40 MB. */
const rowsKeptMax = 200_000

const receivedOf = oncePerObject((_client: DaemonClient) => recentValues<Received>(rowsKeptMax))

/**
 * Lists the transactions that pay an amount to an address. A daemon may pay with coins of any address
 * of its wallet, and the spends of the payer have none of those.
 */
export async function paidTo(
  client: DaemonClient,
  { address, amount }: Payee,
  recorded: RecordedHeights,
  options: SafeFlowOptions,
): Promise<readonly string[]> {
  const isPaid = (satoshis: string | undefined): boolean => satoshis === `${amount}`
  const reader = receiptReader(client, address, isPaid, options)
  const { tip, above } = await comparedNow(reader, client, recorded)
  if (tip === undefined) return []
  const kept = receivedOf(client).get(address)
  const known = kept && (await isStill(client, kept, { tip, above }, options)) ? kept : undefined
  const seen = await seenAbove(reader, client, known?.through ?? above, options)
  await keep(client, address, { known: known ?? { from: above, rows: [] }, seen }, options)
  const spends = [...(known?.rows ?? []), ...seen.mined.spends].filter(
    ({ satoshis, height = above + 1 }) => isPaid(satoshis) && height > above,
  )
  return listed({ ...seen, mined: { ...seen.mined, spends } }, recorded).txids
}

interface News {
  /** The rows before the news. */
  readonly known: Pick<Received, 'from' | 'rows'> & Partial<Received>
  readonly seen: SeenSpends
}

/** Keeps the rows of the blocks that no reorganization replaces. */
async function keep(
  client: DaemonClient,
  address: string,
  { known, seen: { tip, mined } }: News,
  options: SafeFlowOptions,
): Promise<void> {
  const through = tip - depthMax
  const isUseful = through > (known.through ?? known.from) && mined.isWhole
  if (!isUseful || mined.spends.some(({ height }) => height === undefined)) return
  const news = mined.spends.filter(({ height }) => height! <= through)
  const size = known.rows.length + news.length
  if (size < rowsWorthKeeping || size > rowsKeptMax) return
  const hash = await hashAt(client, through, options)
  if (hash === undefined) return
  const all = receivedOf(client)
  all.remove(address)
  all.add(address, { from: known.from, through, hash, rows: [...known.rows, ...news] }, size)
}

/** Returns true if kept rows are those of the chain, and of all blocks that are compared. */
async function isStill(
  client: DaemonClient,
  { from, through, hash }: Received,
  { tip, above }: { readonly tip: number; readonly above: number },
  options: SafeFlowOptions,
): Promise<boolean> {
  if (from > above || through > tip) return false
  return (await hashAt(client, through, options)) === hash
}

/** Returns the hash of a block; `undefined` if the daemon does not answer with a text. */
async function hashAt(
  client: DaemonClient,
  height: number,
  options: SafeFlowOptions,
): Promise<string | undefined> {
  const question = { method: 'getblockhash', params: [height] }
  const [hash] = (await askAtOnce(client, [question], callOptions(options))) ?? []
  return typeof hash === 'string' ? hash : undefined
}

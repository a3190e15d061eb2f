// Coins that payments have taken: those of payments that are being made, and those of attempts that
// the journal has.

import type { UnsignedTransaction } from '../builders/unsigned.ts'
import type { ChainSource, ChainTip } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isSettled } from '../journal/recorded-payment.ts'
import { loadAttemptReader, readTransaction } from '../rpc/safe-flow/transaction.ts'
import { untilAborted } from './aborting.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import { isExpired } from './places.ts'
import type { Plan, Taken } from './plan.ts'

export interface TakenCoins {
  /** Builds a payment from coins that no other has taken, and takes them until `release`. */
  choose(name: string, plan: Plan, signal: AbortSignal | undefined): Promise<UnsignedTransaction>
  /**
   * Resolves with the coins that other payments than this one need.
   *
   * @param name - the name of the call, which two requests of a journal may share
   * @param terms - the key of the payment
   */
  taken(name?: string, terms?: string): Promise<Taken>
  /** Ends a payment that is being made. The journal has its coins if it was sent. */
  release(name: string): void
}

export function takenCoinsOf(chain: Pick<ChainSource, 'tip'>, journal: Journal): TakenCoins {
  /** Coins of payments that are being made: signing or sending them may take minutes. */
  const underWay = new Map<string, ReadonlySet<string>>()
  let choosing: Promise<unknown> = Promise.resolve()

  /** Chooses coins for one payment at a time, so that no two choose the same. */
  function choose(
    name: string,
    { key, build }: Plan,
    signal: AbortSignal | undefined,
  ): Promise<UnsignedTransaction> {
    const built = choosing.then(async () => {
      const unsigned = await build(await taken(name, key), { signal })
      // A call that has ended meanwhile reserves nothing.
      signal?.throwIfAborted()
      underWay.set(name, new Set(unsigned.coins.map(keyOfOutpoint)))
      return unsigned
    })
    // A source that never answers holds up other payments only until this call is aborted.
    const chosen = untilAborted(built, signal)
    choosing = chosen.catch(() => undefined)
    return chosen
  }

  async function taken(name = '', terms = ''): Promise<Taken> {
    const others = [...underWay].filter(([other]) => other !== name)
    const reserved = new Map(
      others.flatMap(([other, coins]) => [...coins].map((it) => [it, shownName(other)] as const)),
    )
    const shared = new Set<string>()
    const read = await loadAttemptReader()
    let tip: Promise<ChainTip> | undefined
    const isOver = async (hex: string): Promise<boolean> => {
      tip ??= chain.tip()
      return isExpired(await readTransaction(hex), (await tip).height)
    }
    const book = bookOf(journal)
    const ownName = book.nameOf(name, terms)
    for (const payment of book.payments()) {
      const isMade = payment.attempts.some(isSettled)
      for (const { txid, hex, fate, isOpen } of payment.attempts) {
        const isOwn = payment.name === ownName
        // A settled payment's coins come back when a reorganization removes it: it needs them
        // again.
        const isLive = fate === 'settled' || (fate === undefined && (isOpen || isOwn))
        if (!isLive) continue
        // The other attempts at a payment that was made are not looked for any more.
        if (isMade && fate === undefined && (await isOver(hex))) continue
        for (const outpoint of read(hex)?.outpoints ?? []) {
          if (isOwn) shared.add(outpoint)
          else reserved.set(outpoint, payment.id === undefined ? txid : payment.name)
        }
      }
    }
    return { reserved, shared }
  }

  return { choose, taken, release: (name) => void underWay.delete(name) }
}

/** A payment without an id has its terms as a name, which nobody can read. */
const shownName = (name: string) => (name.startsWith('id ') ? name : 'a payment under way')

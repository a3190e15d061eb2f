// How a payment of the wallet is looked for on the chain, and verified.

import type { ChainOptions } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import type { Report } from '../request/report.ts'
import type { Payment } from '../rpc/safe-flow/flow.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'
import { verifyOnDemand } from '../verification/on-demand.ts'
import type { ShownByChain } from './dead-attempt.ts'
import { heightsOf } from './looks.ts'
import { believedPlace, possiblePlace } from './places.ts'
import type { Plan } from './plan.ts'
import { recordedNames } from './recorded-request.ts'

export interface LooksContext extends ShownByChain {
  readonly journal: Journal
  /** Finds the used keys of a keychain, because a new process knows only the first ones. */
  findKeys(options: ChainOptions): Promise<void>
}

interface PaymentLooks extends Required<Pick<Payment, 'lookUp' | 'place' | 'spender'>> {
  /** The request that the journal has of the payment. */
  requestBefore(): string | undefined
  /** Verifies a transaction with all keys of the wallet, after a search for those of a keychain. */
  verified(hex: string, state: 'new' | 'on-chain'): Promise<Report>
  /** The same with the keys that are known by now, for calls that verify many. */
  verifiedByKnownKeys(hex: string, state: 'new' | 'on-chain'): Promise<Report>
}

export function looksOf(
  { chain, journal, historyOf, spenderOf, findKeys }: LooksContext,
  plan: Plan,
  name: string,
  limits: ChainOptions,
): PaymentLooks {
  function requestBefore(): string | undefined {
    const book = bookOf(journal)
    return book.payment(book.nameOf(name, plan.key))?.request
  }

  async function verifiedByKnownKeys(hex: string, state: 'new' | 'on-chain'): Promise<Report> {
    // The journal may have the transaction for an equal payment, with other names.
    const { txid = '' } = (await readTransaction(hex)) ?? {}
    const recorded = bookOf(journal).paymentsOf(txid)
    const requests = [requestBefore(), ...recorded.map(({ request }) => request)]
    const madeBy = requests.flatMap(recordedNames)
    return verifyOnDemand(await plan.caseOf(hex, state, { ...limits, madeBy }), limits)
  }

  return {
    requestBefore,
    verifiedByKnownKeys,
    async verified(hex, state) {
      // Without all of its keys, the wallet would not recognise its own change.
      await findKeys(limits)
      return verifiedByKnownKeys(hex, state)
    },
    async lookUp(txid) {
      const [hex] = await chain.transactions([txid], limits)
      return typeof hex === 'string' ? hex : { reason: 'unknown' }
    },
    async place(txid, { isBuiltElsewhere }) {
      const [hex] = await chain.transactions([txid], limits)
      const transaction = typeof hex === 'string' ? await readTransaction(hex) : undefined
      if (transaction?.txid !== txid) return {}
      const { listed } = await historyOf(transaction, limits)
      const { height: tip } = await chain.tip(limits)
      // A transaction of another builder may have any expiry height.
      const placeOf = isBuiltElsewhere ? possiblePlace : believedPlace
      return placeOf(transaction, heightsOf(listed), tip)
    },
    spender: async (outpoint) => (await spenderOf(outpoint, limits))?.txid,
  }
}

// Before a new payment, a guard asks which chain the daemon has, how high it is, and what the guard's
// key spent. One request asks all of this, while the daemon builds.

import type { DaemonClient } from '../rpc/daemon/client.ts'
import { askAtOnce } from '../rpc/safe-flow/at-once.ts'
import type { RecordedHeights } from '../rpc/safe-flow/look-back.ts'
import type { SeenSpends } from '../rpc/safe-flow/own-spends.ts'
import type { ChainAgreement } from './chain-agreement.ts'
import type { Spends } from './spends.ts'

/** One look at the chain, for one payment. */
export interface Look {
  /** Resolves once the chain is known to be that of the first payment. @throws {ChainFailure} */
  chain(): Promise<void>
  /**
   * Lists the transactions that spend coins or tokens of the key. Only the first call uses the answers
   * of this look: a person may think for minutes before the next one.
   */
  spends(recorded: RecordedHeights): Promise<readonly string[]>
  /** Returns the height of the chain to the first call; `undefined` to later ones, as it may be old. */
  tip(): Promise<number | undefined>
}

interface LookParts {
  readonly client: DaemonClient
  readonly agreement: ChainAgreement
  readonly spends: Spends
}

/**
 * Begins to ask. If the daemon does not answer all of one request, `look` asks for the chain alone, and
 * for the rest when it is needed.
 */
export function look({ client, agreement, spends }: LookParts): Look {
  const asked = ask()
  // Another error may end the payment first, and nobody awaits this one then.
  asked.catch(() => undefined)
  let isTipTaken = false
  let areSpendsTaken = false

  async function ask(): Promise<SeenSpends | undefined> {
    const wanted = agreement.known() === undefined ? undefined : spends.questions()
    if (wanted !== undefined) {
      const answers = await askAtOnce(client, [agreement.question, ...wanted.questions], {})
      if (answers !== undefined && agreement.compare(answers[0])) {
        return wanted.read(answers.slice(1))
      }
    }
    await agreement.require()
    return undefined
  }
  return {
    async chain() {
      await asked
    },
    async spends(recorded) {
      const isFirst = !areSpendsTaken
      areSpendsTaken = true
      const seen = await asked
      return spends.list(recorded, isFirst ? seen : undefined)
    },
    async tip() {
      const isFirst = !isTipTaken
      isTipTaken = true
      return isFirst ? (await asked)?.tip : undefined
    },
  }
}

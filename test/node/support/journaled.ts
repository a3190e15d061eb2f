// Transfers from the first identity of a node to the second, each by a process with a journal file.

import type { DevNode } from '../../../src/node/index.ts'
import { createDaemonClient, type DaemonClient, type Journal } from '../../../src/rpc/index.ts'
import { fileJournal } from '../../../src/wallet/index.ts'

interface World {
  readonly node: DevNode
  readonly tokenid: string
  /** The journal's file. */
  readonly path: string
}

/** @param world - asked at each use, because each test has another one */
export function paymentsIn(world: () => World) {
  return {
    newClient: (of: DevNode = world().node): DaemonClient =>
      createDaemonClient({
        ...of.identities[0]!,
        url: 'http://127.0.0.1/',
        fetch: of.fetch,
        retry: false,
      }),

    transfer(amount: bigint) {
      const { node, tokenid } = world()
      const [one, other] = node.identities
      return { tokenid, amount, from: one!.pubkey, destination: other!.pubkey }
    },

    /** Runs one process: its journal ends with it. */
    async inProcess<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
      const journal = fileJournal(world().path)
      try {
        return await work(journal)
      } finally {
        await journal.close()
      }
    },

    /** Returns the units that the other identity has. */
    async paid(): Promise<bigint> {
      const { node, tokenid } = world()
      const { pubkey } = node.identities[1]!
      const answer = (await node.request('tokenbalance', [tokenid, pubkey])) as { balance: number }
      return BigInt(answer.balance)
    },
  }
}

// The transactions whose signatures were right. A txid is the hash of all bytes, signatures too, and
// the inputs name what they spend by its hash. So the verdict on one txid never changes on a chain.

import type { Network } from '../chain/network.ts'
import { recentValues } from '../primitives/recent.ts'

/** A transaction, and what its signatures are checked against. */
interface Signed {
  readonly txid: string
  readonly network: Network
}

/** About 4 MB. A server sees the same ancestors again in the next transfers of a token. */
const transactionsMax = 20_000

const proven = recentValues<true>(transactionsMax)

/** Signatures commit to the branch, and chains differ in the conditions that they know. */
const keyOf = ({ txid, network: { branchId, conditions } }: Signed): string =>
  `${txid} ${branchId} ${conditions}`

export function isProven(transaction: Signed): boolean {
  return proven.get(keyOf(transaction)) === true
}

/** Remembers a transaction of which every signature was checked against the output that it spends. */
export function noteProven(transaction: Signed): void {
  proven.add(keyOf(transaction), true, 1)
}

// Remembers the transactions whose signatures are valid. A txid is the hash of all bytes, signatures
// included, and inputs name what they spend by txid. So the result for a txid never changes on a chain.

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

/** Call it only if every signature is valid, and was checked against the output that it spends. */
export function noteProven(transaction: Signed): void {
  proven.add(keyOf(transaction), true, 1)
}

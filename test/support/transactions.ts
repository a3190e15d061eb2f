import { leadingTransaction } from '../../src/transaction/decode.ts'

/** Returns the transactions after the header of a block of fewer than 253. */
export function leadingTransactions(body: string): string[] {
  const found: string[] = []
  for (let rest = body.slice(2); rest !== ''; ) {
    const next = leadingTransaction(rest) as string
    found.push(next)
    rest = rest.slice(next.length)
  }
  return found
}

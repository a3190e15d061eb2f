/** A coin that is spent; a coin of which nothing is known has no payer. */
interface SpentCoin {
  readonly payer: string | undefined
  readonly value: bigint
}

/**
 * Returns the change that gives its payee more than the payee's own coins among those that are
 * spent. Coins may return to where they were. If all of them are of one payer, a reward may be added.
 */
export function moreThanReturned<Change extends { readonly payee: string; readonly value: bigint }>(
  change: readonly Change[],
  coins: readonly SpentCoin[],
): Change[] {
  const spent = new Map<string | undefined, bigint>()
  for (const { payer, value } of coins) spent.set(payer, (spent.get(payer) ?? 0n) + value)
  const returned = new Map<string, bigint>()
  return change.filter(({ payee, value }) => {
    const sum = (returned.get(payee) ?? 0n) + value
    returned.set(payee, sum)
    const isOnly = spent.size === 1 && spent.has(payee)
    return !isOnly && sum > (spent.get(payee) ?? 0n)
  })
}

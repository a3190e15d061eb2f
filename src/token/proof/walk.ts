import type { Steps } from '../../primitives/steps.ts'

/** A transaction whose parents are being visited. */
interface Pending {
  readonly txid: string
  readonly parents: readonly string[]
  next: number
}

/**
 * Visits a transaction after all transactions that it rests on. The walk is depth first and not
 * recursive, because a history can be deeper than the stack. Each visit is a step.
 *
 * @param enter - returns the parents to visit first; `undefined` to skip the transaction
 */
export function* walk(
  start: string,
  enter: (txid: string) => readonly string[] | undefined,
  leave: (txid: string) => void,
): Steps<void> {
  const pending: Pending[] = []
  const go = (txid: string): void => {
    const parents = enter(txid)
    if (parents !== undefined) pending.push({ txid, parents, next: 0 })
  }
  go(start)
  yield
  for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
    const parent = top.parents[top.next]
    top.next += 1
    if (parent !== undefined) {
      go(parent)
      yield
      continue
    }
    pending.pop()
    leave(top.txid)
    yield
  }
}

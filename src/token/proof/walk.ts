import type { Steps } from '../../primitives/steps.ts'

/** A transaction on the way, whose parents are visited first. */
interface Pending {
  readonly txid: string
  readonly parents: readonly string[]
  next: number
}

/**
 * Visits a transaction after all that it rests on: depth first, without recursion, because a
 * history may be longer than a stack is deep. Each visit is a step.
 *
 * @param enter - the parents to visit first; undefined for what was visited, or needs no visit
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

// The answer of getaddressmempool: the waiting transactions that pay addresses or spend from them.

import { inMapOrder } from '../state/keys.ts'
import { type PooledTransaction, pooledTransactions } from '../state/mempool.ts'
import { hasConditionAddresses, type IndexKey, indexTypes } from '../state/script-index.ts'
import { outputAt } from '../state/view.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'

interface Waiting {
  readonly [member: string]: Answer
  readonly timestamp: number
}

/** An output or an input of a waiting transaction, and the keys under which the index has it. */
interface Touch {
  readonly keys: readonly IndexKey[]
  readonly index: number
  readonly waiting: Waiting
}

/** A cache: programs ask again and again, and a waiting transaction never changes. */
const known = new WeakMap<PooledTransaction, readonly Touch[]>()

/** Lists the changes that wait under each of `keys`, in the order of the daemon's map. */
export function waitingUnder(
  context: Context,
  keys: readonly IndexKey[],
): ReadonlyMap<IndexKey, readonly Waiting[]> {
  const found = new Map<IndexKey, Waiting[]>(keys.map((key) => [key, []]))
  for (const pooled of inMapOrder(pooledTransactions(context.state.mempool))) {
    for (const { keys: own, waiting } of touchesOf(context, pooled)) {
      for (const key of own) found.get(key)?.push(waiting)
    }
  }
  return found
}

function touchesOf(context: Context, pooled: PooledTransaction): readonly Touch[] {
  const before = known.get(pooled)
  if (before !== undefined) return before
  const { rules } = context
  const { txid, transaction, time: timestamp } = pooled
  const received = transaction.outputs.map(({ value, script }, index): Touch => {
    return {
      keys: keysOf(rules, script),
      index,
      waiting: { txid, index, satoshis: value, timestamp },
    }
  })
  const spent = transaction.inputs.flatMap((input, index): Touch[] => {
    const output = outputAt(context, input)
    if (output === undefined) return []
    const { txid: prevtxid, vout: prevout } = input
    const waiting = { txid, index, satoshis: -output.value, timestamp, prevtxid, prevout }
    return [{ keys: keysOf(rules, output.script), index, waiting }]
  })
  const touches = [...received, ...spent].sort((one, other) => one.index - other.index)
  known.set(pooled, touches)
  return touches
}

/**
 * The mempool's index of a komodod has conditions under the type of keys, so a second parameter
 * finds none of them. A tokeld has them under their own type, as its index of blocks does.
 *
 * @see komodo src/txmempool.cpp, addAddressIndex; tokel src/txmempool.cpp, GetAddressType
 */
function keysOf({ scripts, network }: Context['engine']['rules'], script: string): IndexKey[] {
  const keys = scripts.keysOf(script)
  if (hasConditionAddresses(network)) return [...keys]
  const { key: keyType, condition } = indexTypes
  return [
    ...new Set(
      keys.map((it): IndexKey => {
        return it.startsWith(condition) ? `${keyType}${it.slice(keyType.length)}` : it
      }),
    ),
  ]
}

import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../../src/node/engine.ts'
import { entriesFrom } from '../../src/node/state/ordered-map.ts'
import { storedTransaction } from '../../src/node/state/stored-transaction.ts'
import { datedExchanges, recordedBlock } from './timeline.ts'

function advanceTo(engine: Engine, height: number): void {
  for (let next = engine.state.chain.tip.height + 1; next <= height; next += 1) {
    engine.importBlock({ transactions: recordedBlock(next).map(storedTransaction) })
  }
}

/** Every transaction that was sent, with the verdict of the daemon and that of the node. */
function broadcasts() {
  const engine = createEngine({ time: 0 })
  const relaysMore = createEngine({ time: 0, profile: { nulldataBytesMax: 10_000 } })
  return datedExchanges().flatMap(({ at, note, request, response, tip }) => {
    if (!request.includes('"method": "sendrawtransaction"')) return []
    const [hex, ...further] = JSON.parse(request).params
    if (typeof hex !== 'string' || further.length > 0) return []
    const node = at.startsWith('26-large-oprets') ? relaysMore : engine
    advanceTo(node, tip)
    const { result, error } = JSON.parse(response)
    const verdict = node.broadcast(hex)
    const reason = verdict.ok ? undefined : verdict.reason
    const ours = verdict.ok ? verdict.transaction.txid : `${verdict.code} ${verdict.message}`
    return [
      {
        at,
        note,
        ours,
        theirs: error === null ? result : `${error.code} ${error.message}`,
        reason,
      },
    ]
  })
}

test('every broadcast gets the verdict of the daemon', () => {
  const all = broadcasts()
  expect(all.length).toBe(151)
  expect(all.filter(({ ours, theirs }) => ours !== theirs)).toEqual([])
})

test('a module says why, where the daemon only says that it is false', () => {
  const reasons = new Map(broadcasts().map(({ note, reason }) => [note, reason]))
  expect(reasons.get('dest amount one too large (11)')).toBe(
    'CC Eval EVAL_TOKENS Invalid: tokens cc inputs != cc outputs spending tx 8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e',
  )
})

test('taking blocks back leaves exactly what was there', () => {
  const engine = createEngine({ time: 0 })
  advanceTo(engine, 60)
  const before = engine.state
  advanceTo(engine, 80)
  const after = entriesOf(engine)
  while (engine.state.chain.tip.height > 60) engine.disconnect()
  const { tip, tables } = engine.state.chain
  expect(tip.hash).toBe(before.chain.tip.hash)
  expect(entriesOf(engine)).toEqual(entriesOf({ state: before }))
  expect(tables.coins.size).toBe(before.chain.tables.coins.size)
  expect(entriesOf(engine)).not.toEqual(after)
})

test('transactions of a block that is taken back wait again, and are mined again', () => {
  const engine = createEngine({ time: 0 })
  advanceTo(engine, 20)
  const [, sent] = recordedBlock(20).map(storedTransaction)
  engine.disconnect()
  expect(engine.admit(sent!.hex)).toMatchObject({ ok: true, isKnown: true })
  const block = engine.mine({ script: '6a' })
  expect(block.transactions.map(({ txid }) => txid)).toContain(sent!.txid)
  expect(engine.state.mempool.transactions.size).toBe(0)
})

function entriesOf({ state }: Pick<Engine, 'state'>) {
  return Object.entries(state.chain.tables).map(([name, table]) => [name, [...entriesFrom(table)]])
}

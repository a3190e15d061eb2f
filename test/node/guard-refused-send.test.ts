// A daemon that refuses what a guard handed over: the program keeps the bytes, and may send them
// later, or elsewhere.

import { afterEach, expect, test } from 'vitest'

import { memoryJournal } from '../../src/journal/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { createDaemonClient, listPayments, resumePayments } from '../../src/rpc/index.ts'
import { callerOf, guardOfNode } from './support/guarded.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

test('a transaction stays handed over if the daemon refuses its first broadcast', async () => {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const journal = memoryJournal()
  const guard = await guardOfNode(node, { journal })
  open.push(guard, node)
  const call = callerOf(() => node)
  const state = async () => (await listPayments(journal))[0]!.attempts[0]!.state

  const { hex } = (await call(guard, 'tokencreate', ['GOLD', '0.00001'])).result
  const message = 'min relay fee not met'
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message })
  const { error } = await call(guard, 'sendrawtransaction', [hex])
  expect(error.message).toContain(message)
  expect(await state()).toBe('handed-over')
  node.faults.clear()

  const daemon = createDaemonClient(node.identities[0]!)
  expect(await resumePayments(daemon, { journal })).toMatchObject([
    { result: { held: 'unsettled' } },
  ])
  expect(await state()).toBe('handed-over')
  expect((await call(guard, 'sendrawtransaction', [hex])).result).toMatch(/^[0-9a-f]{64}$/)
  expect(await state()).toBe('accepted')
})

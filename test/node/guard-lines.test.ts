// Every call that a guard refuses leaves one line in its record.

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DecisionEntry, Guard, Policy } from '../../src/guard/index.ts'
import { LimitExceeded } from '../../src/guard/policy/limits.ts'
import { memoryJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { callerOf, guardOfNode } from './support/guarded.ts'

let node: DevNode
let guard: Guard
let to: string
let isForbidden: boolean
let isUsedUp: boolean
let lines: (string | undefined)[]
const call = callerOf(() => node)
const ask = (method: string, params: readonly unknown[], key?: string) =>
  call(guard, method, params, key)

const rule = 'coins.perDay'
const bound = { rule, scope: '', asset: 'coins', window: 'day', most: 1n } as const
const policy: Policy = {
  admit: ({ methodClass }) =>
    isForbidden && methodClass !== 'read'
      ? { verdict: 'refuse', rule: 'quietHours', reason: 'no payments in these hours' }
      : undefined,
  decide: () => ({
    verdict: 'allow',
    reservation: {
      async keep() {
        if (isUsedUp) throw new LimitExceeded(bound, 0n)
      },
      release: () => undefined,
    },
  }),
}

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  to = node.identities[1]!.address
  isForbidden = false
  isUsedUp = false
  lines = []
  guard = await guardOfNode(node, {
    policy,
    journal: memoryJournal(),
    onDecision: ({ decision, reason }: DecisionEntry) => lines.push(reason ?? decision),
  })
})
afterEach(async () => {
  await guard.close()
  await node.close()
})

test.each<[string, Parameters<typeof ask>, string]>([
  ['a payment with a wrong amount', ['sendtoaddress', ['R', -1]], 'parameters'],
  ['a build with a wrong parameter', ['tokencreate', ['GOLD']], 'parameters'],
  ['a broadcast of two texts', ['sendrawtransaction', ['00', '00']], 'parameters'],
  ['a broadcast from elsewhere', ['sendrawtransaction', ['00']], 'not-handed-over'],
  ['a submission without a case', ['guard_submit', ['00']], 'parameters'],
  ['a name for a read', ['getinfo', [], 'inv-1'], 'idempotency-key'],
  ['a method that is never passed on', ['dumpprivkey', ['R']], 'class'],
])('%s leaves one line', async (_, args, reason) => {
  const { result, error } = await ask(...args)
  expect(error?.message ?? result.error).toContain('guard: ')
  expect(lines).toEqual([reason])
  isForbidden = true
  if (args[0] === 'getinfo') return
  expect((await ask(...args)).error.code).toBe(-2)
  expect(lines).toEqual([reason, 'quietHours'])
})

test.each([
  ['sendtoaddress', () => [to, 0.5]],
  ['tokencreate', () => ['GOLD', '0.00001']],
] as const)(
  'a limit that was used up while %s was made leaves one line',
  async (method, params) => {
    isUsedUp = true
    const { result, error } = await ask(method, params())
    expect(error?.message ?? result.error).toContain(`${rule}: used up`)
    expect(lines).toEqual([rule])
  },
)

test('a repetition and a used name leave one line each, also if they are forbidden', async () => {
  await ask('sendtoaddress', [to, 0.5])
  await ask('sendtoaddress', [to, 0.7], 'inv-1')
  expect(lines.splice(0)).toEqual(['sent', 'sent'])
  expect((await ask('sendtoaddress', [to, 0.5])).error.code).toBe(-4)
  expect((await ask('sendtoaddress', [to, 0.8], 'inv-1')).error.code).toBe(-8)
  expect(lines.splice(0)).toEqual(['repetition', 'idempotency-key'])
  isForbidden = true
  expect((await ask('sendtoaddress', [to, 0.5])).error.code).toBe(-4)
  expect((await ask('sendtoaddress', [to, 0.8], 'inv-1')).error.code).toBe(-2)
  expect(lines).toEqual(['repetition', 'quietHours'])
})

test('a line has the name of its payment', async () => {
  const keys: (string | undefined)[] = []
  await guard.close()
  guard = await guardOfNode(node, {
    journal: memoryJournal(),
    onDecision: ({ decision, key }: DecisionEntry) => keys.push(`${decision} ${key}`),
  })
  await ask('sendtoaddress', [to, 0.5], 'inv-1')
  await ask('sendtoaddress', [to, 0.7], 'inv-1')
  await ask('sendtoaddress', [to, 0.9])
  const { hex } = (await ask('tokencreate', ['GOLD', '0.00001'], 'inv-2')).result
  await ask('sendrawtransaction', [hex])
  expect(keys).toEqual([
    'sent inv-1',
    'refused inv-1',
    'sent undefined',
    'handed-over inv-2',
    'sent inv-2',
  ])
})

test('a refusal by the daemon leaves the line of what was sent', async () => {
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'dust' })
  expect((await ask('sendtoaddress', [to, 0.5])).error.message).toContain('dust')
  expect(lines).toEqual(['sent'])
})

// A payment that a person has to confirm, and how long the guard waits.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Admitted } from '../../../src/guard/call.ts'
import type { PolicyDecision } from '../../../src/guard/decision.ts'
import { reviewOf } from '../../../src/guard/review.ts'
import { memoryJournal } from '../../../src/journal/index.ts'

type Ask = Extract<PolicyDecision, { verdict: 'confirm' }>['ask']

const report = { verified: { txid: 'ab'.repeat(32), hex: '00' } }

const allowed: PolicyDecision = { verdict: 'allow', reservation: undefined as never }

/** Asks for a confirmation of a payment whose client stays. */
function reviewed(
  ask: Ask,
  whileConnected = new AbortController().signal,
  { afterYes = allowed, aside }: { afterYes?: PolicyDecision; aside?: Admitted['aside'] } = {},
) {
  const policy = {
    decide: async (_: unknown, { isConfirmed }: { readonly isConfirmed: boolean }) =>
      isConfirmed ? afterYes : ({ verdict: 'confirm', rule: 'limits[0]', ask } as PolicyDecision),
  }
  const review = reviewOf(
    { requireChain: async () => undefined, journal: memoryJournal(), policy: policy as never },
    {
      user: 'alice',
      method: 'sendtoaddress',
      methodClass: 'send',
      signal: whileConnected,
      ...(aside && { aside }),
    } as never,
    { requested: { effects: () => ({}) } as never, moment: 'build' as never, name: 'a payment' },
  )
  const result = review.allows(report as never, async () => ({ report }) as never)
  return { review, result }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an answer counts for ten minutes, whatever the policy does with its signal', async () => {
  // It listens to nothing, so only the guard itself can end the wait.
  const { review, result } = reviewed(() => new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(10 * 60_000 - 1)
  expect(review.refusal).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(await result).toBe(false)
  expect(review.refusal).toEqual({ rule: 'limits[0]', reason: 'Nobody agreed in time.' })
})

test('the signal of a question ends with its time, and with its client', async () => {
  const signals: AbortSignal[] = []
  const ask: Ask = (signal) => {
    signals.push(signal)
    return new Promise(() => undefined)
  }
  const client = new AbortController()
  const [late, left] = [reviewed(ask), reviewed(ask, client.signal)]
  await vi.advanceTimersByTimeAsync(0)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
  client.abort()
  expect(await left.result).toBe(false)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(await late.result).toBe(false)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})

test('only yes is a yes, and a question that fails is a no', async () => {
  const answers: Ask[] = [
    async () => true,
    async () => 'yes' as never,
    async () => {
      throw new Error('out of order')
    },
    () => {
      throw new Error('out of order')
    },
  ]
  const results = await Promise.all(answers.map((ask) => reviewed(ask).result))
  expect(results).toEqual([true, false, false, false])
})

test('a question is asked out of turn, and what others used up meanwhile is refused after a yes', async () => {
  const steps: string[] = []
  const { review, result } = reviewed(
    async () => {
      steps.push('asked')
      return true
    },
    undefined,
    {
      afterYes: { verdict: 'refuse', rule: 'coins.perDay', reason: 'used up' },
      async aside(work) {
        steps.push('left')
        const answer = await work()
        steps.push('back')
        return answer
      },
    },
  )
  expect(await result).toBe(false)
  expect(steps).toEqual(['left', 'asked', 'back'])
  expect(review.refusal).toMatchObject({ rule: 'coins.perDay' })
})

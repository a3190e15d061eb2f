// The words with which a guard tells why it handed nothing over.

import { expect, test } from 'vitest'
import { refusalOf } from '../../../src/guard/ending.ts'

type Ending = Parameters<typeof refusalOf>[0]
const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)]
const report = { ok: false, broadcast: 'no', findings: [], hex: '', effects: [] }
const wordsFor = (ending: object) => refusalOf({ report, ...ending } as unknown as Ending).message
const unsettled = [{ txid: first, hex: '' }]

test.each([
  ['declined', { held: 'declined' }],
  ['with a warning', { held: 'warned' }],
  ['by the policy', { held: 'declined', refusal: { rule: 'max', reason: 'Too much.' } }],
  ['as rejected', { held: 'rejected' }],
  ['as unsettled', { held: 'unsettled' }],
  ['for coins of another payment', { held: 'reserved-inputs', reserving: `it is ${second}` }],
])('names an earlier transaction of a payment that is held: %s', (_, ending) => {
  const words = `. ${first} may be the same payment and may still be mined: look for it before you pay again`
  expect(wordsFor({ ...ending, unsettled }).endsWith(words)).toBe(true)
  expect(wordsFor(ending)).not.toContain('may be the same payment')
})

test('names a transaction once, and the others beside it', () => {
  const held = { held: 'different-inputs', reserving: `${first} is an earlier transaction` }
  expect(wordsFor({ ...held, unsettled })).toBe(
    `guard: held (different-inputs): ${first} is an earlier transaction`,
  )
  const both = [...unsettled, { txid: second, hex: '' }]
  expect(wordsFor({ ...held, unsettled: both })).toContain(`transaction. ${second} may be the same`)
})

test('does not advise to repeat a call that is under way', () => {
  expect(wordsFor({ held: 'under-way' })).toBe(
    'guard: the same payment is under way in another call; wait for its answer. Without an Idempotency-Key, a later call may pay again',
  )
})

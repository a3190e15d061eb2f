import { expect, test } from 'vitest'
import { createGuard, type GuardOptions } from '../../../src/guard/index.ts'
import { type CommonOptions, requireCommonOptions } from '../../../src/guard/options.ts'

test.each([
  ['maxFee', '0.0002'],
  ['maxFee', Number.NaN],
  ['maxFee', 20_000],
  ['maxFee', -1n],
  ['repeatMs', Number.NaN],
  ['repeatMs', '10 min'],
  ['repeatMs', -1],
  ['silenceMs', Number.NaN],
  ['silenceMs', Number.POSITIVE_INFINITY],
  ['silenceMs', 2 ** 31],
  ['silenceMs', 0],
  ['silenceMs', 0.5],
  ['replyBytesMax', Number.NaN],
  ['replyBytesMax', '1e6'],
])('the option %s is refused as %o, because the limit would not apply', (name, value) => {
  const act = () => requireCommonOptions({ [name]: value } as CommonOptions)
  expect(act).toThrow(TypeError)
  expect(act).toThrow(new RegExp(`^options\\.${name}: expected `))
})

test.each([
  ['a text', 'ab'.repeat(32)],
  ['a txid alone', ['ab'.repeat(32)]],
  ['no txid', [{ id: 'invoice-17' }]],
  ['a name that is no text', [{ txid: 'ab'.repeat(32), id: 17 }]],
  ['one transaction for two names', ['ab', 'AB'].map((it) => ({ txid: it.repeat(32), id: it }))],
  ['one name for two transactions', ['ab', 'cd'].map((it) => ({ txid: it.repeat(32), id: 'a' }))],
])('the option paidBy is refused as %s', async (_, paidBy) => {
  const daemon = { url: 'http://127.0.0.1:1', credentials: () => ({ user: 'u', password: 'p' }) }
  // The generator of the curve, SEC 2, section 2.4.1.
  const pubkey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
  const act = createGuard({ daemon, pubkey, paidBy } as unknown as GuardOptions)
  await expect(act).rejects.toThrow(/^options\.paidBy/)
})

test.each<CommonOptions>([
  {},
  { maxFee: 0n },
  { maxFee: undefined, repeatMs: 0, silenceMs: 1, replyBytesMax: 0 },
  { repeatMs: Number.POSITIVE_INFINITY },
])('options that limit something are accepted: %o', (options) => {
  expect(() => requireCommonOptions(options)).not.toThrow()
})

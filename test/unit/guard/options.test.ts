import { expect, test } from 'vitest'

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

test.each<CommonOptions>([
  {},
  { maxFee: 0n },
  { maxFee: undefined, repeatMs: 0, silenceMs: 1, replyBytesMax: 0 },
  { repeatMs: Number.POSITIVE_INFINITY },
])('options that limit something are accepted: %o', (options) => {
  expect(() => requireCommonOptions(options)).not.toThrow()
})

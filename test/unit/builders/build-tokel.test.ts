// The builder builds and signs the same as a real tokeld: tokens v1 and v2, and orders.

import { expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeTransaction,
  networks,
  signTransaction,
} from '../../../src/index.ts'
import { type MadeByTokeld, madeByTokeld, rebuilt, tokelKeys } from '../../support/tokeld-made.ts'

/** Returns the transaction of the daemon without its signatures. */
function unsigned(hex: string): string {
  const { inputs, ...rest } = decodeTransaction(hex)
  return encodeTransaction({ ...rest, inputs: inputs.map((it) => ({ ...it, scriptSig: '' })) })
}

const built = madeByTokeld.filter(({ method }) => method !== 'addccv2signature')
const named = built.map((it) => [`${it.at} ${it.method} ${it.note}`, it] as const)

/** With the signature that another node added, where one did. */
function complete({ note, hex }: MadeByTokeld): string {
  const isPartial = note.includes('partial signature')
  return isPartial ? madeByTokeld.find((it) => it.method === 'addccv2signature')!.hex : hex
}

test('the recordings cover these methods', () => {
  const counts: Record<string, number> = {}
  for (const { method } of built) counts[method] = (counts[method] ?? 0) + 1
  expect(counts).toMatchInlineSnapshot(`
    {
      "tokencreate": 4,
      "tokentransfer": 3,
      "tokenv2ask": 1,
      "tokenv2bid": 1,
      "tokenv2burn": 1,
      "tokenv2cancelask": 1,
      "tokenv2create": 12,
      "tokenv2createtokel": 5,
      "tokenv2fillask": 1,
      "tokenv2fillbid": 1,
      "tokenv2transfer": 11,
      "tokenv2transferMofN": 2,
      "tokenv2transfermany": 1,
    }
  `)
})

test.each(named)('%s is built alike', (_, made) => {
  expect(rebuilt(made).hex).toBe(unsigned(made.hex))
})

test.each(named)('%s is signed alike', (_, made) => {
  const { hex, coins } = rebuilt(made)
  const signed = signTransaction(hex, tokelKeys, coins, networks.tokel)
  expect(signed).toMatchObject({ complete: true, hex: complete(made) })
})

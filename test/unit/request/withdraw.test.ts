// A withdrawal as journals and messages show it, and a server's answer as it is read.

import { expect, test } from 'vitest'

import { addressOf, encodeWif, networks } from '../../../src/index.ts'
import { redactIntent } from '../../../src/request/withdraw.ts'
import { responseMembers } from '../../../src/verification/withdraw-response.ts'
import { a, privateKeys } from '../../support/resigned.ts'

const own = addressOf(a, networks.komodo)
const wif = encodeWif(privateKeys.get(a)!, networks.komodo)
const hidden = 'what may be a private key'
const intent = { coin: 'KMD', to: own, amount: 1n, own: [own, a] }

test('a journal gets the names of a withdrawal, and private keys in none of their places', () => {
  expect(redactIntent(intent)).toEqual(intent)
  expect(redactIntent({ ...intent, ownKeys: [a] })).toEqual({ ...intent, ownKeys: [a] })
  const slipped = { ...intent, to: wif, own: [wif, own], ownKeys: [a, wif] }
  const redacted = { ...intent, to: hidden, own: [hidden, own], ownKeys: [a, hidden] }
  expect(redactIntent(slipped)).toEqual(redacted)
})

test('the script of a shared output is not a private key, in either case of its digits', () => {
  const script = `5121${a}51ae`
  for (const given of [script, script.toUpperCase()]) {
    expect(redactIntent({ ...intent, own: [given] }).own).toEqual([script])
  }
})

test('a member of a response is read once, so it cannot change between two checks', () => {
  let reads = 0
  const details = {
    get amount() {
      reads += 1
      return `0.0000000${reads}`
    },
  }
  const { fee_details: read } = responseMembers({ fee_details: details }) as {
    fee_details: { amount: string }
  }
  expect([read.amount, read.amount]).toEqual(['0.00000001', '0.00000001'])
  expect(reads).toBe(1)
})

import { expect, test } from 'vitest'
import { Usage } from '../../../src/guard/policy/usage.ts'

const hour = 3_600_000
const [first, second] = ['aa'.repeat(32), 'bb'.repeat(32)]
const entry = (at: number, txid: string, amount: bigint) => ({
  ...{ at, user: '', payment: 'p', txid },
  amounts: new Map([['coins', amount]]),
})

test('a payment counts by its entries of the last 24 hours, until the last one leaves', () => {
  const usage = new Usage()
  usage.add(entry(0, first, 100n))
  usage.add(entry(hour, second, 20n))
  usage.add(entry(23 * hour, second, 50n))
  const counted = (hours: number) => {
    usage.advance(hours * hour)
    const has = [first, second].map((txid) => usage.has('p', txid))
    return [usage.of('p')?.get('coins'), usage.sum('day', '', 'coins'), ...has]
  }
  expect(counted(23)).toEqual([170n, 170n, true, true])
  expect(counted(24)).toEqual([70n, 70n, false, true])
  expect(counted(25)).toEqual([50n, 50n, false, true])
  expect(counted(47)).toEqual([undefined, 0n, false, false])
})

test('the windows keep their places when many old entries are dropped', () => {
  const usage = new Usage()
  const many = 1_100
  for (let at = 0; at < many; at += 1) usage.add(entry(at, first, 1n))
  const sums = (hours: number) => {
    usage.advance(hours * hour)
    return [usage.sum('hour', '', 'coins'), usage.sum('day', '', 'coins')]
  }
  usage.add(entry(23 * hour, second, 3n))
  expect(sums(23)).toEqual([3n, BigInt(many) + 3n])
  expect(sums(25)).toEqual([0n, 3n])
  usage.add(entry(25 * hour, first, 5n))
  expect(sums(25.5)).toEqual([5n, 8n])
  expect(sums(26)).toEqual([0n, 8n])
  expect(sums(47)).toEqual([0n, 5n])
  expect(sums(49)).toEqual([0n, 0n])
})

// Outputs as the rules of orders compare them.

import { expect, test } from 'vitest'
import { pubkeyScript } from '../../../src/script/key-script.ts'
import { leadingCondition } from '../../../src/token/rules/condition-script.ts'
import { markerScriptOfV2, orderScriptsV2 } from '../../../src/token/rules/order-layout-v2.ts'
import { isCoins, isCondition } from '../../../src/token/rules/order-output.ts'

const key = `02${'11'.repeat(32)}`
const { bids } = orderScriptsV2()
const coins = { value: 5n, script: pubkeyScript(key) }

test('finds the condition of a script, with other data after it and with any value', () => {
  const other = { value: 5n, script: `${leadingCondition(bids)}045151515175` }
  expect(isCondition({ value: 5n, script: bids }, bids)).toBe(true)
  expect(isCondition(other, bids, 5n)).toBe(true)
  expect(isCondition(other, bids, 6n)).toBe(false)
  expect(isCondition({ value: 5n, script: markerScriptOfV2(key) }, bids)).toBe(false)
})

test.each([
  ['no script', undefined],
  ['an empty script', ''],
  ['the script of a key', coins.script],
])('takes no coins for a condition, given %s', (_, script) => {
  expect(isCondition(coins, script)).toBe(false)
  expect(isCondition(undefined, script)).toBe(false)
})

test('finds the coins of a key alone, and none in an output that is not there', () => {
  expect(isCoins(coins, key)).toBe(true)
  expect(isCoins(coins, key, 6n)).toBe(false)
  expect(isCoins({ ...coins, script: bids }, key)).toBe(false)
  expect(isCoins(undefined, key)).toBe(false)
})

// The rule of the defect by itself, on recorded steps of orders: komodo src/cc/assets.cpp,
// AssetsValidate, which keeps the code of a non-fungible token's data in the process.

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeTokenPayload,
  type TokenPayloadFields,
  type Transaction,
} from '../../src/index.ts'
import { poisonedRefusal } from '../../src/node/consensus/order-poisoning.ts'
import { createTokenRules } from '../../src/node/consensus/token-rules.ts'
import { storedTransaction } from '../../src/node/state/stored-transaction.ts'
import type { KomodoCreatePayload, KomodoTransferPayload } from '../../src/token/payload/payload.ts'
import { lastPayload, nonFungibleEvalCode } from '../../src/token/rules/komodo.ts'
import { readVectors } from '../support/vectors.ts'

const { transactions } = readVectors<{ transactions: { hex: string }[] }>(
  'komodod/90-chain-dump.json',
)
const chain = transactions.map(({ hex }) => decodeTransaction(hex))

const actionOf = ({ outputs }: Transaction) => {
  const payload = lastPayload(outputs)
  if (payload?.kind !== 'transfer') return undefined
  return payload.extras.find(({ kind }) => kind === 'assets')?.order?.action
}
const step = (action: string) => chain.find((it) => actionOf(it) === action)!
const creations = chain.flatMap(({ outputs }) => {
  const payload = lastPayload(outputs)
  return payload?.kind === 'create' ? [payload as KomodoCreatePayload] : []
})
const plain = creations.find((it) => nonFungibleEvalCode(it) === undefined)!
const art = creations.find((it) => nonFungibleEvalCode(it) !== undefined)!
const transfer = chain.find(
  (it) => lastPayload(it.outputs)?.kind === 'transfer' && actionOf(it) === undefined,
)!
const creation = chain.find(({ outputs }) => lastPayload(outputs)?.kind === 'create')!
const payment = chain.find(({ outputs }) => lastPayload(outputs) === undefined)!

const words = 'invalid vin assets CCaddr'

describe('a process with the defect', () => {
  test.each([
    ['fillAsk', true, words],
    ['cancelAsk', true, words],
    ['fillAsk', false, undefined],
    ['cancelAsk', false, undefined],
    ['ask', true, undefined],
    ['fillBid', true, undefined],
    ['bid', true, undefined],
  ])('answers to %s of a fungible token, spoiled %s: %s', (action, isPoisoned, expected) => {
    const poisoning = { isOn: true, isPoisoned }
    expect(poisonedRefusal(poisoning, step(action), () => plain)).toBe(expected)
    expect(poisoning.isPoisoned).toBe(isPoisoned)
  })

  test('is spoiled by a step of a non-fungible token, which it does not refuse', () => {
    const poisoning = { isOn: true, isPoisoned: false }
    expect(poisonedRefusal(poisoning, step('fillAsk'), () => art)).toBeUndefined()
    expect(poisoning.isPoisoned).toBe(true)
    expect(poisonedRefusal(poisoning, step('fillAsk'), () => art)).toBeUndefined()
    expect(poisonedRefusal(poisoning, step('fillAsk'), () => undefined)).toBe(words)
  })

  test('finds the order behind other data of the token', () => {
    const fill = step('fillAsk')
    const payload = lastPayload(fill.outputs) as KomodoTransferPayload
    const extras = [{ id: 0x7f, data: 'aa' }, ...payload.extras]
    const script = encodeTokenPayload({ ...payload, extras } as TokenPayloadFields)
    const outputs = fill.outputs.with(-1, { value: 0n, script })
    const poisoning = { isOn: true, isPoisoned: true }
    expect(actionOf({ ...fill, outputs })).toBe('fillAsk')
    expect(poisonedRefusal(poisoning, { ...fill, outputs }, () => plain)).toBe(words)
  })

  test.each([
    ['a transfer', transfer],
    ['a creation', creation],
    ['a payment', payment],
  ])('does not refuse %s', (_, tx) => {
    const poisoning = { isOn: true, isPoisoned: true }
    expect(poisonedRefusal(poisoning, tx, () => plain)).toBeUndefined()
  })

  test('is no other than others while the defect is off', () => {
    const poisoning = { isOn: false, isPoisoned: true }
    expect(poisonedRefusal(poisoning, step('fillAsk'), () => plain)).toBeUndefined()
    const fresh = { isOn: false, isPoisoned: false }
    poisonedRefusal(fresh, step('fillAsk'), () => art)
    expect(fresh.isPoisoned).toBe(false)
  })
})

describe('the rules that a node asks', () => {
  const stored = new Map(
    transactions.map(({ hex }) => {
      const it = storedTransaction(hex)
      return [it.txid, it.transaction] as const
    }),
  )
  const find = (txid: string) => stored.get(txid)

  test('accept a recorded ask, and refuse it without what it spends', () => {
    const validator = createTokenRules()
    const ask = find(step('ask').txid)!
    expect(validator.refusal(ask, find)).toBeUndefined()
    expect(validator.refusal(ask, () => undefined)).toEqual(expect.any(String))
  })

  test.each(['fillAsk', 'cancelAsk', 'fillBid'])(
    'accept a recorded %s, and refuse it without what it spends',
    (action) => {
      const validator = createTokenRules()
      const it = find(step(action).txid)!
      expect(validator.orderRefusal(it, find)).toBeUndefined()
      expect(validator.orderRefusal(it, () => undefined)).toEqual(expect.any(String))
    },
  )

  test('refuse a recorded fill once a step of a non-fungible token has spoiled them', () => {
    const spoiled = createTokenRules()
    expect(spoiled.poisoning).toEqual({ isOn: false, isPoisoned: false })
    Object.assign(spoiled.poisoning, { isOn: true, isPoisoned: true })
    expect(spoiled.orderRefusal(find(step('fillAsk').txid)!, find)).toBe(words)
  })

  test('are spoiled by a step of a token that its creation shows to be non-fungible', () => {
    const validator = createTokenRules()
    validator.poisoning.isOn = true
    const fill = find(step('fillAsk').txid)!
    const payload = lastPayload(fill.outputs)!
    const { tokenid } = payload as { tokenid: string }
    const ofArt = [...stored.values()].find(({ outputs }) => {
      const it = lastPayload(outputs)
      return it?.kind === 'create' && nonFungibleEvalCode(it) !== undefined
    })
    validator.orderRefusal(fill, find)
    expect(validator.poisoning.isPoisoned).toBe(false)
    validator.orderRefusal(fill, (txid) => (txid === tokenid ? ofArt : find(txid)))
    expect(validator.poisoning.isPoisoned).toBe(true)
  })

  test('read what a creation issued', () => {
    const validator = createTokenRules()
    const { txid } = creation
    const payload = validator.creationOf(txid, find)!
    expect(payload).toEqual(lastPayload(creation.outputs))
    const supply = validator.supplyOf(txid, find)
    expect(supply).toBeGreaterThan(0n)
    const amounts = creation.outputs.map((_, vout) =>
      validator.amountIn({ txid, vout }, txid, find),
    )
    expect(amounts.reduce((sum, it) => sum + it, 0n)).toBe(supply)
    expect(validator.creationOf(txid, () => undefined)).toBeUndefined()
    expect(validator.creationOf(transfer.txid, find)).toBeUndefined()
  })
})

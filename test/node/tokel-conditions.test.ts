// Which modules of tokeld a transaction is asked of, and the words of a refusal: tokel
// src/main.cpp, ContextualCheckInputs and ContextualCheckOutputs; src/cc/eval.cpp, Eval::Dispatch.

import { describe, expect, test } from 'vitest'

import { conditionScript, encodeFulfillment, encodeTransaction } from '../../src/index.ts'
import { checkTokelConditions } from '../../src/node/consensus/tokel-conditions.ts'
import { storedTransaction } from '../../src/node/state/stored-transaction.ts'
import { fulfillmentsOf } from '../../src/token/rules/fulfillment.ts'
import { tokelModuleRefusal } from '../../src/token/rules/tokel-modules.ts'
import { a } from '../support/resigned.ts'
import { readVectors } from '../support/vectors.ts'

function fulfilling(code: string): string {
  const push = `${encodeFulfillment({ type: 'eval-sha-256', code })}01`
  return `${(push.length / 2).toString(16).padStart(2, '0')}${push}`
}

function paying(...codes: string[]): string {
  return conditionScript(
    {
      type: 'threshold-sha-256',
      threshold: codes.length + 1,
      subconditions: [
        ...codes.map((code) => ({ type: 'eval-sha-256', code }) as const),
        { type: 'secp256k1-sha-256', publicKey: a },
      ],
    },
    { form: 'M' },
  )
}

const transactionOf = (scriptSigs: readonly string[], scripts: readonly string[] = []) =>
  storedTransaction(
    encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      inputs: scriptSigs.map((scriptSig, vout) => ({
        ...{ txid: '11'.repeat(32), vout },
        ...{ scriptSig, sequence: 0 },
      })),
      outputs: [...scripts, '51'].map((script) => ({ value: 1000n, script })),
      lockTime: 0,
    }),
  )
const nothing = { find: () => undefined, height: 100 }
const refusing = (scriptSigs: readonly string[], scripts: readonly string[] = []) =>
  checkTokelConditions(transactionOf(scriptSigs, scripts), nothing)?.reason

describe('a module is asked', () => {
  const ofLibrary = 'mismatched -ac_cclib vs CClib_name'
  const unknown = 'validation not supported for eval code'

  test.each<[string, string | undefined, string[], string[]]>([
    ['of what is spent', ofLibrary, [fulfilling('10')], []],
    ['of what is paid', ofLibrary, ['51'], [paying('10')]],
    ['of what is paid with a code of one digit', unknown, ['51'], [paying('0f')]],
    ['of what is paid with a second code', unknown, ['51'], [paying('f7', '80')]],
    ['first of what is spent', ofLibrary, [fulfilling('10')], [paying('80')]],
    ['of a later input', unknown, ['51', fulfilling('80')], []],
    ['of a condition without a code', 'empty-eval', [fulfilling('')], []],
    [
      'of a code with more behind it',
      'eval conds cannot have params yet',
      [fulfilling('f5ff')],
      [],
    ],
    ['of no key', undefined, ['51'], []],
  ])('%s: %s', (_, words, scriptSigs, scripts) => {
    expect(refusing(scriptSigs, scripts)).toBe(words)
  })
})

test('a refusal has the words of the module in its message', () => {
  expect(checkTokelConditions(transactionOf([fulfilling('80')]), nothing)).toEqual({
    ok: false,
    code: -26,
    message:
      '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element), eval errcode=0 reason=validation not supported for eval code',
    reason: 'validation not supported for eval code',
  })
})

describe('transactions that the recorded tokeld mined', () => {
  const { transactions } = readVectors<{ transactions: { hex: string }[] }>(
    'tokeld/90-chain-dump.json',
  )
  const chain = new Map(
    transactions.map(({ hex }) => {
      const it = storedTransaction(hex)
      return [it.txid, it] as const
    }),
  )
  const all = [...chain.values()]

  test('is refused by no module', () => {
    const setting = { find: (txid: string) => chain.get(txid)?.transaction, height: 100 }
    expect(all.filter((it) => checkTokelConditions(it, setting) !== undefined)).toEqual([])
  })

  test('is asked of each module once, however many of its coins it spends and pays', () => {
    const asked: string[] = []
    const find = (txid: string) => {
      asked.push(txid)
      return chain.get(txid)?.transaction
    }
    const several = all.filter(({ transaction }) => {
      const codes = fulfillmentsOf(transaction).flatMap((it) => it?.evalCodes ?? [])
      return codes.length > 1 && codes.every((it) => it === 'f5')
    })
    expect(several.length).toBeGreaterThan(1)
    for (const { hex } of several) {
      asked.length = 0
      tokelModuleRefusal(0xf5, storedTransaction(hex).transaction, { find, height: 100 })
      const once = asked.splice(0)
      checkTokelConditions(storedTransaction(hex), { find, height: 100 })
      expect(asked).toEqual(once)
    }
  })

  test('is refused without the transactions that it spends', () => {
    const refused = all.filter((it) => checkTokelConditions(it, nothing) !== undefined)
    expect(refused.length).toBeGreaterThan(10)
  })
})

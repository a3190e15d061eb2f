// Evidence of the wrong type is a mistake of the caller, told by its place; of the right type and
// wrong it is a finding.

import { describe, expect, test } from 'vitest'
import { AntaraError } from '../../../src/errors/antara-error.ts'
import { type Evidence, formatReport, networks, verifyTokenTransfer } from '../../../src/index.ts'
import * as payments from '../../support/payments.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'
import { evidenceFor, transfer, transferHex, transferIntent } from '../../support/resigned.ts'

const evidence = evidenceFor(transfer, 12)
const check = (changed: object) =>
  verifyTokenTransfer(transferHex, transferIntent, { ...evidence, ...changed } as Evidence)

const txid = '11'.repeat(32)
const amount = { txid, vout: 0, value: 1n }

describe('evidence', () => {
  test.each<[string, object]>([
    ['previousTransactions', { previousTransactions: undefined }],
    ['previousTransactions', { previousTransactions: '00' }],
    ['previousTransactions[1]', { previousTransactions: ['00', 7] }],
    ['tokenCreate', { tokenCreate: 7 }],
    ['tipHeight', { tipHeight: '7' }],
    ['tipHeight', { tipHeight: -1 }],
    ['tipHeight', { tipHeight: 2 ** 32 }],
    ['tipTime', { tipTime: 0.5 }],
    ['medianTime', { medianTime: '1' }],
    ['heights', { heights: 7 }],
    [`heights.${txid}`, { heights: { [txid]: '7' } }],
    [`heights.${txid}`, { heights: { other: 7, [txid]: -1 } }],
    ['amounts', { amounts: amount }],
    ['amounts[0]', { amounts: [7] }],
    ['amounts[1].txid', { amounts: [amount, { ...amount, txid: 7 }] }],
    ['amounts[0].vout', { amounts: [{ ...amount, vout: 0.5 }] }],
    ['amounts[0].value', { amounts: [{ ...amount, value: 1 }] }],
  ])('evidence.%s of the wrong type', (path, changed) => {
    const reported = new RegExp(`^evidence\\.${path.replace(/[[\].]/g, '\\$&')}:? `)
    expect(() => check(changed)).toThrow(TypeError)
    expect(() => check(changed)).toThrow(reported)
  })

  test('refuses evidence that is not an object', () => {
    for (const given of [undefined, null, 7, 'text']) {
      const asked = () => verifyTokenTransfer(transferHex, transferIntent, given as never)
      expect(asked).toThrow(/^evidence:? /)
    }
  })

  test.each([
    ['Heights', { Heights: { [txid]: 7 } }, '; did you mean heights?'],
    ['tipheight', { tipheight: 7 }, '; did you mean tipHeight?'],
    ['tIPTIME', { tIPTIME: 7 }, '; did you mean tipTime?'],
  ])('evidence with a misspelt member is refused: %s', (name, changed, hint) => {
    const reported = `^evidence: unknown member ${name}${hint.replace('?', '\\?')}`
    expect(() => check(changed)).toThrow(TypeError)
    expect(() => check(changed)).toThrow(new RegExp(reported))
  })

  test('may be a whole case, or what a builder made', () => {
    const whole = { operation: '', intent: {}, hex: '', coins: [], fee: 0n, note: 'a case' }
    expect(check(whole)).toMatchObject({ ok: true })
    expect(check({ tipheight: undefined })).toMatchObject({ ok: true })
  })

  test('accepts evidence of the right type', () => {
    const changed = { tipTime: 0, heights: { [txid]: 0 }, amounts: [amount], tipHeight: 12 }
    expect(check(changed)).toMatchObject({ ok: true })
  })
})

test('a chain without conditions has no tokens, burned or not', () => {
  for (const burn of [true, false]) {
    const asked = { ...transferIntent, burn, network: networks.komodo }
    const { ok, findings } = verifyTokenTransfer(transferHex, asked, evidence)
    expect(ok).toBe(false)
    expect(findings.map(({ code }) => code)).toContain('intent_network')
  }
})

describe('terms', () => {
  test.each<[string, object]>([
    ['network', { network: 'komodo' }],
    ['network', { network: null }],
    ['network.conditions', { network: { ...networks.assetChain, conditions: 'bitcoin' } }],
    ['fee', { fee: 10_000 }],
    ['fee', { fee: '10000' }],
    ['fee', { fee: null }],
    ['maxFee', { maxFee: 20_000 }],
    ['maxFee', { maxFee: {} }],
  ])('intent.%s of the wrong type', (path, terms) => {
    const asked = { ...transferIntent, ...terms } as never
    expect(() => verifyTokenTransfer(transferHex, asked, evidence)).toThrow(TypeError)
    expect(() => verifyTokenTransfer(transferHex, asked, evidence)).toThrow(
      new RegExp(`^intent\\.${path.replace('.', '\\.')}: `),
    )
  })
})

test('outputs that may be spent are reported by their place when they are of the wrong type', () => {
  const [first] = transfer.inputs
  for (const [path, spendable] of [
    ['intent.spendable[1]', [first, 7]],
    ['intent.spendable[1]', [first, null]],
    ['intent.spendable[1].txid', [first, { txid: 7, vout: 0 }]],
    ['intent.spendable[0].vout', [{ txid, vout: '0' }]],
    ['intent.spendable[0].vout', [{ txid, vout: 2 ** 32 }]],
  ] as const) {
    const asked = { ...transferIntent, spendable: spendable as never }
    const reported = new RegExp(`^${path.replace(/[[\].]/g, '\\$&')}:? `)
    expect(() => verifyTokenTransfer(transferHex, asked, evidence)).toThrow(reported)
  }
})

describe('a fault of the engine is thrown, and never told of the data', () => {
  const engine = replaceableEngine()
  const withFault = <T>(name: string, fault: Error, work: () => T): T => {
    const original = engine[name]!
    engine[name] = () => {
      throw fault
    }
    try {
      return work()
    } finally {
      engine[name] = original
    }
  }

  // the second is how the WebAssembly engine says that it ran out of memory
  test.each([
    ['of any kind', new Error('fault')],
    ['that it names', new AntaraError('engine_failed', {})],
  ])('%s', (_, fault) => {
    expect(() => withFault('decodeWithTxid', fault, () => check({}))).toThrow(fault)
  })

  test('a fault of the engine is thrown while a report is put into words', () => {
    const fault = new Error('fault')
    const report = check({})
    const given = {
      operation: 'tokentransfer',
      intent: transferIntent,
      hex: transferHex,
      evidence,
    } as const
    const shown = () => formatReport(report, { given })
    expect(() => withFault('transactionId', fault, shown)).toThrow(fault)
    const paid = {
      operation: 'payment',
      intent: { ...payments.intent, recipients: [{ script: '51', amount: 1n }] },
      hex: '',
      evidence,
    } as const
    const shownPaid = () => formatReport({ ...report, effects: [] }, { given: paid })
    expect(shownPaid()).toContain(' to 51')
    expect(() => withFault('describeScripts', fault, shownPaid)).toThrow(fault)
  })
})

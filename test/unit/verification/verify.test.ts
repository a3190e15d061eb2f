// These tests cover the verifier apart from its reports on recordings.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import {
  addressOfScript,
  decodeTransaction,
  encodeTransaction,
  isVerifiedTransaction,
  networks,
  type TransferIntent,
  verifyTokenCreate,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { findingCodes, findingRow } from '../../../src/request/finding-table.ts'
import { chainTransaction, daemonMade, keys, previousTransactions } from '../../support/komodod.ts'

const { hex } = daemonMade.find(({ file }) => file.startsWith('07-'))!
const tokenid = keys.txids.fungible!
const intent: TransferIntent = {
  tokenid,
  destination: keys.B.pubkey,
  amount: 100n,
  from: keys.A.pubkey,
}
const evidence = {
  previousTransactions: previousTransactions(hex),
  tokenCreate: chainTransaction(tokenid),
  tipHeight: 12,
}

function codesOf(changed: Partial<TransferIntent>, also: object = {}): string[] {
  return verifyTokenTransfer(hex, { ...intent, ...changed }, { ...evidence, ...also })
    .findings.filter(({ severity }) => severity === 'reject')
    .map(({ code }) => code)
}

test('a request for a fee over 20000 satoshis is refused, unless more is allowed', () => {
  const { outputs, ...rest } = decodeTransaction(hex)
  const dear = encodeTransaction({
    ...rest,
    outputs: outputs.map((it, at) => (at === 2 ? { ...it, value: it.value - 90_000n } : it)),
  })
  const codes = (bounds: Partial<TransferIntent>) =>
    verifyTokenTransfer(dear, { ...intent, ...bounds }, evidence).findings.map(({ code }) => code)
  expect(codes({ fee: 100_000n })).toEqual(['intent_fee'])
  expect(codes({})).toContain('fee_too_high')
  const allowed = codes({ fee: 100_000n, maxFee: 100_000n })
  expect(allowed).not.toContain('intent_fee')
  expect(allowed).not.toContain('fee_too_high')
})

test('the report is whole: fee, txid, the checked copy, what each output does', () => {
  const report = verifyTokenTransfer(hex.toUpperCase(), intent, evidence)
  expect(report).toMatchObject({
    ok: true,
    operation: 'tokentransfer',
    fee: 10_000n,
    feeKnown: 'proven',
    spends: decodeTransaction(hex).inputs.map((_, input) => ({ input, known: 'proven' })),
    txid: '6fafa939e3f28db273771b5726873af4e3deecefe10ef71cc2d498ca6a7b8195',
    hex,
  })
  expect(
    report.effects.map(({ role, value, script }) => [
      role,
      value,
      addressOfScript(script, networks.assetChain),
    ]),
  ).toEqual([
    ['destination', 100n, 'RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij'],
    ['token-change', 900n, 'RNYuPekegLgPANq3vBuYKZeC2ReiR7oSfL'],
    ['native-change', 100_000_000n, 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'],
    ['nulldata', 0n, undefined],
  ])
})

test.each<[string, Partial<TransferIntent>, string[]]>([
  ['another amount', { amount: 99n }, ['amount', 'token_change']],
  ['another destination', { destination: keys.C.pubkey }, ['destination', 'nulldata_pubkeys']],
  [
    'a key of the other parity',
    { destination: `03${keys.B.pubkey.slice(2)}` },
    ['destination', 'nulldata_pubkeys'],
  ],
  ['another token', { tokenid: keys.txids.nodesc! }, ['foreign_token_input', 'tokenid']],
  ['another sender', { from: keys.C.pubkey }, ['unexpected_input', 'foreign_condition_input']],
  ['a lower fee', { fee: 1000n, maxFee: 2000n }, ['fee_too_high']],
  ['a lower fee within the bound', { fee: 9000n }, ['fee_with_change']],
  ['a higher fee', { fee: 20_000n }, ['fee_too_low']],
])('asked for %s, it is rejected', (_, changed, codes) => {
  const found = codesOf(changed, { tokenCreate: undefined })
  for (const code of codes) expect(found).toContain(code)
})

test.each<[string, Partial<TransferIntent>, string]>([
  ['tokenid', { tokenid: 'ab' }, 'intent_tokenid'],
  ['key', { destination: 'zz' }, 'intent_pubkey'],
  ['uncompressed key', { destination: `04${'11'.repeat(64)}` }, 'intent_pubkey'],
  ['address for a key', { destination: 'RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij' }, 'intent_pubkey'],
  ['key off the curve', { destination: `02${'00'.repeat(32)}` }, 'intent_pubkey'],
  ['amount of zero', { amount: 0n }, 'intent_amount'],
  ['negative amount', { amount: -1n }, 'intent_amount'],
  ['amount over 2^63', { amount: 1n << 63n }, 'intent_amount'],
  ['burn key unasked', { destination: `02${'dead'.repeat(16)}` }, 'intent_burn'],
  ['burn to a person', { burn: true }, 'intent_not_burn'],
])('an intent with a senseless %s is a finding', (_, changed, code) => {
  expect(codesOf(changed)).toEqual([code])
})

test('a previous transaction that was tampered with does not hash to what is spent', () => {
  // The sequence of its input, which its txid covers.
  const tampered = evidence.previousTransactions.map((previous) =>
    previous.replace('ffffffff', 'feffffff'),
  )
  expect(tampered).not.toEqual(evidence.previousTransactions)
  expect(codesOf({}, { previousTransactions: tampered })).toContain('prevout_missing')
})

test('evidence that is not a transaction is a warning, its absence a reject', () => {
  const report = verifyTokenTransfer(hex, intent, { previousTransactions: ['zz', ''] })
  expect(report.findings.map(({ code }) => code)).toContain('previous_transaction_malformed')
  expect(report.ok).toBe(false)
})

test('the height of the chain decides about expiry', () => {
  expect(codesOf({}, { tipHeight: 213 })).toEqual(['expired'])
  expect(codesOf({}, { tipHeight: 212 })).toEqual([])
  const { findings } = verifyTokenTransfer(hex, intent, { ...evidence, tipHeight: undefined! })
  expect(findings.map(({ code }) => code)).toContain('expiry_not_checked')
})

test('tokens paid to the right key in a form that holds none are named as that', () => {
  // The condition of the destination's key with eval code f1, made by an independent tool.
  const script = '2ea22c802098f639defb9afaf3a1eb4a4cc2cd3b4add00723b2e10996e2eac4627a21b339b'
  const plain = `23${'21'}${keys.B.pubkey}ac`
  const changed = hex.replace(`30${script}8103120c008203000401cc`, plain)
  expect(changed).not.toBe(hex)
  const report = verifyTokenTransfer(changed, intent, evidence)
  expect(report.findings.map(({ code }) => code)).toContain('destination_condition')
})

test('only a report that agrees is sealed', () => {
  const { verified, txid } = verifyTokenTransfer(hex, intent, evidence)
  expect(verified).toEqual({ hex, txid })
  expect(Object.isFrozen(verified)).toBe(true)
  expect(isVerifiedTransaction(verified)).toBe(true)
  expect(isVerifiedTransaction({ ...verified })).toBe(false)
  for (const none of [undefined, null, hex, 7, Symbol.iterator, () => verified]) {
    expect(isVerifiedTransaction(none)).toBe(false)
  }
  const rejected = verifyTokenTransfer(hex, { ...intent, amount: 1n }, evidence)
  expect(rejected).not.toHaveProperty('verified')
})

test('a report leaves out what cannot be known', () => {
  const membersOf = (...given: Parameters<typeof verifyTokenTransfer>) =>
    Object.keys(verifyTokenTransfer(...given)).sort()
  const bare = ['broadcast', 'effects', 'findings', 'hex', 'ok', 'operation']
  expect(membersOf('', intent, evidence)).toEqual(bare)
  expect(membersOf(hex, { ...intent, amount: 0n }, evidence)).toEqual([...bare, 'txid'])
  const nothing = { previousTransactions: [], tipHeight: 12 }
  const checked = [...bare, 'feeKnown', 'spends', 'txid']
  expect(membersOf(hex, intent, nothing)).toEqual(checked.toSorted())
  expect(membersOf(hex, intent, evidence)).toEqual(
    [...checked, 'fee', 'inputsMinusOutputs', 'verified'].sort(),
  )
})

test('misuse is a TypeError, at once', () => {
  const wrong: [unknown, unknown, unknown][] = [
    [undefined, intent, evidence],
    [1, intent, evidence],
    [hex, null, evidence],
    [hex, { ...intent, amount: 100 }, evidence],
    [hex, { ...intent, destination: undefined }, evidence],
    [hex, { ...intent, burn: 1 }, evidence],
    [hex, intent, undefined],
    [hex, intent, { previousTransactions: hex }],
    [hex, intent, { previousTransactions: [1] }],
    [hex, intent, { ...evidence, tipHeight: -1 }],
  ]
  for (const [a, b, c] of wrong) {
    expect(() =>
      verifyTokenTransfer(a as string, b as TransferIntent, c as typeof evidence),
    ).toThrow(TypeError)
  }
  expect(() => verifyTokenCreate(hex, {} as never, evidence)).toThrow(TypeError)
})

test('text of any kind gets a report, not an exception', () => {
  for (const text of [
    '',
    '0',
    'ff',
    '{"error":"no token inputs"}',
    '\u0131'.repeat(100),
    'é0'.repeat(50),
  ]) {
    expect(verifyTokenTransfer(text, intent, evidence).ok).toBe(false)
  }
  // komodo src/consensus/consensus.h, MAX_TX_SIZE_AFTER_SAPLING
  const ofZeros = (bytes: number) => verifyTokenTransfer('00'.repeat(bytes), intent, evidence)
  expect(ofZeros(200_000).findings[0]!.code).not.toBe('too_large')
  expect(ofZeros(200_001).findings).toMatchObject([
    { code: 'too_large', expected: 'at most 200000 bytes', actual: '200001 bytes' },
  ])
  // no chain has such a transaction, so that nothing is spent from it either
  for (const [given, code, path] of [
    ['previousTransactions', 'previous_transaction_malformed', 'evidence.previousTransactions[0]'],
    ['tokenCreate', 'token_create_malformed', 'evidence.tokenCreate'],
  ] as const) {
    const reportedOf = (bytes: number) => {
      const zeros = '00'.repeat(bytes)
      const changed = { [given]: given === 'tokenCreate' ? zeros : [zeros] }
      const { findings } = verifyTokenTransfer(hex, intent, { ...evidence, ...changed })
      return findings.filter((it) => it.code === code)
    }
    const tooLarge = { path, expected: 'at most 200000 bytes', actual: '200001 bytes' }
    expect(reportedOf(200_001)).toMatchObject([tooLarge])
    expect(reportedOf(200_000)).toMatchObject([{ path }])
    expect(reportedOf(200_000)).not.toMatchObject([{ expected: tooLarge.expected }])
  }
})

test('docs/findings.md lists every finding as it is', () => {
  const page = readFileSync(new URL('../../../docs/findings.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| <a id="\w+"><\/a>`(\w+)` \| (\w+) \| (.*) \|$/gm)].map(
    (row) => row.slice(1, 4),
  )
  const table = findingCodes()
    .map((code) => [code, findingRow(code)] as const)
    .map(([code, [severity, text]]) => [code, severity, text])
  expect(listed).toEqual(table)
})

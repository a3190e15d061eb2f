// The 96 attack cases of the project's threat model, one by one. Each changes a real transfer, of
// 850 of 900 units from two coins, and says by which finding it is known. Cases that no verifier of
// a single transaction can see are named at the end with the test that has them.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { burnPublicKeys } from '../../../src/chain/modules.ts'
import {
  type CreateIntent,
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  isVerifiedTransaction,
  networks,
  type PaymentIntent,
  type Report,
  type TransactionInput,
  type TransferIntent,
  tokenScript,
  transactionId,
  verifyTokenCreate,
  verifyTokenTransfer,
  verifyWithdraw,
} from '../../../src/index.ts'
import { findingCodes } from '../../../src/request/finding-table.ts'
import type { FindingCode } from '../../../src/request/report.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import {
  attacker,
  base,
  changed,
  type Given,
  hex,
  intent,
  onBranch,
  rejected,
  reported,
  signed,
  text,
  tipHeight,
  withCoin,
} from '../../support/attacks.ts'
import { chainTransaction, daemonMade, previousTransactions } from '../../support/komodod.ts'
import { madeUpInputs } from '../../support/made-up.ts'
import { isOrderCode } from '../../support/orders.ts'
import {
  checkCoinbase,
  checkManyCoins,
  checkOnKomodo,
  checkPayment,
  coinbaseHeight,
  coinbaseTxid,
  manyReward,
  payment,
  tipTime,
} from '../../support/payments.ts'
import {
  a,
  b,
  type Change,
  c,
  drop,
  fields,
  moduleKey,
  othersNative,
  output,
  p2pk,
  spend,
  tokenid,
} from '../../support/resigned.ts'
import { placesOf, shareOf } from '../../support/share.ts'
import { inMutationRun, testUnless } from '../../support/skip.ts'

function check({ hex, intent: changed, evidence }: Given): Report {
  return verifyTokenTransfer(
    hex,
    { ...intent, ...changed },
    {
      previousTransactions: parents(hex),
      tokenCreate: chainTransaction(tokenid),
      tipHeight,
      ...evidence,
    },
  )
}

function parents(of: string): string[] {
  try {
    return previousTransactions(of)
  } catch {
    return previousTransactions(hex)
  }
}

/** Attacks that one transaction does not show: the test of each, or why nobody can verify it. */
const elsewhere: [id: number, file: string, name: string][] = [
  [94, 'contract/safe-flow.test.ts', 'a txid that is not the transaction’s is an error'],
  [
    95,
    'contract/safe-flow.test.ts',
    'is not followed by a payment from other coins unless that is allowed',
  ],
]
const unseen: [id: number, why: string][] = [
  [
    40,
    'whether a coin is locked or already spent in the mempool only the daemon knows: it refuses',
  ],
  [70, 'no intent bounds the size of token coins'],
]

function codes({ findings }: Report, severity?: string): FindingCode[] {
  return findings
    .filter((it) => severity === undefined || it.severity === severity)
    .map(({ code }) => code)
}

test('the transfer itself agrees', () => {
  expect(codes(check({ hex }), 'reject')).toEqual([])
  expect(codes(check(signed((tx) => tx)), 'reject')).toEqual([])
  const elsewhere = signed((tx) => tx, { branchId: 0x5ba81b19 })
  expect(codes(check({ ...elsewhere, intent: onBranch(0x5ba81b19) }), 'reject')).toEqual([])
})

// A later test checks all of them, and looks at their findings together.
test.each(shareOf(rejected))('%i, %s: rejected', (_, __, given, code) => {
  const report = check(given())
  expect(report.ok).toBe(false)
  expect(codes(report, 'reject')).toContain(code)
})

test.each(reported)('%i, %s: passes and is reported', (_, __, given, code) => {
  const report = check(given())
  expect(codes(report, 'reject')).toEqual([])
  expect(codes(report)).toContain(code)
})

test('3, upper case: the same transaction', () => {
  expect(check({ hex: hex.toUpperCase() })).toEqual(check({ hex }))
})

test('7, cut short at any place: rejected', () => {
  const malformed = ['truncated', 'count_over_input', 'empty_input']
  for (const length of placesOf(hex.length / 2)) {
    expect(malformed).toContain(codes(check(text(hex.slice(0, 2 * length))))[0])
  }
})

test('96, changed after its verification: the verified copy is sealed', () => {
  const evidence = { previousTransactions: previousTransactions(hex), tokenCreate: undefined! }
  const report = verifyTokenTransfer(hex, intent, { ...evidence, tipHeight })
  evidence.previousTransactions.length = 0
  expect(isVerifiedTransaction(report.verified)).toBe(true)
  expect(report.verified).toEqual({ hex, txid: base.txid })
  expect(() => Object.assign(report.verified!, { hex: '00' })).toThrow(TypeError)
})

describe('facts that no verifier of one transaction can see', () => {
  test.each(elsewhere)('%i is in %s: %s', (_, file, name) => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    expect(source).toContain(`test('${name}'`)
  })
})

test('every case has a test', () => {
  const ids = [...rejected, ...reported, ...elsewhere, ...unseen].map(([id]) => id)
  const all = new Set([...ids, 3, 7, 96])
  expect([...all].sort((x, y) => x - y)).toEqual(Array.from({ length: 96 }, (_, at) => at + 1))
})

const madeCreate = daemonMade.find(({ file }) => file.startsWith('03-'))!.hex

function create(asked: Partial<CreateIntent>, change: Change = (tx) => tx): Report {
  const tx = change(decodeTransaction(madeCreate))
  return verifyTokenCreate(
    encodeTransaction(tx),
    { name: 'TESTCOIN', supply: 1000n, description: 'A test token', owner: a, ...asked },
    { previousTransactions: parents(madeCreate), tipHeight: 5 },
  )
}

const asked = (changed: Partial<TransferIntent>) => check({ hex, intent: changed })
const known = (evidence: Partial<Evidence>) => check({ hex, evidence })
const pay = (change: Change, asked: Partial<PaymentIntent> = {}) => checkPayment(change, {}, asked)
const [spentFirst] = decodeTransaction(hex).inputs as [TransactionInput]
const withdrawal = { coin: 'X', to: 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', amount: 1n, own: [] }
const payOne = (script: string) =>
  pay(output(0, { script }), { recipients: [{ script, amount: payment.outputs[0]!.value }] })
const waitingFor =
  (lockTime: number): Change =>
  ({ inputs, ...tx }) => ({
    ...tx,
    lockTime,
    inputs: inputs.map((it) => ({ ...it, sequence: 0xfffffffe })),
  })
const youngest = { [coinbaseTxid]: coinbaseHeight }
const noFee = output(3, { value: payment.outputs[3]!.value + 10_000n })
const manyOfVersion1: Change = ({ inputs, ...tx }) => ({
  ...tx,
  version: 1,
  overwintered: false,
  versionGroupId: 0,
  expiryHeight: 0,
  inputs: Array.from({ length: 1000 }, (_, vout) => ({
    ...inputs[0]!,
    txid: '11'.repeat(32),
    vout,
  })),
})
const burnKey = `02${'dead'.repeat(16)}`

function manyTokenInputs(): Report {
  const coin = { value: 1n, script: tokenScript(a) }
  const parent = encodeTransaction({
    ...base,
    inputs: madeUpInputs,
    outputs: Array(101).fill(coin),
  })
  const txid = transactionId(parent)
  const inputs = Array.from({ length: 101 }, (_, vout) => {
    return { txid, vout, scriptSig: '', sequence: 0xffffffff }
  })
  const spending = encodeTransaction({ ...base, inputs })
  return check({ hex: spending, evidence: { previousTransactions: [parent] } })
}

/** A version 2 transaction whose join-split's proof begins with what no point begins with. */
const madeV3 = `${'02000000'}0000${'00000000'}01${'00'.repeat(1506)}${'05'}${'00'.repeat(295 + 96)}`

/** Codes that no attack case covers. */
const others: [code: FindingCode, report: () => Report][] = [
  ['truncated', () => check(text(hex.slice(0, -2)))],
  ['length_over_limit', () => check(text(`0400008085202f89${'fe01000002'}${hex.slice(18)}`))],
  ['malformed_proof', () => check(text(madeV3))],
  ['intent_tokenid', () => asked({ tokenid: '00' })],
  ['intent_pubkey', () => asked({ destination: `02${'00'.repeat(32)}` })],
  ['intent_pubkey', () => asked({ from: a.slice(2) })],
  ['intent_amount', () => asked({ amount: 0n })],
  ['intent_recipients', () => asked({ recipients: [{ pubkey: c, amount: 1n }] })],
  ['intent_burn', () => asked({ destination: burnKey })],
  ['intent_not_burn', () => asked({ burn: true })],
  ['intent_module_key', () => asked({ destination: moduleKey })],
  ['intent_network', () => asked({ network: networks.komodo })],
  ['intent_name', () => create({ name: '' })],
  ['intent_name', () => create({ name: 'é'.repeat(17) })],
  ['intent_name', () => create({ name: '\ud800' })],
  ['intent_description', () => create({ description: 'd'.repeat(4097) })],
  ['intent_description', () => create({ description: 'half \udc00' })],
  ['intent_data', () => create({ data: 'f7f' })],
  ['intent_data', () => create({ data: 'f7'.repeat(10_002), supply: 1n })],
  ['intent_version', () => create({ version: 2 })],
  ['intent_nft_supply', () => create({ data: 'f701', supply: 2n })],
  ['data_eval_code', () => create({ data: 'f701', supply: 1n })],
  ['tokel_data', () => create({ data: 'f7f7', supply: 1n, network: networks.tokel })],
  ['chain_unbound', () => create({})],
  ['creation_not_funded', () => create({ owner: c, ownKeys: [a] })],
  ['intent_own_keys', () => asked({ ownKeys: ['a'] })],
  ['intent_spendable', () => asked({ spendable: [{ txid: 'a', vout: 0 }] })],
  ['intent_asserted', () => asked({ ownKeys: [b], reportedBy: 'a daemon' })],
  ['intent_on_chain', () => asked({ onChain: ['a'] })],
  ['chain_unproven', () => asked({ onChain: ['11'.repeat(32)] })],
  ['unlisted_input', () => asked({ spendable: [] })],
  ['many_token_inputs', manyTokenInputs],
  ['marker', () => create({}, drop(0, 2))],
  ['issuance', () => create({}, output(1, { script: tokenScript(attacker) }))],
  ['supply', () => create({ supply: 999n })],
  ['owner', () => create({ owner: attacker })],
  ['name', () => create({ name: 'TESTCOINS' })],
  ['description', () => create({ description: '' })],
  ['data', () => create({ data: 'f101', supply: 1n })],
  ['expiry_not_checked', () => known({ tipHeight: undefined! })],
  ['previous_transaction_malformed', () => known({ previousTransactions: ['zz'] })],
  ['token_create_missing', () => check({ hex, evidence: { tokenCreate: undefined! } })],
  ['token_create_malformed', () => known({ tokenCreate: 'zz' })],
  ['token_create_malformed', () => known({ tokenCreate: madeCreate.replace('ffff', 'feff') })],
  ['no_inputs', () => check(changed(fields({ inputs: [] })))],
  ['dust', () => check(withCoin(10_010n, output(2, { value: 10n })))],
  ['native_change_form', () => check(signed(output(2, { script: pubkeyHashScript(a) })))],
  ['signer', () => check(signed(spend(...othersNative, 2)))],
  ['old_version', () => pay(fields({ version: 3, versionGroupId: 0x03c48270 }))],
  ['expiry_differs', () => pay((tx) => tx, { expiryHeight: 7 })],
  ['lock_time_differs', () => pay((tx) => tx, { lockTime: 7 })],
  ['lock_time_open', () => pay(fields({ lockTime: 61 }), { lockTime: 61 })],
  ['lock_time_stale', () => pay(fields({ lockTime: 500_000_000 }), { network: networks.komodo })],
  ['lock_time_not_checked', () => pay(waitingFor(tipTime))],
  ['lock_time_late', () => pay(waitingFor(261), { lockTime: 261 })],
  ['payee_module_key', () => payOne(p2pk(moduleKey))],
  ['payee_burn', () => payOne(p2pk(burnPublicKeys.komodo))],
  ['payee_open', () => payOne('51')],
  ['premature_coinbase', () => checkCoinbase({ tipHeight: coinbaseHeight, heights: youngest })],
  ['too_much_to_hash', () => pay(manyOfVersion1)],
  ['intent_address', () => pay((tx) => tx, { recipients: [{ amount: 1n }] })],
  ['intent_fee', () => pay((tx) => tx, { fee: -1n })],
  ['fee_below_relay', () => pay(noFee, { fee: 0n })],
  ['fee_share', () => check(withCoin(30_000n, drop(2)))],
  ['evidence_contradicts', () => checkOnKomodo({ tipTime: 1 })],
  ['amount_contradicted', () => known({ amounts: [{ ...spentFirst, value: 1n }] })],
  ['unconfirmed_input', () => known({ heights: { [spentFirst.txid]: 0 } })],
  ['cannot_be_judged', () => verifyWithdraw({}, withdrawal, { previousTransactions: [] })],
  [
    'response_contradicts',
    () => verifyWithdraw({ tx_hex: hex }, withdrawal, { previousTransactions: [] }),
  ],
  ['reward_unknown', () => checkOnKomodo({ heights: {} })],
  ['reward_unclaimed', () => checkOnKomodo({})],
  ['reward_claimed', () => checkManyCoins({ paid: 1n, left: 10_000n - manyReward })],
  ['reward_in_fee', () => checkOnKomodo({}, 8470n)],
  ['fee_high', () => checkManyCoins({ paid: 1n, left: 20_001n })],
]

test.each(shareOf(others))('%s is reported', (code, report) => {
  expect(codes(report())).toContain(code)
})

/** Codes of findings about ancestors, which verify-ancestry.test.ts covers. */
const ancestorCodes = /^(?:ancestor_|output_(?:spent|contested)|token_supply|height_unknown)/
const batchCodes = new Set(['malformed_case', 'internal_error'])

const tokelCodes = new Set([
  'intent_keys',
  'intent_properties',
  'intent_tokenids',
  'property',
  'royalty',
  'royalty_share',
  'royalty_unknown',
])

/** Codes that other tests show, by the file of the test. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  '../builders/order-prices': ['ask_price_unenforced', 'intent_price_unenforced'],
  'inclusion-evidence': [
    'chain_contradicted',
    'inclusion_light',
    'inclusion_linked',
    'inclusion_unproven',
    'inclusion_worked',
    'intent_chain',
  ],
  '../chain-source/case-evidence': ['already_in_block'],
  '../wallet/claims': ['claimed_unspent'],
  'order-positions': ['fee_below_requested', 'nulldata_legacy'],
  'held-change': ['change_not_held'],
  'verify-relayed': ['spend_nonstandard'],
  'verify-payment-change': ['change_locked', 'change_split', 'change_weaker'],
}

test.each(Object.entries(shownBy))('%s.test.ts shows the findings left to it', (file, left) => {
  const text = readFileSync(new URL(`${file}.test.ts`, import.meta.url), 'utf8')
  expect(left.filter((code) => !text.includes(code))).toEqual([])
})

testUnless(inMutationRun)('every finding that there can be has been seen', () => {
  const seen = [...rejected, ...reported].flatMap(([, , given]) => codes(check(given())))
  const reached = new Set([...seen, ...others.flatMap(([, report]) => codes(report()))])
  // verify-orders.test.ts sees the findings of orders, attack-tokel and verify-tokel those of
  // tokeld, and verify-many.test.ts those without a case.
  const wanted = findingCodes().filter(
    (code) =>
      !isOrderCode(code) &&
      !tokelCodes.has(code) &&
      !batchCodes.has(code) &&
      !ancestorCodes.test(code) &&
      !Object.values(shownBy).flat().includes(code),
  )
  const elsewhere = [...reached].filter((code) => ancestorCodes.test(code))
  expect([...reached].sort()).toEqual([...wanted, ...elsewhere].sort())
})

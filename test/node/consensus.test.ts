// Each rule by which a transaction is refused, on both sides of its limit, in the daemon's words:
// komodo src/main.cpp, CheckTransactionWithoutProofVerification, ContextualCheckTransaction, IsStandardTx,
// AreInputsStandard, IsFinalTx.

import { describe, expect, test } from 'vitest'

import { networks } from '../../src/index.ts'
import {
  checkAtHeight,
  checkTransaction,
  isFinal,
  valueOut,
} from '../../src/node/consensus/check-transaction.ts'
import {
  checkInputsStandard,
  checkSigops,
  checkStandard,
} from '../../src/node/consensus/standard.ts'
import { createDevNode } from '../../src/node/index.ts'
import { createScriptIndex } from '../../src/node/state/script-index.ts'
import type { Transaction } from '../../src/transaction/types.ts'

const maxMoney = 1_000_000n
const input = { txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0xffffffff }
const key = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`
const p2pk = `21${key}ac`
const nullInput = { ...input, txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: '0101' }
const good: Transaction = {
  txid: '',
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  inputs: [input],
  outputs: [{ value: 1000n, script: p2pk }],
  lockTime: 0,
  expiryHeight: 0,
  valueBalance: 0n,
  shieldedSpends: [],
  shieldedOutputs: [],
  joinSplits: [],
}
const spend = (nullifier: string) => ({ nullifier }) as never
const wordsOf = (changes: Partial<Transaction>, size = 200) =>
  checkTransaction({ txid: '', hex: '', size, transaction: { ...good, ...changes } }, maxMoney)
    ?.message

test.each<[string, string | undefined, Partial<Transaction>]>([
  ['as it is', undefined, {}],
  ['version 0', 'bad-txns-version-too-low', { overwintered: false, version: 0, versionGroupId: 0 }],
  ['version 1', undefined, { overwintered: false, version: 1, versionGroupId: 0 }],
  ['Overwinter of version 2', 'bad-tx-overwinter-version-too-low', { version: 2 }],
  ['Overwinter of version 3', undefined, { version: 3, versionGroupId: 0x03c48270 }],
  ['an unknown group', 'bad-tx-version-group-id', { versionGroupId: 0x892f2084 }],
  ['a group before Overwinter', undefined, { overwintered: false, version: 1, versionGroupId: 5 }],
  ['the last expiry', undefined, { expiryHeight: 499_999_999 }],
  ['an expiry that is a time', 'bad-tx-expiry-height-too-high', { expiryHeight: 500_000_000 }],
  ['no inputs', 'bad-txns-vin-empty', { inputs: [] }],
  ['no outputs', 'bad-txns-vout-empty', { outputs: [] }],
  ['a shielded spend instead', undefined, { inputs: [], shieldedSpends: [spend('a')] }],
  ['a shielded output instead', undefined, { outputs: [], shieldedOutputs: [{} as never] }],
  ['less than nothing', 'bad-txns-vout-negative', { outputs: [{ value: -1n, script: p2pk }] }],
  ['all there is', undefined, { outputs: [{ value: maxMoney, script: p2pk }] }],
  ['more', 'bad-txns-vout-toolarge', { outputs: [{ value: maxMoney + 1n, script: p2pk }] }],
  [
    'more together',
    'bad-txns-txouttotal-toolarge',
    { outputs: [maxMoney, 1n].map((value) => ({ value, script: p2pk })) },
  ],
  [
    'all together',
    undefined,
    { outputs: [maxMoney - 1n, 1n].map((value) => ({ value, script: p2pk })) },
  ],
  ['10,001 bytes', undefined, { outputs: [{ value: 0n, script: '6a'.repeat(10_001) }] }],
  ['10,002', 'bad-txns-opret-too-big', { outputs: [{ value: 0n, script: '6a'.repeat(10_002) }] }],
  ['a balance of nothing shielded', 'bad-txns-valuebalance-nonzero', { valueBalance: 1n }],
  ['a balance', undefined, { valueBalance: maxMoney, shieldedSpends: [spend('a')] }],
  ['one the other way', undefined, { valueBalance: -maxMoney, shieldedSpends: [spend('a')] }],
  [
    'one too large',
    'bad-txns-valuebalance-toolarge',
    { valueBalance: maxMoney + 1n, shieldedOutputs: [{} as never] },
  ],
  [
    'one too large the other way',
    'bad-txns-valuebalance-toolarge',
    { valueBalance: -maxMoney - 1n, shieldedSpends: [spend('a')] },
  ],
  [
    'a balance of as many spends as outputs',
    undefined,
    { valueBalance: 1n, shieldedSpends: [spend('a')], shieldedOutputs: [{} as never] },
  ],
  ['a JoinSplit', 'bad-txns-sprout-expired', { joinSplits: [{} as never] }],
  ['an input twice', 'bad-txns-inputs-duplicate', { inputs: [input, { ...input, scriptSig: '' }] }],
  ['another output of it', undefined, { inputs: [input, { ...input, vout: 1 }] }],
  [
    'a nullifier twice',
    'bad-spend-description-nullifiers-duplicate',
    { shieldedSpends: [spend('a'), spend('a')] },
  ],
  ['two nullifiers', undefined, { shieldedSpends: [spend('a'), spend('b')] }],
  ['no outpoint', 'bad-txns-prevout-null', { inputs: [input, nullInput] }],
  ['a coinbase', undefined, { inputs: [nullInput] }],
  [
    'one that spends shielded',
    'bad-cb-has-spend-description',
    { inputs: [nullInput], shieldedSpends: [spend('a')] },
  ],
  [
    'one that shields',
    'bad-cb-has-output-description',
    { inputs: [nullInput], shieldedOutputs: [{} as never] },
  ],
  ['one with 1 byte', 'bad-cb-length', { inputs: [{ ...nullInput, scriptSig: '00' }] }],
  ['one with 100', undefined, { inputs: [{ ...nullInput, scriptSig: '00'.repeat(100) }] }],
  ['one with 101', 'bad-cb-length', { inputs: [{ ...nullInput, scriptSig: '00'.repeat(101) }] }],
])('a transaction with %s: %s', (_, words, changes) => {
  expect(wordsOf(changes)).toBe(words && `16: ${words}`)
})

test('a transaction may have 200,000 bytes', () => {
  expect(wordsOf({}, 200_000)).toBeUndefined()
  expect(wordsOf({}, 200_001)).toBe('16: bad-txns-oversize')
})

test.each<[string, string | undefined, Partial<Transaction>, number]>([
  ['as it is', undefined, {}, 100],
  ['before Overwinter', 'tx-overwinter-active', { overwintered: false }, 100],
  ['of Overwinter', 'bad-sapling-tx-version-group-id', { versionGroupId: 0x03c48270 }, 100],
  ['of version 3', 'bad-tx-sapling-version-too-low', { version: 3 }, 100],
  ['of version 5', 'bad-tx-sapling-version-too-high', { version: 5 }, 100],
  ['at its last height', undefined, { expiryHeight: 100 }, 100],
  ['a block later', 'tx-overwinter-expired', { expiryHeight: 100 }, 101],
  ['that never expires', undefined, { expiryHeight: 0 }, 101],
  ['of a miner', undefined, { expiryHeight: 100, inputs: [nullInput] }, 101],
  [
    'that spends shielded',
    'bad-txns-sapling-spend-description-invalid',
    { shieldedSpends: [spend('a')] },
    1,
  ],
  [
    'that shields',
    'bad-txns-sapling-spend-description-invalid',
    { shieldedOutputs: [{} as never] },
    1,
  ],
])('a transaction %s: %s', (_, words, changes, height) => {
  const stored = { txid: '', hex: '', size: 200, transaction: { ...good, ...changes } }
  expect(checkAtHeight(stored, height)?.message).toBe(words && `16: ${words}`)
})

const [last, before, open] = [0xffffffff, 0xfffffffe, 0xfffffffd]
test.each<[boolean, number, number[], number, number]>([
  [true, 0, [open], 0, 0],
  [true, 99, [open], 100, 0],
  [false, 100, [open], 100, 0],
  [true, 100, [before], 100, 0],
  [false, 101, [before], 100, 0],
  [true, 101, [last], 100, 0],
  [false, 101, [last, before], 100, 0],
  [false, 100, [before, open], 100, 0],
  [true, 499_999_999, [open], 500_000_000, 0],
  [false, 500_000_000, [open], 600_000_000, 500_000_000],
  [true, 500_000_000, [open], 0, 500_000_001],
])(
  'is final: %s, with lock time %i and sequences %j at height %i and time %i',
  (expected, lockTime, sequences, height, time) => {
    const inputs = sequences.map((sequence) => ({ ...input, sequence }))
    expect(isFinal({ ...good, lockTime, inputs }, height, time)).toBe(expected)
  },
)

test('the value of all outputs is their sum', () => {
  expect(valueOut({ ...good, outputs: [1n, 2n, 4n].map((value) => ({ value, script: '' })) })).toBe(
    7n,
  )
})

const scripts = createScriptIndex(networks.assetChain)
const p2pkh = `76a914${'22'.repeat(20)}88ac`
const p2sh = `a914${'33'.repeat(20)}87`
const condition = `2ea22c8020${'6fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df'}8103120c008203000401cc`
const multisig = (required: number, keys: number) =>
  `${(0x50 + required).toString(16)}${`21${key}`.repeat(keys)}${(0x50 + keys).toString(16)}ae`
const nulldata = (bytes: number) => `6a4c${bytes.toString(16)}${'00'.repeat(bytes)}`
const out = (script: string, value = 1000n) => ({ script, value })

test.each<[string, string | undefined, Partial<Transaction>]>([
  ['version 3', 'sapling-version', { version: 3 }],
  [
    '1650 bytes of scriptSig',
    undefined,
    { inputs: [{ ...input, scriptSig: `4d6f06${'00'.repeat(1647)}` }] },
  ],
  ['1651', 'scriptsig-size', { inputs: [{ ...input, scriptSig: `4d7006${'00'.repeat(1648)}` }] }],
  ['OP_16 to sign', undefined, { inputs: [{ ...input, scriptSig: '60' }] }],
  ['OP_NOP to sign', 'scriptsig-not-pushonly', { inputs: [{ ...input, scriptSig: '5161' }] }],
  ['half a push', 'scriptsig-not-pushonly', { inputs: [{ ...input, scriptSig: '05aa' }] }],
  ['a script of no form', 'scriptpubkey', { outputs: [out('51')] }],
  ['a bare multisig of 9', undefined, { outputs: [out(multisig(1, 9))] }],
  ['one of 10', 'scriptpubkey', { outputs: [out(multisig(1, 10))] }],
  // komodo src/script/standard.cpp, Solver: it matches the lock time, too
  ['a lock time before a key', 'scriptpubkey', { outputs: [out(`0400112233b175${p2pk}`)] }],
  ['nulldata of 208 bytes of script', undefined, { outputs: [out(nulldata(205), 0n)] }],
  ['of 209', 'scriptpubkey', { outputs: [out(nulldata(206), 0n)] }],
  [
    'two of nulldata',
    'multi-op-return',
    { outputs: [out(nulldata(100), 0n), out(nulldata(99), 0n)] },
  ],
  ['dust', 'dust', { outputs: [out(p2pkh, 53n)] }],
  ['no dust', undefined, { outputs: [out(p2pkh, 54n)] }],
  ['a condition of one unit', undefined, { outputs: [out(condition, 1n)] }],
])('nodes relay a transaction with %s, or say: %s', (_, words, changes) => {
  const refused = checkStandard({ ...good, ...changes }, { scripts, network: networks.assetChain })
  expect(refused?.message).toBe(words && `64: ${words}`)
})

const push = (data: string) => `${(data.length / 2).toString(16).padStart(2, '0')}${data}`
const large = (bytes: number) =>
  `4d${Buffer.from([bytes & 255, bytes >> 8]).toString('hex')}${'00'.repeat(bytes)}`
const redeem = (script: string, ...before: string[]) =>
  before.join('') +
  (script.length > 150 ? `4c${(script.length / 2).toString(16)}${script}` : push(script))

test.each<[string, boolean, string, string]>([
  ['one push for a key', true, p2pk, '51'],
  ['two', false, p2pk, '5151'],
  ['none', false, p2pk, ''],
  ['two for the hash of a key', true, p2pkh, '5151'],
  ['one', false, p2pkh, '51'],
  ['one for a condition', true, condition, '51'],
  ['two of three and a zero', true, multisig(2, 3), '005151'],
  ['one of them', false, multisig(2, 3), '0051'],
  ['a script of no form', false, '51', ''],
  ['a lock time before a key', false, `0400112233b175${p2pk}`, '51'],
  ['nulldata', false, '6a', '51'],
  ['520 bytes', true, p2pk, large(520)],
  ['521 bytes', false, p2pk, large(521)],
  ['no push', false, p2pk, '61'],
  ['a key in a redeem script', true, p2sh, redeem(p2pk, '51')],
  ['the hash of one', true, p2sh, redeem(p2pkh, '51', '51')],
  ['too little for it', false, p2sh, redeem(p2pkh, '51')],
  ['a redeem script in a redeem script', false, p2sh, redeem(p2sh, '51')],
  ['nulldata in one', false, p2sh, redeem('6a', '51')],
  ['one of no form', true, p2sh, redeem('51')],
  ['one of 15 signatures', true, p2sh, redeem(`51${'ac'.repeat(15)}`)],
  ['one of 16', false, p2sh, redeem(`51${'ac'.repeat(16)}`)],
  ['one of 15 keys', true, p2sh, redeem('615fae')],
  ['one of 16 keys', false, p2sh, redeem('6160ae')],
  ['one of 16 before a push that is cut off', false, p2sh, redeem(`51${'ac'.repeat(16)}05`)],
  ['one of an unknown number', false, p2sh, redeem('6161af')],
])('inputs with %s are standard: %s', (_, expected, script, scriptSig) => {
  const coins = [{ script } as never]
  const refused = checkInputsStandard({ ...good, inputs: [{ ...input, scriptSig }] }, coins, {
    scripts,
    network: networks.assetChain,
  })
  expect(refused).toEqual(expected ? undefined : { ok: false, code: -25, message: '' })
})

test.each<[string, boolean, Partial<Transaction>, string]>([
  ['4000 in outputs', true, { outputs: [out('ac'.repeat(4000))] }, p2pk],
  ['4001', false, { outputs: [out('ac'.repeat(3000)), out('ad'.repeat(1001))] }, p2pk],
  [
    '20 for a multisig, whatever it says',
    false,
    { outputs: [out(`${'ac'.repeat(3981)}51ae`)] },
    p2pk,
  ],
  ['those 20 exactly', true, { outputs: [out(`${'ac'.repeat(3980)}51af`)] }, p2pk],
  ['data that look like some', true, { outputs: [out(`4d0080${'ac'.repeat(0x8000)}`)] }, p2pk],
  ['4000 before a push that is cut off', true, { outputs: [out(`${'ac'.repeat(4000)}05`)] }, p2pk],
  ['4001 before it', false, { outputs: [out(`${'ac'.repeat(4001)}05`)] }, p2pk],
  [
    'some in a scriptSig',
    false,
    { outputs: [out('ac'.repeat(4000))], inputs: [{ ...input, scriptSig: 'ac' }] },
    p2pk,
  ],
  [
    'one in a redeem script',
    false,
    { outputs: [out('ac'.repeat(4000))], inputs: [{ ...input, scriptSig: redeem('51ac') }] },
    p2sh,
  ],
  [
    'the same bytes for a key',
    true,
    { outputs: [out('ac'.repeat(4000))], inputs: [{ ...input, scriptSig: redeem('51ac') }] },
    p2pk,
  ],
  [
    '3 keys in a redeem script',
    true,
    { outputs: [out('ac'.repeat(3997))], inputs: [{ ...input, scriptSig: redeem('53ae') }] },
    p2sh,
  ],
  [
    '4 keys',
    false,
    { outputs: [out('ac'.repeat(3997))], inputs: [{ ...input, scriptSig: redeem('54ae') }] },
    p2sh,
  ],
])('a fifth of the signature operations of a block: %s: %s', (_, isAllowed, changes, script) => {
  const refused = checkSigops({ ...good, ...changes }, [{ script } as never], scripts)
  expect(refused?.message).toBe(isAllowed ? undefined : '64: bad-txns-too-many-sigops')
})

describe('a refusal', () => {
  test('a refusal of shielded parts says that this node has no proofs', () => {
    const stored = {
      txid: '',
      hex: '',
      size: 1,
      transaction: { ...good, shieldedSpends: [spend('a')] },
    }
    expect(checkAtHeight(stored, 1)).toMatchObject({
      code: -26,
      reason: 'this node verifies no Sapling proofs',
    })
  })
})

// komodo src/main.cpp, AcceptToMemoryPool: any input that the mempool spends is a conflict
test('one input that the mempool spends is a conflict, whatever the others are', async () => {
  await using node = await createDevNode({ listen: false, mine: 'manual' })
  const [{ address }] = node.identities
  for (const value of [50_000n, 60_000n]) node.fund(address, value)
  type Coin = { txid: string; vout: number; amount: number }
  const coins = (await node.request('listunspent', [1])) as Coin[]
  const [taken, free] = [0.0005, 0.0006].map((it) => coins.find(({ amount }) => amount === it)!)
  const signed = async (inputs: (Coin | undefined)[], amount: number): Promise<string> => {
    const raw = await node.request('createrawtransaction', [inputs, { [address]: amount }])
    return ((await node.request('signrawtransaction', [raw])) as { hex: string }).hex
  }
  await node.request('sendrawtransaction', [await signed([taken], 0.0004)])
  const second = node.testMempoolAccept(await signed([taken, free], 0.001))
  expect(second).toMatchObject({ ok: false, message: '16: mempool conflict' })
  expect(node.testMempoolAccept(await signed([free], 0.0005)).ok).toBe(true)
})

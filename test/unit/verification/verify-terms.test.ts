// These tests cover the optional terms of an intent: further keys of the wallet, spendable outputs,
// known facts about the chain and their source, and the lifetime of the transaction.

import { describe, expect, test } from 'vitest'
import { chainModules } from '../../../src/chain/modules.ts'
import {
  addressOfScript,
  type CreateIntent,
  decodeTransaction,
  encodeTransaction,
  networks,
  type Report,
  type TransferIntent,
  tokenScript,
  transactionId,
  verifyTokenCreate,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { ancestors as ancestorsOf } from '../../support/komodod.ts'
import { madeUpInputs } from '../../support/made-up.ts'
import { type Made, paidBy, signed, spentOutput } from '../../support/paid-by.ts'
import {
  a,
  b,
  c,
  create,
  createHex,
  createIntent,
  evidenceFor,
  moduleKey,
  p2pk,
  transfer,
  transferIntent,
} from '../../support/resigned.ts'
import { tokelChain } from '../../support/tokeld.ts'
import { chain } from '../../support/vectors.ts'

const addressOf = (pubkey: string) =>
  addressOfScript(pubkeyHashScript(pubkey), networks.assetChain)!

const codesOf = ({ findings }: Report, severity = 'reject') =>
  findings.filter((it) => it.severity === severity).map(({ code }) => code)

const check = ({ hex, evidence }: Made, more: Partial<TransferIntent> = {}) =>
  verifyTokenTransfer(hex, { ...transferIntent, ...more }, evidence)
const checkCreation = ({ hex, evidence }: Made, more: Partial<CreateIntent> = {}) =>
  verifyTokenCreate(hex, { ...createIntent, ...more }, evidence)

const honest: Made = paidBy(transfer, 12, [p2pk(a)])

// A negative fee would mean that another party adds coins.
describe('a fee', () => {
  const outputs = transfer.outputs.map((it, at) =>
    at === 2 ? { ...it, value: it.value + 10_005n } : it,
  )
  const paying = paidBy({ ...transfer, outputs }, 12, [p2pk(a)])
  test.each([
    [{ fee: -5n, maxFee: 20_000n }, '-5, 20000'],
    [{ fee: -1n }, '-1, '],
    [{ maxFee: -1n }, ', -1'],
    [{ fee: -5n, maxFee: -5n }, '-5, -5'],
    [{ fee: 5n, maxFee: 4n }, '5, 4'],
    [{ maxFee: 9999n }, ', 9999'],
    [{ fee: 20_001n }, '20001, '],
    [{ fee: 1n << 63n, maxFee: 1n << 63n }, `${1n << 63n}, ${1n << 63n}`],
  ])('a fee of %o is refused', (terms, actual) => {
    for (const report of [check(paying, terms), checkCreation(paidBy(create, 5, [p2pk(a)]), terms)])
      expect(report).toMatchObject({
        ok: false,
        findings: [{ severity: 'reject', code: 'intent_fee', path: 'intent.fee', actual }],
      })
  })

  test('a fee of nothing is compared with what is paid', () => {
    expect(codesOf(check(honest, { fee: 0n }))).not.toContain('intent_fee')
    expect(codesOf(check(honest, { fee: 0n, maxFee: 0n }))).toEqual(['fee_too_high'])
  })
})

describe('further keys of the wallet', () => {
  const forms: [name: string, script: string, ownKeys: readonly string[]][] = [
    ['a key, its coin paid to the key', p2pk(c), [c]],
    ['a key, its coin paid to its address', pubkeyHashScript(c), [c]],
    ['a key in upper case', p2pk(c), [c.toUpperCase()]],
    ['an address', pubkeyHashScript(c), [addressOf(c)]],
    ['one of several', pubkeyHashScript(c), [addressOf(b), addressOf(c), a, addressOf(a)]],
  ]
  test.each(forms)('pay the fee of a transfer: %s', (_, script, ownKeys) => {
    const made = paidBy(transfer, 12, [script])
    expect(codesOf(check(made))).toEqual(['unexpected_input', 'signer'])
    expect(check(made, { ownKeys })).toMatchObject({ ok: true, fee: 10_000n })
    expect(codesOf(check(made, { ownKeys: [b] }))).toEqual(['unexpected_input', 'signer'])
  })

  test('an address stands for no coin that is paid to its key itself', () => {
    const made = paidBy(transfer, 12, [p2pk(c)])
    expect(codesOf(check(made, { ownKeys: [addressOf(c)] }))).toContain('unexpected_input')
  })

  test('pay beside the main key', () => {
    const made = paidBy(transfer, 12, [p2pk(c), p2pk(a), pubkeyHashScript(b)])
    expect(codesOf(check(made, { ownKeys: [b, addressOf(c)] }))).toContain('unexpected_input')
    expect(codesOf(check(made, { ownKeys: [b, c] }))).toEqual([])
  })

  const ownKeys = [b, c]

  test('get nothing back', () => {
    for (const script of [p2pk(c), pubkeyHashScript(c)]) {
      const outputs = transfer.outputs.map((it, at) => (at === 2 ? { ...it, script } : it))
      const made = paidBy({ ...transfer, outputs }, 12, [p2pk(c)])
      expect(codesOf(check(made, { ownKeys }))).toEqual(['native_change_destination'])
    }
    const outputs = transfer.outputs.map((it, at) =>
      at === 1 ? { ...it, script: tokenScript(c) } : it,
    )
    const made = paidBy({ ...transfer, outputs }, 12, [p2pk(c)])
    expect(codesOf(check(made, { ownKeys }))).toContain('token_change_destination')
  })

  test('bound no less what is paid', () => {
    const outputs = transfer.outputs.map((it, at) =>
      at === 2 ? { ...it, value: it.value - 1n } : it,
    )
    const made = paidBy({ ...transfer, outputs }, 12, [p2pk(c)])
    expect(codesOf(check(made, { ownKeys }))).toEqual(['fee_with_change'])
  })

  test('do not spend their tokens', () => {
    const made = paidBy(transfer, 12, [p2pk(a), tokenScript(c)])
    expect(codesOf(check(made, { ownKeys }))).toContain('foreign_condition_input')
  })

  test('have to sign themselves', () => {
    const made = paidBy(transfer, 12, [pubkeyHashScript(c)])
    const [own, ...rest] = decodeTransaction(made.hex).inputs
    const bySomebody = paidBy(transfer, 12, [pubkeyHashScript(b)])
    const { scriptSig } = decodeTransaction(bySomebody.hex).inputs[0]!
    const forged = { ...transfer, inputs: [{ ...own!, scriptSig }, ...rest] }
    const hex = encodeTransaction(forged)
    expect(codesOf(check({ ...made, hex }, { ownKeys }))).toEqual(['signature'])
    const unsigned = { ...transfer, inputs: [{ ...own!, scriptSig: '' }, ...rest] }
    const bare = { ...made, hex: encodeTransaction(unsigned) }
    expect(codesOf(check(bare, { ownKeys }))).toEqual(['unsigned'])
  })

  const wrong: [what: string, key: string, code: string][] = [
    ['no point of the curve', `02${'00'.repeat(32)}`, 'intent_own_keys'],
    ['an uncompressed key', `04${'11'.repeat(64)}`, 'intent_own_keys'],
    ['the address of a script', 'bRJgiUoDi1SxM4R8fMUc6TQxe47Z8mGD1Q', 'intent_own_keys'],
    ['a text of any length', '1'.repeat(100_000), 'intent_own_keys'],
    ['the key of a module', moduleKey, 'intent_module_key'],
    ['the key of a module in upper case', moduleKey.toUpperCase(), 'intent_module_key'],
    // komodo and tokel src/cc/CCcustom.cpp
    ...chainModules.flatMap(({ name, key }): [string, string, string][] =>
      key?.keyAddress ? [[`the address of ${name}`, key.keyAddress, 'intent_module_key']] : [],
    ),
  ]
  test.each(wrong)('are refused: %s', (_, key, code) => {
    const { ok, findings } = check(honest, { ownKeys: [a, key] })
    expect(ok).toBe(false)
    expect(findings).toMatchObject([{ code, path: 'intent.ownKeys[1]' }])
  })

  test('further keys of the wrong type are a mistake', () => {
    for (const ownKeys of [a, [1], {}]) {
      expect(() => check(honest, { ownKeys: ownKeys as string[] })).toThrow(/^intent.ownKeys/)
    }
  })

  test('pay for a creation only beside what its owner must put in', () => {
    const supply = createIntent.supply
    const part = paidBy(create, 5, [p2pk(a), p2pk(c)])
    expect(checkCreation(part, { ownKeys: [c] }).ok).toBe(true)
    const none = checkCreation(paidBy(create, 5, [p2pk(c)]), { ownKeys: [c] })
    expect(none.findings.filter(({ severity }) => severity === 'reject')).toMatchObject([
      { code: 'creation_not_funded', path: 'inputs', expected: supply, actual: 0n },
    ])
  })

  test.each([
    [-1n, ['creation_not_funded']],
    [0n, []],
  ])('a creation whose owner puts in the supply and %s', (more, codes) => {
    const whole = spentOutput(
      evidenceFor(create, 5),
      create.inputs[0]!.txid,
      create.inputs[0]!.vout,
    )
    const own = createIntent.supply + more
    const outputs = [
      { value: own, script: p2pk(a) },
      { value: whole.value - own, script: p2pk(c) },
    ]
    const parent = encodeTransaction({ ...create, inputs: madeUpInputs, outputs })
    const inputs = outputs.map((_, vout) => {
      return { txid: transactionId(parent), vout, scriptSig: '', sequence: 0xffffffff }
    })
    const evidence = { previousTransactions: [parent], tipHeight: 5 }
    const hex = signed({ ...create, inputs }, evidence)
    expect(create.inputs.length).toBe(1)
    expect(codesOf(checkCreation({ hex, evidence }, { ownKeys: [c] }))).toEqual(codes)
  })
})

describe('outputs that may be spent', () => {
  const spent = decodeTransaction(honest.hex).inputs.map(({ txid, vout }) => ({ txid, vout }))

  test('outputs that may be spent pass, and any other is refused by its place', () => {
    expect(check(honest, { spendable: spent }).ok).toBe(true)
    const spelled = [...spent.map((it) => ({ ...it, txid: it.txid.toUpperCase() })), ...spent]
    expect(check(honest, { spendable: spelled }).ok).toBe(true)
    for (const [index, left] of spent.entries()) {
      const others = spent.filter((it) => it !== left)
      const beside = { ...left, vout: left.vout + 1 }
      for (const spendable of [others, [...others, beside]]) {
        const { findings } = check(honest, { spendable })
        expect(findings.filter(({ severity }) => severity === 'reject')).toMatchObject([
          { code: 'unlisted_input', path: `inputs[${index}]`, actual: `${left.txid}:${left.vout}` },
        ])
      }
    }
  })

  test('bind a creation to a chain, of which it says nothing itself', () => {
    const made = paidBy(create, 5, [p2pk(a)])
    const spendable = decodeTransaction(made.hex).inputs
    expect(checkCreation(made).findings).toMatchObject([
      { code: 'chain_unbound', severity: 'warn', path: 'intent.spendable' },
    ])
    expect(checkCreation(made, { spendable }).findings).toEqual([])
    expect(codesOf(checkCreation(made, { spendable: [] }))).toEqual(['unlisted_input'])
    expect(codesOf(check(honest), 'warn')).not.toContain('chain_unbound')
  })

  test('are named by 32 bytes of hex', () => {
    for (const txid of ['', 'zz', '11'.repeat(31), '11'.repeat(33), `${'11'.repeat(31)}1g`]) {
      const { findings } = check(honest, { spendable: [spent[0]!, { txid, vout: 0 }] })
      expect(findings).toMatchObject([{ code: 'intent_spendable', path: 'intent.spendable[1]' }])
    }
    const first = check(honest, { spendable: [{ txid: 'zz', vout: 7 }, ...spent] })
    expect(first.findings).toMatchObject([
      { code: 'intent_spendable', path: 'intent.spendable[0]', actual: 'zz:7' },
    ])
    for (const spendable of [{}, [1], [{ txid: 1, vout: 0 }], [{ txid: '', vout: -1 }]]) {
      expect(() => check(honest, { spendable: spendable as typeof spent })).toThrow(
        /^intent.spendable/,
      )
    }
  })

  test('come from another party, which the report names', () => {
    const reportedBy = 'the daemon at 127.0.0.1'
    const reported = (more: Partial<TransferIntent>) =>
      check(honest, { reportedBy, ...more }).findings.filter(
        ({ code }) => code === 'intent_asserted',
      )
    expect(reported({})).toEqual([])
    const info = { severity: 'info', actual: reportedBy }
    expect(reported({ spendable: spent })).toMatchObject([{ ...info, path: 'intent.spendable' }])
    expect(reported({ ownKeys: [c] })).toMatchObject([{ ...info, path: 'intent.ownKeys' }])
    const block = { height: 9, hash: '11'.repeat(32) }
    expect(reported({ chain: { checkpoints: [block] } })).toMatchObject([
      { ...info, path: 'intent.chain' },
    ])
    expect(reported({ ownKeys: [c], spendable: spent })).toHaveLength(2)
    expect(() => reported({ reportedBy: 1 as unknown as string })).toThrow(/^intent.reportedBy/)
  })
})

describe('transactions known to be on the chain', () => {
  const isCoinbase = (hex: string) => decodeTransaction(hex).inputs[0]!.txid === '0'.repeat(64)
  const ancestors = ancestorsOf(createHex)
  const coinbases = ancestors.filter(isCoinbase).map((hex) => transactionId(hex))
  const foreign = tokelChain.find(({ hex }) => isCoinbase(hex))!.txid
  const evidence = { previousTransactions: ancestors, tipHeight: 5 }
  const made: Made = { hex: createHex, evidence }
  const unbound = (report: Report) =>
    report.findings.filter(({ code }) => code.startsWith('chain_')).map(({ code }) => code)

  test('binds a creation that comes from it, by way of the evidence', () => {
    expect(coinbases.length).toBeGreaterThan(0)
    expect(unbound(checkCreation(made))).toEqual(['chain_unbound'])
    for (const onChain of [...coinbases, ...ancestors.map((hex) => transactionId(hex))]) {
      const report = checkCreation(made, { onChain: [foreign, onChain.toUpperCase()] })
      expect([report.ok, unbound(report)]).toEqual([true, []])
    }
  })

  test('refuses one that does not come from it, or of which that is not shown', () => {
    for (const onChain of [[foreign], [transactionId(createHex)], []]) {
      const report = checkCreation(made, { onChain })
      expect([report.ok, unbound(report)]).toEqual([false, ['chain_unproven']])
    }
  })

  test('is reported in brief where it does not come from it', () => {
    const many = Array.from({ length: 9 }, (_, at) => `${at + 1}`.repeat(64))
    for (const count of [1, 4, 5, 9]) {
      const { findings } = checkCreation(made, { onChain: many.slice(0, count) })
      expect(findings.find(({ code }) => code === 'chain_unproven')).toMatchObject({
        path: 'inputs',
        expected: many.slice(0, Math.min(count, 4)).join(', '),
      })
    }
  })

  test('refuses what would come from it if what lies between were there', () => {
    // the longest history on the recorded chain
    const [hex, all] = chain
      .map((it) => [it.hex, ancestorsOf(it.hex)] as const)
      .reduce((longest, it) => (it[1].length > longest[1].length ? it : longest))
    const spent = new Set(decodeTransaction(hex).inputs.map(({ txid }) => txid))
    const parents = all.filter((it) => spent.has(transactionId(it)))
    // a parent names what it spends, whether that is given or not
    const named = new Set(
      parents.flatMap((hex) => decodeTransaction(hex).inputs.map((it) => it.txid)),
    )
    const onChain = all
      .map((it) => transactionId(it))
      .filter((txid) => !spent.has(txid) && !named.has(txid))
    expect(onChain.length).toBeGreaterThan(0)
    const checkedBy = (previousTransactions: readonly string[]) =>
      check({ hex, evidence: { previousTransactions, tipHeight: 12 } }, { onChain })
    expect(unbound(checkedBy(all))).toEqual([])
    expect(unbound(checkedBy(parents))).toEqual(['chain_unproven'])
  })

  test('holds for transfers and beside the outputs that may be spent', () => {
    const spendable = decodeTransaction(createHex).inputs
    expect(unbound(checkCreation(made, { spendable, onChain: coinbases }))).toEqual([])
    expect(unbound(checkCreation(made, { spendable, onChain: [foreign] }))).toEqual([
      'chain_unproven',
    ])
    expect(unbound(check(honest, { onChain: [transferIntent.tokenid] }))).toEqual([])
    expect(unbound(check(honest, { onChain: [foreign] }))).toEqual(['chain_unproven'])
  })

  test('is named by 32 bytes of hex, and is whose word it is', () => {
    // every coinbase of every chain spends the txid of zeros
    const zeros = '00'.repeat(32)
    for (const txid of [
      '',
      'zz',
      '11'.repeat(31),
      '11'.repeat(33),
      `${'11'.repeat(31)}1g`,
      zeros,
    ]) {
      const { findings } = check(honest, { onChain: [foreign, txid] })
      expect(findings).toMatchObject([{ code: 'intent_on_chain', path: 'intent.onChain[1]' }])
    }
    expect(check(honest, { onChain: [zeros, foreign] }).findings).toMatchObject([
      { code: 'intent_on_chain', path: 'intent.onChain[0]' },
    ])
    for (const onChain of [{}, [1], 'text']) {
      expect(() => check(honest, { onChain: onChain as string[] })).toThrow(/^intent.onChain/)
    }
    const reported = checkCreation(made, { onChain: coinbases, reportedBy: 'my indexer' })
    expect(reported.findings).toContainEqual(
      expect.objectContaining({ code: 'intent_asserted', path: 'intent.onChain' }),
    )
  })

  test('is looked for in each transaction once, however they are woven', () => {
    // 60 transactions, each of which spends from the one before twice: 2^60 ways
    const woven: string[] = []
    let [last] = decodeTransaction(createHex).inputs.map(({ txid }) => txid)
    for (let at = 0; at < 60; at += 1) {
      const inputs = [0, 1].map((vout) => ({ txid: last!, vout, scriptSig: '', sequence: at }))
      const hex = encodeTransaction({ ...create, inputs })
      woven.push(hex)
      last = transactionId(hex)
    }
    const inputs = [{ txid: last!, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const hex = encodeTransaction({ ...create, inputs })
    const previousTransactions = [...ancestors, ...woven]
    const given = { hex, evidence: { previousTransactions, tipHeight: 5 } }
    expect(unbound(checkCreation(given, { onChain: coinbases }))).toEqual([])
    expect(unbound(checkCreation(given, { onChain: [foreign] }))).toEqual(['chain_unproven'])
  })
})

describe('how long a transaction may live', () => {
  const { expiryHeight } = transfer
  const checkAt = (tipHeight: number, expiryBlocksMax?: number) =>
    codesOf(
      check(
        { ...honest, evidence: { ...honest.evidence, tipHeight } },
        expiryBlocksMax === undefined ? {} : { expiryBlocksMax },
      ),
    )

  // the daemon's -txexpirydelta is 200 unless it was told otherwise
  test.each([
    [200, undefined, []],
    [201, 200, ['expiry_range']],
    [201, 201, []],
    [1, 0, ['expiry_range']],
    [0, 1000, ['expired']],
    [1, 1, []],
  ])('%i blocks, where %s are allowed', (blocks, allowed, expected) => {
    expect(checkAt(expiryHeight - blocks, allowed)).toEqual(expected)
  })

  test('a daemon with a longer -txexpirydelta is believed when the intent says so', () => {
    const tx = { ...transfer, expiryHeight: 12 + 1 + 1000 }
    const made = paidBy(tx, 12, [p2pk(a)])
    expect(codesOf(check(made))).toEqual(['expiry_range'])
    expect(codesOf(check(made, { expiryBlocksMax: 1001 }))).toEqual([])
    expect(codesOf(check(made, { expiryBlocksMax: 1000 }))).toEqual(['expiry_range'])
    for (const expiryBlocksMax of [-1, 1.5, 2 ** 32, '400']) {
      expect(() => check(made, { expiryBlocksMax: expiryBlocksMax as number })).toThrow(
        /^intent.expiryBlocksMax/,
      )
    }
  })
})

describe('a member that there is not', () => {
  test.each([
    ['maxfee', /^intent: unknown member maxfee; did you mean maxFee\?$/],
    ['feee', /^intent: unknown member feee; did you mean fee\?$/],
    ['properties', /^intent: unknown member properties, expected only /],
  ])('%s would leave its limit to a default', (member, message) => {
    const intent = { ...transferIntentForMembers, [member]: 1n }
    expect(() => verifyTokenTransfer('', intent, { previousTransactions: [] })).toThrow(message)
  })

  test('is no matter where it says nothing', () => {
    const intent = { ...transferIntentForMembers, maxfee: undefined }
    expect(verifyTokenTransfer('', intent, { previousTransactions: [] }).ok).toBe(false)
  })
})

const transferIntentForMembers = {
  tokenid: '11'.repeat(32),
  destination: b,
  amount: 1n,
  from: a,
}

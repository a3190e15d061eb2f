// How verdicts come about: on the calling thread or on others, and from a scriptSig in its one
// form.

import { describe, expect, test } from 'vitest'

import {
  type ConditionTree,
  decodeTokenTransaction,
  decodeTransaction,
  encodeCondition,
  encodeTokelData,
  encodeTransaction,
  networks,
  signTransaction,
  transactionId,
  verifyTokenCreate,
  verifyTokenCreateAsync,
  verifyTokenTransfer,
  verifyTokenTransferAsync,
} from '../../../src/index.ts'
import { rulesV2 } from '../../../src/token/rules/tokens-v2.ts'
import { chainTransaction } from '../../support/komodod.ts'
import {
  a,
  b,
  c,
  checkCreate,
  create,
  createHex,
  createIntent,
  evidenceFor,
  fields,
  payload,
  privateKeys,
  tokenid,
  transfer,
  transferHex,
  transferIntent,
} from '../../support/resigned.ts'
import { sign } from '../../support/sign.ts'

describe('on threads the verdict is the same', () => {
  const resigned = (change: Parameters<typeof fields>[0]) =>
    sign({ tx: fields(change)(transfer) }, { keys: privateKeys })
  const nothing = { previousTransactions: [], tipHeight: 12 }
  const known = evidenceFor(transfer, 12)

  test.each([
    ['what is right', transferHex, known],
    ['a broken signature', transferHex.replace('ac00000000', 'ac01000000'), known],
    ['another lock time, signed for it', resigned({ lockTime: 1 }), known],
    ['what is spent not given', transferHex, nothing],
    ['no transaction', 'zz', known],
    ['nothing', '', known],
  ])('the verdict of a transfer is the same on threads: %s', async (_, hex, evidence) => {
    const report = verifyTokenTransfer(hex, transferIntent, evidence)
    expect(report.findings.length).toBeGreaterThan(0)
    expect(await verifyTokenTransferAsync(hex, transferIntent, evidence)).toEqual(report)
  })

  test.each([
    ['what is right', createHex, evidenceFor(create, 12)],
    ['what is spent not given', createHex, nothing],
    ['no transaction', 'zz', nothing],
  ])('the verdict of a creation is the same on threads: %s', async (_, hex, evidence) => {
    const report = verifyTokenCreate(hex, createIntent, evidence)
    expect(await verifyTokenCreateAsync(hex, createIntent, evidence)).toEqual(report)
  })

  test('misuse is a rejection', async () => {
    const none = undefined as never
    await expect(verifyTokenTransferAsync(transferHex, none, known)).rejects.toThrow(TypeError)
    await expect(verifyTokenCreateAsync(createHex, none, known)).rejects.toThrow(TypeError)
  })
})

// komodo src/script/interpreter.cpp, EvalCryptoConditionSig: one push; daemons write the shortest,
// the chain takes any
describe('a fulfillment is pushed in the shortest form', () => {
  /** Each eval adds five bytes to a fulfillment: 28 are the most that one byte can count. */
  const conditionOf = (evals: number): ConditionTree => ({
    type: 'threshold-sha-256',
    threshold: evals + 1,
    subconditions: [
      ...Array.from({ length: evals }, (_, code) => ({
        type: 'eval-sha-256' as const,
        code: (0x10 + code).toString(16),
      })),
      { type: 'secp256k1-sha-256', publicKey: a },
    ],
  })

  function checked(evals: number, change: (push: string) => string) {
    const condition = encodeCondition(conditionOf(evals))
    const script = `${(condition.length / 2).toString(16)}${condition}cc`
    const parent = encodeTransaction({
      ...transfer,
      inputs: [{ txid: '77'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
      outputs: [{ value: 100_000n, script }],
    })
    const input = { txid: transactionId(parent), vout: 0, scriptSig: '', sequence: 0xffffffff }
    const unsigned = encodeTransaction({ ...transfer, inputs: [input] })
    const prevout = { value: 100_000n, script, condition: conditionOf(evals) }
    const signed = signTransaction(unsigned, [privateKeys.get(a)!], [prevout], networks.assetChain)
    expect(signed.complete).toBe(true)
    const tx = decodeTransaction(signed.hex)
    const { scriptSig } = tx.inputs[0]!
    const hex = encodeTransaction({ ...tx, inputs: [{ ...input, scriptSig: change(scriptSig) }] })
    const evidence = {
      previousTransactions: [parent],
      tokenCreate: chainTransaction(tokenid),
      tipHeight: 12,
    }
    const codes = verifyTokenTransfer(hex, transferIntent, evidence).findings.map((it) => it.code)
    return { opcode: scriptSig.slice(0, 2), size: scriptSig.length / 2, codes }
  }

  const pushed = (scriptSig: string) => {
    const skipped = { '4c': 4, '4d': 6 }[scriptSig.slice(0, 2)] ?? 2
    return scriptSig.slice(skipped)
  }
  const longer = (scriptSig: string) => {
    const data = pushed(scriptSig)
    const [low, high] = [(data.length / 2) & 0xff, (data.length / 2) >> 8]
    const byte = (value: number) => value.toString(16).padStart(2, '0')
    return scriptSig.startsWith('4d')
      ? `4e${byte(low)}${byte(high)}0000${data}`
      : `4d${byte(low)}${byte(high)}${data}`
  }

  test.each([
    [1, '4c'],
    [28, '4c'],
    [29, '4d'],
    [80, '4d'],
  ])('beside %i evals, with %s', (evals, opcode) => {
    const asSigned = checked(evals, (scriptSig) => scriptSig)
    expect(asSigned.opcode).toBe(opcode)
    expect(asSigned.codes).not.toContain('script_sig')
    expect(asSigned.codes).not.toContain('signature')
    const changed = checked(evals, longer)
    expect(changed.codes).toContain('script_sig')
    expect(changed.codes).not.toContain('signature')
  })
})

/** The key of the other parity. */
const otherC = `02${c.slice(2)}`

// komodod's payload names at most two keys besides the sender's; tokeld's names none
test.each([
  ['assetChain', [b], []],
  ['assetChain', [b, c], []],
  ['assetChain', [b, c, a], []],
  ['assetChain', [b, c, otherC], ['intent_recipients']],
  ['tokel', [b, c, otherC], []],
] as const)(
  'keys are reported on %s if a payload cannot name them together: %#',
  (name, pubkeys, expected) => {
    const recipients = pubkeys.map((pubkey) => ({ pubkey, amount: 1n }))
    const intent = { ...transferIntent, amount: 1n, recipients, network: networks[name] }
    const { findings } = verifyTokenTransfer(transferHex, intent, evidenceFor(transfer, 12))
    const about = findings.filter(({ path }) => path === 'intent.recipients')
    expect(about.map(({ code }) => code)).toEqual(expected)
    expect(about.map(({ actual }) => actual)).toEqual(expected.map(() => 3))
  },
)

describe('data of a creation', () => {
  const checked = (data: string, network = networks.assetChain) =>
    verifyTokenCreate(
      createHex,
      { ...createIntent, supply: 1n, data, network },
      evidenceFor(create, 12),
    ).findings.filter(({ path }) => path === 'intent.data')

  // komodod validates transfers of tokens whose data begin with f1 or f3 only
  test.each([
    ['f1', []],
    ['f100112233', []],
    ['f3aa', []],
    ['f2aa', ['f2']],
    ['f4f1', ['f4']],
    ['00f1', ['00']],
    ['f7ff', ['f7']],
  ])('data of a creation on komodod that repeat a code are reported: %s', (data, expected) => {
    const found = checked(data)
    expect(found.map(({ code, actual }) => [code, actual])).toEqual(
      expected.map((actual) => ['data_eval_code', actual]),
    )
  })

  test.each([
    ['00', []],
    ['f5aa', []],
    ['01', ['data_eval_code']],
    ['01f7', ['data_eval_code']],
    ['e3', ['data_eval_code']],
    [encodeTokelData({ id: 1, royalty: 20 }), []],
    ['f7ff', ['tokel_data']],
  ])('data of a creation on tokeld that are not properties are reported: %s', (data, expected) => {
    expect(checked(data, networks.tokel).map(({ code }) => code)).toEqual(expected)
  })
})

test('data that were not requested are reported, and data that are missing', () => {
  const withData = checkCreate(payload((hex) => `${hex}1104f1010203`))
  const about = withData.findings.filter(({ code }) => code === 'data')
  expect(about.map(({ expected, actual }) => [expected, actual])).toEqual([['', 'f1010203']])
  const intent = { ...createIntent, supply: 1n, data: 'f1010203' }
  const { findings } = verifyTokenCreate(createHex, intent, evidenceFor(create, 12))
  const missing = findings.filter(({ code }) => code === 'data')
  expect(missing.map(({ expected, actual }) => [expected, actual])).toEqual([['f1010203', '']])
})

// tokel src/cc/CCTokelData.h: properties are tokeld's; to komodod they are data like any other
test('a token of komodod may have what tokeld would read as properties, and cannot', () => {
  const hex = encodeTransaction(payload((it) => `${it}1102f702`)(create))
  const { kind, payload: read } = decodeTokenTransaction(hex)!
  expect([kind, read.extras[0]?.problem?.code]).toEqual(['create', 'unknown_data_version'])
  const intent = { ...transferIntent, tokenid: transactionId(hex) }
  const given = { ...evidenceFor(transfer, 12), tokenCreate: hex }
  const codes = verifyTokenTransfer(transferHex, intent, given).findings.map(({ code }) => code)
  expect(codes).toContain('tokenid')
  expect(codes.filter((code) => /^tokel_data|^token_create/.test(code))).toEqual([])
})

// tokeld reads no payload with anything left over, and none that is cut
test.each(['6a02f574', '6a', '6a00', '6a4cff', '6a03f57401', '51'])(
  'a parent on Tokel that ends with %s holds no token of anybody, and stops nothing',
  (last) => {
    const parent = encodeTransaction({
      ...transfer,
      inputs: [{ txid: '77'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
      outputs: [
        { value: 100n, script: rulesV2.issuanceScript(a, '') },
        { value: 0n, script: last },
      ],
    })
    const spends = { txid: transactionId(parent), vout: 0, scriptSig: '', sequence: 0xffffffff }
    const { ok, findings } = verifyTokenTransfer(
      encodeTransaction({ ...transfer, inputs: [spends] }),
      { ...transferIntent, network: networks.tokel },
      { previousTransactions: [parent], tipHeight: 12 },
    )
    expect(ok).toBe(false)
    expect(findings.map(({ path }) => path)).toContain('inputs[0]')
  },
)

// Where the verifier's rules begin and end: a row for each side of each limit. Signatures are left
// as they are, so the findings asked for are those about what a transaction does.

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  defineNetwork,
  encodeTransaction,
  type Finding,
  networks,
  type Report,
  type TransactionFields,
  type TransferIntent,
  tokenScript,
  transactionId,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { fungible } from '../../../src/token/rules/rules.ts'
import { rulesV2 } from '../../../src/token/rules/tokens-v2.ts'
import { chainTransaction } from '../../support/komodod.ts'
import {
  a,
  b,
  burnedToken,
  c,
  drop,
  evidenceFor,
  p2pk,
  spend,
  tokenid,
  transfer,
  transferIntent,
} from '../../support/resigned.ts'
import { madeV2 } from '../../support/tokeld.ts'

type Changes = Partial<TransactionFields>

interface Checked {
  readonly intent?: Partial<TransferIntent>
  /** Transactions that are given beside the recorded ones. */
  readonly parents?: readonly string[]
  readonly tipHeight?: number | undefined
  readonly creation?: boolean
}

function check(changes: Changes, given: Checked = {}): Report {
  const tx = { ...transfer, ...changes }
  const { intent, parents = [], creation = true } = given
  const recorded = transfer.inputs.filter(({ txid }) => creation || txid !== tokenid)
  const known = new Set(recorded.map(({ txid }) => txid))
  const tipHeight = 'tipHeight' in given ? given.tipHeight : 12
  return verifyTokenTransfer(
    encodeTransaction(tx),
    { ...transferIntent, ...intent },
    {
      previousTransactions: [...[...known].map(chainTransaction), ...parents],
      ...(creation && { tokenCreate: chainTransaction(tokenid) }),
      ...(tipHeight !== undefined && { tipHeight }),
    },
  )
}

const found = ({ findings }: Report, code: Finding['code']) =>
  findings.filter((finding) => finding.code === code)
const paths = (report: Report, code: Finding['code']) => found(report, code).map(({ path }) => path)

const txidOf = (number: number) => number.toString(16).padStart(64, '7')
const inputOf = (txid: string, vout = 0) => ({ txid, vout, scriptSig: '', sequence: 0xffffffff })

/** A transaction nobody made, with an own txid for each number. */
function parentOf(
  outputs: { value: bigint; script: string }[],
  number = 1,
  inputs = [inputOf(txidOf(number))],
): string {
  return encodeTransaction({ ...transfer, inputs, outputs })
}

describe('heights', () => {
  test.each([
    [499_999_999, 'expiry_not_checked'],
    [500_000_000, 'expiry_range'],
  ])('a transaction without a tip and with expiry at %i: %s', (expiryHeight, code) => {
    const report = check({ expiryHeight }, { tipHeight: undefined })
    const codes: string[] = report.findings.map((finding) => finding.code)
    expect(codes.filter((it) => it.startsWith('expir'))).toEqual([code])
  })

  // A wallet lets twice the daemon's 200 blocks pass.
  test.each([
    [1000, 'expired', 'above 1000'],
    [1001, undefined, undefined],
    [1400, undefined, undefined],
    [1401, 'expiry_range', 'at most 1400'],
  ])('a transaction at tip 1000 with expiry at %i: %s', (expiryHeight, code, expected) => {
    const { findings } = check({ expiryHeight }, { tipHeight: 1000 })
    const about = findings.filter(({ path }) => path === 'expiryHeight')
    expect(about.map((it) => [it.code, it.expected])).toEqual(
      code === undefined ? [] : [[code, expected]],
    )
  })
})

test.each([
  ['assetChain', 0xffffffff, []],
  ['assetChain', 0xfffffffe, ['inputs[0].sequence']],
  ['tokel', 0xffffffff, []],
  ['tokel', 0xfffffffe, []],
  ['tokel', 0xfffffffd, ['inputs[0].sequence']],
] as const)(
  'a transfer on %s draws a warning for an unusual sequence: %i',
  (name, sequence, expected) => {
    const [first, ...rest] = transfer.inputs
    const inputs = [{ ...first!, sequence }, ...rest]
    const report = check({ inputs }, { intent: { network: networks[name] } })
    expect(paths(report, 'sequence')).toEqual(expected)
  },
)

// source: komodo src/primitives/transaction.h, COutPoint::IsNull and IsCoinImport
test.each([
  ['an output', txidOf(1), 0, false],
  ['the last index', txidOf(1), 0xffffffff, true],
  ['the index before it', txidOf(1), 0xfffffffe, false],
  ['the index of imports', txidOf(1), 1_000_000_000, true],
  ['the index before that of imports', txidOf(1), 999_999_999, false],
  ['no transaction', '0'.repeat(64), 0, true],
  ['nothing, as a coinbase', '0'.repeat(64), 0xffffffff, true],
])('an input that spends %s', (_, txid, vout, isNull) => {
  const report = check({ inputs: [...transfer.inputs, inputOf(txid, vout)] })
  expect(paths(report, 'null_prevout')).toEqual(isNull ? ['inputs[2]'] : [])
})

test.each([
  [1024, []],
  [1025, ['inputs']],
])('%i inputs', (count, expected) => {
  const inputs = Array.from({ length: count }, (_, index) => inputOf(txidOf(1), index))
  expect(paths(check({ inputs }), 'too_many_inputs')).toEqual(expected)
})

describe('money', () => {
  const sum = transfer.outputs.reduce((total, { value }) => total + value, 0n)
  const largest = transfer.outputs.reduce((most, { value }) => (value > most ? value : most), 0n)
  const at = transfer.outputs.findIndex(({ value }) => value === largest)

  test.each([
    ['all of it', sum, []],
    ['one satoshi less than all', sum - 1n, ['outputs']],
    ['the largest value', largest, ['outputs']],
    ['one satoshi less than that', largest - 1n, [`outputs[${at}].value`, 'outputs']],
  ])('a chain may have %s', (_, maxMoney, expected) => {
    const report = check({}, { intent: { network: defineNetwork({ maxMoney }) } })
    expect(paths(report, 'value_range')).toEqual(expected)
  })
})

// komodo src/cc/CCtx.cpp, FinalizeCCTx: change from two fees on, what is less becomes fee
describe('a fee without change', () => {
  const withoutChange = drop(2)(transfer)
  const spent = transfer.inputs.map(
    ({ txid, vout }) => decodeTransaction(chainTransaction(txid)).outputs[vout]!.value,
  )
  const paid =
    spent.reduce((total, value) => total + value, 0n) -
    withoutChange.outputs.reduce((total, { value }) => total + value, 0n)

  test.each<[string, bigint, bigint, Finding['code'] | undefined]>([
    ['exact', paid, paid, undefined],
    ['one more than was paid', paid + 1n, paid + 1n, 'fee_too_low'],
    ['one less', paid - 1n, paid, 'fee_rounding'],
    ['one less, and no more allowed', paid - 1n, paid - 1n, 'fee_too_high'],
    ['one more than half', paid / 2n + 1n, paid, 'fee_rounding'],
    ['half, and twice that allowed', paid / 2n, 2n * (paid / 2n), 'fee_too_high'],
    ['half, and more than twice allowed', paid / 2n, paid + 1n, 'fee_rounding'],
    ['a third, and all of it allowed', paid / 3n, paid, 'fee_rounding'],
    ['a third, and not all of it allowed', paid / 3n, paid - 1n, 'fee_too_high'],
  ])('%s', (_, fee, maxFee, code) => {
    const { findings } = check(withoutChange, { intent: { fee, maxFee } })
    const about = findings.filter(({ path }) => path === 'fee').map((it) => it.code)
    // spent are some coins more than the fee: it is over a tenth of them all the same
    expect(about).toEqual([...(code === undefined ? [] : [code]), 'fee_share'])
    const total = spent.reduce((sum, value) => sum + value, 0n)
    expect(findings.find((it) => it.code === 'fee_share')).toMatchObject({
      expected: `at most ${total / 10n}`,
      actual: paid,
    })
  })
})

describe('coins', () => {
  const own = p2pk(a)
  const [native] = transfer.inputs
  const token = transfer.inputs[1]!
  const ownToken = tokenScript(a)

  test('a recorded coin that is not a coinbase is not said to be one', () => {
    const parent = parentOf([{ value: 5n, script: own }])
    const inputs = [inputOf(transactionId(parent)), token]
    expect(found(check({ inputs }, { parents: [parent] }), 'immature_coinbase')).toEqual([])
    expect(found(check({}), 'immature_coinbase')).toHaveLength(1)
  })

  // source: komodo src/primitives/transaction.h, IsCoinBase: one input, which spends nothing
  test.each([
    ['one input that spends nothing', [inputOf('0'.repeat(64), 0xffffffff)], 1],
    ['one that spends no transaction', [inputOf('0'.repeat(64), 1)], 0],
    ['one that spends the last index', [inputOf(txidOf(1), 0xffffffff)], 0],
    ['two', [inputOf('0'.repeat(64), 0xffffffff), inputOf(txidOf(1))], 0],
  ])('a coin of a transaction with %s', (_, parentInputs, count) => {
    const parent = parentOf([{ value: 5n, script: own }], 1, parentInputs)
    const inputs = [inputOf(transactionId(parent)), token]
    expect(found(check({ inputs }, { parents: [parent] }), 'immature_coinbase')).toHaveLength(count)
  })

  // komodo src/script/interpreter.cpp, OP_CHECKMULTISIG: a signature may be tried with every key,
  // so of what is refused anyway none is
  test.each([
    ['a key', p2pk(c), ['inputs[2].scriptSig']],
    ["a key's hash", pubkeyHashScript(c), ['inputs[2].scriptSig']],
    ['a condition', tokenScript(c), ['inputs[2].scriptSig']],
    ['two of three keys', `5221${a}21${b}21${c}53ae`, []],
    ["a script's hash", `a914${'22'.repeat(20)}87`, []],
    ['anybody', '51', []],
  ])(
    "of others, of %s, are refused; a signature of several keys isn't tried",
    (_, script, paths) => {
      const parent = parentOf([{ value: 5n, script }])
      const inputs = [...transfer.inputs, inputOf(transactionId(parent))]
      const { findings } = check({ inputs }, { parents: [parent] })
      const about = findings.filter(({ path }) => path.startsWith('inputs[2]'))
      expect(about.filter(({ code }) => /^(unexpected|foreign)/.test(code))).toHaveLength(1)
      expect(about.filter(({ code }) => code === 'unsigned').map(({ path }) => path)).toEqual(paths)
    },
  )

  test('an input of others is reported beside an input whose parent is missing', () => {
    const parent = parentOf([{ value: 5n, script: p2pk(c) }])
    const inputs = [...transfer.inputs, inputOf(txidOf(9)), inputOf(transactionId(parent))]
    const report = check({ inputs }, { parents: [parent] })
    expect(paths(report, 'prevout_missing')).toEqual(['inputs[2]'])
    expect(paths(report, 'unexpected_input')).toEqual(['inputs[3]'])
  })

  test('tokens before coins are reported, tokens alone are not', () => {
    expect(paths(check({ inputs: [token, native!] }), 'input_order')).toEqual(['inputs[0]'])
    expect(paths(check({ inputs: [native!, token] }), 'input_order')).toEqual([])
    expect(paths(check({ inputs: [token] }), 'input_order')).toEqual([])
  })

  test('a fee that tokens alone pay is a part of them', () => {
    const [destination, , , nulldata] = transfer.outputs
    const report = check({ inputs: [token], outputs: [destination!, nulldata!] })
    expect(paths(report, 'fee_share')).toEqual(['fee'])
  })

  test('tokens of another id do not count as the token', () => {
    const parents = [chainTransaction(burnedToken[0])]
    const report = check(spend(...burnedToken, 2)(transfer), { parents })
    expect(found(report, 'foreign_token_input')).toHaveLength(1)
    expect(found(report, 'token_change_destination')).toEqual([])
    expect(found(report, 'token_imbalance')).toEqual([])
  })

  // Tokens pay for tokens, so what coins are needed for is the fee.
  const needed = 10_000n
  test.each<[string, bigint[], string[]]>([
    ['one coin, whatever its size', [500_000n], []],
    ['two that are needed', [6000n, 5000n], []],
    ['the smaller one just needed', [9999n, 2n], []],
    ['the smaller one just not needed', [10_000n, 2n], ['inputs[1]']],
    ['the smaller one first', [2n, 10_000n], ['inputs[0]']],
    ['the smallest between others', [6000n, 1n, 6000n], ['inputs[1]']],
    ['three of which two would do', [10_000n, 9999n, 3n], ['inputs[2]']],
    ['two alike', [10_000n, 10_000n], ['inputs[0]']],
  ])('native coins, %s', (_, values, expected) => {
    const parents = values.map((value, index) => parentOf([{ value, script: own }], index + 1))
    const inputs = [...parents.map((parent) => inputOf(transactionId(parent))), token]
    const report = check({ inputs }, { parents })
    expect(paths(report, 'extra_input')).toEqual(expected)
    for (const { expected: least } of found(report, 'extra_input')) expect(least).toBe(needed)
  })

  // komodo src/cc/CCtokens.cpp, AddTokenCCInputs: as they come, until they suffice
  test.each<[string, bigint[], string[]]>([
    ['the last one needed', [40n, 60n], []],
    ['the last one just not needed', [100n, 1n], ['inputs[2]']],
    ['the last one just needed', [99n, 500n], []],
    ['only the last one needed', [1n, 2n, 100n], []],
    ['the last of three not needed', [50n, 50n, 100n], ['inputs[3]']],
  ])('tokens, %s', (_, values, expected) => {
    const parents = values.map((value, index) => parentOf([{ value, script: ownToken }], index + 1))
    const inputs = [native!, ...parents.map((parent) => inputOf(transactionId(parent)))]
    expect(paths(check({ inputs }, { parents }), 'extra_input')).toEqual(expected)
  })

  test('tokens are needed for what is given, not for what comes back', () => {
    const parent = parentOf([{ value: 50n, script: ownToken }, transfer.outputs[3]!], 1, [
      { ...token, txid: txidOf(1) },
    ])
    const inputs = [native!, token, inputOf(transactionId(parent))]
    const [extra] = found(check({ inputs }, { parents: [parent] }), 'extra_input')
    expect(extra).toMatchObject({ path: 'inputs[2]', expected: 100n, actual: 1050n })
  })

  // tokel src/cc/CCtokens_impl.h, AddTokenCCInputs goes on when it has enough
  test('tokens of a tokeld may be more than are needed', () => {
    const script = rulesV2.issuanceScript(a, '')
    const parents = [1, 2, 3].map((number) => parentOf([{ value: 500n, script }], number))
    const inputs = [native!, ...parents.map((parent) => inputOf(transactionId(parent)))]
    const intent = { network: networks.tokel }
    const report = check({ inputs }, { parents, intent, creation: false })
    expect(paths(report, 'foreign_condition_input')).toEqual([])
    expect(paths(report, 'extra_input')).toEqual([])
  })

  test('each of several tokens is told what is missing of it alone', () => {
    const script = rulesV2.issuanceScript(a, '')
    const made = madeV2.find(({ note }) => note === 'v2 A->B by pubkey')!
    const spending = decodeTransaction(made.hex).inputs
    const tokenids = ['ab'.repeat(32), 'cd'.repeat(32)]
    const parents = tokenids.map((id, at) =>
      parentOf(
        [
          { value: 100n, script },
          { value: 0n, script: `6a23f57401${id}` },
        ],
        at + 1,
        spending.map((input) => ({ ...input, txid: txidOf(at + 1) })),
      ),
    )
    const inputs = [native!, ...parents.map((parent) => inputOf(transactionId(parent)))]
    const intent = { network: networks.tokel, tokenid: tokenids[0]!, tokenids }
    const report = check({ inputs }, { parents, intent, creation: false })
    const reported = found(report, 'token_parent_unproven').map(({ path, actual }) => [
      path,
      actual,
    ])
    expect(reported.map(([path]) => path)).toEqual(['inputs[1]', 'inputs[2]'])
    for (const [at, [, actual]] of reported.entries()) {
      expect(actual).toContain(txidOf(at + 1))
      expect(actual).not.toContain(txidOf(2 - at))
    }
  })

  test('a missing transfer of several tokens counts for the token that is spent', () => {
    const made = madeV2.find(({ note }) => note === 'v2 A->B by pubkey')!
    const tokenids = ['ab'.repeat(32), 'cd'.repeat(32)]
    const { scriptsOf } = rulesV2.placesOf(fungible)
    const parentSpending = (number: number, outputs: { value: bigint; script: string }[]) => {
      const inputs = decodeTransaction(made.hex).inputs
      return parentOf(
        outputs,
        number,
        inputs.map((input) => ({ ...input, txid: txidOf(number) })),
      )
    }
    const one = parentSpending(1, [
      { value: 100n, script: rulesV2.issuanceScript(a, '') },
      { value: 0n, script: `6a23f57401${tokenids[0]}` },
    ])
    // tokens.md, tokenv2transfermany: each output names its token itself
    const scripts = tokenids.map((id) => scriptsOf([a], id)[0]!)
    const both = parentSpending(
      2,
      scripts.map((script) => ({ value: 100n, script })),
    )
    const inputs = [native!, inputOf(transactionId(one), 0), inputOf(transactionId(both), 1)]
    const intent = { network: networks.tokel, tokenid: tokenids[0]!, tokenids }
    const report = check({ inputs }, { parents: [one, both], intent, creation: false })
    const reported = found(report, 'token_parent_unproven').map(({ path, actual }) => [
      path,
      actual,
    ])
    expect(reported.map(([path]) => path)).toEqual(['inputs[1]', 'inputs[2]'])
    expect(reported[0]![1]).toContain(txidOf(1))
    expect(reported[0]![1]).not.toContain(txidOf(2))
    expect(reported[1]![1]).toContain(txidOf(2))
  })

  // tokens.md section 8: a daemon took 14.5 s of its CPU to validate 105
  test.each([
    [100, []],
    [101, ['inputs']],
  ])('%i tokens: whether nodes will take long', (count, expected) => {
    const parent = parentOf(Array(count).fill({ value: 1n, script: ownToken }))
    const inputs = Array.from({ length: count }, (_, vout) => inputOf(transactionId(parent), vout))
    const report = check({ inputs: [native!, ...inputs] }, { parents: [parent] })
    expect(paths(report, 'many_token_inputs')).toEqual(expected)
    const [reported] = found(report, 'many_token_inputs')
    if (reported) expect(reported).toMatchObject({ expected: 'at most 100', actual: count })
  })

  test.each([
    [1, ''],
    [8, ''],
    [9, ' and 1 more'],
    [11, ' and 3 more'],
  ])('%i transactions missing: 8 are named', (count, ending) => {
    const parents = Array.from({ length: count }, (_, index) =>
      parentOf([{ value: 100n, script: ownToken }, transfer.outputs[3]!], index + 1, [
        { ...token, txid: txidOf(index + 1) },
      ]),
    )
    const inputs = [native!, ...parents.map((parent) => inputOf(transactionId(parent)))]
    const unproven = found(check({ inputs }, { parents }), 'token_parent_unproven')
    expect(unproven).toHaveLength(count)
    for (const { actual } of unproven) {
      const [, named, rest] = /^missing ([0-9a-f]{64}(?:, [0-9a-f]{64})*)(.*)$/.exec(`${actual}`)!
      expect(named!.split(', ')).toHaveLength(Math.min(count, 8))
      expect(rest).toBe(ending)
    }
  })
})

// checklist 1.3: signatures of versions before 4 commit to no amounts, so that they prove nothing
test.each([
  [4, 0x892f2085, 2],
  [3, 0x03c48270, 0],
])('signatures of version %i are looked at', (version, versionGroupId, count) => {
  const report = check({ version, versionGroupId, lockTime: 7 })
  expect(paths(report, 'version')).toHaveLength(version === 4 ? 0 : 1)
  expect(found(report, 'signature')).toHaveLength(count)
})

// Without the creation, the eval codes of the owner's coins tell what kind of token it may be.
describe('a creation that was not given', () => {
  const withToken = (scripts: string[]) => {
    const parents = scripts.map((script, index) => parentOf([{ value: 100n, script }], index + 1))
    const inputs = [transfer.inputs[0]!, ...parents.map((it) => inputOf(transactionId(it)))]
    return check({ inputs }, { parents, creation: false })
  }
  const nonFungible = (code: number) => tokenScript(a, { evalCodes: [code, 0xf2] })

  test.each([0xf1, 0xff, 0x01])('coins of a token with data %s are its own', (code) => {
    expect(found(withToken([nonFungible(code)]), 'foreign_condition_input')).toEqual([])
  })

  test('fungible coins decide, whatever else is spent', () => {
    const scripts = [nonFungible(0xf1), tokenScript(a)]
    for (const order of [scripts, [...scripts].reverse()]) {
      const foreign = found(withToken(order), 'foreign_condition_input')
      expect(foreign.map(({ actual }) => actual)).toEqual([nonFungible(0xf1)])
    }
  })

  // tokens.md 4.1: what is not a creation makes no tokens, and nothing is left to be guessed
  test('is guessed at no more where its transaction is there, and is none', () => {
    const script = nonFungible(0xf1)
    const parent = parentOf([{ value: 100n, script }], 1)
    const inputs = [transfer.inputs[0]!, inputOf(transactionId(parent))]
    const none = parentOf([{ value: 1n, script: p2pk(a) }], 2)
    const intent = { tokenid: transactionId(none) }
    const codesOf = (parents: string[]) =>
      check({ inputs }, { intent, parents, creation: false }).findings.map(({ code }) => code)
    expect(codesOf([parent])).toContain('token_create_missing')
    expect(codesOf([parent])).not.toContain('foreign_condition_input')
    expect(codesOf([parent, none])).toContain('token_create_malformed')
    expect(codesOf([parent, none])).toContain('foreign_condition_input')
  })
})

// komodo src/cc/eval.h, FOREACH_EVAL: e1 to f7
describe('the right key in another condition', () => {
  const withDestination = (script: string, intent?: Partial<TransferIntent>) => {
    const outputs = transfer.outputs.map((it, index) => (index === 0 ? { ...it, script } : it))
    return check({ outputs }, intent && { intent })
  }

  test.each([
    [0xe0, 'destination'],
    [0xe1, 'destination_condition'],
    [0xf6, 'destination_condition'],
    [0xf7, 'destination_condition'],
    [0xf8, 'destination'],
  ] as const)('eval code %i: %s', (code, expected) => {
    const report = withDestination(tokenScript(b, { evalCodes: [code] }))
    expect(paths(report, expected)).toEqual(['outputs[0].script'])
  })

  test('a stranger on Tokel is not a lookalike', () => {
    const network = networks.tokel
    expect(paths(withDestination(tokenScript(c), { network }), 'destination')).toEqual([
      'outputs[0].script',
    ])
    expect(paths(withDestination(p2pk(b), { network }), 'destination_condition')).toEqual([
      'outputs[0].script',
    ])
  })
})

// A stranger output counts as a changed form of a missing one: by its value, else by its kind, else
// as the first that is missing.
describe('a stranger among the outputs', () => {
  const [toDestination, toSender, change, nulldata] = transfer.outputs
  const explained = (outputs: TransactionFields['outputs']) =>
    check({ outputs })
      .findings.filter(({ path }) => path?.startsWith('outputs['))
      .map(({ path, code }) => [path, code])

  test.each<[string, TransactionFields['outputs'], string[][]]>([
    [
      'with the value of another missing output',
      [
        { value: toSender!.value, script: tokenScript(c) },
        { value: toDestination!.value, script: tokenScript(c) },
        change!,
        nulldata!,
      ],
      [
        ['outputs[0].script', 'token_change_destination'],
        ['outputs[1].script', 'destination'],
      ],
    ],
    [
      'that holds tokens where only change is missing',
      [toDestination!, toSender!, { ...change!, script: tokenScript(c) }, nulldata!],
      [['outputs[2]', 'unexpected_output']],
    ],
    [
      'of a key where only tokens are missing',
      [{ value: 77n, script: p2pk(c) }, toSender!, change!, nulldata!],
      [['outputs[0].script', 'destination']],
    ],
    [
      'of a key where change is missing too',
      [{ value: 77n, script: p2pk(c) }, toSender!, nulldata!],
      [['outputs[0].script', 'native_change_destination']],
    ],
    [
      'more than is missing',
      [
        { value: 77n, script: p2pk(c) },
        toSender!,
        change!,
        { value: 78n, script: p2pk(c) },
        nulldata!,
      ],
      [
        ['outputs[0].script', 'destination'],
        ['outputs[3]', 'unexpected_output'],
      ],
    ],
  ])('%s', (_, outputs, expected) => {
    expect(explained(outputs)).toEqual(expected)
  })
})

test('of two outputs with the right script, the one with the right value counts', () => {
  const [toDestination, ...rest] = transfer.outputs
  for (const value of [toDestination!.value - 1n, toDestination!.value + 1n]) {
    const report = check({ outputs: [{ ...toDestination!, value }, toDestination!, ...rest] })
    expect(paths(report, 'amount')).toEqual([])
    expect(paths(report, 'unexpected_output')).toEqual(['outputs[0]'])
  }
})

test('a missing output is reported with its value', () => {
  const [toDestination, ...rest] = transfer.outputs
  const [missing] = found(check({ outputs: rest }), 'destination')
  expect(missing).toMatchObject({
    path: 'outputs',
    expected: `${toDestination!.value} to ${toDestination!.script}`,
  })
})

// komodo src/primitives/transaction.h, GetDustThreshold: three times the relay fee, rounded down,
// of the output and 148 bytes that spend it; a pay to public key takes 44
test.each([
  [56n, ['outputs[2].value']],
  [57n, []],
])('change of %i satoshis', (value, expected) => {
  const outputs = transfer.outputs.map((it, index) => (index === 2 ? { ...it, value } : it))
  expect(paths(check({ outputs }), 'dust')).toEqual(expected)
})

test('change of nothing is not a token of nothing', () => {
  const outputs = transfer.outputs.map((it, index) => (index === 2 ? { ...it, value: 0n } : it))
  expect(paths(check({ outputs }), 'zero_token_output')).toEqual([])
  const tokens = transfer.outputs.map((it, index) => (index === 0 ? { ...it, value: 0n } : it))
  expect(paths(check({ outputs: tokens }), 'zero_token_output')).toEqual(['outputs[0].value'])
})

describe('nulldata', () => {
  const last = transfer.outputs.length - 1
  const scriptOf = (bytes: number) => {
    const short = `6a4c${(bytes - 3).toString(16)}${'00'.repeat(bytes - 3)}`
    if (bytes < 256) return short
    const size = bytes - 4
    return `6a4d${Buffer.of(size & 0xff, size >> 8).toString('hex')}${'00'.repeat(size)}`
  }

  // komodo src/init.cpp, -datacarriersize: 208 of a chain with conditions; src/main.cpp,
  // CheckTransaction: 10,001 of any, and what cannot be mined is not read
  test.each([
    [208, ['nulldata_malformed']],
    [209, ['nulldata_too_large', 'nulldata_malformed']],
    [10_001, ['nulldata_too_large', 'nulldata_malformed']],
    [10_002, ['nulldata_too_large']],
  ])('nulldata of %i bytes is refused only over the limit', (bytes, expected) => {
    const script = scriptOf(bytes)
    expect(script.length).toBe(2 * bytes)
    const outputs = transfer.outputs.map((it, at) => (at === last ? { ...it, script } : it))
    const { findings } = check({ outputs })
    const about = findings.filter(({ path }) => path === `outputs[${last}].script`)
    expect(about.map(({ code }) => code)).toEqual(expected)
  })

  // komodo src/cc/CCtokens.cpp, DecodeTokenOpRet: the first push alone, with eval code f2
  test.each<[string, string, Finding['code'], string]>([
    ['opcodes after the payload', `${transfer.outputs[last]!.script}51`, 'nulldata_trailing', '51'],
    [
      "another module's eval code",
      '6a02f363',
      'nulldata_malformed',
      'no eval code of a tokens module',
    ],
  ])('%s: it is told what', (_, script, code, actual) => {
    const outputs = transfer.outputs.map((it, at) => (at === last ? { ...it, script } : it))
    expect(found(check({ outputs }), code)).toMatchObject([{ actual }])
  })

  test('nulldata in several outputs is reported with their places', () => {
    const outputs = [...transfer.outputs, transfer.outputs[last]!]
    expect(found(check({ outputs }), 'multiple_nulldata')).toMatchObject([
      { expected: 'one', actual: 'outputs[3], outputs[4]' },
    ])
  })
})

test('the transaction that all this starts from is agreed to', () => {
  const { ok } = verifyTokenTransfer(
    encodeTransaction(transfer),
    transferIntent,
    evidenceFor(transfer, 12),
  )
  expect(ok).toBe(true)
})

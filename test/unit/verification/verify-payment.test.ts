// The verifier of payments against what real daemons made, and against what nobody asked for though
// it is rightly signed.

import { describe, expect, test } from 'vitest'

import {
  addressOfScript,
  decodeScript,
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  formatCase,
  formatReport,
  networks,
  type PaymentIntent,
  parseCase,
  type Report,
  signCase,
  transactionId,
  verifyCase,
  verifyPayment,
  verifyPaymentAsync,
} from '../../../src/index.ts'
import {
  chainTransaction,
  keys,
  previousTransactions,
  tipHeightOf,
  unspentCoin,
} from '../../support/komodod.ts'
import {
  checkPayment,
  evidenceFor,
  intent,
  note,
  p2pkh,
  p2sh,
  payment,
  paymentCases,
  paymentSignings,
  signPayment,
  spendToo,
  tipHeight,
  tipTime,
  twoOfThree,
  unchanged,
  worthOf,
} from '../../support/payments.ts'
import {
  a,
  b,
  both,
  type Change,
  c,
  fields,
  moduleKey,
  move,
  output,
  outputs,
  p2pk,
  privateKeys,
} from '../../support/resigned.ts'
import { acceptedFlips } from '../../support/share.ts'
import { inMutationRun, testUnless } from '../../support/skip.ts'
import { tokelAncestors, tokelChain } from '../../support/tokeld.ts'
import { chain } from '../../support/vectors.ts'

const rejects = ({ findings }: Report): string[] =>
  findings.flatMap(({ severity, code }) => (severity === 'reject' ? [code] : []))
const codes = ({ findings }: Report): string[] => findings.map(({ code }) => code)

/** Payments of the recorded chains: neither coinbase, nor a condition or nulldata anywhere. */
const isPlain = (hex: string) => {
  const { inputs, outputs } = decodeTransaction(hex)
  return (
    inputs.every(({ vout, scriptSig }) => vout !== 0xffffffff && !/^(?:4c)?..a2/.test(scriptSig)) &&
    outputs.every(({ script }) => {
      const { type } = decodeScript(script)
      return type !== 'cryptocondition' && type !== 'nulldata'
    })
  )
}

interface Recorded {
  readonly name: string
  readonly hex: string
  readonly intent: PaymentIntent
  readonly evidence: Evidence
}

const sharedAddress = 'bFFxjhquJ1Gzj4Pof4SdbMVXEJhrkENBvn'

/** Payments with the intent that made them: fees as recording 15 has them, or as they were sent. */
const recorded: Recorded[] = [
  ...chain.map(({ hex, txid }) => ({ hex, txid, previous: previousTransactions, made: 'komodod' })),
  ...tokelChain.map(({ hex, txid }) => ({ hex, txid, previous: tokelAncestors, made: 'tokeld' })),
]
  .filter(({ hex }) => isPlain(hex))
  .map(({ hex, txid, previous, made }) => {
    const { inputs, outputs, lockTime } = decodeTransaction(hex)
    const isShared = inputs.some(({ scriptSig }) => scriptSig.includes(twoOfThree))
    const owner = inputs.some(({ scriptSig }) => scriptSig.includes(b)) && !isShared ? b : a
    const own = isShared ? [sharedAddress] : [owner]
    const paid = outputs.filter(({ script }) => script !== p2pk(owner))
    const network = made === 'tokeld' ? networks.tokel : networks.assetChain
    return {
      name: `${made} ${txid.slice(0, 8)}: ${inputs.length} in, ${outputs.length} out`,
      hex,
      intent: {
        recipients: paid.map(({ script, value }) => {
          const address = addressOfScript(script, network)
          const isKey = script.endsWith('88ac') || script.startsWith('a914')
          return isKey ? { address: address!, amount: value } : { script, amount: value }
        }),
        own,
        network,
        spendable: inputs,
        maxFee: 100_000n,
      },
      evidence: {
        previousTransactions: previous(hex),
        tipHeight: Math.max(0, tipHeightOf(hex)),
        tipTime: lockTime,
      },
    }
  })

describe('recorded payments', () => {
  test('are there', () => {
    expect(recorded.filter(({ name }) => name.startsWith('komodod')).length).toBe(8)
    expect(recorded.length).toBeGreaterThan(8)
  })

  test.each(recorded)('$name agrees', ({ hex, intent: asked, evidence }) => {
    const report = verifyPayment(hex, asked, evidence)
    expect(rejects(report)).toEqual([])
    const { inputs, outputs } = decodeTransaction(hex)
    const byTxid = new Map(evidence.previousTransactions.map((it) => [transactionId(it), it]))
    const spent = inputs.reduce(
      (sum, { txid, vout }) => sum + decodeTransaction(byTxid.get(txid)!).outputs[vout]!.value,
      0n,
    )
    expect(report.fee).toBe(outputs.reduce((rest, { value }) => rest - value, spent))
    expect(report.feeKnown).toBe('proven')
  })

  test('recording 15 says the same of fees', () => {
    const fees = ['455ffa33', 'f0122eb8', '88f68d94'].map((start) => {
      const one = recorded.find(({ name }) => name.includes(start))!
      return verifyPayment(one.hex, one.intent, one.evidence).fee
    })
    // gettransaction: "fee": -0.00005
    expect(fees).toEqual([5000n, 5000n, 5000n])
  })

  testUnless(inMutationRun).each(recorded)(
    '$name: no bit can be flipped',
    ({ hex, intent: asked, evidence }) => {
      // Every bit of a small transaction. The step of a large one does not divide its length.
      const step = hex.length > 4000 ? 331 : 1
      const isAccepted = (flipped: string) => verifyPayment(flipped, asked, evidence).ok
      expect(acceptedFlips(hex, isAccepted, { step }).accepted).toEqual([])
    },
  )
})

test('an unchanged payment that is signed again agrees, with coins of every kind', () => {
  const report = checkPayment(unchanged)
  expect(report).toMatchObject({ ok: true, fee: 10_000n, feeKnown: 'proven', findings: [] })
  expect(report.effects.map(({ role }) => role)).toEqual([
    'destination',
    'destination',
    'nulldata',
    'native-change',
  ])
  const types = payment.inputs.map(
    ({ txid, vout }) =>
      decodeScript(decodeTransaction(chainTransaction(txid)).outputs[vout]!.script).type,
  )
  expect(types).toEqual(['pubkey', 'pubkeyhash', 'scripthash'])
})

test.each(paymentCases)('%s: rejected', (_, change, code) => {
  const report = checkPayment(change)
  expect(report.ok).toBe(false)
  expect(rejects(report)).toContain(code)
  // The finding is about what the transaction does, not about a broken signature.
  expect(rejects(report)).not.toContain('signature')
})

test.each(paymentSignings)('signed for %s: rejected', (_, options, code) => {
  expect(rejects(checkPayment(unchanged, options))).toContain(code)
})

test('the cases are as many as they should be, and each is another transaction', () => {
  expect(paymentCases.length + paymentSignings.length).toBeGreaterThan(60)
  const txids = paymentCases.map(([, change]) => transactionId(encodeTransaction(change(payment))))
  expect(new Set(txids).size).toBe(paymentCases.length)
})

test('an input that nobody signed is rejected', () => {
  for (const index of payment.inputs.keys()) {
    const signed = decodeTransaction(signPayment(payment))
    const inputs = signed.inputs.map((it, at) => (at === index ? { ...it, scriptSig: '' } : it))
    const hex = encodeTransaction({ ...signed, inputs })
    expect(rejects(verifyPayment(hex, intent, evidenceFor(payment)))).toEqual(['unsigned'])
  }
})

test('a finding about a stranger names the payee whose output it replaces', () => {
  const change = both(output(0, { script: p2pkh(c) }), move(0, 3, 7n))
  const [found] = checkPayment(change).findings
  expect(found).toMatchObject({
    code: 'destination',
    path: 'outputs[0].script',
    expected: p2pkh(b),
    actual: p2pkh(c),
  })
})

test('takes a script for nulldata only if it begins with OP_RETURN', () => {
  const script = '51'.repeat(209)
  const recipients = [
    { ...intent.recipients[0]! },
    { script, amount: intent.recipients[1]!.amount },
  ]
  const report = checkPayment(output(1, { script }), {}, { recipients })
  expect(report.ok).toBe(true)
  expect(codes(report)).toEqual(['payee_open', 'nonstandard'])
})

describe('when it can be mined', () => {
  const checkTimes = (tx: Partial<typeof payment>, evidence: Partial<Evidence> = {}) => {
    const changed = { ...payment, ...tx }
    const { tipHeight: _height, tipTime: _time, ...rest } = evidenceFor(changed)
    const given = { ...rest, tipHeight, ...evidence }
    return verifyPayment(signPayment(changed), intent, given).findings.filter(({ path }) =>
      /^(?:lockTime|expiryHeight|.*sequence)$/.test(path),
    )
  }
  const withSequence = (sequence: number) => payment.inputs.map((it) => ({ ...it, sequence }))

  test('a transaction that can be mined at once needs no tip', () => {
    expect(checkTimes({ lockTime: 0 })).toEqual([])
    const { tipHeight: _height, tipTime: _time, ...timeless } = evidenceFor(payment)
    const { findings } = verifyPayment(signPayment(payment), intent, timeless)
    expect(findings.filter(({ path }) => path === 'lockTime')).toEqual([])
  })

  // komodo src/script/script.h, LOCKTIME_THRESHOLD: from there on it is a time
  test.each([
    [499_999_999, { tipTime: 600_000_000 }, [`at most ${tipHeight}`]],
    [500_000_000, { tipTime: 600_000_000 }, []],
    [500_000_000, { tipTime: 499_999_999 }, ['at most 499999999']],
    [500_000_000, {}, ['0, because the tip is not known']],
    [1, {}, []],
  ])('a lock time of %i is reported unless it has passed', (lockTime, evidence, expected) => {
    expect(checkTimes({ lockTime }, evidence).map((it) => it.expected)).toEqual(expected)
  })

  test.each([
    [0, 0xffffffff, 0],
    [0, 0xfffffffe, 3],
    [1, 0xffffffff, 0],
    [1, 0xfffffffe, 0],
    [1, 0xfffffffd, 3],
  ])(
    'a transaction can be mined with a lock time of %i and sequences of %i',
    (lockTime, sequence, count) => {
      const found = checkTimes({ lockTime, inputs: withSequence(sequence) })
      expect(found.map(({ code, actual }) => [code, actual])).toEqual(
        Array.from({ length: count }, () => ['sequence', sequence]),
      )
    },
  )

  test('an old version is reported as one without expiry', () => {
    const old = { version: 1, overwintered: false, versionGroupId: 0, expiryHeight: 0 }
    expect(checkTimes(old)).toMatchObject([{ code: 'no_expiry', actual: 'a version without' }])
  })
})

describe('costs nothing and passes', () => {
  test.each<[string, Change, string[]]>([
    ['outputs in another order', outputs((all) => [...all].reverse()), []],
    ['change to the shared script', output(3, { script: p2sh(twoOfThree) }), []],
    ['it never expires', fields({ expiryHeight: 0 }), ['no_expiry']],
    ['a lock time that has passed', fields({ lockTime: tipTime }), []],
    ['a height that has passed', fields({ lockTime: tipHeight }), []],
    [
      'a sequence that is not final',
      (tx) => ({
        ...tx,
        inputs: tx.inputs.map((it) => ({ ...it, sequence: 0xfffffffe })),
      }),
      ['sequence', 'sequence', 'sequence'],
    ],
  ])('%s', (_, change, warnings) => {
    const report = checkPayment(change)
    expect(codes(report)).toEqual(warnings)
    expect(report.ok).toBe(true)
  })

  test('a coin that was not needed and comes back', () => {
    const { spendable: _, ...anything } = intent
    const { txid, vout } = unspentCoin(p2pk(a))
    const tx = spendToo([txid, vout])(payment)
    const report = verifyPayment(signPayment(tx), anything, evidenceFor(tx))
    expect(rejects(report)).toEqual([])
    expect(codes(report)).toEqual(expect.arrayContaining(['chain_unbound', 'extra_input']))
  })
})

// Two real nodes refused every payment of these versions, in lockstep with ours.
test.each<[number, boolean, string[]]>([
  [1, false, ['old_version', 'no_expiry']],
  [2, false, ['old_version', 'no_expiry']],
  [3, true, ['old_version']],
])('version %i is rejected, however well it is signed', (version, overwintered, expected) => {
  const header = overwintered
    ? { versionGroupId: 0x03c48270 }
    : { versionGroupId: 0, expiryHeight: 0 }
  const report = checkPayment(fields({ version, overwintered, ...header }))
  expect(codes(report)).toEqual(expected)
  expect(report).toMatchObject({ ok: false, fee: 10_000n })
  expect(report.findings[0]).toMatchObject({ severity: 'reject', path: 'version', expected: 4 })
  expect(report.verified).toBeUndefined()
})

describe('own coins', () => {
  const check = (own: PaymentIntent['own'], rest: Partial<PaymentIntent> = {}) => {
    const { redeemScripts: _, ...asked } = intent
    return verifyPayment(signPayment(payment), { ...asked, own, ...rest }, evidenceFor(payment))
  }

  test.each<[string, PaymentIntent['own']]>([
    ['a key and an address of a script', [a, sharedAddress]],
    [
      'addresses, whose keys then are own too',
      ['REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', sharedAddress],
    ],
    ['scripts', [p2pk(a), p2pkh(a), p2sh(twoOfThree)]],
    ['what the wallet tells', (script) => [p2pk(a), p2pkh(a), p2sh(twoOfThree)].includes(script)],
  ])('%s', (_, own) => {
    expect(check(own)).toMatchObject({ ok: true, fee: 10_000n })
  })

  test('a report guesses no owner', () => {
    expect(rejects(check([a]))).toEqual(['unexpected_input'])
    expect(rejects(check([]))).toContain('unexpected_output')
    expect(rejects(check(() => false))).toContain('unexpected_output')
    expect(rejects(check((() => 'yes') as never))).toContain('unexpected_input')
    expect(rejects(check(['nobody', a, sharedAddress]))).toEqual(['intent_own_keys'])
    expect(rejects(check([moduleKey, a, sharedAddress]))).toEqual(['intent_module_key'])
  })

  test('a condition is not, whoever says so', () => {
    const report = checkPayment(spendToo([keys.txids.nodesc!, 1]), {}, { own: () => true })
    expect(rejects(report)).toContain('foreign_condition_input')
  })

  test('further own keys may pay, and get nothing back', () => {
    expect(check([p2pk(a), p2sh(twoOfThree)], { ownKeys: [a] }).ok).toBe(true)
    expect(rejects(check([p2sh(twoOfThree)], { ownKeys: [a] }))).toEqual(['unexpected_output'])
  })
})

describe('the fee', () => {
  const check = (rest: Partial<PaymentIntent>) => {
    const { fee: _, ...asked } = intent
    return verifyPayment(signPayment(payment), { ...asked, ...rest }, evidenceFor(payment))
  }
  const bytes = BigInt(signPayment(payment).length / 2)
  const rate = (10_000n * 1000n) / bytes

  test.each<[string, Partial<PaymentIntent>, string[]]>([
    ['exact', { fee: 10_000n }, []],
    ['another', { fee: 9_999n }, ['fee_too_high']],
    ['between', { fee: 9_000n, maxFee: 10_000n }, []],
    ['over the bound', { maxFee: 9_999n }, ['fee_too_high']],
    ['within the bound', { maxFee: 10_000n }, []],
    ['nothing said: 20000', {}, []],
    ['by the rate', { feeRate: rate }, []],
    ['by half of it', { feeRate: rate / 2n }, ['fee_too_high']],
    ['by twice of it', { feeRate: rate * 2n }, ['fee_too_low']],
    ['by the rate, but bounded', { feeRate: rate, maxFee: 9_000n }, ['fee_too_high']],
    ['both fee and rate', { fee: 10_000n, feeRate: rate }, ['intent_fee']],
    ['a bound under the fee', { fee: 10_000n, maxFee: 9_999n }, ['intent_fee']],
    ['less than nothing', { fee: -1n }, ['intent_fee']],
    ['nothing', { fee: 0n, maxFee: 10_000n }, []],
  ])('%s', (_, terms, expected) => {
    expect(rejects(check(terms))).toEqual(expected)
  })

  /**
   * Verifies a payment that leaves `left` satoshis to the fee, beside the fee of 10,000 satoshis.
   */
  const checkLeft = (left: bigint, terms: Partial<PaymentIntent> = {}) => {
    const change = outputs((all) => [
      { ...all[0]!, value: all[0]!.value + all[3]!.value - left },
      ...all.slice(1, 3),
    ])
    const amount = change(payment).outputs[0]!.value
    const recipients = [{ ...intent.recipients[0]!, amount }, intent.recipients[1]!]
    const { fee, ...asked } = intent
    const tx = change(payment)
    const bounds = Object.keys(terms).length === 0 ? { fee: fee! } : terms
    return verifyPayment(signPayment(tx), { ...asked, recipients, ...bounds }, evidenceFor(tx))
  }

  test('a senseless fee is reported as it was given', () => {
    const { findings } = check({ fee: 1n, maxFee: 2n, feeRate: 3n })
    expect(findings).toMatchObject([{ code: 'intent_fee', actual: '1, 2, 3' }])
  })

  test('is reported where it is too low', () => {
    const change = outputs((all) =>
      all.map((it, at) => (at === 3 ? { ...it, value: it.value + 1n } : it)),
    )
    const report = checkPayment(change)
    expect(report).toMatchObject({ ok: false, fee: 9_999n, feeKnown: 'proven' })
    expect(codes(report)).toEqual(['fee_too_low'])
  })

  // komodo src/main.cpp, DEFAULT_MIN_RELAY_TX_FEE: 100 satoshis per kB, rounded down
  test('a fee below what nodes relay is reported, a negative one is not', () => {
    const { fee: _, ...asked } = intent
    const seen = new Set<string>()
    for (const paid of [-1n, 0n, ...Array.from({ length: 40 }, (_, at) => 50n + BigInt(at))]) {
      const change = outputs((all) =>
        all.map((it, at) => (at === 3 ? { ...it, value: it.value + 10_000n - paid } : it)),
      )
      const hex = signPayment(change(payment))
      const report = verifyPayment(hex, asked, evidenceFor(payment))
      const relay = BigInt(Math.floor(hex.length / 20))
      const expected = paid < 0n ? 'fee_too_low' : paid < relay ? 'fee_below_relay' : ''
      seen.add(`${expected} ${paid - relay}`)
      expect([paid, codes(report).join()]).toEqual([paid, expected])
    }
    expect([...seen]).toEqual(expect.arrayContaining(['fee_below_relay -1', ' 0']))
  })

  test('is exact only where it alone is given', () => {
    expect(codes(checkLeft(53n, { fee: 10_000n }))).toEqual(['fee_rounding'])
    expect(codes(checkLeft(53n, { fee: 10_000n, maxFee: 10_000n }))).toEqual(['fee_too_high'])
    expect(codes(checkLeft(53n, { maxFee: 10_000n }))).toEqual(['fee_too_high'])
    expect(codes(checkLeft(10_000n, { redeemScripts: [twoOfThree] }))).toEqual([])
    expect(codes(checkLeft(10_001n, { redeemScripts: [twoOfThree] }))).toEqual(['fee_too_high'])
  })

  test('a fee by a rate lies between that of the size and of the largest size', () => {
    const [fee, dust] = [10_000n, 54n]
    const { inputs } = decodeTransaction(signPayment(payment))
    const scriptSigs = inputs.reduce((sum, { scriptSig }) => sum + scriptSig.length / 2, 0)
    // Twice a signature of 72 bytes, its hash type and a key of 33, each pushed, because servers
    // count 107 for any coin. Once two such signatures with the script of two of three keys.
    const largestScriptSigs = 2 * (74 + 34) + (1 + 2 * 74 + 2 + 105)
    const largest = bytes + BigInt(largestScriptSigs - scriptSigs)
    const highest = (1000n * (fee + 1n) - 1n) / bytes
    // Change that would be dust is added to the fee.
    const lowest = (1000n * (fee - dust - 1n)) / largest + 1n
    expect(codes(check({ feeRate: highest }))).toEqual([])
    expect(codes(check({ feeRate: lowest }))).toEqual([])
    expect(check({ feeRate: highest + 1n }).findings).toMatchObject([
      { code: 'fee_too_low', expected: fee + 1n, actual: fee },
    ])
    expect(check({ feeRate: lowest - 1n }).findings).toMatchObject([
      { code: 'fee_too_high', expected: fee - 1n, actual: fee },
    ])
  })

  test('a fee by a rate is no more than its bound, with change or without', () => {
    for (const [left, maxFee, expected] of [
      [0n, 10_000n, []],
      [1n, 10_000n, ['fee_too_high']],
      [53n, 10_000n, ['fee_too_high']],
      [53n, 10_053n, []],
    ] as const) {
      const report = checkLeft(left, { maxFee })
      const feeRate = (10_000n * 2000n) / BigInt(report.hex.length)
      expect(codes(checkLeft(left, { feeRate, maxFee }))).toEqual(expected)
    }
  })

  test('a fee without change takes what would be dust as change', () => {
    expect(codes(checkLeft(0n))).toEqual([])
    expect(codes(checkLeft(53n))).toEqual(['fee_rounding'])
    expect(codes(checkLeft(54n))).toEqual(['fee_too_high'])
  })

  test('a fee over a tenth of the spent amount is a warning', () => {
    const total = payment.inputs.reduce((sum, it) => sum + worthOf(it), 0n)
    const recipients = [{ ...intent.recipients[0]!, amount: 1n }]
    const { nulldata: _, ...asked } = intent
    const checkCost = (fee: bigint) => {
      const [first] = payment.outputs
      const paid = [
        { ...first!, value: 1n },
        { value: total - fee - 1n, script: p2pk(a) },
      ]
      const tx = { ...payment, outputs: paid }
      const report = verifyPayment(signPayment(tx), { ...asked, recipients, fee }, evidenceFor(tx))
      return codes(report).filter((code) => code.startsWith('fee'))
    }
    expect(checkCost(total / 10n)).toEqual(['fee_high'])
    expect(checkCost(total / 10n + 1n)).toEqual(['fee_share'])
  })

  test('is not told while an amount is not proven', () => {
    const hex = signPayment(payment)
    const [missing, ...rest] = evidenceFor(payment).previousTransactions
    const txid = transactionId(missing!)
    const at = payment.inputs.findIndex((it) => it.txid === txid)
    const { vout } = payment.inputs[at]!
    const amounts = [{ txid, vout, value: worthOf({ txid, vout }) }]
    const checkWith = (more: Partial<Evidence>) =>
      verifyPayment(hex, intent, { ...evidenceFor(payment), previousTransactions: rest, ...more })
    const without = checkWith({})
    expect(without).toMatchObject({ ok: false, feeKnown: 'missing' })
    expect(without.spends![at]).toEqual({ input: at, known: 'missing' })
    expect(without).not.toHaveProperty('fee')
    const asserted = checkWith({ amounts })
    expect(asserted).toMatchObject({ ok: false, feeKnown: 'asserted' })
    expect(asserted).not.toHaveProperty('fee')
    expect(asserted.spends![at]).toEqual({ input: at, value: amounts[0]!.value, known: 'asserted' })
  })
})

describe('amounts that somebody claims', () => {
  const [first] = payment.inputs
  const value = worthOf(first!)
  const check = (...values: bigint[]) =>
    verifyPayment(signPayment(payment), intent, {
      ...evidenceFor(payment),
      amounts: values.map((it) => ({ ...first!, value: it })),
    })

  test('must agree with their transactions', () => {
    expect(check(value)).toMatchObject({ ok: true, feeKnown: 'proven' })
    expect(rejects(check(value + 1n))).toEqual(['amount_contradicted'])
    expect(check(value, value - 1n)).toMatchObject({ ok: false, feeKnown: 'contradictory' })
  })

  test('two of many claimed values that differ are reported', () => {
    const [contradicted] = check(7n, 7n, 8n, 7n, 9n, value).findings
    expect(contradicted).toMatchObject({ expected: '7 and 8', actual: value })
    expect(check(value, value).ok).toBe(true)
  })

  test('unconfirmed coins are a warning', () => {
    const heights = { [first!.txid]: 0, [payment.inputs[1]!.txid]: 12 }
    const report = verifyPayment(signPayment(payment), intent, { ...evidenceFor(payment), heights })
    expect(report.findings).toMatchObject([
      { code: 'unconfirmed_input', path: 'inputs[0]' },
      { code: 'ancestor_unproven', path: 'inputs[0]', actual: first!.txid },
      { code: 'height_unknown', path: 'inputs[2]', actual: payment.inputs[2]!.txid },
    ])
    expect(report.ok).toBe(true)
  })
})

describe('all that is spent', () => {
  const everything: Change = (tx) => ({
    ...tx,
    outputs: [{ script: p2pkh(b), value: tx.outputs.reduce((sum, { value }) => sum + value, 0n) }],
  })
  const recipients = [{ address: 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2', amount: 'max' as const }]
  const { nulldata: _, ...without } = intent
  const check = (change: Change) =>
    verifyPayment(signPayment(change(payment)), { ...without, recipients }, evidenceFor(payment))

  test('goes to one', () => {
    expect(check(everything)).toMatchObject({ ok: true, findings: [], fee: 10_000n })
  })

  describe('beside an amount for another', () => {
    const asked = [{ ...recipients[0]! }, { script: p2sh('51'), amount: 5000n }]
    const checkBoth = (...change: { value: bigint; script: string }[]) => {
      const less = change.reduce((sum, { value }) => sum + value, 5000n)
      const tx = outputs(([all]) => [
        { ...all!, value: all!.value - less },
        { value: 5000n, script: p2sh('51') },
        ...change,
      ])(everything(payment))
      return verifyPayment(signPayment(tx), { ...without, recipients: asked }, evidenceFor(payment))
    }

    test('goes to both', () => {
      expect(checkBoth()).toMatchObject({ ok: true, findings: [], fee: 10_000n })
    })

    test('change beside an amount and the rest is unexpected', () => {
      expect(codes(checkBoth({ value: 1000n, script: p2pk(a) }))).toEqual(['unexpected_output'])
    })
  })

  test('a payee of the rest is missing if nothing is paid but change', () => {
    const back: Change = (tx) => ({
      ...tx,
      outputs: everything(tx).outputs.map((it) => ({ ...it, script: p2pk(a) })),
    })
    expect(check(back).findings.find(({ code }) => code === 'destination')).toMatchObject({
      path: 'outputs',
      expected: p2pkh(b),
      actual: 'no such output',
    })
  })

  test('change of a payment of all coins is unexpected', () => {
    const withChange: Change = (tx) => {
      const [all] = everything(tx).outputs
      return {
        ...tx,
        outputs: [
          { ...all!, value: all!.value - 1000n },
          { value: 1000n, script: p2pk(a) },
        ],
      }
    }
    expect(rejects(check(withChange))).toEqual(['unexpected_output'])
    const elsewhere: Change = (tx) => ({
      ...tx,
      outputs: everything(tx).outputs.map((it) => ({ ...it, script: p2pkh(c) })),
    })
    expect(rejects(check(elsewhere))).toEqual(['destination'])
  })
})

// komodo src/primitives/transaction.h, CTxOut::GetDustThreshold: three times what 34 bytes and the
// 148 of an input cost at 100 satoshis per kB
describe.each([
  [53n, ['dust']],
  [54n, []],
])('%i satoshis', (value, expected) => {
  const checkSmall = (at: number, other: number, script: string) => {
    const tx = outputs((all) => {
      const left = all[at]!.value - value
      return all.map((it, index) => {
        if (index === at) return { value, script }
        return index === other ? { ...it, value: it.value + left } : it
      })
    })(payment)
    const amounts = [tx.outputs[0]!.value, tx.outputs[1]!.value]
    const recipients = intent.recipients.map((it, index) => ({ ...it, amount: amounts[index]! }))
    return verifyPayment(signPayment(tx), { ...intent, recipients }, evidenceFor(tx)).findings
  }

  test('a small amount for a recipient has its own findings', () => {
    // The rest of the amount goes from the shared coin to A.
    const ofChange = ['extra_input', 'change_weaker']
    const found = checkSmall(0, 3, p2pkh(b)).filter(({ code }) => !ofChange.includes(code))
    expect(found.map(({ code, path }) => [code, path])).toEqual(
      expected.map((code) => [code, 'outputs[0].value']),
    )
  })

  test('a small amount that comes back has its own findings', () => {
    const found = checkSmall(3, 0, p2pkh(a)).filter(({ code }) => code !== 'extra_input')
    expect(found.map(({ code, path }) => [code, path])).toEqual(
      expected.map((code) => [code, 'outputs[3].value']),
    )
  })
})

// komodo src/init.cpp, -datacarriersize: 208 bytes of a chain with conditions, the opcode and the
// push among them
test.each([
  [205, []],
  [206, [{ expected: 'at most 208 bytes', actual: '209 bytes', path: 'outputs[2].script' }]],
])('a note of %i bytes', (bytes, expected) => {
  const data = '61'.repeat(bytes)
  const change = output(2, { script: `6a4c${bytes.toString(16)}${data}` })
  const report = checkPayment(change, {}, { nulldata: data })
  expect(report.findings).toMatchObject(
    expected.map((it) => ({ ...it, code: 'nulldata_too_large' })),
  )
  expect(report.findings).toHaveLength(expected.length)
})

describe('the request', () => {
  test.each<[string, Partial<PaymentIntent>, string]>([
    ['nobody', { recipients: [] }, 'intent_recipients'],
    [
      'all twice',
      {
        recipients: [
          { script: '51', amount: 'max' },
          { script: '52', amount: 'max' },
        ],
      },
      'intent_recipients',
    ],
    ['an address of nobody', { recipients: [{ address: 'Rbad', amount: 1n }] }, 'intent_address'],
    [
      "another network's address",
      { recipients: [{ address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', amount: 1n }] },
      'intent_address',
    ],
    ['no address', { recipients: [{ amount: 1n }] }, 'intent_address'],
    [
      'an address and another script',
      { recipients: [{ ...intent.recipients[0]!, script: '51', amount: 1n }] },
      'intent_address',
    ],
    ['a script that is not hex', { recipients: [{ script: 'xx', amount: 1n }] }, 'intent_address'],
    ['nothing for somebody', { recipients: [{ script: '51', amount: 0n }] }, 'intent_amount'],
    [
      'more than there can be',
      { recipients: [{ script: '51', amount: 1n << 63n }] },
      'intent_amount',
    ],
    ['half a byte of data', { nulldata: '0' }, 'intent_data'],
    ['a byte and a half of data', { nulldata: '000' }, 'intent_data'],
    ['no data', { nulldata: '' }, 'intent_data'],
    ['data that begin as no hex', { nulldata: 'zz00' }, 'intent_data'],
    ['data that end as no hex', { nulldata: '00zz' }, 'intent_data'],
    ['half a byte of script', { recipients: [{ script: '515', amount: 1n }] }, 'intent_address'],
    [
      'a script that begins as no hex',
      { recipients: [{ script: 'zz51', amount: 1n }] },
      'intent_address',
    ],
    [
      'a script that ends as no hex',
      { recipients: [{ script: '51zz', amount: 1n }] },
      'intent_address',
    ],
    ['another lock time', { lockTime: 7 }, 'lock_time_differs'],
    ['another expiry', { expiryHeight: 7 }, 'expiry_differs'],
  ])('%s: rejected', (_, asked, code) => {
    expect(rejects(checkPayment(unchanged, {}, asked))).toContain(code)
  })

  test('an amount is from one satoshi to all that there can be', () => {
    for (const amount of [1n, (1n << 63n) - 1n]) {
      const recipients = [{ script: '51', amount }]
      expect(rejects(checkPayment(unchanged, {}, { recipients }))).not.toContain('intent_amount')
    }
  })

  test('an address and the script it stands for are one', () => {
    const recipients = [{ ...intent.recipients[0]!, script: p2pkh(b).toUpperCase() }]
    const asked = { recipients: [...recipients, intent.recipients[1]!] }
    expect(checkPayment(unchanged, {}, asked)).toMatchObject({ ok: true, findings: [] })
  })

  test.each<[string, PaymentIntent['recipients'][number], string]>([
    ['an address', { address: 'Rbad', amount: 1n }, 'Rbad'],
    ['a script', { script: 'xx', amount: 1n }, 'xx'],
    ['an address of two', { address: 'Rbad', script: '51', amount: 1n }, 'Rbad'],
    ['neither', { amount: 1n }, 'neither'],
  ])('a payee who cannot be paid is reported: %s', (_, recipient, actual) => {
    expect(checkPayment(unchanged, {}, { recipients: [recipient] }).findings).toMatchObject([
      { code: 'intent_address', path: 'intent.recipients[0]', actual },
    ])
  })

  // komodo src/script/script.h, MAX_SCRIPT_SIZE
  test('data and scripts end at 10,000 bytes, and 100 characters of a text that is not hex are reported', () => {
    const data = (nulldata: string) => rejects(checkPayment(unchanged, {}, { nulldata }))
    expect(data('00'.repeat(10_000))).not.toContain('intent_data')
    expect(data('00'.repeat(10_001))).toEqual(['intent_data'])
    const paid = (bytes: number) => {
      const recipients = [{ script: '00'.repeat(bytes), amount: 1n }]
      return rejects(checkPayment(unchanged, {}, { recipients }))
    }
    expect(paid(10_000)).not.toContain('intent_address')
    expect(paid(10_001)).toEqual(['intent_address'])
    for (const length of [99, 100, 101]) {
      const { findings } = checkPayment(unchanged, {}, { nulldata: 'z'.repeat(length) })
      expect(findings).toMatchObject([{ actual: 'z'.repeat(Math.min(length, 100)) }])
    }
  })

  test('is shown in a report', () => {
    const shown = (asked: Partial<PaymentIntent>) => {
      const given = {
        operation: 'payment',
        intent: { ...intent, ...asked },
        hex: signPayment(payment),
        evidence: evidenceFor(payment),
      } as const
      const lines = formatReport(verifyCase(given), { given }).split('\n')
      return lines.map((line) => line.trim().replace(/ {2,}/g, ' '))
    }
    expect(shown({})).toContain(`own ${a}`)
    expect(shown({}).slice(-200)).toEqual(
      expect.arrayContaining([
        'pay 1.20000000 to RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2',
        'pay 2.95000000 to bYcRt6LsrB8uqdC7fSZixFTvmAPoMNYKnz',
        `saying ${note}`,
      ]),
    )
    for (const word of ['locked', 'all that is spent']) expect(shown({}).join()).not.toContain(word)
    const { nulldata: _, ...without } = intent
    const quiet = {
      operation: 'payment',
      intent: without,
      hex: '',
      evidence: evidenceFor(payment),
    } as const
    expect(formatReport(verifyCase(quiet), { given: quiet })).not.toContain('saying')
    const all = { recipients: [{ script: '51', amount: 'max' as const }] }
    expect(shown(all)).toContain('pay all that is spent to 51')
    expect(shown({ recipients: [{ amount: 1n }] })).toContain('pay 0.00000001 to no payee')
    expect(shown({ own: () => true })).toContain('own scripts that the wallet confirms')
    expect(shown({ lockTime: 77 })).toContain('locked until 77')
    expect(shown({ lockTime: 0 }).join()).not.toContain('locked')
  })

  test('a lock time and an expiry pass where they were', () => {
    const change: Change = (tx) => ({
      ...fields({ lockTime: tipTime + 999, expiryHeight: 99_999 })(tx),
      inputs: tx.inputs.map((it) => ({ ...it, sequence: 0xfffffffe })),
    })
    const report = checkPayment(change, {}, { lockTime: tipTime + 999, expiryHeight: 99_999 })
    expect(rejects(report)).toEqual([])
  })

  test.each<[string, object]>([
    ['recipients', { recipients: 7 }],
    ['recipients[0]', { recipients: [7] }],
    ['recipients[0].amount', { recipients: [{ script: '51', amount: 1 }] }],
    ['recipients[0].amount', { recipients: [{ script: '51', amount: 'min' }] }],
    ['recipients[1].address', { recipients: [intent.recipients[0], { address: 1, amount: 1n }] }],
    ['recipients[0].script', { recipients: [{ script: 1, amount: 1n }] }],
    ['own', { own: 'x' }],
    ['own[1]', { own: [a, 1] }],
    ['redeemScripts', { redeemScripts: '51' }],
    ['redeemScripts[0]', { redeemScripts: [51] }],
    ['redeemScripts[0]', { redeemScripts: ['zz'] }],
    ['redeemScripts[1]', { redeemScripts: ['51', 'zz51'] }],
    ['redeemScripts[0]', { redeemScripts: ['51zz'] }],
    ['redeemScripts[0]', { redeemScripts: ['515'] }],
    ['redeemScripts[0]', { redeemScripts: [''] }],
    ['nulldata', { nulldata: 1 }],
    ['feeRate', { feeRate: 1 }],
    ['lockTime', { lockTime: -1 }],
    ['expiryHeight', { expiryHeight: 1.5 }],
  ])('intent.%s of the wrong type is misuse', (path, asked) => {
    const reported = new RegExp(`^intent\\.${path.replace(/[[\].]/g, '\\$&')}:? `)
    expect(() => checkPayment(unchanged, {}, asked as never)).toThrow(reported)
  })
})

describe('a case', () => {
  const given = {
    operation: 'payment',
    intent,
    hex: encodeTransaction(payment),
    evidence: evidenceFor(payment),
  } as const

  test('keeps everything in a file', () => {
    const evidence = {
      ...given.evidence,
      heights: { [payment.inputs[0]!.txid]: 3 },
      amounts: [{ txid: payment.inputs[0]!.txid, vout: payment.inputs[0]!.vout, value: 1n }],
    }
    const full = {
      ...given,
      evidence,
      intent: {
        ...intent,
        network: networks.assetChain,
        lockTime: 0,
        expiryHeight: payment.expiryHeight!,
      },
    }
    expect(parseCase(formatCase(full))).toEqual(full)
    const recipients = [{ script: '51', amount: 'max' as const }]
    const all = { ...full, intent: { ...full.intent, recipients } }
    expect(parseCase(formatCase(all))).toEqual(all)
  })

  test('a payment whose own scripts a function tells has no case file', () => {
    expect(() => formatCase({ ...given, intent: { ...intent, own: () => true } })).toThrow(
      TypeError,
    )
  })

  test('is signed by those who can, if it does what was asked', () => {
    expect(rejects(verifyCase(given))).toEqual(['unsigned', 'unsigned', 'unsigned'])
    const report = signCase(given, [privateKeys.get(a)!, privateKeys.get(b)!])
    expect(report).toMatchObject({ ok: true, operation: 'payment', fee: 10_000n })
    const stolen = encodeTransaction(output(3, { script: p2pk(c) })(payment))
    expect(signCase({ ...given, hex: stolen }, [privateKeys.get(a)!])).toMatchObject({
      ok: false,
      hex: stolen,
    })
  })

  test('gets the same report on the threads of the pool', async () => {
    for (const change of [unchanged, ...paymentCases.map(([, it]) => it).slice(0, 5)]) {
      const tx = change(payment)
      const hex = signPayment(tx)
      expect(await verifyPaymentAsync(hex, intent, evidenceFor(tx))).toEqual(
        verifyPayment(hex, intent, evidenceFor(tx)),
      )
    }
  })
})

test.each([
  [undefined, '0, because the tip is not known'],
  [tipTime - 1, `at most ${tipTime - 1}`],
])('a lock time after a tip at %s is reported', (time, expected) => {
  const tx = fields({ lockTime: tipTime })(payment)
  const evidence = { ...evidenceFor(tx), tipTime: time as number }
  if (time === undefined) delete (evidence as Partial<typeof evidence>).tipTime
  expect(verifyPayment(signPayment(tx), intent, evidence).findings).toMatchObject([
    { code: 'lock_time', path: 'lockTime', expected, actual: tipTime },
  ])
})

describe('own coins of other kinds', () => {
  const checkCoin = (script: string) => {
    const parent = encodeTransaction({
      ...payment,
      outputs: [{ value: 120_010_000n, script }],
    })
    const [input] = payment.inputs
    const [paid] = payment.outputs
    const inputs = [{ ...input!, txid: transactionId(parent), vout: 0 }]
    const hex = encodeTransaction({ ...payment, inputs, outputs: [paid!] })
    const recipients = [intent.recipients[0]!]
    const { nulldata: _, ...asked } = intent
    const own = (it: string) => it === script
    const evidence = { previousTransactions: [parent], tipHeight, tipTime }
    return rejects(verifyPayment(hex, { ...asked, own, recipients, spendable: inputs }, evidence))
  }
  const uncompressed = `04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`

  test.each([
    ['M of N keys', `5121${a}21${b}52ae`, ['unsigned']],
    ['a key that is not compressed', `41${uncompressed}ac`, ['unsigned']],
    ['the hash of a script', p2sh('51'), ['unsigned']],
    ['a script of no known kind', `51${p2pk(a)}`, ['unexpected_input']],
    ['nulldata', '6a00', ['unexpected_input']],
  ])('%s', (_, script, expected) => {
    expect(checkCoin(script)).toEqual(expect.arrayContaining(expected))
    expect(checkCoin(script).includes('unexpected_input')).toBe(
      expected.includes('unexpected_input'),
    )
  })
})

test('an unsigned payment counts with its signed size', () => {
  const hex = encodeTransaction(payment)
  const { fee: _, ...asked } = intent
  const report = verifyPayment(hex, { ...asked, feeRate: 1_000_000n }, evidenceFor(payment))
  // a signature of 72 bytes with its push, a key, two signatures and a script of three keys, whose
  // length takes three bytes
  const signed = hex.length / 2 + 74 + (74 + 34) + (1 + 2 * 74 + 2 + 105 + 2)
  const tooLow = report.findings.find(({ code }) => code === 'fee_too_low')
  expect(tooLow).toMatchObject({ expected: 1000n * BigInt(signed), actual: 10_000n })
})

describe('old versions are hashed again for each input', () => {
  const old = { version: 1, overwintered: false, versionGroupId: 0, expiryHeight: 0 }
  const count = 800
  const inputs = Array.from({ length: count }, (_, vout) => ({ ...payment.inputs[0]!, vout }))
  // 800 times 32,800 of inputs and 17,200 of outputs are 40,000,000
  const checkBytes = (bytes: number, changed: object = old) => {
    const outputs = [
      { value: 1n, script: '51'.repeat(bytes - 9 - 100) },
      { value: 1n, script: '51'.repeat(91) },
    ]
    const hex = encodeTransaction({ ...payment, ...changed, inputs, outputs })
    const { findings } = verifyPayment(hex, intent, evidenceFor(payment))
    return findings.filter(({ code }) => code === 'too_much_to_hash')
  }

  test('old versions hash 40,000,000 bytes at most', () => {
    expect(checkBytes(17_200)).toEqual([])
    expect(checkBytes(17_201)).toMatchObject([
      { path: 'inputs', expected: 40_000_000, actual: 40_000_800 },
    ])
    expect(checkBytes(17_201, {})).toEqual([])
  })
})

test('old versions of many inputs are not hashed again for each', () => {
  const [first] = payment.inputs
  const inputs = Array.from({ length: 1000 }, (_, vout) => ({ ...first!, vout }))
  const hex = encodeTransaction({
    ...payment,
    version: 1,
    overwintered: false,
    versionGroupId: 0,
    expiryHeight: 0,
    inputs,
  })
  expect(rejects(verifyPayment(hex, intent, evidenceFor(payment)))).toContain('too_much_to_hash')
})

test('signatures of an old version are checked as well', () => {
  const old = { version: 1, overwintered: false, versionGroupId: 0, expiryHeight: 0 }
  // The signatures are of version 4, which commits to more.
  const signed = decodeTransaction(signPayment(payment))
  const hex = encodeTransaction({ ...signed, ...old })
  expect(rejects(verifyPayment(hex, intent, evidenceFor(payment)))).toContain('signature')
})

test('the note is the one that was asked for', () => {
  expect(decodeScript(payment.outputs[2]!.script).asm).toBe(`OP_RETURN ${note}`)
})

// These tests cover the terms of a payment other than amounts: lock times, own scripts, recipients,
// coinbases, rewards calculated some time ago, and how the report shows all of this.

import { describe, expect, test } from 'vitest'

import { burnPublicKeys } from '../../../src/chain/modules.ts'
import { accruedReward } from '../../../src/chain/reward.ts'
import {
  addressOfScript,
  type Case,
  chainModules,
  type Evidence,
  formatReport,
  networks,
  type PaymentIntent,
  type Report,
  scriptOfAddress,
  signTransaction,
  tokenScript,
  transactionId,
  verifyCase,
  verifyPayment,
} from '../../../src/index.ts'
import {
  agedCoin,
  checkCoinbase,
  checkPayment,
  coinbaseHeight,
  coinbaseTxid,
  evidenceFor,
  intent,
  network,
  p2pkh,
  p2sh,
  payment,
  signPayment,
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
  output,
  p2pk,
  privateKeys,
} from '../../support/resigned.ts'

/** The generator of the curve. */
const uncompressed = `04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`

const codes = ({ findings }: Report): string[] => findings.map(({ code }) => code)
const withSequences =
  (...sequences: number[]): Change =>
  (tx) => ({
    ...tx,
    inputs: tx.inputs.map((it, at) => ({ ...it, sequence: sequences[at % sequences.length]! })),
  })

// komodo src/main.cpp, IsFinalTx: a lock time counts for nothing where every input is final
describe('a lock time that was asked for', () => {
  const final = 0xffffffff
  const locked = 0xfffffffe
  const farHeight = payment.expiryHeight! - 1

  test.each<[number, number[], string[]]>([
    [tipTime, [final], []],
    [tipTime + 1, [final], ['lock_time_open']],
    [tipTime + 1, [locked], []],
    [tipTime + 1, [final, locked], []],
    [tipHeight, [final], []],
    [tipHeight + 1, [final], ['lock_time_open']],
    [tipHeight + 1, [locked], []],
    [farHeight, [locked], []],
    [farHeight + 1, [locked], ['lock_time_late']],
    [499_999_999, [locked], ['lock_time_late']],
    [500_000_000, [final], []],
  ])(
    'a requested lock time of %i is compared, with sequences of %o',
    (lockTime, sequences, expected) => {
      const change = both(fields({ lockTime }), withSequences(...sequences))
      const report = checkPayment(change, {}, { lockTime })
      expect(codes(report)).toEqual(expected)
      expect(report.ok).toBe(expected.length === 0)
    },
  )

  test.each<[number, number[], string[]]>([
    [0, [final], []],
    [1, [final], ['lock_time_open']],
    [1, [locked], []],
    [tipTime, [final], ['lock_time_open']],
    [499_999_999, [locked], ['lock_time_late']],
    [500_000_000, [locked], []],
    [tipTime, [locked], []],
  ])(
    'a requested lock time of %i is compared without a tip, with sequences of %o',
    (lockTime, sequences, expected) => {
      const tx = both(fields({ lockTime }), withSequences(...sequences))(payment)
      const { previousTransactions } = evidenceFor(tx)
      const report = verifyPayment(
        signPayment(tx),
        { ...intent, lockTime },
        { previousTransactions },
      )
      expect(codes(report).filter((it) => it !== 'expiry_not_checked')).toEqual(expected)
    },
  )

  test('waits as long as it takes where there is no expiry', () => {
    const change = both(fields({ lockTime: 400_000_000, expiryHeight: 0 }), withSequences(locked))
    expect(codes(checkPayment(change, {}, { lockTime: 400_000_000 }))).toEqual(['no_expiry'])
  })

  test('a lock time that differs from the requested one says that alone', () => {
    const report = checkPayment(fields({ lockTime: tipTime + 9 }), {}, { lockTime: tipTime + 8 })
    expect(codes(report)).toEqual(['lock_time_differs'])
  })

  test('is reported with what would hold it', () => {
    const check = (lockTime: number, sequence: number) =>
      checkPayment(both(fields({ lockTime }), withSequences(sequence)), {}, { lockTime }).findings
    expect(check(tipTime + 1, final)).toMatchObject([
      { path: 'inputs', expected: 0xfffffffe, actual: 0xffffffff },
    ])
    expect(check(1000, locked)).toMatchObject([
      { path: 'lockTime', expected: `below ${payment.expiryHeight}`, actual: 1000 },
    ])
  })
})

describe('own keys and scripts', () => {
  const everything = { own: () => true }

  test.each([
    ['a condition', tokenScript(a)],
    ['what a lock stands before', `04ffffff7fb175${p2pkh(a)}`],
    ['what nothing comes after', `04ffffff7fb16a${p2pkh(a)}`],
    ['a lock and M of N keys', `51b1755121${a}51ae`],
    ['a script of no known kind', `51${p2pk(a)}`],
    ['nulldata', '6a00'],
  ])('change is none in %s, whoever says so', (_, script) => {
    const { nulldata: _data, ...asked } = intent
    const change = output(3, { script })
    const tx = change({ ...payment, outputs: payment.outputs.filter((_, at) => at !== 2) })
    const kept = output(2, { script })(tx)
    const report = verifyPayment(signPayment(kept), { ...asked, ...everything }, evidenceFor(kept))
    expect(codes(report)).toContain('unexpected_output')
    expect(report.ok).toBe(false)
  })

  test.each([
    ['a key', p2pk(c)],
    ['the hash of a key', p2pkh(c)],
    ['a key that is not compressed', `41${uncompressed}ac`],
    ['M of N keys', `5121${a}21${c}52ae`],
    ['M of N keys of either form', `5221${a}41${uncompressed}52ae`],
    ['sixteen of sixteen', `60${`21${c}`.repeat(16)}60ae`],
    ['fifteen of fifteen', `5f${`21${c}`.repeat(15)}5fae`],
  ])('change is in %s', (_, script) => {
    expect(checkPayment(output(3, { script }), {}, everything).ok).toBe(true)
  })

  const addressOfModule = 'RCNgAngYAdrfzujYyPgfbjCGNVQZzCgTad'
  test.each([
    ['its key', moduleKey],
    ['its address', addressOfModule],
    ['the script of its key', p2pk(moduleKey)],
    ['the script of its hash', p2pkh(moduleKey).toUpperCase()],
  ])('a script of a module does not count as own, by %s', (_, name) => {
    const report = checkPayment(unchanged, {}, { own: [a, name] })
    expect(report.findings).toMatchObject([
      { code: 'intent_module_key', path: 'intent.own[1]', actual: name },
    ])
  })

  test.each([p2pk(moduleKey), p2pkh(moduleKey)])('%s does not count as own', (script) => {
    expect(codes(checkPayment(output(3, { script }), {}, everything))).toEqual([
      'unexpected_output',
    ])
  })

  // addresses of conditions, of burn keys, and what software writes that has no hash
  test('is not a hash of which nobody has the key', () => {
    const addresses = chainModules.flatMap(({ key }) => key?.conditionAddress ?? [])
    const hashes = [
      ...addresses.map((address) => scriptOfAddress(address, network)),
      p2pkh(burnPublicKeys.komodo),
      p2pkh(burnPublicKeys.tokel),
      `76a914${'00'.repeat(20)}88ac`,
      `a914${'00'.repeat(20)}87`,
    ]
    expect(hashes.length).toBeGreaterThan(10)
    for (const script of hashes) {
      const change = output(3, { script })
      expect(codes(checkPayment(change, {}, { own: [a, script] }))).toContain('intent_own_keys')
      expect(codes(checkPayment(change, {}, everything))).toContain('unexpected_output')
    }
    for (const address of addresses) {
      expect(codes(checkPayment(unchanged, {}, { own: [a, address] }))).toEqual(['intent_own_keys'])
    }
  })

  test('every published key is known', () => {
    const keys = chainModules.flatMap(({ key }) => (key === undefined ? [] : [key]))
    expect(keys.length).toBeGreaterThan(10)
    for (const { publicKey, keyAddress } of keys) {
      const names = [publicKey, ...(keyAddress === undefined ? [] : [keyAddress])]
      for (const name of names) {
        expect(codes(checkPayment(unchanged, {}, { own: [a, name] }))).toEqual([
          'intent_module_key',
        ])
      }
    }
  })
})

describe('the payees', () => {
  const pay = (
    script: string,
    named: Partial<PaymentIntent['recipients'][number]> = { script },
  ) => {
    const recipients = [{ ...named, amount: 120_000_000n }, intent.recipients[1]!]
    return checkPayment(output(0, { script }), {}, { recipients })
  }

  /** The codes apart from `nonstandard`, which verify-relayed.test.ts checks. */
  const ofPayee = (report: Report) => codes(report).filter((code) => code !== 'nonstandard')

  // komodo src/cc/CCcustom.cpp publishes the private keys; src/cc/CCinclude.h the burn keys
  test.each<[string, string, string[]]>([
    ['somebody', p2pkh(b), []],
    ["a module's key", p2pk(moduleKey), ['payee_module_key']],
    ["the hash of a module's key", p2pkh(moduleKey), ['payee_module_key']],
    ["komodod's burn key", p2pk(burnPublicKeys.komodo), ['payee_burn']],
    ['its hash', p2pkh(burnPublicKeys.komodo), ['payee_burn']],
    ["tokeld's burn key", p2pk(burnPublicKeys.tokel), ['payee_burn']],
    ['the hash of that', p2pkh(burnPublicKeys.tokel), ['payee_burn']],
  ])('%s', (_, script, expected) => {
    const report = pay(script)
    expect(codes(report)).toEqual(expected)
    expect(report.ok).toBe(true)
  })

  // komodo src/script/interpreter.cpp, EvalScript: no scriptSig makes these true
  test.each<[string, string]>([
    ['nulldata', '6a'],
    ['nulldata with data', `6a05${'61'.repeat(5)}`],
    ['false', '00'],
    ['zero', '0100'],
    ['minus zero', '020080'],
    ['false after something', `51${'75'}00`],
    ['false that must hold', '0069'],
    ['an opcode that fails', `51b0${'6a'}51`],
    ['an opcode that is disabled, even where it is not reached', '00637e6851'],
    ['OP_VERIF where it is not reached', '0063656851'],
    ['a reserved opcode', '5051'],
    ['an opcode that nobody knows', 'ba51'],
    ['a branch that does not end', '5163'],
    ['an end without a branch', '6851'],
    ['an OP_ELSE without a branch', '6751'],
    ['a push that reaches over the end', '5105aa'],
    ['a push of 521 bytes', `4d0902${'00'.repeat(521)}51`],
    ['more than 201 operations', `${'61'.repeat(202)}51`],
    ['a key off the curve', `2102${'00'.repeat(31)}05ac`],
    ['a key of 65 bytes off the curve', `4104${'11'.repeat(64)}ac`],
    ['a key of 32 bytes', `20${b.slice(2)}ac`],
    ['a key off the curve behind a lock', `51b1752102${'00'.repeat(31)}05ac`],
    ['three signatures of two keys', `5321${a}21${b}52ae`],
    ['two signatures of a key and one off the curve', `5221${a}2102${'00'.repeat(31)}0552ae`],
    ['two signatures of a key and a burn key', `5221${a}21${burnPublicKeys.tokel}52ae`],
    ['21 keys', `51${`21${a}`.repeat(21)}0115ae`],
    ['a signature of no key', '5100ae'],
    ['a lock time of more than 32 bits', `05ffffffff01b175${p2pkh(b)}`],
    ['a lock time below zero', `4fb175${p2pkh(b)}`],
    ['nulldata behind a lock', '51b1756a'],
  ])('%s names no payee', (_, script) => {
    const report = pay(script)
    expect(ofPayee(report)).toEqual(['payee_burn'])
    expect(report.ok).toBe(true)
    const { nulldata: _data, ...asked } = intent
    const recipients = [{ script, amount: 'max' as const }]
    const spent = payment.inputs.reduce((sum, it) => sum + worthOf(it), 0n)
    const tx = { ...payment, outputs: [{ value: spent - 10_000n, script }] }
    const all = verifyPayment(signPayment(tx), { ...asked, recipients }, evidenceFor(tx))
    expect(ofPayee(all)).toEqual(['payee_burn'])
  })

  test.each<[string, string]>([
    ['false that is dropped', '007551'],
    ['a branch that fails if it is taken', '51636a6851'],
    ['a branch with an OP_ELSE', '5163516a675168'],
    ['201 operations', `${'76'.repeat(201)}51`],
    ['a push of 520 bytes', `4d0802${'00'.repeat(520)}7551`],
    ['a key in its hybrid form', `41${uncompressed.replace(/^04/, '06')}ac`],
    ['a key off the curve that need not sign', `2102${'00'.repeat(31)}05ac91`],
    ['one of two keys, one of them off the curve', `5121${a}2102${'00'.repeat(31)}0552ae`],
    ['a lock until a time', `04ffffff7fb175${p2pkh(b)}`],
    ['the last lock time', `05ffffffff00b175${p2pkh(b)}`],
    ['no signature of no key', '0000ae'],
    ['sixteen keys', `60${`21${a}`.repeat(16)}60ae`],
  ])('somebody by %s', (_, script) => {
    expect(ofPayee(pay(script))).toEqual([])
  })

  test('no key by a condition, on a chain without conditions', () => {
    const script = tokenScript(b)
    expect(codes(pay(script))).toEqual([])
    const recipients = [{ script, amount: 120_000_000n }, intent.recipients[1]!]
    const without = { recipients, network: networks.komodo }
    const found = codes(checkPayment(output(0, { script }), {}, without))
    expect(found).toContain('payee_burn')
  })

  test('a payee given by a hash is checked by the script that the request names', () => {
    const check = (redeemScript: string, amount = 120_000_000n) => {
      const script = `a914${p2sh(redeemScript).slice(4, 44)}87`
      const recipients = [{ script, amount }, intent.recipients[1]!]
      const redeemScripts = [twoOfThree, redeemScript]
      return checkPayment(output(0, { script }), {}, { recipients, redeemScripts }).findings
    }
    expect(check('6a')).toMatchObject([{ code: 'payee_burn', actual: 'nulldata' }])
    expect(check(`51${'75'.repeat(520)}`)).toMatchObject([
      { code: 'payee_burn', actual: 'a redeem script of 521 bytes' },
    ])
    // the other recipient has the same script
    const open = { code: 'payee_open', actual: p2sh('51') }
    expect(check('51')).toMatchObject([
      { ...open, path: 'outputs[0]' },
      { ...open, path: 'outputs[1]' },
    ])
    expect(check('5176')).toEqual([])
  })

  // komodo src/script/interpreter.cpp, VerifyScript: an empty scriptSig does, for there is no
  // witness
  test.each<[string, string]>([
    ['a script that is true', '51'],
    ['a script that is true at last', '0051'],
    ['the hash of a key, as other chains have it', `0014${'11'.repeat(20)}`],
    ['the hash of a script, as other chains have it', `0020${'11'.repeat(32)}`],
    ['a key, as other chains have it', `5120${'11'.repeat(32)}`],
    ['201 operations that do nothing', `${'61'.repeat(201)}51`],
    ['nothing but a lock', '51b17551'],
  ])('anyone by %s', (_, script) => {
    const report = pay(script)
    expect(report.findings).toMatchObject([
      { code: 'payee_open', path: 'outputs[0]', actual: script },
      { code: 'nonstandard', path: 'outputs[0].script' },
    ])
    expect(report.ok).toBe(true)
  })

  test('anyone, where keys that modules publish suffice', () => {
    const other = chainModules.find(({ name }) => name === 'ASSETS')!.key!.publicKey
    expect(codes(pay(`5121${b}21${moduleKey}52ae`))).toEqual(['payee_module_key'])
    expect(codes(pay(`5221${b}21${moduleKey}52ae`))).toEqual([])
    expect(codes(pay(`5221${other}21${moduleKey}52ae`))).toEqual(['payee_module_key'])
    const locked = `04ffffff7fb175${p2pkh(moduleKey)}`
    expect(codes(pay(locked))).toEqual(['payee_module_key', 'nonstandard'])
  })

  test('the address of a condition names no payee', () => {
    for (const address of [
      'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2',
      'RUKTbLBeKgHkm3Ss4hKZP3ikuLW1xx7B2x',
    ]) {
      const report = pay(scriptOfAddress(address, network), { address })
      expect(codes(report)).toEqual(['payee_burn'])
    }
  })

  test('is reported where, and why', () => {
    expect(pay(p2pk(moduleKey)).findings).toMatchObject([{ path: 'outputs[0]', actual: 'TOKENS' }])
    expect(pay(p2pk(burnPublicKeys.komodo)).findings).toMatchObject([
      { path: 'outputs[0]', actual: 'a key that burns' },
    ])
    const address = 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2'
    expect(pay(scriptOfAddress(address, network)).findings).toMatchObject([
      { path: 'outputs[0]', actual: 'the condition of TOKENS' },
    ])
  })

  test('is what was asked for alone, not what comes back or has no place', () => {
    const script = p2pkh(moduleKey)
    expect(codes(checkPayment(output(3, { script })))).not.toContain('payee_module_key')
  })
})

describe('all that is left and an amount, to one address', () => {
  const total = payment.inputs.reduce((sum, input) => sum + worthOf(input), 0n)
  const rest = total - 5_000_000n - 10_000n
  const { nulldata: _, ...asked } = intent
  const address = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
  const amount = { address, amount: 5_000_000n }
  const all = { address, amount: 'max' as const }

  test.each<[string, PaymentIntent['recipients'], bigint[], string[]]>([
    ['the amount first', [amount, all], [5_000_000n, rest], []],
    ['all that is left first', [all, amount], [5_000_000n, rest], []],
    ['the outputs the other way round', [all, amount], [rest, 5_000_000n], []],
    ['with a satoshi less', [all, amount], [4_999_999n, rest + 1n], ['amount']],
  ])('%s', (_, recipients, values, expected) => {
    const outputs = values.map((value) => ({ value, script: p2pkh(b) }))
    const tx = { ...payment, outputs }
    const report = verifyPayment(signPayment(tx), { ...asked, recipients }, evidenceFor(tx))
    expect(codes(report)).toEqual(expected)
  })
})

describe('a coinbase', () => {
  const txid = coinbaseTxid
  const height = coinbaseHeight

  // komodo src/main.cpp, Consensus::CheckTxInputs: spent in the next block, 100 after its own
  test.each([
    [height, ['premature_coinbase', 'immature_coinbase']],
    [height + 98, ['premature_coinbase', 'immature_coinbase']],
    [height + 99, ['immature_coinbase']],
  ])('a coinbase may be spent once the tip, %i, is high enough', (at, expected) => {
    const report = checkCoinbase({ tipHeight: at, heights: { [txid]: height } })
    expect(codes(report)).toEqual(expected)
    expect(report.ok).toBe(expected.length === 1)
  })

  test('is looked for among what is known', () => {
    const report = checkCoinbase({ previousTransactions: [], tipHeight: height, heights: {} })
    expect(codes(report)).toContain('prevout_missing')
    expect(codes(report)).not.toContain('premature_coinbase')
  })

  test('is reported with how deep it is', () => {
    const { findings } = checkCoinbase({ tipHeight: height + 98, heights: { [txid]: height } })
    expect(findings[0]).toMatchObject({ path: 'inputs[0]', expected: '100 blocks', actual: 99 })
  })

  test.each<[string, Partial<Evidence>]>([
    ['no height', { tipHeight: height }],
    ['no tip', { heights: { [txid]: height } }],
    ["another's height", { tipHeight: height, heights: { ['11'.repeat(32)]: height } }],
  ])('a coinbase with %s is left to those who know', (_, evidence) => {
    expect(codes(checkCoinbase(evidence))).toContain('immature_coinbase')
    expect(codes(checkCoinbase(evidence))).not.toContain('premature_coinbase')
  })

  test('a coinbase in no block yet is not called too young', () => {
    const found = codes(checkCoinbase({ tipHeight: 5, heights: { [txid]: 0 } }))
    expect(found).toContain('unconfirmed_input')
    expect(found).not.toContain('premature_coinbase')
  })

  // -ac_cbmaturity: the recorded chain spends them after one block
  test('a coinbase of another chain may be spent sooner', () => {
    const evidence = { tipHeight: height, heights: { [txid]: height } }
    expect(codes(checkCoinbase(evidence, networks.assetChain))).toEqual(['immature_coinbase'])
  })

  test('is known by a height under its txid in capitals', () => {
    const evidence = { tipHeight: height, heights: { [txid.toUpperCase()]: height } }
    expect(codes(checkCoinbase(evidence))).toContain('premature_coinbase')
  })

  test('stands among coins that are none', () => {
    expect(codes(checkPayment(unchanged))).toEqual([])
  })
})

// A reward accrues by the minute, so a claim is a little less than the reward at the time of
// verification. A claim may be an hour old. Sources: komodo src/komodo_interest.cpp;
// src/komodo_defs.h, KOMODO_MAXMEMPOOLTIME.
describe('a reward that was reckoned some time ago', () => {
  const value = 1_000_000_000_000n
  const [madeAt, claimedAt, height] = [1_790_000_000, 1_791_000_000, 4_000_000]
  const aged = agedCoin(value, p2pk(a), madeAt)
  const txid = transactionId(aged)
  const rewardAt = (time: number) => accruedReward({ value, height, lockTime: madeAt }, time)
  const spendable = [{ txid, vout: 0 }]
  const wanted = { own: [a], network: networks.komodo, spendable }

  interface Claim {
    readonly later: number
    readonly terms?: Partial<PaymentIntent>
    readonly lockTime?: number
    /** Satoshis that are given up beyond the fee. */
    readonly lost?: bigint
    readonly hasChange?: boolean
  }

  const check = ({ later, terms = { fee: 10_000n }, lost = 0n, ...rest }: Claim) => {
    const { lockTime = claimedAt, hasChange = true } = rest
    const back = value + rewardAt(claimedAt) - 10_000n - lost
    const paid = hasChange ? 1_000_000n : back
    const outputs = [
      { value: paid, script: p2pkh(b) },
      ...(hasChange ? [{ value: back - paid, script: p2pkh(a) }] : []),
    ]
    const inputs = [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const tx = { ...payment, inputs, outputs, lockTime, expiryHeight: height + 201 }
    const spent = [{ value, script: p2pk(a) }]
    const { hex } = signTransaction(tx, [privateKeys.get(a)!], spent, networks.komodo)
    const recipients = [{ script: p2pkh(b), amount: paid }]
    return verifyPayment(
      hex,
      { ...wanted, recipients, ...terms },
      {
        previousTransactions: [aged],
        tipHeight: height + 10,
        tipTime: claimedAt + later,
        heights: { [txid]: height },
      },
    )
  }
  const rate = (10_000n * 1000n) / BigInt(check({ later: 0 }).hex.length / 2)

  test.each([0, 59, 60, 600, 3600])('%i seconds: agrees', (later) => {
    for (const terms of [{ fee: 10_000n }, { feeRate: rate }, { fee: 10_000n, maxFee: 10_000n }]) {
      const report = check({ later, terms })
      // an hour later the fee is 21,415 satoshis, of the million that is paid
      expect(codes(report)).toEqual(['reward_claimed', ...(later === 3600 ? ['fee_high'] : [])])
      expect(report.ok).toBe(true)
      expect(report).not.toHaveProperty('fee')
    }
  })

  test('longer ago than an hour is not the reward of then', () => {
    expect(rewardAt(claimedAt + 3601)).toBeGreaterThan(rewardAt(claimedAt))
    expect(codes(check({ later: 3601 }))).toEqual([
      'lock_time_stale',
      'reward_claimed',
      'fee_too_high',
      'fee_high',
    ])
  })

  test('not a satoshi more goes into the fee', () => {
    const late = rewardAt(claimedAt + 600) - rewardAt(claimedAt)
    // 95129 * (16676 - 59) / 500 less 95129 * (16666 - 59) / 500
    expect(late).toBe(3_161_517n - 3_159_614n)
    const terms = { fee: 10_000n, maxFee: 10_000n }
    const report = check({ later: 600, terms, lost: 1n })
    expect(report.findings.at(-1)).toMatchObject({
      code: 'fee_too_high',
      expected: 10_000n + late,
      actual: 10_001n + late,
    })
    expect(check({ later: 600, terms, lost: 0n }).ok).toBe(true)
  })

  test('change that would be dust raises the fee', () => {
    const checkLost = (lost: bigint) => codes(check({ later: 600, lost, hasChange: false }))
    expect(checkLost(0n)).toEqual(['reward_claimed'])
    expect(checkLost(1n)).toEqual(['reward_claimed', 'fee_rounding'])
    expect(checkLost(53n)).toEqual(['reward_claimed', 'fee_rounding'])
    expect(checkLost(54n)).toEqual(['reward_claimed', 'fee_too_high'])
  })

  test('has to be in the lock time', () => {
    for (const lockTime of [0, claimedAt + 600]) {
      expect(codes(check({ later: 600, lockTime }))).toEqual(['reward_claimed', 'fee_too_high'])
    }
  })

  test('is that of the tip where the lock time is yet to come', () => {
    const lockTime = claimedAt + 600
    const terms = { fee: 10_000n, maxFee: 10_000n, lockTime }
    expect(codes(check({ later: 0, lockTime, terms }))).toEqual([
      'lock_time_open',
      'reward_claimed',
    ])
  })

  test('makes no room where nothing is claimed', () => {
    const lost = rewardAt(claimedAt) + 1n
    const terms = { fee: 10_000n, maxFee: 10_000n }
    const report = check({ later: 600, terms, lost })
    expect(codes(report)).toContain('reward_unclaimed')
    expect(codes(report)).toContain('fee_too_high')
    expect(report).toMatchObject({ fee: 10_001n })
  })
})

test('heights count under a txid in either case of letters', () => {
  const { txid } = payment.inputs[0]!
  for (const name of [txid, txid.toUpperCase()]) {
    const others = payment.inputs.slice(1).map((it) => [it.txid, 12] as const)
    const heights = { ...Object.fromEntries(others), [name]: 0 }
    const evidence = { ...evidenceFor(payment), heights }
    expect(codes(verifyPayment(signPayment(payment), intent, evidence))).toEqual([
      'unconfirmed_input',
      'ancestor_unproven',
    ])
  }
})

describe('in a report', () => {
  const report = (asked: Partial<PaymentIntent>, change: Change = unchanged) => {
    const given = {
      operation: 'payment',
      intent: { ...intent, ...asked },
      hex: signPayment(change(payment)),
      evidence: evidenceFor(payment),
    } satisfies Case<'payment'>
    const lines = formatReport(verifyCase(given), { given }).split('\n')
    return lines.map((line) => line.trim().replace(/ {2,}/g, ' '))
  }
  const address = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'

  // OP_CHECKLOCKTIMEVERIFY OP_DROP, and OP_RETURN, before what pays the address
  test.each([
    `04ffffff7fb175${p2pkh(b)}`,
    `04ffffff7fb16a${p2pkh(b)}`,
    `5121${b}51ae`,
    tokenScript(b),
  ])('%s is not an address', (script) => {
    const recipients = [{ script, amount: 120_000_000n }, intent.recipients[1]!]
    const shown = report({ recipients }, output(0, { script }))
    expect(shown).toContain(`pay 1.20000000 to ${script}`)
    expect(shown).toContain(`[0] 1.20000000 coins to the recipient ${script}`)
    expect(shown.join('\n')).not.toContain(address)
  })

  test.each([p2pkh(b), p2pkh(b).toUpperCase(), p2pk(b)])('%s is an address', (script) => {
    const recipients = [{ script, amount: 120_000_000n }, intent.recipients[1]!]
    const shown = report({ recipients }, output(0, { script: script.toLowerCase() }))
    expect(shown).toContain(`pay 1.20000000 to ${address}`)
    expect(shown).toContain(`[0] 1.20000000 coins to the recipient ${address}`)
    expect(shown).toContain('[2] 0.00000000 nulldata as requested')
  })

  test('a condition of Tokel is none either, and what may be a key is not shown', () => {
    const pay = (script: string) =>
      report({ recipients: [{ script, amount: 1n }], network: networks.tokel }).find((line) =>
        line.startsWith('pay'),
      )
    const condition = tokenScript(b)
    expect(pay(condition)).toBe(`pay 0.00000001 to ${condition}`)
    expect(pay(`20${privateKeys.get(b)}ac`)).toContain('what may be a private key')
    expect(pay(`${p2pkh(b)}5`)).toContain('what may be a private key')
    expect(pay(`zz${p2pkh(b)}`)).toContain('what may be a private key')
    // no key, though it has the form that pays one
    expect(pay(p2pk('ff'.repeat(33)))).toBe(`pay 0.00000001 to ${p2pk('ff'.repeat(33))}`)
  })

  test('an uncompressed key is its address', () => {
    const recipients = [{ script: `41${uncompressed}ac`, amount: 1n }]
    const hash = '91b24bf9f5288532960ac687abb035127b1d28a5'
    expect(report({ recipients })).toContain(
      `pay 0.00000001 to ${addressOfScript(`76a914${hash}88ac`, network)}`,
    )
  })

  test('the scripts behind given script hashes are own, and reports show them', () => {
    const other = `21${c}ac`
    const shown = report({ redeemScripts: [twoOfThree, other.toUpperCase()] })
    const at = shown.indexOf('own bFFxjhquJ1Gzj4Pof4SdbMVXEJhrkENBvn (2 of 3 keys)')
    expect(shown.slice(at + 1, at + 4)).toEqual([a, b, c].map((key) => `of key ${key}`))
    expect(shown.filter((line) => line.endsWith('(redeem script given)'))).toHaveLength(1)
    const { redeemScripts: _, ...without } = intent
    const quiet = { operation: 'payment', intent: without, hex: '', evidence: evidenceFor(payment) }
    const text = formatReport(verifyCase(quiet as Case), { given: quiet as Case })
    expect(text).not.toContain('was given')
    expect(text).not.toContain('expires')
  })

  test('a report shows until when the transaction may be mined, if requested', () => {
    expect(report({ expiryHeight: 261 })).toContain('expires at height 261')
    expect(report({ expiryHeight: 0 })).toContain('expires never')
    expect(report({ expiryBlocksMax: 5000 })).toContain('expires within 5000 blocks of the tip')
  })
})

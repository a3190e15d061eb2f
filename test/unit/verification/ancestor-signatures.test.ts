// The signatures of an ancestor, checked directly. verify-ancestor-forms.test.ts has every form of a
// scriptSig, in whole payments.

import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeTransaction,
  networks,
  signTransaction,
  type Transaction,
  type TransactionOutput,
} from '../../../src/index.ts'
import {
  checkAncestorSignatures,
  checkAncestorSignaturesAsync,
  newSigningBudget,
  type SignedAncestor,
  takeSigned,
} from '../../../src/verification/ancestor-signatures.ts'
import { p2pkh, p2sh, twoOfThree } from '../../support/payments.ts'
import { a, b, p2pk, privateKeys, transfer } from '../../support/resigned.ts'
import { prevoutsOf } from '../../support/sign.ts'

const network = networks.assetChain
const id = (digit: string) => digit.repeat(64)
const final = 0xffffffff

describe('the signatures that are checked', () => {
  const [txid, parentId] = [id('a'), id('b')]
  const spending = (scripts: readonly string[], changes: Partial<Transaction> = {}) =>
    ({
      txid,
      inputs: scripts.map((_, vout) => ({ txid: parentId, vout, scriptSig: '51' })),
      outputs: [],
      overwintered: true,
      shieldedSpends: [],
      joinSplits: [],
      ...changes,
    }) as unknown as Transaction
  const budgetFor = (outputs: readonly TransactionOutput[], height?: number) => {
    const byTxid = new Map([[parentId, { outputs } as unknown as Transaction]])
    const budget = newSigningBudget()
    return {
      take: (ancestor: Transaction, path: string, hex: string) =>
        takeSigned(ancestor, { path, hex }, { byTxid, network, heightOf: () => height }, budget),
    }
  }
  const paying = (...scripts: string[]) => scripts.map((script) => ({ value: 5n, script }))
  const take = (
    outputs: readonly TransactionOutput[],
    changes: Partial<Transaction> = {},
    height?: number,
  ) =>
    budgetFor(outputs, height).take(
      spending(
        outputs.map(({ script }) => script),
        changes,
      ),
      'evidence',
      'hex',
    )

  test('are those of an ancestor with the outputs that it spends', () => {
    const outputs = paying(p2pk(a), p2pkh(a))
    expect(take(outputs, {}, 7)).toEqual({
      txid,
      path: 'evidence',
      hex: 'hex',
      prevouts: outputs,
      network,
      isComplete: true,
      height: 7,
    })
    expect(take(outputs)).toMatchObject({ height: undefined })
  })

  test('are not all of them if an output is missing, has no signature, or an impossible amount', () => {
    const outputs = paying(p2pk(a), p2pk(b))
    const { inputs } = spending(['', ''])
    const second = (changes: object) => [inputs[0]!, { ...inputs[1]!, ...changes }]
    for (const changes of [{ scriptSig: '' }, { vout: 2 }, { txid: id('c') }]) {
      const taken = take(outputs, { inputs: second(changes) })
      expect(taken).toMatchObject({ isComplete: false, prevouts: [outputs[0], undefined] })
    }
    const negative = [outputs[0]!, { ...outputs[1]!, value: -1n }]
    expect(take(negative)).toMatchObject({ isComplete: false, prevouts: [outputs[0], undefined] })
    const nothing = [outputs[0]!, { ...outputs[1]!, value: 0n }]
    expect(take(nothing)).toMatchObject({ isComplete: true, prevouts: nothing })
  })

  test('do not prove what comes out of the shielded pool', () => {
    const outputs = paying(p2pk(a))
    const some = [{} as never]
    for (const shielded of [
      { shieldedSpends: some },
      { joinSplits: some },
      { shieldedSpends: some, joinSplits: some },
    ]) {
      expect(take(outputs, shielded)).toMatchObject({ isComplete: false })
    }
  })

  test('are none of a transaction that spends no output that was given', () => {
    expect(take([])).toBeUndefined()
    expect(take(paying(p2pk(a)), { inputs: spending(['', '']).inputs.slice(1) })).toBeUndefined()
    const coinbase = [{ txid: id('0'), vout: final, scriptSig: '51', sequence: final }]
    expect(take(paying(p2pk(a)), { inputs: coinbase })).toBeUndefined()
  })

  test('are as many as one transaction may have, where one of several keys counts as sixteen', () => {
    const many = (count: number, script: string) => Array<string>(count).fill(script)
    expect(take(paying(...many(1024, p2pk(a))))).toBeDefined()
    expect(take(paying(...many(1024, '51')))).toBeDefined()
    expect(take(paying(...many(1025, p2pk(a))))).toBeUndefined()
    for (const script of [twoOfThree, p2sh(twoOfThree)]) {
      expect(take(paying(...many(64, script)))).toBeDefined()
      expect(take(paying(...many(65, script)))).toBeUndefined()
    }
    const budget = budgetFor(paying(...many(1024, p2pk(a))))
    const takes = (count: number) =>
      budget.take(spending(many(count, '')), 'evidence', 'hex') !== undefined
    expect([1000, 25, 24, 1].map(takes)).toEqual([true, false, true, false])
  })

  test('hash at most 40 MB', () => {
    const [script, old] = [p2pk(a), { overwintered: false }]
    const inputs = (count: number) => spending(Array<string>(count).fill('')).inputs
    const budget = budgetFor(paying(...Array<string>(500).fill(script)))
    const takes = (count: number, bytes: number) => {
      const outputs = [{ value: 1n, script: '51'.repeat(bytes) }]
      const spender = spending([], { ...old, inputs: inputs(count), outputs })
      return budget.take(spender, 'evidence', 'hex') !== undefined
    }
    // 500 x (500 x 41 + 9 + 59491) = 40,000,000
    expect(takes(500, 59_492)).toBe(false)
    expect(takes(500, 59_491)).toBe(true)
    expect(takes(1, 0)).toBe(false)
  })
})

describe('an ancestor', () => {
  const fields = {
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    outputs: [{ value: 1n, script: p2pk(a) }],
    lockTime: 0,
    expiryHeight: 0,
  }
  const keys = [privateKeys.get(a)!, privateKeys.get(b)!]
  const swap = '6304ffffff7fb175516751ac68'
  /** Spends coins of these scripts, with changes to the scriptSigs after they were signed. */
  function made(
    scripts: readonly string[],
    changes: readonly ((scriptSig: string) => string)[] = [],
    { height }: { readonly height?: number } = {},
  ): SignedAncestor {
    const prevouts = scripts.map((script) => ({ value: 5n, script }))
    const inputs = scripts.map((_, vout) => ({
      txid: id('b'),
      vout,
      scriptSig: '',
      sequence: final,
    }))
    const unsigned = encodeTransaction({ ...fields, inputs })
    const { hex } = signTransaction(unsigned, keys, prevouts, network)
    const signed = decodeTransaction(hex)
    const changed = signed.inputs.map((it, at) => ({
      ...it,
      scriptSig: changes[at]?.(it.scriptSig) ?? it.scriptSig,
    }))
    const again = encodeTransaction({ ...signed, inputs: changed })
    // Signatures of a known txid are not checked again, so each is new.
    const txid = randomBytes(32).toString('hex')
    return { txid, path: 'evidence', hex: again, prevouts, network, isComplete: true, height }
  }
  const check = async (...ancestors: SignedAncestor[]) => {
    const findings = checkAncestorSignatures(ancestors)
    expect(await checkAncestorSignaturesAsync(ancestors, {})).toEqual(findings)
    return findings.map(({ code, path, actual }) => `${code} ${path} ${actual}`)
  }
  const loose = (scriptSig: string) => `01aa${scriptSig}`
  /** Another digit in the middle of the signature. */
  const forged = (scriptSig: string) =>
    scriptSig.replace(/(?<=^.{30})./, (digit) => (digit === '5' ? '6' : '5'))
  const refused = (at: number, { txid }: SignedAncestor, code = 'signature_mismatch') => [
    `ancestor_signature evidence.inputs[${at}].scriptSig ${code}, in ${txid}`,
  ]
  const open = (at: number, { txid }: SignedAncestor) => [
    `ancestor_unproven evidence.inputs[${at}].scriptSig ${txid}`,
  ]

  test('is right if every signature is, in a block or in none', async () => {
    for (const height of [undefined, 0, 5]) {
      const options = height === undefined ? {} : { height }
      expect(await check(made([p2pk(a), p2pkh(b)], [], options))).toEqual([])
      expect(await check(made([p2pk(a), p2pkh(b)], [loose], options))).toEqual([])
    }
  })

  test('is refused for its first wrong signature, in a block as well', async () => {
    for (const height of [undefined, 0, 5]) {
      const options = height === undefined ? {} : { height }
      const it = made([p2pk(a), p2pk(b), p2pk(b)], [(same) => same, forged, forged], options)
      expect(await check(it)).toEqual(refused(1, it))
    }
  })

  test('is refused by what its loose form shows', async () => {
    const it = made([p2pk(a)], [(scriptSig) => loose(forged(scriptSig))])
    expect(await check(it)).toEqual(refused(0, it))
    const none = made([p2pk(a)], [() => '01aa01aa'])
    expect(await check(none)).toEqual(refused(0, none, 'script_sig_form'))
  })

  test('is refused for a forged input, whatever another one has in a loose form', async () => {
    const it = made([p2pk(a), p2pk(b)], [forged, loose])
    expect(await check(it)).toEqual(refused(0, it))
    const other = made([p2pk(a), p2pk(b)], [loose, forged])
    expect(await check(other)).toEqual(refused(1, other))
  })

  test('is checked as far as its outputs were given', async () => {
    for (const height of [undefined, 0]) {
      const it = made([p2pk(a), p2pk(b)], [forged], height === undefined ? {} : { height })
      const [, second] = it.prevouts
      expect(await check({ ...it, prevouts: [undefined, second] })).toEqual([])
      const both = made([p2pk(a), p2pk(b)], [forged, loose], height === undefined ? {} : { height })
      expect(await check({ ...both, prevouts: [undefined, second] })).toEqual([])
    }
  })

  test('is open in no block alone if it spends a script that is not checked', async () => {
    const spending = (height: number | undefined) => ({
      ...made([p2pk(a), p2pk(b)]),
      prevouts: [
        { value: 5n, script: p2pk(a) },
        { value: 5n, script: swap },
      ],
      height,
    })
    for (const height of [undefined, 5]) expect(await check(spending(height))).toEqual([])
    const it = spending(0)
    expect(await check(it)).toEqual(open(1, it))
  })

  test('is open unless it is in a block if only running a scriptSig would show more', async () => {
    const computes = (scriptSig: string) => `61${scriptSig}`
    for (const height of [undefined, 0]) {
      const options = height === undefined ? {} : { height }
      const it = made([p2pk(a), p2pk(b)], [(same) => same, computes], options)
      expect(await check(it)).toEqual(open(1, it))
    }
    const first = made([p2pk(a)], [computes])
    expect(await check(first)).toEqual(open(0, first))
    expect(await check(made([p2pk(a)], [computes], { height: 5 }))).toEqual([])
    // No node relays this hash type, and a block may have it.
    const typed = made([p2pk(a)], [(scriptSig) => `${scriptSig.slice(0, -2)}05`])
    expect(await check(typed)).toEqual(open(0, typed))
  })

  test('is refused if a condition is not fulfilled in the one form that chains accept', async () => {
    const prevouts = prevoutsOf(transfer)
    const at = prevouts.findIndex(({ script }) => script.endsWith('cc'))
    for (const height of [undefined, 5]) {
      const spending = (scriptSig: string): SignedAncestor => {
        const inputs = transfer.inputs.with(at, { ...transfer.inputs[at]!, scriptSig })
        const hex = encodeTransaction({ ...transfer, inputs })
        return { ...made([]), hex, prevouts, height }
      }
      const { scriptSig } = transfer.inputs[at]!
      expect(await check(spending(scriptSig))).toEqual([])
      const it = spending(loose(scriptSig))
      expect(await check(it)).toEqual(refused(at, it, 'script_sig_form'))
    }
  })

  test('has its own finding, whatever others have', async () => {
    const wrong = made([p2pk(a)], [forged])
    const right = made([p2pk(a)])
    const other = made([p2pkh(a)], [forged])
    expect(await check(wrong, right, other)).toEqual([...refused(0, wrong), ...refused(0, other)])
  })
})

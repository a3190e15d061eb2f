// Signatures of one transaction that several machines made at the same time.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

import {
  addressOfScript,
  buildPayment,
  type Case,
  decodeTransaction,
  encodeTransaction,
  formatCase,
  joinSignatures,
  networks,
  parseCase,
  signCase,
  signTransaction,
  verifyCase,
} from '../../../src/index.ts'
import { pushOf } from '../../../src/script/push.ts'
import { stepsOf } from '../../../src/script/template.ts'
import { prevoutsOf } from '../../../src/verification/case-signing.ts'
import { runCommand } from '../../support/cli.ts'
import { chainTransaction } from '../../support/komodod.ts'
import { p2pkh, p2sh, payment, sharedCoin, twoOfThree } from '../../support/payments.ts'
import { a, b, c, privateKeys } from '../../support/resigned.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-join-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const network = networks.assetChain
const keyOf = (pubkey: string) => privateKeys.get(pubkey)!
const shared = { txid: sharedCoin[0], vout: sharedCoin[1] }
const hashCoins = payment.inputs.map(({ txid, vout }) => ({ txid, vout }))

const build = (coins: readonly { txid: string; vout: number }[], amount = 100_000n): Case =>
  buildPayment({
    network,
    own: [a, b],
    redeemScripts: [twoOfThree],
    change: p2sh(twoOfThree),
    coins,
    previousTransactions: [...new Set(coins.map(({ txid }) => chainTransaction(txid)))],
    tipHeight: 60,
    spend: 'all',
    recipients: [{ script: p2pkh(c), amount }],
  })
const sharedAddress = addressOfScript(p2sh(twoOfThree), network)!
const unsigned = build([shared])
const mixed = build(hashCoins)

/** Signs on a machine of its own, from the unsigned case. */
const by = (key: string, given = unsigned): Case => {
  const prevouts = prevoutsOf(given.hex, given)
  return { ...given, hex: signTransaction(given.hex, [keyOf(key)], prevouts, network).hex }
}
const withScriptSig = (given: Case, scriptSig: string): Case => {
  const { inputs, ...rest } = decodeTransaction(given.hex)
  const hex = encodeTransaction({ ...rest, inputs: [{ ...inputs[0]!, scriptSig }] })
  return { ...given, hex }
}

describe('joinSignatures', () => {
  test.each([
    [a, b],
    [b, a],
    [c, a],
    [b, c],
  ])('joins what %s and %s signed at the same time, as if they had signed in turn', (one, two) => {
    const report = joinSignatures([by(one), by(two)])
    expect(report).toMatchObject({ ok: true, broadcast: 'yes' })
    expect(report.hex).toBe(signCase(unsigned, [one, two].map(keyOf)).hex)
  })

  test('takes as many signatures as the script requires', () => {
    const three = joinSignatures([by(c), by(b), by(a)])
    expect(three.ok).toBe(true)
    expect(three.hex).toBe(signCase(unsigned, [a, b].map(keyOf)).hex)
  })

  test('joins with a case that nobody has signed', () => {
    expect(joinSignatures([unsigned, by(a), by(b)])).toMatchObject({ ok: true })
    const { findings } = joinSignatures([unsigned, by(a)])
    expect(findings.map(({ code, actual }) => [code, actual])).toEqual([
      ['unsigned', '1 of 2 signatures'],
    ])
  })

  test('joins signatures of different inputs', () => {
    const [ofA, ofB] = [by(a, mixed), by(b, mixed)]
    expect([ofA, ofB].map((it) => verifyCase(it).ok)).toEqual([false, false])
    const joined = joinSignatures([ofA, ofB])
    expect(joined.hex).toBe(signCase(mixed, [a, b].map(keyOf)).hex)
  })

  test('counts the signature of one key once', () => {
    expect(joinSignatures([by(a), by(a)])).toMatchObject({
      ok: false,
      findings: [{ code: 'unsigned', actual: '1 of 2 signatures' }],
    })
  })

  test('leaves out what does not verify', () => {
    const [, push] = stepsOf(
      decodeTransaction(by(b, build([shared], 200_000n)).hex).inputs[0]!.scriptSig,
    )!
    const foreign = withScriptSig(unsigned, `00${pushOf(push!.data)}${pushOf(twoOfThree)}`)
    const garbage = withScriptSig(unsigned, `00${pushOf('30'.repeat(71))}${pushOf(twoOfThree)}`)
    for (const hostile of [foreign, garbage, withScriptSig(unsigned, '6a6a')]) {
      expect(joinSignatures([by(a), hostile]).hex).toBe(by(a).hex)
      expect(joinSignatures([by(a), hostile, by(b)])).toMatchObject({ ok: true })
    }
  })

  test('keeps the request and the evidence of the first case', () => {
    const recipients = [{ script: p2pkh(a), amount: 100_000n }]
    const changed = { ...by(b), intent: { ...unsigned.intent, recipients } } as Case
    expect(verifyCase(changed).findings.map(({ code }) => code)).toContain('destination')
    expect(joinSignatures([by(a), changed])).toMatchObject({ ok: true })
    expect(joinSignatures([changed, by(a)])).toEqual(verifyCase(changed))
  })

  test('refuses hex of another transaction, and a list without a case', () => {
    const other = by(b, build([shared], 200_000n))
    expect(() => joinSignatures([by(a), other])).toThrow(
      /^cases\[1\]\.hex: expected a signed copy of [0-9a-f]{64}, found [0-9a-f]{64}$/,
    )
    expect(() => joinSignatures([by(a), { ...by(b), hex: '00' }])).toThrow(TypeError)
    expect(() => joinSignatures([by(a), {} as Case])).toThrow(TypeError)
    expect(() => joinSignatures([])).toThrow(TypeError)
    expect(() => joinSignatures('' as never)).toThrow(TypeError)
  })
})

describe('antara-tx sign --join', () => {
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const first = file('first.json', formatCase(by(a)))
  const second = file('second.json', formatCase(by(b)))
  const none = file('unsigned.json', formatCase(unsigned))
  const whole = signCase(unsigned, [a, b].map(keyOf)).hex

  test('prints the whole case file and asks for no key', async () => {
    for (const args of [
      [first, '--join', second],
      [none, '--join', `${first},${second}`],
    ]) {
      const { output, errors, status } = await runCommand(['sign', ...args])
      expect([status, parseCase(output).hex]).toEqual([0, whole])
      expect(errors).toContain('Safe to broadcast.')
    }
  })

  test('adds the signature of a key as well', async () => {
    const keyFile = file('key', keyOf(b))
    chmodSync(keyFile, 0o600)
    const args = [none, '--join', first, '--key-file', keyFile, '--own', sharedAddress]
    const { output, errors, status } = await runCommand(['sign', ...args])
    expect([status, errors]).toEqual([0, expect.stringContaining('Safe to broadcast.')])
    expect(parseCase(output).hex).toBe(whole)
  })

  test('prints a half-signed file with --partly only', async () => {
    const without = await runCommand(['sign', none, '--join', first])
    expect([without.status, without.output]).toEqual([1, ''])
    expect(without.errors).toContain('use --partly')
    const partly = await runCommand(['sign', none, '--join', first, '--partly'])
    expect([partly.status, parseCase(partly.output).hex]).toEqual([0, by(a).hex])
    expect(partly.errors).toContain('other keys must still sign')
  })

  test.each([
    ['unsigned', unsigned, unsigned],
    ['with a signature that does not verify', by(a), withScriptSig(unsigned, '6a6a')],
    ['with a signature that is there', by(a), by(a)],
  ])('prints nothing for a copy that adds nothing: %s', async (_, one, other) => {
    const [given, copy] = [
      file('given.json', formatCase(one)),
      file('copy.json', formatCase(other)),
    ]
    const args = ['sign', given, '--join', copy, '--partly']
    const { output, errors, status } = await runCommand(args)
    expect([status, output]).toEqual([1, ''])
    expect(errors).toContain('The copies have no valid signature that the case file lacks')
    expect(errors).not.toContain('Partly signed')
  })

  test('names a file with another transaction, and changes nothing', async () => {
    const other = file('other.json', formatCase(by(b, build([shared], 200_000n))))
    const { output, errors, status } = await runCommand(['sign', first, '--join', other])
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain(`--join: ${other} has another transaction than the case file`)
    expect(parseCase(readFileSync(first, 'utf8')).hex).toBe(by(a).hex)
  })
})

// antara-tx pay and message, and payments in verify and sign.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'

import { moduleOfEvalCode, tokensEvalCode } from '../../../src/chain/modules.ts'
import {
  decodeTransaction,
  encodeTransaction,
  formatCase,
  parseCase,
  signCase,
  transactionId,
} from '../../../src/index.ts'
import { runCommand as antaraTx } from '../../support/cli.ts'
import { chainTransaction } from '../../support/komodod.ts'
import {
  evidenceFor,
  intent,
  p2pkh,
  p2sh,
  payment,
  sharedCoin,
  signPayment,
  twoOfThree,
  worthOf,
} from '../../support/payments.ts'
import { a, b, moduleKey, p2pk, privateKeys } from '../../support/resigned.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-pay-`)
const keyFile = `${folder}/key`
const wrongKey = `${folder}/wrong`
writeFileSync(keyFile, privateKeys.get(a)!)
chmodSync(keyFile, 0o600)
afterAll(() => rmSync(folder, { recursive: true }))

const coins = payment.inputs.slice(0, 2).map(({ txid, vout }) => ({ txid, vout }))
const request = {
  recipients: [{ address: 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2', amount: '100000' }],
  own: [a],
  coins,
  previousTransactions: coins.map(({ txid }) => chainTransaction(txid)),
  tipHeight: 60,
  note: 'for rent',
}
const pay = (changed: object, ...args: string[]) =>
  antaraTx(['pay', ...args], JSON.stringify({ ...request, ...changed }))

describe('pay', () => {
  test('prints a case that sign signs and verify agrees to', async () => {
    const built = await pay({ nulldata: '6869', fee: '2000' })
    expect(built.status).toBe(0)
    expect((await antaraTx(['verify'], built.output)).output).toMatch(/^UNSIGNED/)
    const signed = await antaraTx(['sign', '--key-file', keyFile], built.output)
    expect(signed).toMatchObject({ status: 0 })
    expect(signed.errors).toContain('AGREES')
    expect(signed.errors).toContain('pay      0.00100000 to')
    const verified = await antaraTx(['verify'], signed.output)
    expect(verified).toMatchObject({ status: 0 })
    expect(verified.output).toContain('fee 0.00002000')
    const { outputs } = decodeTransaction(JSON.parse(signed.output).hex)
    expect(outputs.map(({ script }) => script)).toEqual([p2pkh(b), '6a026869', p2pkh(a)])
  })

  test('merges coins', async () => {
    const { recipients: _, ...rest } = request
    const built = await antaraTx(['pay', '--merge'], JSON.stringify({ ...rest, to: p2pk(a) }))
    const sum = coins.reduce((total, coin) => total + worthOf(coin), 0n)
    const { outputs } = decodeTransaction(JSON.parse(built.output).hex)
    expect(outputs).toEqual([{ value: sum - 10_000n, script: p2pk(a) }])
  })

  test('says which coins cost more than they bring', async () => {
    const { recipients: _, ...rest } = request
    const source = encodeTransaction({
      ...payment,
      inputs: payment.inputs.slice(0, 1),
      outputs: [600n, 500n, 100_000_000n].map((value) => ({ value, script: p2pk(a) })),
    })
    const merge = async (vouts: readonly number[]) => {
      const coins = vouts.map((vout) => ({ txid: transactionId(source), vout }))
      const given = { ...rest, coins, previousTransactions: [source], feeRate: '10000' }
      return antaraTx(['pay', '--merge'], JSON.stringify(given))
    }
    const { status, output, errors } = await merge([0, 1, 2])
    expect(status).toBe(0)
    expect(errors).toContain('left out 2 coins of 1100 satoshis')
    expect(decodeTransaction(JSON.parse(output).hex).inputs).toHaveLength(1)
    expect((await merge([1, 2])).errors).toContain('left out 1 coin of 500 satoshis')
    expect((await merge([2])).errors).toBe('')
  })

  test('sends all of it', async () => {
    const built = await pay({ recipients: [{ script: p2pkh(b), amount: 'max' }] })
    expect(decodeTransaction(JSON.parse(built.output).hex).outputs).toHaveLength(1)
  })

  test.each<[string, object, string]>([
    [
      'an amount that is a number',
      { recipients: [{ script: '51', amount: 1 }] },
      'recipients[0].amount',
    ],
    ['a member nobody knows', { speed: 1 }, 'request.speed'],
    ['another spend', { spend: 'some' }, 'spend'],
    ['no height', { tipHeight: undefined }, 'tipHeight'],
    ['a coin that is none', { coins: [{ txid: 'x' }] }, 'coins[0].vout'],
    ['heights that are none', { heights: { x: 'y' } }, 'heights.x'],
    ['too much', { recipients: [{ script: '51', amount: '99999999999' }] }, 'coins'],
  ])('refuses %s', async (_, changed, path) => {
    const { status, errors } = await pay(changed)
    expect(status).toBe(2)
    expect(errors).toContain(path)
  })
})

describe('sign of a request that names a stranger as own', () => {
  const stranger = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
  const recipients = [{ address: 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', amount: '100000' }]
  const built = () => pay({ own: [b, a], recipients })
  const signing = async (...args: string[]) =>
    antaraTx(['sign', ...args, '--key-file', keyFile], (await built()).output)

  test('prints nothing, and shows the address that the change goes to', async () => {
    const { status, output, errors } = await signing()
    expect(status).toBe(1)
    expect(output).toBe('')
    expect(errors).toMatch(/change_not_held at outputs\[1\].*\n +found +\d+ to RDY6gf/)
    expect(errors).toContain('Not signed: change, an order or tokens go to a key')
    expect(errors).toContain('For a script of several keys, name its address there.')
    expect(errors).not.toContain('Safe to broadcast')
    const partly = await signing('--partly')
    expect(partly).toMatchObject({ status: 1, output: '' })
  })

  test('gives a program no signed hex either', async () => {
    const { hex } = JSON.parse((await built()).output)
    const { status, output, errors } = await signing('--json')
    expect(status).toBe(1)
    expect(output).toBe('')
    expect(JSON.parse(errors)).toMatchObject({ ok: false, hex })
  })

  test.each([b, stranger, p2pkh(b)])('signs if the signer confirms %s', async (name) => {
    const { status, errors } = await signing('--own', name)
    expect(status).toBe(0)
    expect(errors).toMatch(/^AGREES/)
  })

  test('refuses a private key as --own, and does not print it', async () => {
    const secret = privateKeys.get(b)!
    const { status, errors } = await signing('--own', secret)
    expect(status).toBe(64)
    expect(errors).toContain('--own: ')
    expect(errors).not.toContain(secret)
  })

  test("refuses a module's published key as an own name", async () => {
    const { status, output, errors } = await signing('--own', moduleKey)
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain(`--own: ${moduleKey} has the published key of `)
  })

  test('says that a key which signs no input is the wrong one', async () => {
    const created = await antaraTx(['create', 'examples/create-request.json'])
    const known = moduleOfEvalCode(tokensEvalCode)!.key!.privateKey
    for (const wrong of [privateKeys.get(b)!, known]) {
      writeFileSync(wrongKey, wrong, { mode: 0o600 })
      for (const text of [(await built()).output, created.output]) {
        const tried = await antaraTx(['sign', '--key-file', wrongKey], text)
        expect(tried).toMatchObject({ status: 1, output: '' })
        expect(tried.errors).toContain('These inputs need another key.')
        expect(tried.errors).not.toMatch(/change_not_held|--own|several keys/)
      }
    }
  })

  test('prints a fully signed file again with any key', async () => {
    writeFileSync(wrongKey, privateKeys.get(b)!, { mode: 0o600 })
    const file = 'examples/create.json'
    const { status, output, errors } = await antaraTx(['sign', file, '--key-file', wrongKey])
    expect(status).toBe(0)
    expect(JSON.parse(output).hex).toBe(JSON.parse(readFileSync(file, 'utf8')).hex)
    expect(errors).not.toContain('Not signed')
  })
})

test('verify shows a payment that is not what was asked', async () => {
  const stolen = {
    ...payment,
    outputs: payment.outputs.map((it, at) => (at === 3 ? { ...it, script: p2pkh(b) } : it)),
  }
  const text = formatCase({
    operation: 'payment',
    hex: signPayment(stolen),
    intent,
    evidence: evidenceFor(payment),
  })
  const { status, output } = await antaraTx(['verify'], text)
  expect(status).toBe(1)
  expect(output).toContain('REJECT unexpected_output at outputs[3]')
})

describe('message', () => {
  const address = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
  const text = 'I own this'

  test('signs, and verifies what was signed', async () => {
    const signed = await antaraTx(['message', 'sign', text, '--key-file', keyFile])
    expect(signed.status).toBe(0)
    const signature = signed.output.trim()
    const verify = (...args: string[]) =>
      antaraTx(['message', 'verify', address, signature, ...args])
    expect(await verify(text)).toEqual({
      status: 0,
      output: 'signed by the key of this address\n',
      errors: '',
    })
    expect(await verify(`${text}.`)).toMatchObject({
      status: 1,
      output: 'NOT signed by that key\n',
    })
    for (const malformed of [` ${signature}`, signature.slice(0, -1), `${signature}\n`]) {
      const { status, output } = await antaraTx(['message', 'verify', address, malformed, text])
      expect(status).toBe(1)
      expect(output).toBe('NOT signed by that key: a signature has 88 characters of Base64\n')
    }
    expect(JSON.parse((await verify(text, '--json')).output)).toEqual({ verified: true })
    // as echo pipes it
    const piped = await antaraTx(['message', 'verify', address, signature, '-'], `${text}\n`)
    expect(piped.status).toBe(0)
    expect((await antaraTx(['message', 'sign', '--key-file', keyFile], `${text}\n`)).output).toBe(
      signed.output,
    )
  })

  test.each<[string[], number]>([
    [['message'], 64],
    [['message', 'sing', 'x'], 64],
    [['message', 'sign', 'two', 'texts'], 64],
    [['message', 'verify', address], 64],
    [['message', 'verify', address, 'x', 'y', 'z'], 64],
    [['message', 'verify', 'nobody', 'x', 'y'], 2],
    [['message', 'verify', address, 'no signature', 'y'], 1],
    // Node reads bytes that are not UTF-8 as this character.
    [['message', 'sign', 'caf\ufffd', '--key-file', keyFile], 64],
    [['message', 'sign', '--key-file', keyFile, '--', 'caf\ufffd'], 64],
  ])('%j ends with %i', async (args, status) => {
    expect((await antaraTx(args)).status).toBe(status)
  })
})

describe('a key that makes some of the signatures', () => {
  const ofThree = {
    coins: [{ txid: sharedCoin[0], vout: sharedCoin[1] }],
    own: [a],
    redeemScripts: [twoOfThree],
    previousTransactions: [chainTransaction(sharedCoin[0])],
  }

  test('is reported in words, and no case file is printed', async () => {
    const built = await pay(ofThree)
    expect(built.status).toBe(0)
    const tried = await antaraTx(['sign', '--key-file', keyFile], built.output)
    expect(tried).toMatchObject({ status: 1, output: '' })
    expect(tried.errors).toContain('\nPartly signed: this key made some of the signatures')
  })

  test('leaves a hex that is labelled in JSON', async () => {
    const built = await pay(ofThree)
    const tried = await antaraTx(['sign', '--json', '--key-file', keyFile], built.output)
    expect(tried).toMatchObject({ status: 1, output: '' })
    const reported = JSON.parse(tried.errors)
    expect(reported).toMatchObject({ signing: 'partly signed', ok: false })
    expect(reported.hex).not.toBe(JSON.parse(built.output).hex)
  })

  const otherKey = `${folder}/second-key`
  writeFileSync(otherKey, privateKeys.get(b)!, { mode: 0o600 })
  const thirdKey = `${folder}/third-key`
  writeFileSync(thirdKey, '01'.repeat(32), { mode: 0o600 })

  test('hands the case file on with --partly, and the key of the other input completes it', async () => {
    const source = encodeTransaction({
      ...payment,
      inputs: [{ ...payment.inputs[0]!, txid: 'ee'.repeat(32), scriptSig: '51' }],
      outputs: [a, b].map((key) => ({ value: 100_000_000n, script: p2pk(key) })),
    })
    const built = await pay({
      coins: [0, 1].map((vout) => ({ txid: transactionId(source), vout })),
      own: [a, b],
      previousTransactions: [source],
      recipients: [{ script: p2pkh(b), amount: 'max' }],
    })
    const first = await antaraTx(['sign', '--partly', '--key-file', keyFile], built.output)
    expect(first).toMatchObject({ status: 0 })
    expect(first.errors).toContain('\nPartly signed: other keys must still sign this case file.')
    expect(await antaraTx(['verify', '-'], first.output)).toMatchObject({
      status: 1,
      output: expect.stringContaining('UNSIGNED: '),
    })
    // A step that is repeated after a crash ends as it did before.
    const repeated = await antaraTx(['sign', '--partly', '--key-file', keyFile], first.output)
    expect(repeated).toMatchObject({ status: 0, output: first.output })
    expect(repeated.errors).toContain('\nPartly signed: other keys must still sign')
    const whole = await antaraTx(['sign', '--key-file', keyFile], first.output)
    expect(whole).toMatchObject({ status: 1, output: '' })
    const stranger = await antaraTx(['sign', '--partly', '--key-file', thirdKey], first.output)
    expect(stranger).toMatchObject({ status: 1, output: '' })
    const second = await antaraTx(['sign', '--key-file', otherKey], first.output)
    expect(second).toMatchObject({ status: 0 })
    expect(await antaraTx(['verify', '-'], second.output)).toMatchObject({ status: 0 })
    const atOnce = signCase(parseCase(built.output), [privateKeys.get(a)!, privateKeys.get(b)!])
    expect(JSON.parse(second.output).hex).toBe(atOnce.hex)
  })

  test('hands nothing on with --partly if it made no signature', async () => {
    const built = await pay({})
    const none = await antaraTx(['sign', '--partly', '--key-file', otherKey], built.output)
    expect(none).toMatchObject({ status: 1, output: '' })
    expect(none.errors).not.toMatch(/--partly|several keys/)
    const token = await antaraTx(['transfer', 'examples/transfer-request.json'])
    expect((await antaraTx(['sign', '--key-file', thirdKey], token.output)).errors).toContain(
      'A token of several keys needs them at once',
    )
  })

  test('hands its one of two signatures on with --partly, and a co-signer completes it', async () => {
    const built = await pay({ ...ofThree, own: [p2sh(twoOfThree)] })
    const sign = (file: string, text: string, ...more: string[]) =>
      antaraTx(['sign', ...more, '--key-file', file], text)
    const first = await sign(keyFile, built.output, '--partly')
    expect(first).toMatchObject({ status: 0 })
    expect(first.errors).toMatch(/ +found +1 of 2 signatures\n/)
    expect(first.errors).not.toContain('use --partly')
    expect(await antaraTx(['verify', '-'], first.output)).toMatchObject({
      status: 1,
      output: expect.stringMatching(/^UNSIGNED: .*\nDo not broadcast: /),
    })
    expect(await sign(keyFile, first.output, '--partly')).toMatchObject({
      status: 0,
      output: first.output,
    })
    const again = await sign(keyFile, first.output)
    expect(again).toMatchObject({ status: 1, output: '' })
    expect(again.errors).toContain('To hand it to the next signer, use --partly.')
    expect(again.errors).not.toContain('several keys')
    expect(await sign(thirdKey, first.output, '--partly')).toMatchObject({ status: 1, output: '' })
    const second = await sign(otherKey, first.output)
    expect(second).toMatchObject({ status: 0, errors: expect.stringMatching(/^AGREES/) })
    const atOnce = signCase(parseCase(built.output), [privateKeys.get(a)!, privateKeys.get(b)!])
    expect(JSON.parse(second.output).hex).toBe(atOnce.hex)
  })

  test('is distinguished from one that makes none, and from one that makes all', async () => {
    const built = await pay({})
    const none = await antaraTx(['sign', '--json', '--key-file', otherKey], built.output)
    expect(none).toMatchObject({ status: 1, output: '' })
    expect(JSON.parse(none.errors)).toMatchObject({ ok: false, hex: JSON.parse(built.output).hex })
    const words = await antaraTx(['sign', '--key-file', otherKey], built.output)
    const all = await antaraTx(['sign', '--json', '--key-file', keyFile], built.output)
    expect(all).toMatchObject({ status: 0 })
    for (const errors of [none.errors, words.errors, all.errors]) {
      expect(errors.toLowerCase()).not.toContain('partly signed')
    }
  })
})

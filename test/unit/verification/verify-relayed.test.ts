// A transaction that nodes refuse to relay is not called safe to broadcast.
// komodo src/main.cpp, IsStandardTx and AreInputsStandard; src/script/standard.cpp, IsStandard

import { describe, expect, test } from 'vitest'

import {
  addressOf,
  buildPayment,
  decodeTransaction,
  encodeTransaction,
  networks,
  type Payee,
  publicKeyOf,
  type Report,
  signTransaction,
  verifyPayment,
} from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { createDaemonClient } from '../../../src/rpc/index.ts'
import { checkPayment, intent } from '../../support/payments.ts'
import { a, output } from '../../support/resigned.ts'
import { checkTokeld, tokeldCases } from '../../support/tokeld-cases.ts'

const keyOf = (at: number) => publicKeyOf(at.toString(16).padStart(64, '0'))
const manyKeys = (count: number) => Array.from({ length: count }, (_, at) => keyOf(at + 100))
const bare = (required: number, count: number) => {
  const pushed = manyKeys(count).map((key) => `21${key}`)
  return `${(0x50 + required).toString(16)}${pushed.join('')}${(0x50 + count).toString(16)}ae`
}
const nonstandard = ({ findings }: Report) => findings.filter(({ code }) => code === 'nonstandard')

const payA = `21${a}ac`
const condition = `a22c8020${'11'.repeat(32)}8103120c008203000401`

describe('an output whose script no node relays', () => {
  const paying = (script: string, network = networks.assetChain) => {
    const [first, second] = intent.recipients
    const recipients = [first!, { script, amount: second!.amount }]
    return checkPayment(output(1, { script }), {}, { recipients, network })
  }

  test.each([
    ['ten keys', bare(1, 10), '10 keys'],
    ['sixteen keys', bare(2, 16), '16 keys'],
    ['a hash lock', `a820${'11'.repeat(32)}8821${a}ac`, 'a script of type nonstandard'],
    ['a key in a longer push', `4c21${a}ac`, 'a script of type nonstandard'],
    ['an undecodable condition', '04a2020000cc', 'a script of type nonstandard'],
    ['a condition and more', `2e${condition}cc51`, 'a script of type nonstandard'],
    ['a lock time before a key', `0400112233b175${payA}`, 'a lock time before a script'],
    ['a lock time of 0', `00b175${payA}`, 'a lock time before a script'],
  ])('is reported: %s', (_, script, actual) => {
    const report = paying(script)
    expect(report).toMatchObject({ ok: true, broadcast: 'your-decision' })
    const expected = 'a script that nodes relay, of at most 9 keys'
    const severity = 'warn'
    const path = 'outputs[1].script'
    expect(nonstandard(report)).toMatchObject([{ severity, path, expected, actual }])
  })

  test.each([
    ['nine keys', bare(2, 9)],
    ['a condition', `2e${condition}cc`],
  ])('is not confused with one that nodes relay: %s', (_, script) => {
    expect(nonstandard(paying(script))).toEqual([])
  })

  // tokel src/script/standard.cpp, SolverCLTV: tokeld skips one lock time, komodod none
  test('has two lock times on Tokel, where nodes relay one', () => {
    const locked = `0400112233b175${payA}`
    expect(nonstandard(paying(locked, networks.tokel))).toEqual([])
    const actual = 'a lock time before a script'
    expect(nonstandard(paying(`0151b175${locked}`, networks.tokel))).toMatchObject([{ actual }])
  })

  test('is change as well', () => {
    const script = bare(1, 10)
    const report = checkPayment(output(3, { script }), {}, { own: [a, script, ...manyKeys(10)] })
    expect(nonstandard(report)).toMatchObject([{ path: 'outputs[3].script', actual: '10 keys' }])
  })
})

test('a node refuses what is reported, and takes the rest', async () => {
  const node = await createDevNode()
  try {
    node.mine(101)
    const [alice] = node.identities
    const daemon = createDaemonClient(alice)
    const key = '7'.padStart(64, '0')
    const own = publicKeyOf(key)
    const send = async (recipients: readonly Payee[]) => {
      const funded = node.fund(addressOf(own, networks.assetChain), 50_000_000n)
      const previous = await daemon.getrawtransaction({ txid: funded })
      const mine = decodeTransaction(previous).outputs.findIndex(
        ({ value }) => value === 50_000_000n,
      )
      const coins = [{ txid: funded, vout: mine }]
      const tipHeight = await daemon.getblockcount()
      const request = { recipients, own: [own], coins, tipHeight }
      const built = buildPayment({ ...request, previousTransactions: [previous] })
      const { hex } = signTransaction(built.hex, [key], built.coins)
      const reported = nonstandard(verifyPayment(hex, built.intent, built)).length > 0
      const sent = await daemon.sendrawtransaction({ hexstring: hex }).then(
        () => 'sent',
        ({ message }: Error) => message,
      )
      return [reported, sent]
    }
    const amount = 100_000n
    expect(await send([{ script: bare(1, 9), amount }])).toEqual([false, 'sent'])
    const refused = [true, expect.stringContaining('64: scriptpubkey')]
    expect(await send([{ script: bare(1, 10), amount }])).toEqual(refused)
    expect(await send([{ script: `a820${'11'.repeat(32)}8821${a}ac`, amount }])).toEqual(refused)
    expect(await send([{ script: `0400112233b175${payA}`, amount }])).toEqual(refused)
  } finally {
    await node.close()
  }
})

describe('more signature checks than nodes relay', () => {
  // komodo src/main.h, MAX_STANDARD_TX_SIGOPS
  const paying = (count: number) => {
    const [first] = intent.recipients
    const recipients = Array.from({ length: count }, () => ({ ...first!, amount: 1000n }))
    return checkPayment(
      (tx) => {
        const [paid, , note, change] = tx.outputs
        const outputs = recipients.map(({ amount: value }) => ({ ...paid!, value }))
        const value = change!.value + 415_000_000n - 1000n * BigInt(count)
        return { ...tx, outputs: [...outputs, note!, { ...change!, value }] }
      },
      {},
      { recipients },
    )
  }

  test('are reported', () => {
    // The change to a key counts 1, and the shared coin of two of three keys 3.
    const actual = 4001
    const expected = 'at most 4000 signature checks'
    const path = 'outputs'
    expect(nonstandard(paying(3997))).toMatchObject([{ path, expected, actual }])
  })

  test('are counted exactly', () => {
    expect(nonstandard(paying(3996))).toEqual([])
  })
})

// komodo src/main.cpp, AreInputsStandard: a push of at most 520 bytes
describe('the units of many keys', () => {
  const given = tokeldCases.find(({ method }) => method === 'tokenv2transferMofN')!

  test.each([
    [4, 6, []],
    [4, 7, ['spend_nonstandard']],
    [1, 10, []],
    [1, 11, ['spend_nonstandard']],
    [5, 5, ['spend_nonstandard']],
  ])('are reported if no node relays their spend: %d of %d', (required, count, codes) => {
    const pubkeys = manyKeys(count)
    const keys = { destination: pubkeys[0], destinationKeys: { required, pubkeys } }
    const intent = { ...given.intent, ...keys }
    const { findings } = checkTokeld({ ...given, intent } as typeof given, given.hex)
    const warned = findings.filter(({ severity }) => severity === 'warn')
    expect(warned.map(({ code }) => code)).toEqual(codes)
  })

  test('are spent by a scriptSig that nodes refuse, which is reported', () => {
    const tx = decodeTransaction(given.hex)
    const withPush = (bytes: number) => {
      const length = bytes
        .toString(16)
        .padStart(4, '0')
        .replace(/(..)(..)/, '$2$1')
      const scriptSig = `4d${length}${'00'.repeat(bytes)}`
      const [first, ...inputs] = tx.inputs
      return encodeTransaction({ ...tx, inputs: [{ ...first!, scriptSig }, ...inputs] })
    }
    const expected = 'pushes of at most 520 bytes'
    const actual = 521
    const path = 'inputs[0].scriptSig'
    const report = checkTokeld(given, withPush(521))
    expect(nonstandard(report)).toMatchObject([{ path, expected, actual }])
    expect(nonstandard(checkTokeld(given, withPush(520)))).toEqual([])
  })
})

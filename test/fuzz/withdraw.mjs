/**
 * The verifier of what the framework answers to `withdraw`, on anything: answer, intent and
 * evidence. It never throws for data, gives the same report twice, and agrees to nothing but
 * transactions that a daemon made and answers that say of them what they do.
 *
 * @typedef {{ response: any, intent: any, evidence: any }} Withdrawal
 */

import assert from 'node:assert/strict'

import { isArgumentError, target as paymentTarget } from './payment.mjs'
import { mutateHex } from './random.mjs'

/** @param {typeof import('../../dist/index.js')} library @returns {import('./loop.mjs').Target<Withdrawal>} */
export function target(library) {
  const { addressOfScript, decodeTransaction, networks, transactionId, verifyWithdraw } = library
  const payments = paymentTarget(library)
  const chain = new Map(
    payments.seeds.flatMap(({ evidence }) =>
      evidence.previousTransactions.map((/** @type {string} */ hex) => [transactionId(hex), hex]),
    ),
  )
  const nameOf = (/** @type {string} */ script) => addressOfScript(script, networks.assetChain)
  const seeds = payments.seeds.flatMap(({ hex, intent, evidence }) => {
    const [paid, ...others] = intent.recipients
    const to = others.length === 0 && nameOf(paid?.script ?? '')
    if (!to) return []
    const { recipients: _, ...asked } = intent
    const withdrawal = { ...asked, coin: 'TEST', to, amount: paid.amount }
    return [{ response: honest(hex, to, intent.own), intent: withdrawal, evidence }]
  })
  const sources = [...chain.values()]
  const real = new Set(seeds.map(({ response }) => response.tx_hex))
  const names = seeds.flatMap(({ response }) => [...response.to, ...response.from])
  let turn = 0
  return { seeds, mutate, execute }

  /** @param {string} hex @param {string} to @param {readonly string[]} own */
  function honest(hex, to, own) {
    const { total, received, fee, from } = factsOf(hex, own)
    return {
      tx_hex: hex,
      tx_hash: transactionId(hex),
      from,
      to: [to],
      total_amount: coins(total),
      spent_by_me: coins(total),
      received_by_me: coins(received),
      my_balance_change: coins(received - total),
      block_height: 0,
      fee_details: { type: 'Utxo', coin: 'TEST', amount: coins(fee) },
      coin: 'TEST',
      transaction_type: 'StandardTransfer',
      memo: null,
    }
  }

  /** Returns a withdraw answer that is true of a recorded transaction. @param {string} hex @param {readonly string[]} own */
  function factsOf(hex, own) {
    const { inputs, outputs } = decodeTransaction(hex)
    const spent = inputs.map(
      ({ txid, vout }) => decodeTransaction(chain.get(txid) ?? '').outputs[vout],
    )
    const sum = (/** @type {any[]} */ all) => all.reduce((total, { value }) => total + value, 0n)
    const isOwn = (/** @type {any} */ { script }) =>
      own.some((name) => script.includes(name) || nameOf(script) === name)
    const total = sum(spent)
    const from = [...new Set(spent.flatMap((it) => nameOf(it?.script ?? '') ?? []))]
    const paid = outputs.flatMap(({ script }) => nameOf(script) ?? [])
    return { total, received: sum(outputs.filter(isOwn)), fee: total - sum(outputs), from, paid }
  }

  /** @param {Withdrawal} seed @param {import('./random.mjs').Random} random @returns {Withdrawal} */
  function mutate(seed, random) {
    const parts = random.below(8) || 7
    const { tx_hex: hex } = seed.response
    const payment = { hex, intent: { ...seed.intent, recipients: [] }, evidence: seed.evidence }
    const other = payments.mutateParts(payment, random)
    return {
      response: parts & 1 ? mutateResponse(seed.response, random) : seed.response,
      intent: parts & 2 ? mutateIntent(seed.intent, random) : seed.intent,
      evidence: parts & 4 ? other.evidence : seed.evidence,
    }
  }

  /** @param {any} response @param {import('./random.mjs').Random} random */
  function mutateResponse(response, random) {
    const text = 'x'.repeat(random.below(500))
    const anything = [
      null,
      undefined,
      1,
      1n,
      {},
      [],
      [[]],
      text,
      true,
      { [text]: text },
      Symbol('x'),
    ]
    if (random.chance(50)) return random.one(anything)
    const other = random.one(seeds).response
    const member = random.one(Object.keys(response))
    const value = response[member]
    const changed = () => {
      switch (random.below(5)) {
        case 0:
          return random.one(anything)
        case 1:
          return other[member]
        case 2:
          return member === 'tx_hex' ? mutateHex(value, sources, random) : `${value}0`
        case 3:
          return Array.isArray(value)
            ? [...value, random.one([...names, ...anything])].slice(random.below(2))
            : { value, type: value }
        default:
          return typeof value === 'object' && value !== null
            ? { ...value, [random.one(['type', 'coin', 'amount', 'x'])]: random.one(anything) }
            : random.one(['0', '-0.00000001', '1e3', '92233720368.54775808', '', 'TEST'])
      }
    }
    return { ...response, [member]: changed() }
  }

  /** @param {any} intent @param {import('./random.mjs').Random} random */
  function mutateIntent(intent, random) {
    if (random.chance(2)) {
      const evidence = { previousTransactions: [] }
      const payment = { hex: '', intent: { ...intent, recipients: [] }, evidence }
      const { recipients: _, ...other } = payments.mutateParts(payment, random).intent
      return other
    }
    const values = {
      coin: () => random.one(['TEST', 'KMD', '', 7]),
      to: () => random.one([...names, 'x', '', null]),
      amount: () => random.one([-1n, 0n, 1n, 1n << 63n, 'max', 7]),
      own: () => random.one([[], [random.one(names)], () => true, 'x']),
    }
    const member = /** @type {keyof typeof values} */ (random.one(Object.keys(values)))
    return { ...intent, [member]: values[member]() }
  }

  /** @param {Withdrawal} input */
  function execute({ response, intent, evidence }) {
    const { coin, to, amount, own, network = networks.assetChain } = intent
    const isWrong =
      [coin, to].some((it) => typeof it !== 'string') ||
      typeof own === 'function' ||
      // komodo src/komodo_interest.cpp: coins of KMD earn a reward, which these networks do not have
      (coin === 'KMD' && network?.rewards === 'none')
    const asked = { ...intent, recipients: [{ address: to, amount }] }
    if (isWrong || isArgumentError(asked)) {
      assert.throws(() => verifyWithdraw(response, intent, evidence), TypeError)
      return
    }
    const report = verifyWithdraw(response, intent, evidence)
    const isRejected = report.findings.some(({ severity }) => severity === 'reject')
    assert.equal(report.ok, !isRejected)
    assert.equal(library.isVerifiedTransaction(report.verified), report.ok)
    for (const { actual } of report.findings) assert.ok(String(actual).length < 25_000)
    if (report.ok) check(report.hex, response, intent)
    turn += 1
    if (turn % 16 === 0) assert.deepEqual(verifyWithdraw(response, intent, evidence), report)
  }

  /** @param {string} hex @param {any} response @param {any} intent */
  function check(hex, response, { own, coin, to }) {
    assert.ok(real.has(hex), 'agrees to what no daemon made')
    const { total, received, fee, from, paid } = factsOf(hex, own)
    assert.equal(response.tx_hash.toLowerCase(), transactionId(hex))
    assert.deepEqual(new Set(response.from), new Set(from))
    assert.ok(
      response.to.includes(to) && response.to.every((/** @type {any} */ it) => paid.includes(it)),
    )
    assert.ok(response.coin === undefined || response.coin === coin)
    const numbers = [
      [response.total_amount, total],
      [response.spent_by_me, total],
      [response.received_by_me, received],
      [response.my_balance_change, received - total],
      [response.fee_details.amount, fee],
    ]
    for (const [claimed, value] of numbers) {
      assert.equal(satsOf(`${claimed?.value ?? claimed}`), value)
    }
  }
}

/** @param {string} text */
function satsOf(text) {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  assert.match(fraction, /^\d{0,8}0*$/)
  const sats = BigInt(whole) * 100_000_000n + BigInt(fraction.slice(0, 8).padEnd(8, '0'))
  return text.startsWith('-') ? -sats : sats
}

/** @param {bigint} sats as the framework writes them here: all eight digits */
function coins(sats) {
  const digits = `${sats < 0n ? -sats : sats}`.padStart(9, '0')
  return `${sats < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/**
 * The verifier of payments on anything: hex, intent and evidence. It never throws for data, gives
 * the same report twice, and agrees to nothing but transactions that a daemon made. It finds hostile
 * change in what is rightly signed, and evidence that contradicts itself.
 *
 * @typedef {{ hex: string, intent: any, evidence: any, expects?: string[], family?: string }} Payment
 *   `expects`: codes of which a report has at least one; empty for an honest change
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { contradictions } from './contradictions.mjs'
import { hostileChange } from './hostile-change.mjs'
import { mutateCase, mutatePrevious } from './random.mjs'
import { requireFinding, resigner } from './resigned.mjs'

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../vectors/komodod/${name}.json`, import.meta.url), 'utf8'))

/**
 * @param {typeof import('../../dist/index.js')} library
 * @returns {import('./loop.mjs').Target<Payment> & { mutateParts: (seed: Payment, random: import('./random.mjs').Random) => Payment }}
 */
export function target(library) {
  const { decodeScript, decodeTransaction, networks, verifyPayment } = library
  const { A, B } = read('keys')
  const resign = resigner(library)
  const withHostileChange = hostileChange(library, resign)
  const withContradiction = contradictions(library, resign)
  const chain = new Map(
    read('90-chain-dump').transactions.map((/** @type {any} */ { txid, hex }) => [txid, hex]),
  )
  const shared = 'bFFxjhquJ1Gzj4Pof4SdbMVXEJhrkENBvn'
  const isPlain = (/** @type {string} */ script) =>
    !['cryptocondition', 'nulldata'].includes(decodeScript(script).type)
  const seeds = [...chain.values()].flatMap((hex) => {
    const { inputs, outputs, lockTime, expiryHeight } = decodeTransaction(hex)
    if (!chain.has(inputs[0]?.txid) || !outputs.every(({ script }) => isPlain(script))) return []
    const isShared = inputs.some(({ scriptSig }) => scriptSig.startsWith('00'))
    const paid = outputs.filter(({ script }) => !script.includes(A.pubkey))
    const intent = {
      recipients: paid.map(({ script, value }) => ({ script, amount: value })),
      own: [isShared ? shared : A.pubkey],
      maxFee: 100_000n,
    }
    const evidence = {
      previousTransactions: [...new Set(inputs.map(({ txid }) => chain.get(txid)))],
      tipHeight: Math.max(0, expiryHeight - 201),
      tipTime: lockTime,
    }
    return [{ hex, intent, evidence }]
  })
  const sources = [...chain.values()]
  const real = new Set(sources)
  const names = [
    ...[A.pubkey, A.address, shared, A.wif, 'x', '', '51', `21${A.pubkey}ac`],
    ...[`5321${A.pubkey}21${B.pubkey}52ae`, `5121${A.pubkey}53ae`, `20${A.pubkey.slice(2)}ac`],
  ]
  // behind a lock, a hash, keys of others, too many signatures, a key off the curve, nothing
  const redeemScripts = [
    '51',
    '6a',
    '00',
    '5121ff51ae',
    `04ffffff7fb17521${A.pubkey}ac`,
    `a914${'11'.repeat(20)}8821${A.pubkey}ac`,
    `5221${A.pubkey}21${B.pubkey}52ae`,
    `5321${A.pubkey}21${A.pubkey}52ae`,
    `5121${A.pubkey}2102${'00'.repeat(31)}0552ae`,
    `20${A.pubkey.slice(2)}ac`,
    sources[0].slice(0, 2000),
  ]
  let turn = 0
  return { seeds, mutate, mutateParts, execute }

  /** @param {Payment} seed @param {import('./random.mjs').Random} random @returns {Payment} */
  function mutate(seed, random) {
    const made = random.chance(4)
      ? withHostileChange(seed, random)
      : random.chance(8)
        ? withContradiction(seed, networks.assetChain, random)
        : undefined
    return made ?? mutateParts(seed, random)
  }

  /** @param {Payment} seed @param {import('./random.mjs').Random} random @returns {Payment} */
  function mutateParts(seed, random) {
    return mutateCase(seed, { sources, intent: mutateIntent, evidence: mutateEvidence }, random)
  }

  /** @param {any} intent @param {import('./random.mjs').Random} random */
  function mutateIntent(intent, random) {
    const anything = [null, 1, {}, [], 'x', 1n, true, Symbol('x')]
    const amount = () => random.one([-1n, 0n, 1n, 5000n, (1n << 63n) - 1n, 1n << 64n, 'max'])
    const values = {
      recipients: () =>
        Array.from({ length: random.below(4) }, () =>
          random.one([
            { address: random.one(names), amount: amount() },
            {
              script: random.one([...names, '6a', `76a914${'11'.repeat(20)}88ac`]),
              amount: amount(),
            },
            { amount: amount() },
            ...intent.recipients,
          ]),
        ),
      own: () => Array.from({ length: random.below(4) }, () => random.one(names)),
      redeemScripts: () =>
        Array.from({ length: 1 + random.below(3) }, () => random.one(redeemScripts)),
      nulldata: () => random.one(['', '00', 'zz', '00'.repeat(10_001)]),
      fee: () => random.one([-1n, 0n, 5000n, 1n << 64n]),
      maxFee: () => random.one([-1n, 0n, 5000n, 1n << 64n]),
      feeRate: () => random.one([-1n, 0n, 1000n, 1n << 64n]),
      maxChangeOutputs: () => random.one([0, 1, 2, 0xffffffff]),
      lockTime: () => random.one([0, 1, 0xffffffff]),
      expiryHeight: () => random.one([0, 1, 240, 0xffffffff]),
      network: () => random.one(Object.values(networks)),
    }
    const member = /** @type {keyof typeof values} */ (random.one(Object.keys(values)))
    return { ...intent, [member]: random.chance(30) ? random.one(anything) : values[member]() }
  }

  /** @param {any} evidence @param {import('./random.mjs').Random} random */
  function mutateEvidence(evidence, random) {
    const txid = random.one([...chain.keys()])
    switch (random.below(6)) {
      case 0: {
        // often of what is spent and is not given, and more than one of it
        const at = random.below(evidence.previousTransactions.length + 1)
        const hex = evidence.previousTransactions[at]
        const amounts = Array.from({ length: 1 + random.below(4) }, () => ({
          txid: hex === undefined || !real.has(hex) ? txid : decodeTransaction(hex).txid,
          vout: random.below(3),
          value: random.one([0n, 1n, -1n, 1n << 64n]),
        }))
        const rest = evidence.previousTransactions.toSpliced(at, random.below(2))
        return { ...evidence, amounts, previousTransactions: rest }
      }
      case 1:
        return { ...evidence, heights: { [txid]: random.one([0, 1, 3_600_000]) } }
      case 2:
        return { ...evidence, tipTime: random.one([0, 0xffffffff]), tipHeight: random.below(500) }
      default: {
        const known = mutatePrevious(evidence.previousTransactions, sources, random)
        return { ...evidence, previousTransactions: known }
      }
    }
  }

  /** @param {Payment} input */
  function execute({ hex, intent, evidence, expects, family = '' }) {
    if (isArgumentError(intent)) {
      assert.throws(() => verifyPayment(hex, intent, evidence), TypeError)
      return
    }
    const report = verifyPayment(hex, intent, evidence)
    const isRejected = report.findings.some(({ severity }) => severity === 'reject')
    assert.equal(report.ok, !isRejected)
    assert.equal(library.isVerifiedTransaction(report.verified), report.ok)
    const isHonest = expects?.length === 0
    if (report.ok) assert.ok(isHonest || real.has(report.hex), 'agrees to what no daemon made')
    if (expects !== undefined) requireFinding(report, expects, family)
    const changes = report.effects.filter((/** @type {any} */ { role }) => role === 'native-change')
    const most = intent.maxChangeOutputs ?? 1
    assert.ok(!report.ok || changes.length <= most, 'agrees to change in too many outputs')
    if (report.fee !== undefined) {
      assert.ok(report.spends?.every(({ known }) => known !== 'missing' && known !== 'asserted'))
    }
    turn += 1
    if (turn % 16 === 0) assert.deepEqual(verifyPayment(hex, intent, evidence), report)
  }
}

/** @param {any} intent whether a member has the wrong type, for which there is a TypeError */
export function isArgumentError(intent) {
  const isA = (/** @type {string} */ type) => (/** @type {unknown} */ it) => typeof it === type
  const isHeight = (/** @type {any} */ it) => typeof it === 'number' && it >>> 0 === it
  const isHex = (/** @type {any} */ it) => typeof it === 'string' && /^(?:[0-9a-f]{2})+$/i.test(it)
  const listOf = (/** @type {(it: any) => boolean} */ is) => (/** @type {unknown} */ it) =>
    Array.isArray(it) && it.every(is)
  const isPayee = (/** @type {any} */ it) =>
    typeof it === 'object' &&
    it !== null &&
    !Array.isArray(it) &&
    (it.amount === 'max' || typeof it.amount === 'bigint') &&
    [it.address, it.script].every((name) => name === undefined || typeof name === 'string')
  /** @type {{ [member: string]: (it: any) => boolean }} */
  const rules = {
    recipients: listOf(isPayee),
    own: (it) => typeof it === 'function' || listOf(isA('string'))(it),
    redeemScripts: listOf(isHex),
    nulldata: isA('string'),
    fee: isA('bigint'),
    maxFee: isA('bigint'),
    feeRate: isA('bigint'),
    maxChangeOutputs: isHeight,
    lockTime: isHeight,
    expiryHeight: isHeight,
    network: (it) => typeof it?.conditions === 'string',
  }
  return Object.entries(rules).some(
    ([member, is]) => intent[member] !== undefined && !is(intent[member]),
  )
}

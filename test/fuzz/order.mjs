/**
 * The verifier of orders on anything: hex, intent and evidence. It never throws for data, gives the
 * same report twice, and agrees to nothing but transactions that a daemon made. It finds where
 * evidence contradicts itself.
 *
 * @typedef {{ hex: string, intent: any, evidence: any, expects?: string[], family?: string }} Order
 *   `expects`: codes of which a report has at least one
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { contradictions } from './contradictions.mjs'
import { hasUnknownMember, mutateCase, mutatePrevious } from './random.mjs'
import { requireFinding, resigner } from './resigned.mjs'

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'))
const kinds = ['ask', 'bid', 'fillAsk', 'fillBid', 'cancelAsk', 'cancelBid']

/** @param {typeof import('../../dist/index.js')} library @returns {import('./loop.mjs').Target<Order>} */
export function target(library) {
  const { decodeTokenTransaction, decodeTransaction, networks, verifyTokenOrder } = library
  const { A, B } = read('komodod/keys')
  const withContradiction = contradictions(library, resigner(library))
  /** @type {Map<string, string>} */
  const chain = new Map(
    ['komodod', 'tokeld'].flatMap((daemon) =>
      read(`${daemon}/90-chain-dump`).transactions.map((/** @type {any} */ { txid, hex }) => [
        txid,
        hex,
      ]),
    ),
  )
  const seeds = [...chain.values()].flatMap((hex) => seedsOf(hex) ?? [])
  const sources = [...chain.values()]
  const real = new Set(sources)
  const names = [A.pubkey, B.pubkey, A.address, A.wif, 'x', '', ...[...chain.keys()].slice(-20)]
  let turn = 0
  return { seeds, mutate, execute }

  /** @param {string} hex */
  function seedsOf(hex) {
    const tx = decodeTransaction(hex)
    // with an order of the assets module in what it says
    if (!/12(?:2c|02)e3|(?:31|03)f6/.test(tx.outputs.at(-1)?.script ?? '')) return undefined
    const read = decodeTokenTransaction(hex)
    const order = read?.payload.extras.find(({ kind }) => kind === 'assets')?.order
    if (read === undefined || order === undefined) return undefined
    const { action: kind } = order
    const [first, second, third] = tx.outputs
    const price = 'price' in order ? order.price : 0n
    const isTokel = order.form === 'tokel'
    const spent = tx.inputs[isTokel && kind.startsWith('cancel') ? 0 : 1]?.txid
    // The maker of an offer is named; the buyer pays with an own coin.
    const own = tx.outputs.at(-2)?.script.includes(A.pubkey) ? A.pubkey : B.pubkey
    const value = first?.value ?? 0n
    // tokeld's price is that of a unit
    const [asked, wanted] = isTokel ? [value * price, price && value / price] : [price, price]
    const offer = kind === 'ask' ? { units: value, price: asked } : { units: wanted, price: value }
    const units = kind === 'fillAsk' ? second?.value : third?.value
    const intent = {
      kind,
      tokenid: read.tokenid,
      from: own,
      ...(kind === 'ask' || kind === 'bid' ? offer : { order: spent }),
      ...(kind === 'fillAsk' && { units, priceMax: (1n << 63n) - 1n }),
      ...(kind === 'fillBid' && { units, priceMin: 57n }),
      ...(kind === 'bid' && { allowUnenforcedPrice: true }),
      ...(isTokel && { network: networks.tokel }),
    }
    const evidence = {
      previousTransactions: [...new Set(tx.inputs.map(({ txid }) => chain.get(txid)))],
      tokenCreate: chain.get(read.tokenid),
      tipHeight: tx.expiryHeight - 201,
    }
    return [{ hex, intent, evidence }]
  }

  /** @param {Order} seed @param {import('./random.mjs').Random} random @returns {Order} */
  function mutate(seed, random) {
    const network = seed.intent.network ?? networks.assetChain
    const made = random.chance(8) ? withContradiction(seed, network, random) : undefined
    if (made !== undefined) return made
    return mutateCase(seed, { sources, intent: mutateIntent, evidence: mutateEvidence }, random)
  }

  /** @param {any} intent @param {import('./random.mjs').Random} random */
  function mutateIntent(intent, random) {
    const anything = [null, 1, {}, [], 'x', 1n, true]
    const amount = () => random.one([-1n, 0n, 1n, 4n, 30n, 57n, (1n << 63n) - 1n, 1n << 64n])
    const values = {
      kind: () => random.one(kinds),
      tokenid: () => random.one(names),
      order: () => random.one(names),
      from: () => random.one(names),
      units: amount,
      price: amount,
      priceMax: amount,
      priceMin: amount,
      fee: () => random.one([-1n, 0n, 5000n, 1n << 64n]),
      maxFee: () => random.one([-1n, 0n, 5000n, 1n << 64n]),
      allowUnenforcedPrice: () => random.one([true, false]),
      expiryHeight: () => random.one([0, 1, 40_363, 2 ** 31, 2 ** 32 - 1, -1, 0.5]),
      network: () => random.one(Object.values(networks)),
    }
    const member = /** @type {keyof typeof values} */ (random.one(Object.keys(values)))
    // either a price or its bound
    const { priceMax: _, priceMin: __, ...unbounded } = intent
    const kept = member === 'price' && random.chance(2) ? unbounded : intent
    return { ...kept, [member]: random.chance(20) ? random.one(anything) : values[member]() }
  }

  /** @param {any} evidence @param {import('./random.mjs').Random} random */
  function mutateEvidence(evidence, random) {
    if (random.chance(4)) {
      return { ...evidence, tokenCreate: random.one(sources), tipHeight: random.below(500) }
    }
    const known = mutatePrevious(evidence.previousTransactions, sources, random)
    return { ...evidence, previousTransactions: known }
  }

  /** @param {Order} input */
  function execute({ hex, intent, evidence, expects, family = '' }) {
    if (isArgumentError(intent)) {
      assert.throws(() => verifyTokenOrder(hex, intent, evidence), TypeError)
      return
    }
    const report = verifyTokenOrder(hex, intent, evidence)
    const isRejected = report.findings.some(({ severity }) => severity === 'reject')
    assert.equal(report.ok, !isRejected)
    assert.equal(library.isVerifiedTransaction(report.verified), report.ok)
    if (report.ok) assert.ok(real.has(report.hex), 'agrees to what no daemon made')
    if (expects !== undefined) requireFinding(report, expects, family)
    turn += 1
    if (turn % 16 === 0) assert.deepEqual(verifyTokenOrder(hex, intent, evidence), report)
  }
}

/** @param {any} intent whether a member has the wrong type, for which there is a TypeError */
function isArgumentError(intent) {
  const { kind, network } = intent
  if (!kinds.includes(kind)) return true
  const isOffer = kind === 'ask' || kind === 'bid'
  const isFill = kind === 'fillAsk' || kind === 'fillBid'
  const texts = ['tokenid', 'from', ...(isOffer ? [] : ['order'])]
  const amounts = [...(isOffer ? ['units', 'price'] : []), ...(isFill ? ['units'] : [])]
  const prices = isFill ? ['price', kind === 'fillAsk' ? 'priceMax' : 'priceMin'] : []
  const free = ['fee', 'maxFee', ...prices]
  const own = isOffer ? ['expiryHeight', ...(kind === 'bid' ? ['allowUnenforcedPrice'] : [])] : []
  return (
    hasUnknownMember(intent, ['kind', ...texts, ...amounts, ...free, ...own]) ||
    (isFill && prices.filter((name) => intent[name] !== undefined).length !== 1) ||
    texts.some((name) => typeof intent[name] !== 'string') ||
    amounts.some((name) => typeof intent[name] !== 'bigint') ||
    !['boolean', 'undefined'].includes(typeof intent.allowUnenforcedPrice) ||
    free.some((name) => intent[name] !== undefined && typeof intent[name] !== 'bigint') ||
    (isOffer &&
      intent.expiryHeight !== undefined &&
      (typeof intent.expiryHeight !== 'number' ||
        intent.expiryHeight >>> 0 !== intent.expiryHeight)) ||
    (network !== undefined && (typeof network !== 'object' || network?.name === undefined))
  )
}

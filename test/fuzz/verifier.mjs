/**
 * The verifier on anything: hex, intent and evidence. It never throws for data, gives the same
 * report twice, and agrees to nothing but transactions that a daemon made. It finds where evidence
 * contradicts itself.
 *
 * @typedef {{ operation: 'transfer' | 'create', hex: string, intent: any, evidence: any, expects?: string[], family?: string }} Case
 *   `expects`: codes of which a report has at least one
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { contradictions } from './contradictions.mjs'
import { hostileInclusion, namedChain } from './inclusion.mjs'
import { hasUnknownMember, mutateHex } from './random.mjs'
import { requireFinding, resigner } from './resigned.mjs'

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))

// tokel src/cc/CCinclude.h, CC_BURNPUBKEY_FIXED: what tokenv2burn burns with
const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaa'
const networkNames = { komodod: 'assetChain', tokeld: 'tokel' }

/** @param {typeof import('../../dist/index.js')} library @returns {import('./loop.mjs').Target<Case>} */
export function target(library) {
  const { decodeTransaction, networks, verifyTokenCreate, verifyTokenTransfer } = library
  const keys = read('komodod/keys.json')
  const withContradiction = contradictions(library, resigner(library))
  const pubkeys = [
    keys.A.pubkey,
    keys.B.pubkey,
    keys.C.pubkey,
    keys.tokens_global_pubkey,
    keys.burn_pubkey,
  ]
  const seeds = [...casesOf('komodod'), ...casesOf('tokeld')]
  const sources = [
    ...new Set(seeds.flatMap(({ hex, evidence }) => [hex, ...evidence.previousTransactions])),
  ]
  const real = new Set(seeds.map(({ hex }) => hex))
  /** @type {Map<Case, boolean>} */
  const agreed = new Map()
  let turn = 0
  return { seeds, mutate, execute }

  /** @param {'komodod' | 'tokeld'} daemon @returns {Case[]} */
  function casesOf(daemon) {
    const chain = new Map(
      read(`${daemon}/90-chain-dump.json`).transactions.map(({ txid, hex }) => [txid, hex]),
    )
    return read(`${daemon}/daemon-made.json`).transactions.flatMap(({ method, params, hex }) => {
      if (
        !/^token(v2)?(create|createtokel|transfer|transfermany|transferMofN|burn)$/.test(method)
      ) {
        return []
      }
      const { inputs, outputs, expiryHeight } = decodeTransaction(hex)
      const [first, , third, fourth] = params.map(String)
      const isOthers = inputs.some(({ scriptSig }) => scriptSig.includes(keys.B.pubkey))
      const from = isOthers ? keys.B.pubkey : keys.A.pubkey
      const network = networkNames[daemon]
      const evidence = {
        previousTransactions: ancestorsOf(hex, chain, decodeTransaction),
        tipHeight: expiryHeight - 201,
      }
      const transfer = { ...transferOf(method, params), from, network }
      const create = {
        name: first,
        supply: outputs[1].value,
        description: third ?? '',
        owner: from,
        network,
        ...(fourth !== undefined &&
          (method.endsWith('tokel') ? { properties: JSON.parse(fourth) } : { data: fourth })),
      }
      return method.includes('create')
        ? [{ operation: 'create', hex, intent: create, evidence }]
        : [{ operation: 'transfer', hex, intent: transfer, evidence }]
    })
  }

  /** @param {string} method @param {any[]} params */
  function transferOf(method, params) {
    const [first, second, third] = params.map(String)
    if (method === 'tokenv2burn') {
      return { tokenid: first, destination: burnKey, amount: amountOf(second), burn: true }
    }
    if (method === 'tokenv2transfermany') {
      const transfer = { tokenid: first, destination: second, amount: amountOf(third) }
      return { ...transfer, tokenids: [first] }
    }
    if (method === 'tokenv2transferMofN') {
      const { tokenid, destpubkeys, M, amount, ccaddressMofN } = JSON.parse(params[0])
      const pair = { required: 2, pubkeys: [keys.A.pubkey, keys.B.pubkey] }
      return {
        tokenid,
        destination: destpubkeys[0],
        amount: BigInt(amount),
        destinationKeys: { required: M, pubkeys: destpubkeys },
        ...(ccaddressMofN && { fromKeys: pair }),
      }
    }
    return { tokenid: first, destination: second, amount: amountOf(third) }
  }

  /** @param {Case} seed @param {import('./random.mjs').Random} random @returns {Case} */
  function mutate(seed, random) {
    const network = networks[/** @type {keyof typeof networks} */ (seed.intent.network)]
    const isWanted = random.chance(4) && isAgreed(seed)
    return (isWanted && withContradiction(seed, network, random)) || mutateParts(seed, random)
  }

  /** A wrong intent is refused before evidence is looked at. @param {Case} seed */
  function isAgreed(seed) {
    const known = agreed.get(seed)
    if (known !== undefined) return known
    const { ok } = check(seed)
    agreed.set(seed, ok)
    return ok
  }

  /** @param {Case} input */
  function check({ operation, hex, intent: asked, evidence }) {
    const verify = operation === 'create' ? verifyTokenCreate : verifyTokenTransfer
    return verify(hex, intentOf(asked), evidence)
  }

  /** @param {any} asked which names its network */
  function intentOf(asked) {
    const network = networks[asked.network] ?? asked.network
    return network === undefined ? asked : { ...asked, network }
  }

  /** @param {Case} seed @param {import('./random.mjs').Random} random @returns {Case} */
  function mutateParts({ operation, hex, intent, evidence }, random) {
    const parts = random.below(8) || 7
    return {
      operation: random.chance(20) ? random.one(['transfer', 'create']) : operation,
      hex:
        parts & 1 ? mutateHex(random.chance(20) ? random.one(sources) : hex, sources, random) : hex,
      intent: parts & 2 ? mutateIntent(intent, random) : intent,
      evidence: parts & 4 ? mutateEvidence(evidence, random) : evidence,
    }
  }

  /** @param {any} intent @param {import('./random.mjs').Random} random */
  function mutateIntent(intent, random) {
    const member = random.one([
      ...Object.keys(intent),
      'fee',
      'maxFee',
      'burn',
      'data',
      'recipients',
      'destinationKeys',
      'fromKeys',
      'tokenids',
      'properties',
      'version',
      'ownKeys',
      'spendable',
      'onChain',
      'chain',
      'reportedBy',
      'expiryBlocksMax',
    ])
    return { ...intent, [member]: otherValue(member, intent[member], random) }
  }

  /** @param {string} member @param {any} value @param {import('./random.mjs').Random} random */
  function otherValue(member, value, random) {
    if (random.chance(40))
      return random.one([null, undefined, 1, {}, [], 'x', 1n, true, Symbol('x')])
    switch (member) {
      case 'network':
        return random.one(['komodo', 'assetChain', 'tokel'])
      case 'burn':
        return random.chance(2)
      case 'recipients':
        return Array.from({ length: random.below(4) }, () => ({
          pubkey: random.one(pubkeys),
          amount: random.one([0n, 1n, 100n, 1n << 63n]),
        }))
      case 'destinationKeys':
      case 'fromKeys':
        return {
          required: random.one([0, 1, 2, 3, 16, -1, 0.5]),
          pubkeys: Array.from({ length: random.below(18) }, () =>
            random.one([...pubkeys, 'x', '']),
          ),
        }
      case 'tokenids':
        return Array.from({ length: random.below(3) }, () =>
          random.one([keys.txids.fungible, '', '00'.repeat(32)]),
        )
      case 'properties':
        return {
          id: random.one([undefined, 0, 1, -1, 0.5, 2 ** 40]),
          url: random.one([undefined, '', 'x', '\ud800']),
          royalty: random.one([undefined, 0, 999, 1000]),
          arbitrary: random.one([undefined, '', 'aa', 'x']),
        }
      case 'version':
        return random.one([1, 2, 3])
      case 'ownKeys':
        return Array.from({ length: random.below(4) }, () =>
          random.one([...pubkeys, 'RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij', 'x', '']),
        )
      case 'spendable':
        return Array.from({ length: random.below(4) }, () => ({
          txid: random.one([keys.txids.fungible, keys.txids.nft_ok_f1, '', '00'.repeat(32)]),
          vout: random.one([0, 1, 2, 0xffffffff]),
        }))
      case 'onChain':
        return Array.from({ length: random.below(3) }, () =>
          random.one([keys.txids.fungible, keys.txids.nft_ok_f1, '', '00'.repeat(32)]),
        )
      case 'chain':
        return namedChain(random)
      case 'expiryBlocksMax':
        return random.one([0, 1, 200, 201, 0xffffffff, -1, 0.5])
      case 'amount':
      case 'supply':
      case 'fee':
      case 'maxFee':
        return random.one([
          value ?? 0n,
          -1n,
          0n,
          1n,
          10_000n,
          (1n << 63n) - 1n,
          1n << 64n,
          BigInt(random.below(1000)),
        ])
      default:
        return random.one([
          random.one(pubkeys),
          mutateHex(random.one(sources), sources, random).slice(0, random.below(100)),
          `${value}${String.fromCharCode(random.below(0x10000))}`,
          random.one(sources),
        ])
    }
  }

  /** @param {any} evidence @param {import('./random.mjs').Random} random */
  function mutateEvidence(evidence, random) {
    const { previousTransactions, ...rest } = evidence
    const known = [...previousTransactions]
    const at = random.below(known.length + 1)
    switch (random.below(7)) {
      case 0:
        known.splice(at, 1)
        break
      case 1:
        known.splice(at, 1, mutateHex(known[at] ?? '', sources, random))
        break
      case 2:
        known.splice(at, 0, random.one(sources))
        break
      case 3:
        return {
          ...rest,
          previousTransactions: known,
          tokenCreate: mutateHex(random.one(sources), sources, random),
        }
      case 4:
        return {
          previousTransactions: known,
          tipHeight: random.one([0, 1, 500_000_000, 0xffffffff, -1, 0.5]),
        }
      case 5: {
        const txids = known.map((hex) => library.transactionId(hex))
        return { ...evidence, inclusion: hostileInclusion(known, txids, random) }
      }
      default:
        return { previousTransactions: known.slice(at) }
    }
    return { ...rest, previousTransactions: known }
  }

  /** @param {Case} input */
  function execute(input) {
    const { operation, intent: asked, evidence, expects, family = '' } = input
    if (isArgumentError(operation, intentOf(asked), evidence)) {
      assert.throws(() => check(input), TypeError)
      return
    }
    const report = check(input)
    const isRejected = report.findings.some(({ severity }) => severity === 'reject')
    assert.equal(report.ok, !isRejected)
    assert.equal(library.isVerifiedTransaction(report.verified), report.ok)
    if (report.ok) assert.ok(real.has(report.hex), 'agrees to what no daemon made')
    if (expects !== undefined) requireFinding(report, expects, family)
    turn += 1
    if (turn % 16 === 0) assert.deepEqual(check(input), report)
  }
}

/** @type {{ [operation: string]: { [member: string]: string } }} */
const required = {
  transfer: { tokenid: 'string', destination: 'string', amount: 'bigint', from: 'string' },
  create: { name: 'string', supply: 'bigint', owner: 'string' },
}
/** @type {typeof required} */
const optional = {
  transfer: { fee: 'bigint', maxFee: 'bigint', network: 'object', burn: 'boolean' },
  create: {
    ...{ fee: 'bigint', maxFee: 'bigint', network: 'object' },
    ...{ description: 'string', data: 'string' },
  },
}

/**
 * Tells whether an argument has the wrong type, which is a TypeError; wrong values are findings.
 *
 * @param {Case['operation']} operation
 * @param {any} intent
 * @param {any} evidence
 */
function isArgumentError(operation, intent, { tipHeight = 0 }) {
  const isWrong = (/** @type {[string, string]} */ [member, type]) =>
    typeof intent[member] !== type || intent[member] === null
  const given = Object.entries(optional[operation]).filter(
    ([member]) => intent[member] !== undefined,
  )
  const {
    ownKeys = [],
    spendable = [],
    onChain = [],
    chain = { checkpoints: [] },
    reportedBy = '',
    expiryBlocksMax = 0,
  } = intent
  return (
    hasUnknownMember(intent, members[operation]) ||
    [...Object.entries(required[operation]), ...given].some(isWrong) ||
    (operation === 'transfer' &&
      intent.recipients !== undefined &&
      !Array.isArray(intent.recipients)) ||
    (operation === 'transfer' && isArgumentErrorOfSeveral(intent)) ||
    (operation === 'create' && isArgumentErrorOfTokel(intent)) ||
    (intent.network !== undefined && typeof intent.network.conditions !== 'string') ||
    ![ownKeys, spendable, onChain].every(Array.isArray) ||
    [...ownKeys, ...onChain].some((/** @type {unknown} */ item) => typeof item !== 'string') ||
    !Array.isArray(chain?.checkpoints) ||
    typeof reportedBy !== 'string' ||
    [tipHeight, expiryBlocksMax].some((it) => typeof it !== 'number' || it >>> 0 !== it)
  )
}

/** @type {{ [operation: string]: string[] }} */
const members = {
  transfer: ['recipients', 'destinationKeys', 'fromKeys', 'tokenids'],
  create: ['properties', 'version'],
}
for (const [operation, names] of Object.entries(members)) {
  names.push(...Object.keys(required[operation]), ...Object.keys(optional[operation]))
}

const isTexts = (/** @type {any} */ it) =>
  Array.isArray(it) && it.every((text) => typeof text === 'string')

/** @param {any} intent of a transfer */
function isArgumentErrorOfSeveral({ destinationKeys, fromKeys, tokenids }) {
  const isWrong = (/** @type {any} */ keys) =>
    keys !== undefined &&
    (typeof keys !== 'object' ||
      keys === null ||
      typeof keys.required !== 'number' ||
      keys.required >>> 0 !== keys.required ||
      !isTexts(keys.pubkeys))
  return (
    isWrong(destinationKeys) || isWrong(fromKeys) || (tokenids !== undefined && !isTexts(tokenids))
  )
}

/** @type {{ [name: string]: string }} */
const propertyTypes = { id: 'number', url: 'string', royalty: 'number', arbitrary: 'string' }

/** @param {any} intent of a creation */
function isArgumentErrorOfTokel({ properties, version }) {
  if (version !== undefined && version !== 1 && version !== 2) return true
  if (properties === undefined) return false
  if (typeof properties !== 'object' || properties === null) return true
  return Object.entries(properties).some(
    ([name, value]) =>
      !Object.hasOwn(propertyTypes, name) ||
      (value !== undefined && typeof value !== propertyTypes[name]),
  )
}

/**
 * @param {string} hex
 * @param {ReadonlyMap<string, string>} chain
 * @param {typeof import('../../dist/index.js').decodeTransaction} decodeTransaction
 * @returns {string[]}
 */
function ancestorsOf(hex, chain, decodeTransaction) {
  const found = new Map()
  const open = [hex]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { txid } of decodeTransaction(next).inputs) {
      const parent = chain.get(txid)
      if (parent === undefined || found.has(txid)) continue
      found.set(txid, parent)
      open.push(parent)
    }
  }
  return [...found.values()]
}

/** tokeld and komodod read a leading whole number. @param {string} text */
const amountOf = (text) => BigInt(/^\d+/.exec(text)?.[0] ?? 0)

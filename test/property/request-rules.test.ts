// Builders and verifiers apply the same rules to a transfer, a creation, each step of an order, a
// payment and a consolidation. One takes what the other has no finding about. Some rules are left
// out, because no intent has the member or no finding on an intent names it:
// - tipHeight and expiryHeight of the transaction, the change, and the choice of coins;
// - the end of an offer that is past by the tip, which the verifier compares with the evidence;
// - data that the chain lets be created and never moved: the verifier warns, the builder refuses;
// - a payee that nobody can spend from: the verifier warns, the builder refuses;
// - coins, tokens and orders that lack or differ from the request, and limits of a transaction.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { burnPublicKeys, moduleNames } from '../../src/chain/modules.ts'
import {
  addressOf,
  addressOfScript,
  buildConsolidation,
  buildPayment,
  buildTokenCreate,
  buildTokenTransfer,
  type ConsolidationRequest,
  encodeTransaction,
  type Finding,
  isAntaraError,
  networks,
  type Payee,
  type PaymentRequest,
  type TokenOrderIntent,
  type TokenTransferRequest,
  type TransferIntent,
  transactionId,
  verifyPayment,
  verifyTokenCreate,
  verifyTokenOrder,
  verifyTokenTransfer,
} from '../../src/index.ts'
import { createRequestForms } from '../../src/request/create.ts'
import { readRequest } from '../../src/request/members.ts'
import { transferRequestForms } from '../../src/request/transfer.ts'
import { made, orderBuilders } from '../support/built-orders.ts'
import { textOf } from '../support/files.ts'
import { chainHexes, circumstancesOf, intentOf } from '../support/orders.ts'
import { least, share } from '../support/share.ts'

const own = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'

/** Mostly a value that is right, sometimes one that is wrong or at a limit. */
function mostly<Value>(right: fc.Arbitrary<Value>, ...hostile: readonly Value[]) {
  return fc.oneof(
    { weight: 12, arbitrary: right },
    { weight: 1, arbitrary: fc.constantFrom(...hostile) },
  )
}

const key = (right: string) =>
  mostly(
    fc.constantFrom(right, right.toUpperCase()),
    ...Object.values(burnPublicKeys),
    ...moduleNames.keys(),
    `02${'00'.repeat(32)}`,
    `04${right.slice(2)}`,
    '',
  )
const id = (right: string) =>
  mostly(fc.constantFrom(right, right.toUpperCase()), '', 'zz', 'a'.repeat(63), 'ab'.repeat(33))
const tokenidOf = (right: string) => mostly(id(right), '00'.repeat(32))
const limits = [-1n, 0n, 2n ** 63n - 1n, 2n ** 63n]
const unitsUpTo = (most: bigint) => mostly(fc.bigInt(1n, most), ...limits)
const price = mostly(
  fc.oneof(fc.bigInt(57n, 2000n), fc.constantFrom(300_000n, 400_000n, 1_000_000n)),
  1n,
  56n,
  ...limits,
)
const maybe = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const plain = { ...networks.assetChain, name: 'PLAIN', conditions: 'none' as const }
const terms = {
  network: mostly(fc.constantFrom(undefined, networks.assetChain, networks.tokel), plain),
  fee: maybe(mostly(fc.bigInt(0n, 20_000n), -1n, 20_001n, 2n ** 63n)),
  maxFee: maybe(mostly(fc.bigInt(9_000n, 30_000n), -1n, 0n, 2n ** 63n)),
}

/** Errors about the transaction, its coins or its order, which no intent has. */
const ofTransaction = new Set([
  'fee_below_relay',
  'foreign_coin',
  'insufficient_coins',
  'insufficient_tokens',
  'nulldata_too_large',
  'order_fill',
  'order_malformed',
  'order_not_own',
  'order_price',
  'previous_transaction_missing',
  'token_disproven',
  'transaction_too_large',
  'untransferable_data',
])

/** Returns the refusal of a builder, unless it is about the transaction. */
function refusalOf(build: () => unknown, rate?: bigint): string | undefined {
  try {
    build()
    return undefined
  } catch (error) {
    if (!isAntaraError(error)) return String(error)
    const { code, context } = error
    if (ofTransaction.has(code)) return undefined
    if (code === 'token_create_missing' && context.path === 'tokenCreate') return undefined
    // A rate is over its bound only for a transaction of some size, whose fee is not 0.
    if (code === 'fee_over_limit' && rate !== undefined && context.actual !== 0n) return undefined
    return error.message
  }
}

function findingsOf(verify: () => { readonly findings: readonly Finding[] }): readonly string[] {
  try {
    const { findings } = verify()
    return findings.filter(({ path }) => path.startsWith('intent.')).map(({ code }) => code)
  } catch (error) {
    return [String(error)]
  }
}

/** Without the members that are absent, as callers leave them out. */
function present(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const evidence = { previousTransactions: [] }

/**
 * Compares both for many requests, of which some must be taken and some refused.
 *
 * @param quickMin - so many requests include some of each
 */
function compare<Given extends object>(
  given: fc.Arbitrary<Given>,
  of: (given: Given) => {
    build: () => unknown
    verify: () => { findings: readonly Finding[] }
    rate?: bigint | undefined
  },
  quickMin = 100,
) {
  let taken = 0
  let refused = 0
  fc.assert(
    fc.property(given, (one) => {
      const { build, verify, rate } = of(one)
      const refusal = refusalOf(build, rate)
      const findings = findingsOf(verify)
      if (refusal === undefined) taken += 1
      else refused += 1
      expect({ refusal, findings }).toEqual(
        refusal === undefined
          ? { refusal, findings: [] }
          : { refusal, findings: expect.arrayContaining([expect.any(String)]) },
      )
    }),
    { numRuns: share(2000, quickMin) },
  )
  expect(taken).toBeGreaterThan(least(100))
  expect(refused).toBeGreaterThan(least(100))
}

describe('a builder takes it if and only if the verifier has no finding on its intent:', () => {
  const creation = readRequest(
    JSON.parse(textOf('examples/create-request.json')),
    createRequestForms,
  )
  const half = '\ud800'
  const text = (most: number) =>
    mostly(
      fc.string({ minLength: 1, maxLength: 20 }),
      '',
      half,
      'a'.repeat(most),
      'a'.repeat(most + 1),
      'é'.repeat(most / 2 + 1),
    )
  const data = mostly(
    fc.constantFrom(undefined, undefined, 'f301', 'F1'),
    '',
    'f3f',
    'zz',
    'f3'.repeat(10_001),
    'f3'.repeat(10_002),
  )
  const properties = maybe(
    mostly<object>(
      fc.constantFrom({}, { id: 1, url: 'https://a.b/c', royalty: 999, arbitrary: '00ff' }),
      { royalty: 1000 },
      { royalty: -1 },
      { id: 1.5 },
      { url: half },
      { arbitrary: 'zz' },
      { arbitrary: '00'.repeat(10_001) },
    ),
  )
  const created = fc.record({
    ...terms,
    name: text(32),
    description: text(4096),
    supply: fc.oneof(fc.constant(1n), unitsUpTo(5000n)),
    owner: key(own),
    data,
    properties,
    version: maybe(fc.constantFrom(1 as const, 2 as const)),
  })

  const transfer = readRequest(
    JSON.parse(textOf('examples/transfer-request.json')),
    transferRequestForms,
  )
  const other = made('bid').from
  const addressed = mostly(
    fc.constantFrom(other, own, addressOf(other, networks.tokel)),
    `${addressOf(other, networks.tokel)}x`,
    addressOf([...moduleNames.keys()][0]!, networks.tokel),
    addressOf(burnPublicKeys.tokel, networks.tokel),
    ...Object.values(burnPublicKeys),
    ...moduleNames.keys(),
    '',
  )
  const keySet = mostly<{ required: number; pubkeys: readonly string[] }>(
    fc.constantFrom(
      { required: 2, pubkeys: [own, other] },
      { required: 1, pubkeys: [other.toUpperCase(), own] },
    ),
    { required: 0, pubkeys: [own] },
    { required: 3, pubkeys: [own, other] },
    { required: 1, pubkeys: [] },
    { required: 2, pubkeys: [own, own] },
    { required: 1, pubkeys: Array.from({ length: 16 }, (_, at) => `02${at}`.padEnd(66, '0')) },
    { required: 1, pubkeys: [burnPublicKeys.tokel, own] },
  )
  const paid = fc.record({ pubkey: addressed, amount: unitsUpTo(50n) })
  const moved = fc.record({
    ...terms,
    tokenid: fc.constantFrom(transfer.tokenid, transfer.tokenid.toUpperCase(), '', '00'.repeat(32)),
    from: key(own),
    burn: fc.constantFrom(undefined, undefined, false, true),
    fromKeys: maybe(keySet),
    destinationKeys: maybe(keySet),
    recipients: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(paid) },
      { weight: 1, arbitrary: fc.array(paid, { minLength: 1, maxLength: 4 }) },
    ),
    tokenids: maybe(
      fc.constantFrom(
        [transfer.tokenid],
        [transfer.tokenid, 'ab'.repeat(32)],
        [transfer.tokenid.toUpperCase(), 'AB'.repeat(32)],
        ['ab'.repeat(32)],
        [transfer.tokenid, transfer.tokenid],
        [transfer.tokenid, '00'.repeat(32)],
        [],
      ),
    ),
  })

  test('a transfer', () => {
    compare(moved, ({ recipients, destinationKeys, ...rest }) => {
      const [first] = recipients as [(typeof recipients)[0], ...typeof recipients]
      // Keys that get tokens together get all of them.
      const ofKeys = destinationKeys !== undefined
      const request = {
        ...transfer,
        ...present(rest),
        recipients: ofKeys ? [{ keys: destinationKeys, amount: first.amount }] : recipients,
      }
      const intent = {
        ...rest,
        destination: ofKeys ? (destinationKeys.pubkeys[0] ?? '') : first.pubkey,
        destinationKeys,
        amount: first.amount,
        recipients: ofKeys || recipients.length === 1 ? undefined : recipients,
      }
      return {
        build: () => buildTokenTransfer(request as TokenTransferRequest),
        verify: () => verifyTokenTransfer('', present(intent) as TransferIntent, evidence),
      }
    })
  })

  test('a creation', () => {
    compare(created, (given) => {
      const intent = present(given) as never
      return {
        build: () => buildTokenCreate({ ...creation, ...(intent as object) }),
        verify: () => verifyTokenCreate('', intent, evidence),
      }
    })
  })

  const requestOf = (kind: TokenOrderIntent['kind']) => {
    const recorded = kind === 'cancelBid' ? made('cancelAsk') : made(kind)
    const { previousTransactions: _, ...circumstances } = circumstancesOf(recorded)
    return {
      ...intentOf(recorded),
      ...circumstances,
      kind,
      previousTransactions: chainHexes,
    } as unknown as Record<string, never>
  }
  const offer = {
    units: unitsUpTo(1000n),
    price,
    allowUnenforcedPrice: fc.constantFrom(undefined, true, false),
    end: maybe(mostly(fc.integer({ min: 50_000, max: 90_000 }), 2 ** 31 - 1, 2 ** 31)),
  }
  const fillOf = (bound: 'priceMax' | 'priceMin') =>
    fc.record({ units: unitsUpTo(10n), price: maybe(price), [bound]: maybe(price) })
  const { allowUnenforcedPrice: _, ...ask } = offer
  const ownMembers: Record<TokenOrderIntent['kind'], fc.Arbitrary<object>> = {
    ask: fc.record(ask),
    bid: fc.record(offer),
    fillAsk: fillOf('priceMax'),
    fillBid: fillOf('priceMin'),
    cancelAsk: fc.constant({}),
    cancelBid: fc.constant({}),
  }

  test.each(Object.keys(orderBuilders) as (keyof typeof orderBuilders)[])('%s', (kind) => {
    const recorded = requestOf(kind)
    const { tokenid, from, order } = recorded
    const common = fc.record({ ...terms, tokenid: tokenidOf(tokenid!), from: key(from!) })
    const named = order === undefined ? fc.constant({}) : fc.record({ order: id(order) })
    const stepOf = fc.tuple(common, named, ownMembers[kind])
    const given = stepOf.map((parts) => Object.assign({}, ...parts) as { end?: number })
    // A cancellation has few members, so two thirds of the requests are taken.
    const quickMin = kind.startsWith('cancel') ? 30 : 100
    compare(
      given,
      ({ end, ...members }) => {
        const build = orderBuilders[kind] as (request: object) => unknown
        const { units: _units, price: _price, ...rest } = recorded
        const intent = { kind, ...members, expiryHeight: end }
        return {
          build: () => build(present({ ...rest, ...members, orderExpiryHeight: end })),
          verify: () => verifyTokenOrder('', present(intent) as never, evidence),
        }
      },
      quickMin,
    )
  })

  const coin = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '44'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: [{ value: 1_000_000_000_000n, script: `21${own}ac` }],
    lockTime: 0,
    expiryHeight: 0,
  })
  const given = {
    coins: [{ txid: transactionId(coin), vout: 0 }],
    previousTransactions: [coin],
    tipHeight: 100,
  }
  const ownAddress = addressOf(own, networks.assetChain)
  const ownName = mostly(
    fc.constantFrom(own, own.toUpperCase(), ownAddress, `21${own}ac`),
    ...moduleNames.keys(),
    `21${[...moduleNames.keys()][0]}ac`,
    `02${'00'.repeat(32)}`,
    `5321${own}21${other}52ae`,
    `${ownAddress}x`,
    '51',
    '',
  )
  const redeemScript = mostly(
    fc.constantFrom(`5121${own}51ae`, `5221${own}21${other}52ae`.toUpperCase()),
    `5121${[...moduleNames.keys()][0]}51ae`,
    '51f',
    'zz',
    '',
  )
  const spent = {
    network: fc.constantFrom(undefined, networks.assetChain, networks.komodo, plain),
    fee: maybe(mostly(fc.bigInt(0n, 20_000n), ...limits)),
    maxFee: maybe(mostly(fc.bigInt(9_000n, 30_000n), -1n, 0n, 2n ** 64n)),
    feeRate: maybe(mostly(fc.bigInt(1000n, 20_000n), 10n ** 9n, 10n ** 9n + 1n, ...limits)),
    own: fc.array(ownName, { minLength: 1, maxLength: 3 }),
    redeemScripts: maybe(fc.array(redeemScript, { maxLength: 2 })),
    first: maybe(ownName),
  }
  /** Returns the fee and its bound, also where the request leaves them to defaults. */
  const feesOf = (asked: { fee?: bigint; maxFee?: bigint; feeRate?: bigint }) => {
    const { feeRate, fee = 10_000n, maxFee = fee < 10_000n ? 2n * fee : 20_000n } = asked
    return feeRate === undefined ? { fee, maxFee } : asked
  }
  const ownOf = (first: string | undefined, names: readonly string[]) =>
    first === undefined ? names : [first, ...names]

  const payeeScript = `76a914${'11'.repeat(20)}88ac`
  const payeeAddress = addressOfScript(payeeScript, networks.assetChain)!
  const payee = fc.record({
    ...{ amount: mostly<bigint | 'max'>(fc.bigInt(1000n, 5000n), 'max', ...limits) },
    to: mostly<Omit<Payee, 'amount'>>(
      fc.constantFrom(
        { address: payeeAddress },
        { script: payeeScript },
        { script: payeeScript.toUpperCase() },
        { address: payeeAddress, script: payeeScript },
      ),
      { address: payeeAddress, script: `21${other}ac` },
      { address: `${payeeAddress}x` },
      { script: '51'.repeat(10_001) },
      { script: 'zz' },
      { script: '5' },
      { script: '' },
      {},
    ),
  })
  const payment = fc.record({
    ...spent,
    recipients: mostly(fc.array(payee, { minLength: 1, maxLength: 3 }), []),
    nulldata: maybe(mostly(fc.constantFrom('00', 'ABCD'), '', '0', 'zz')),
  })

  test('a payment', () => {
    compare(payment, ({ first, ...rest }) => {
      const recipients = rest.recipients.map(({ to, amount }) => ({ ...to, amount }))
      const asked = present({ ...rest, recipients }) as PaymentRequest
      const change = first === undefined ? {} : { change: first }
      const intent = { ...asked, ...feesOf(asked), own: ownOf(first, rest.own) }
      return {
        build: () => buildPayment({ ...asked, ...given, ...change }),
        verify: () => verifyPayment('', intent, evidence),
        rate: rest.feeRate,
      }
    })
  })

  test('a consolidation', () => {
    compare(fc.record(spent), ({ first, ...rest }) => {
      const asked = present(rest) as ConsolidationRequest
      const to = first === undefined ? {} : { to: first }
      const recipients = [{ script: `21${own}ac`, amount: 'max' as const }]
      const intent = { ...asked, ...feesOf(asked), recipients, own: ownOf(first, rest.own) }
      return {
        build: () => buildConsolidation({ ...asked, ...given, ...to }),
        verify: () => verifyPayment('', intent, evidence),
        rate: rest.feeRate,
      }
    })
  })
})

// Another value of a member changes the key of the payment and the daemon's call, or the member is
// listed here as one that does not. A member that is added to a table of requests has no other value
// here, so its test fails until somebody adds one.

import { describe, expect, test } from 'vitest'

import { networks } from '../../../src/index.ts'
import type { AskedFor } from '../../../src/request/case.ts'
import { orderOperations } from '../../../src/request/order.ts'
import { termForms } from '../../../src/request/terms.ts'
import { type WithdrawIntent, withdrawForms } from '../../../src/request/withdraw.ts'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import { withdrawKey } from '../../../src/rpc/safe-flow/payment-keys.ts'
import { undertakingOf } from '../../../src/rpc/safe-flow/undertaking.ts'
import { operations } from '../../../src/verification/operations/catalogue.ts'
import { a, b, c } from '../../support/resigned.ts'

const [one, other] = ['12'.repeat(32), '34'.repeat(32)]
const outpoint = { txid: one, vout: 0 }
const address = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'

type Members = Readonly<Record<string, unknown>>

/** Another value of each term. */
const terms: Members = {
  network: networks.assetChain,
  fee: 9000n,
  maxFee: 19_000n,
  ownKeys: [c],
  spendable: [outpoint],
  onChain: [other],
  chain: { checkpoints: [{ height: 1, hash: one }] },
  reportedBy: 'the wallet',
  expiryBlocksMax: 300,
}
const termNames = Object.keys(termForms).filter((name) => name !== 'network')

interface Row {
  readonly request: Members
  /** Another value of each member. */
  readonly others: Members
  /** Members that leave the payment the same one. */
  readonly samePayment: readonly string[]
  /** Members that do not change the call of the daemon that builds the transaction. */
  readonly unsent: readonly string[]
}

const network = networks.tokel
const ofOrder = { tokenid: one, order: other, from: a, network }
const offer = { tokenid: one, units: 10n, price: 10_000n, from: a, network }
const otherOffer = { tokenid: other, units: 5n, price: 20_000n, from: b, expiryHeight: 50_000 }
const otherOrder = { tokenid: other, order: one, from: b }
const steps: Readonly<Record<keyof typeof orderOperations, Pick<Row, 'request' | 'others'>>> = {
  ask: { request: offer, others: otherOffer },
  bid: { request: offer, others: { ...otherOffer, allowUnenforcedPrice: true } },
  fillAsk: {
    request: { ...ofOrder, units: 10n, price: 10_000n },
    others: { ...otherOrder, units: 5n, price: 20_000n, priceMax: 20_000n },
  },
  fillBid: {
    request: { ...ofOrder, units: 10n, price: 10_000n },
    others: { ...otherOrder, units: 5n, price: 20_000n, priceMin: 20_000n },
  },
  cancelAsk: { request: ofOrder, others: otherOrder },
  cancelBid: { request: ofOrder, others: otherOrder },
}
// The order decides the price of a fill; the request only bounds it.
const bounds = ['priceMax', 'priceMin']

const rows: Readonly<Record<string, Row>> = {
  tokentransfer: {
    request: { tokenid: one, destination: b, amount: 1n, from: a, network },
    others: {
      tokenid: other,
      destination: c,
      amount: 2n,
      recipients: [
        { pubkey: b, amount: 1n },
        { pubkey: c, amount: 1n },
      ],
      from: c,
      burn: true,
      destinationKeys: { required: 1, pubkeys: [b, c] },
      fromKeys: { required: 1, pubkeys: [a, c] },
      tokenids: [one, other],
    },
    samePayment: ['burn', 'network', ...termNames],
    // The daemon spends what its own key has. A transfer to several recipients, or from several
    // keys, is refused before any call.
    unsent: ['from', 'burn', 'recipients', 'fromKeys', ...termNames],
  },
  tokencreate: {
    request: { name: 'T', supply: 100n, description: '', owner: a, network },
    others: {
      name: 'U',
      supply: 200n,
      description: 'd',
      data: 'f7ab',
      properties: { id: 2 },
      version: 1,
      owner: b,
    },
    samePayment: termNames,
    unsent: ['owner', ...termNames],
  },
  payment: {
    request: { recipients: [{ address, amount: 1n }], own: [a], network },
    others: {
      recipients: [{ address, amount: 2n }],
      own: [b],
      redeemScripts: ['51'],
      nulldata: 'ab',
      feeRate: 1000n,
      maxChangeOutputs: 2,
      lockTime: 1,
      expiryHeight: 300,
    },
    samePayment: [
      ...['own', 'redeemScripts', 'feeRate', 'maxChangeOutputs', 'lockTime', 'expiryHeight'],
      ...['network', ...termNames],
    ],
    unsent: [],
  },
  ...Object.fromEntries(
    Object.entries(orderOperations).map(([kind, operation]) => {
      const { request, others } = steps[kind as keyof typeof steps]
      const isFill = kind.startsWith('fill')
      const row: Row = {
        request: { kind, ...request },
        others,
        samePayment: [
          ...['allowUnenforcedPrice', 'network', ...termNames],
          ...(isFill ? ['price', ...bounds] : []),
        ],
        unsent: ['from', 'allowUnenforcedPrice', ...termNames, ...(isFill ? ['price'] : [])],
      }
      return [operation, { ...row, unsent: [...row.unsent, ...bounds] }]
    }),
  ),
}

/** The request with another value of one member; a bound stands in the place of the price. */
function changed({ request, others }: Row, member: string): Members {
  const value = { ...terms, ...others }[member]
  if (value === undefined) throw new Error(`no other value of ${member}`)
  const { price: _, ...unbounded } = request
  return { ...(bounds.includes(member) ? unbounded : request), [member]: value }
}

/** A daemon that does not have the creation of any token, which then counts as one of tokens v2. */
const client = {
  getrawtransaction: () =>
    Promise.reject(new RpcError('daemon', 'no', { code: -5, codeName: 'not found' })),
} as unknown as DaemonClient

const undertaking = (operation: string, intent: Members) =>
  undertakingOf({ operation, intent } as unknown as AskedFor, a)

async function callOf(operation: string, intent: Members): Promise<string> {
  return JSON.stringify(await (await undertaking(operation, intent)).buildCall(client, {}))
}

const isKind = (member: string) => member === 'kind'
const members = Object.values(operations).flatMap(({ name, members: forms }) =>
  Object.keys({ ...forms, ...termForms })
    .filter((member) => !isKind(member))
    .map((member) => ({ name: name as string, member })),
)

describe('a member of a request', () => {
  test.each(members)('$name: $member changes the payment key, unless listed', async (row) => {
    const { name, member } = row
    const { request, samePayment } = rows[name]!
    const before = (await undertaking(name, request)).key()
    const after = (await undertaking(name, changed(rows[name]!, member))).key()
    expect(after === before).toBe(samePayment.includes(member))
  })

  test.each(members.filter(({ name }) => name !== 'payment'))(
    '$name: $member changes the daemon’s call, unless listed',
    async ({ name, member }) => {
      const { request, unsent } = rows[name]!
      const before = await callOf(name, request)
      const after = await callOf(name, changed(rows[name]!, member))
      expect(after === before).toBe(unsent.includes(member))
    },
  )

  const withdrawal = { coin: 'KMD', to: address, amount: 1n, own: [a], network: networks.komodo }
  const otherWithdrawal: Members = {
    ...{ ...terms, ...rows.payment!.others },
    ...{ coin: 'TKL', to: 'RReQGPsfVMZdRwqeHDGvXCKHcqRDm8ovWK', amount: 2n, own: [b] },
  }
  test.each(Object.keys({ ...withdrawForms, ...termForms }))(
    'a withdrawal: %s changes the payment key, unless listed',
    (member) => {
      const { samePayment } = rows.payment!
      const intent = { ...withdrawal, [member]: otherWithdrawal[member] } as WithdrawIntent
      expect(otherWithdrawal[member]).toBeDefined()
      const isSame = withdrawKey(intent) === withdrawKey(withdrawal)
      expect(isSame).toBe(samePayment.includes(member))
    },
  )
})

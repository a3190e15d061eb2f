// The wallet makes what a real komodod made. It is offered the same coins at the same height, and
// sends the same bytes. Signatures are equal too, since both derive nonces by RFC 6979.

import { expect, test } from 'vitest'

import {
  burnPublicKeys,
  decodeTransaction,
  networks,
  publicKeyOf,
  type TokenOrderIntent,
  type TransferIntent,
  transactionId,
  type UnsignedTransaction,
} from '../../../src/index.ts'
import {
  createWallet,
  privateKeySigner,
  type Sent,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { daemonMade, type MadeTransaction, readVectors } from '../../support/komodod.ts'
import { intentOf, madeOrders, satoshis } from '../../support/orders.ts'
import { expectedRefusal } from '../../support/refused-requests.ts'
import { shareOf } from '../../support/share.ts'
import { tokelChain } from '../../support/tokeld.ts'
import { madeByTokeld, rebuilt } from '../../support/tokeld-made.ts'
import { chain } from '../../support/vectors.ts'
import { recordedSource } from './recorded-source.ts'

const owners = readVectors<Record<'A' | 'B', { pubkey: string; wif: string }>>('komodod/keys.json')

/** A wallet of the key that made a transaction, before it was made, with the coins that it spent. */
async function walletBefore(hex: string, publicKey: string, network = networks.assetChain) {
  const { txid, inputs, expiryHeight } = decodeTransaction(hex)
  const recorded = network === networks.tokel ? tokelChain : chain
  const source = recordedSource(
    recorded.filter((made) => made.txid !== txid),
    expiryHeight - 201,
  )
  const heights = new Map(recorded.map((made) => [made.txid, made.height]))
  const coins = inputs.map((input) => ({ ...input, height: heights.get(input.txid) ?? 0 }))
  const wallet = await createWallet({
    network,
    signers: [privateKeySigner(publicKey === owners.A.pubkey ? owners.A.wif : owners.B.wif)],
    chain: { ...source, unspent: async () => coins },
    // The recordings spend coins of blocks at once.
    coinbaseMaturity: 1,
  })
  return { wallet, source }
}

const ownerOf = (hex: string) =>
  decodeTransaction(hex).outputs.some(({ script }) => script === `21${owners.A.pubkey}ac`)
    ? owners.A.pubkey
    : owners.B.pubkey

async function expectSame(
  hex: string,
  publicKey: string,
  act: (wallet: Wallet) => Promise<Sent>,
  network = networks.assetChain,
): Promise<void> {
  const { wallet, source } = await walletBefore(hex, publicKey, network)
  const sent = await act(wallet)
  expect(sent).toMatchObject({ status: 'accepted', txid: transactionId(hex) })
  expect(source.sent).toEqual([hex])
}

const rows = daemonMade.map((made) => ({ ...made, refusal: expectedRefusal(made) }))

function makeAgain(wallet: Wallet, { method, params }: MadeTransaction): Promise<Sent> {
  const [first = '', second = '', third = '', data] = params
  if (method === 'tokencreate') {
    const more = data === undefined ? {} : { data }
    const created = { name: first, supply: satoshis(second), description: third }
    return wallet.createToken({ ...created, ...more })
  }
  const amount = BigInt(third)
  if (second === burnPublicKeys.komodo) return wallet.burn({ tokenid: first, amount })
  return wallet.transfer({ tokenid: first, to: second, amount })
}

test('the recordings cover creations, transfers, burns, orders and non-fungible tokens', () => {
  const methods = [...rows.filter(({ refusal }) => refusal === undefined), ...madeOrders]
  const counts: Record<string, number> = {}
  for (const { method } of methods) counts[method] = (counts[method] ?? 0) + 1
  expect(counts).toMatchInlineSnapshot(`
    {
      "tokenask": 1,
      "tokenbid": 1,
      "tokencancelask": 1,
      "tokencreate": 6,
      "tokenfillask": 1,
      "tokenfillbid": 1,
      "tokentransfer": 12,
    }
  `)
})

test.each(shareOf(rows.filter(({ refusal }) => refusal === undefined)))(
  '$file: $method $params leaves as the daemon sent it',
  async (made) => {
    await expectSame(made.hex, ownerOf(made.hex), (wallet) => makeAgain(wallet, made))
  },
)

/** Requests that are wrong by their text alone: the wallet takes units, not text. */
const isWritten = ({ refusal }: (typeof rows)[number]) => refusal !== 'malformed_amount'

test.each(shareOf(rows.filter((made) => made.refusal !== undefined && isWritten(made))))(
  '$file: $method $params is refused and not sent: $refusal',
  async (made) => {
    const { wallet, source } = await walletBefore(made.hex, ownerOf(made.hex))
    const expected = made.refusal === 'hex' ? /hex/ : made.refusal
    const code = await makeAgain(wallet, made).then(
      ({ status }) => status,
      (error: { readonly code?: string }) => error.code,
    )
    expect(code).toMatch(expected!)
    expect(source.sent).toEqual([])
  },
)

test.each(shareOf(madeOrders))('$method $params leaves as the daemon sent it', async (made) => {
  await expectSame(made.hex, made.from, (wallet) => orderOf(wallet, intentOf(made)))
})

/** Requests to a tokeld that the wallet can make: from one key, to one or several, of one token. */
const ofTokeld = madeByTokeld.flatMap((made) => {
  if (made.method === 'addccv2signature') return []
  const built = rebuilt(made)
  const others = ['fromKeys', 'tokenids']
  if (others.some((member) => Object.hasOwn(built.intent, member))) return []
  return [{ ...made, built }]
})

/** Data of tokens that no module of tokeld moves: the builder refuses to create them. */
const isStuck = ({ params }: (typeof ofTokeld)[number]) =>
  ['010203', 'e3'].includes(String(params[3]))
/**
 * tokeld pays another of its burn keys here, and spends more coins of the token than the fill needs.
 */
const isChosen = ({ method }: (typeof ofTokeld)[number]) =>
  ['tokenv2burn', 'tokenv2fillbid'].includes(method)

test('the recordings of tokeld cover tokens v1 and v2, non-fungible ones, orders and M of N keys', () => {
  const counts: Record<string, number> = {}
  for (const { method } of ofTokeld) counts[method] = (counts[method] ?? 0) + 1
  expect(counts).toMatchInlineSnapshot(`
    {
      "tokencreate": 4,
      "tokentransfer": 3,
      "tokenv2ask": 1,
      "tokenv2bid": 1,
      "tokenv2burn": 1,
      "tokenv2cancelask": 1,
      "tokenv2create": 12,
      "tokenv2createtokel": 5,
      "tokenv2fillask": 1,
      "tokenv2fillbid": 1,
      "tokenv2transfer": 11,
      "tokenv2transferMofN": 1,
    }
  `)
  const isNonFungible = ({ method, params }: (typeof ofTokeld)[number]) =>
    /create/.test(method) && params[3] !== undefined
  expect(ofTokeld.filter(isNonFungible).length).toBeGreaterThan(0)
})

test('keys of M of N in another order and case are one receiver', async () => {
  const { hex, built } = ofTokeld.find(({ method }) => method === 'tokenv2transferMofN')!
  const { wallet, source } = await walletBefore(hex, makerOf(built), networks.tokel)
  const { tokenid, amount, destinationKeys } = built.intent as TransferIntent
  const { required, pubkeys } = destinationKeys!
  const request = { tokenid, amount, id: 'shared' }
  const sent = await wallet.transfer({ ...request, to: { required, pubkeys } })
  expect(sent).toMatchObject({ status: 'accepted', txid: transactionId(hex) })
  const others = { required, pubkeys: pubkeys.toReversed().map((it) => it.toUpperCase()) }
  const again = wallet.transfer({ ...request, to: others })
  expect(await again.catch(({ code }) => code)).not.toBe('id_conflict')
  const fewer = wallet.transfer({ ...request, to: { ...others, required: required - 1 } })
  await expect(fewer).rejects.toMatchObject({ code: 'id_conflict' })
  // Whatever was sent for the one receiver shares its inputs, so one of it can be mined.
  const spent = source.sent.map((it) => decodeTransaction(it).inputs.map(({ txid }) => txid))
  expect(spent.every((txids) => txids.includes(spent[0]![0]!))).toBe(true)
})

test.each([
  [4, 6, undefined],
  [4, 7, 'size_out_of_range'],
  [2, 9, undefined],
  [1, 10, undefined],
  [1, 11, 'size_out_of_range'],
  [5, 5, 'size_out_of_range'],
])(
  'units for %i of %i keys, whose spend nodes relay only if it is short: %s',
  async (required, count, code) => {
    const { hex, built } = ofTokeld.find(({ method }) => method === 'tokenv2transferMofN')!
    const { wallet, source } = await walletBefore(hex, makerOf(built), networks.tokel)
    const { tokenid, amount } = built.intent as TransferIntent
    const pubkeys = Array.from({ length: count }, (_, at) =>
      publicKeyOf(`${at + 1}`.padStart(64, '0')),
    )
    const sending = wallet.transfer({ tokenid, amount, to: { required, pubkeys } })
    if (code === undefined) expect(await sending).toMatchObject({ status: 'accepted' })
    else await expect(sending).rejects.toMatchObject({ code })
    expect(source.sent).toHaveLength(code === undefined ? 1 : 0)
  },
)

test.each(shareOf(ofTokeld.filter((made) => !isStuck(made) && !isChosen(made))))(
  '$at: $method $params leaves as tokeld sent it',
  async ({ hex, built }) => {
    await expectSame(hex, makerOf(built), (wallet) => requestAgain(wallet, built), networks.tokel)
  },
)

test.each(ofTokeld.filter(isChosen))(
  '$at: $method $params leaves with other coins or another burn key',
  async ({ hex, built }) => {
    const { wallet, source } = await walletBefore(hex, makerOf(built), networks.tokel)
    expect(await requestAgain(wallet, built)).toMatchObject({ status: 'accepted' })
    expect(source.sent).toHaveLength(1)
  },
)

test.each(ofTokeld.filter(isStuck))(
  '$at: $method $params is refused and not sent',
  async ({ hex, built }) => {
    const { wallet, source } = await walletBefore(hex, makerOf(built), networks.tokel)
    const code = 'untransferable_data'
    await expect(requestAgain(wallet, built)).rejects.toMatchObject({ code })
    expect(source.sent).toEqual([])
  },
)

function makerOf({ intent }: UnsignedTransaction): string {
  return String('owner' in intent ? intent.owner : 'from' in intent ? intent.from : '')
}

function requestAgain(wallet: Wallet, { operation, intent }: UnsignedTransaction): Promise<Sent> {
  if (operation === 'tokencreate') {
    const { name, supply, description = '', data, version } = intent
    const more = { ...(data !== undefined && { data }), ...(version !== undefined && { version }) }
    return wallet.createToken({ name, supply, description, ...more })
  }
  if (operation !== 'tokentransfer') return orderOf(wallet, intent as TokenOrderIntent)
  const { tokenid, destination, destinationKeys, amount, burn } = intent
  const to = destinationKeys ?? destination
  return burn === true ? wallet.burn({ tokenid, amount }) : wallet.transfer({ tokenid, to, amount })
}

function orderOf(wallet: Wallet, intent: TokenOrderIntent): Promise<Sent> {
  switch (intent.kind) {
    case 'ask': {
      const { tokenid, units, price } = intent
      return wallet.ask({ tokenid, amount: units, price: price / units })
    }
    case 'bid': {
      const { tokenid, units, price } = intent
      const offer = { tokenid, amount: units, price: price / units }
      return wallet.bid({ ...offer, allowUnenforcedPrice: true })
    }
    case 'fillAsk':
    case 'fillBid': {
      const { order, units, price } = intent as { order: string; units: bigint; price: bigint }
      return wallet.fill({ order, amount: units, price: price / units })
    }
    default:
      return wallet.cancel({ order: intent.order })
  }
}

// The hand-written transactions of tokeld's chain, each with what was asked for, and what its
// outputs are by hand.

import {
  type CreateIntent,
  type Evidence,
  networks,
  type OutputRole,
  type Report,
  type TokenOrderIntent,
  type TransferIntent,
  verifyTokenCreate,
  verifyTokenOrder,
  verifyTokenTransfer,
} from '../../src/index.ts'
import { a, b, c } from './sign-tokel.ts'
import * as market from './tokel-market.ts'

const network = networks.tokel
const { tokenid, otherTokenid } = market

export interface Baseline {
  readonly name: string
  readonly made: market.Made
  readonly roles: readonly OutputRole[]
  readonly evidence: Evidence
  readonly intent: CreateIntent | TransferIntent | TokenOrderIntent
  /** By the library's name of it. */
  readonly verify: 'verifyTokenCreate' | 'verifyTokenOrder' | 'verifyTokenTransfer'
  check(hex: string, evidence?: Evidence): Report
}

const rest = ['token-change', 'native-change', 'nulldata'] as const
const end = ['native-change', 'nulldata'] as const
const bidCoins = market.bid.tx.inputs.map(({ txid, vout }) => ({ txid, vout }))
const million = 1_000_000n
const { ask, bid } = market

type Asked<Intent> = Intent extends unknown ? Omit<Intent, 'tokenid' | 'network' | 'from'> : never

function order(
  name: string,
  made: market.Made,
  from: string,
  asked: Asked<TokenOrderIntent>,
  roles: readonly OutputRole[],
): Baseline {
  const intent = { tokenid, network, from, ...asked } as TokenOrderIntent
  const given = market.evidenceOf(made.hex)
  const check = (hex: string, evidence = given) => verifyTokenOrder(hex, intent, evidence)
  return { name, made, roles, evidence: given, intent, verify: 'verifyTokenOrder', check }
}

function transfer(
  name: string,
  made: market.Made,
  asked: Asked<TransferIntent>,
  roles: readonly OutputRole[],
): Baseline {
  const intent: TransferIntent = { tokenid, network, from: a, ...asked }
  const given = market.evidenceOf(made.hex)
  const check = (hex: string, evidence = given) => verifyTokenTransfer(hex, intent, evidence)
  return { name, made, roles, evidence: given, intent, verify: 'verifyTokenTransfer', check }
}

function create(name: string, made: market.Made, asked: Partial<CreateIntent>): Baseline {
  const spendable = made.tx.inputs.map(({ txid, vout }) => ({ txid, vout }))
  const intent = { supply: 1000n, description: '', network, spendable, ...asked } as CreateIntent
  const given = market.evidenceOf(made.hex)
  const check = (hex: string, evidence = given) => verifyTokenCreate(hex, intent, evidence)
  const roles = ['marker', 'issuance', ...end] as const
  return { name, made, roles, evidence: given, intent, verify: 'verifyTokenCreate', check }
}

function oldTransfer(): Baseline {
  const { oldToken, oldTransfer: made } = market
  const intent = { tokenid: oldToken.txid, destination: a, amount: 10n, from: b, network }
  const given = market.evidenceOf(made.hex, oldToken.hex)
  const check = (hex: string, evidence = given) => verifyTokenTransfer(hex, intent, evidence)
  const name = 'a transfer of tokens v1'
  const roles = ['destination', ...rest] as const
  return { name, made, roles, evidence: given, intent, verify: 'verifyTokenTransfer', check }
}

export const createBaselines: readonly Baseline[] = [
  create('a creation with properties', market.token, {
    name: 'ART',
    owner: c,
    properties: { royalty: 100, url: 'x' },
  }),
  create('a creation of tokens v1', market.oldToken, { name: 'OLD', owner: b, version: 1 }),
]

export const orderBaselines: readonly Baseline[] = [
  order('ask', ask, a, { kind: 'ask', units: 100n, price: million }, [
    'order-tokens',
    'order-marker',
    ...rest,
  ]),
  order('bid', bid, b, { kind: 'bid', units: 10n, price: million, spendable: bidCoins }, [
    'order-coins',
    'order-marker',
    ...end,
  ]),
  order(
    'fillAsk',
    market.fillAsk,
    b,
    { kind: 'fillAsk', order: ask.txid, units: 30n, price: 300_000n },
    ['order-tokens', 'destination', 'payment', 'royalty', 'order-marker', ...end],
  ),
  order(
    'fillAsk, whole',
    market.fillAskWhole,
    b,
    { kind: 'fillAsk', order: ask.txid, units: 100n, price: million },
    ['order-tokens', 'destination', 'payment', 'royalty', ...end],
  ),
  order(
    'fillBid',
    market.fillBid,
    a,
    { kind: 'fillBid', order: bid.txid, units: 4n, priceMin: 360_000n },
    ['order-coins', 'payment', 'royalty', 'destination', 'order-marker', ...rest],
  ),
  order(
    'fillBid, whole',
    market.fillBidWhole,
    a,
    { kind: 'fillBid', order: bid.txid, units: 10n, priceMin: 900_000n },
    ['order-coins', 'payment', 'royalty', 'destination', ...rest],
  ),
  order('cancelAsk', market.cancelAsk, a, { kind: 'cancelAsk', order: ask.txid }, [
    'destination',
    'nulldata',
  ]),
  order(
    'cancelAsk of a rest',
    market.cancelRest,
    a,
    { kind: 'cancelAsk', order: market.fillAsk.txid },
    ['destination', 'nulldata'],
  ),
  order('cancelBid', market.cancelBid, b, { kind: 'cancelBid', order: bid.txid }, [
    'payment',
    'nulldata',
  ]),
]

const given = ['destination', ...rest] as const
const keys = { required: 2, pubkeys: [a, b, c] }

export const transferBaselines: readonly Baseline[] = [
  transfer(
    'to an address',
    market.toAddress,
    { destination: market.addressOfC, amount: 150n },
    given,
  ),
  transfer(
    'to keys',
    market.toKeys,
    { destination: a, amount: 120n, destinationKeys: keys },
    given,
  ),
  oldTransfer(),
  transfer(
    'from keys',
    market.fromKeys,
    {
      destination: c,
      amount: 50n,
      destinationKeys: { required: 1, pubkeys: [c] },
      fromKeys: keys,
    },
    given,
  ),
  transfer(
    'a burn',
    market.burned,
    { destination: market.burnKey, amount: 40n, burn: true },
    given,
  ),
  transfer(
    'several tokens',
    market.toOneOfMany,
    { destination: b, amount: 25n, tokenids: [tokenid, otherTokenid] },
    ['destination', 'token-change', 'destination', 'token-change', 'native-change'],
  ),
]

// Results about orders of the assets module.

import * as v from 'valibot'
import { isLosslessNumber } from '../../primitives/json.ts'
import { integerOf } from '../amounts.ts'
import {
  count,
  field,
  hash256,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  success,
  text,
} from '../fields.ts'

/** Addresses of the assets module and of one key, balances in satoshis. */
export interface AssetsAddresses extends Open {
  readonly result: 'success'
  /** Address that holds the coins of bids. */
  readonly AssetsCCAddress: string
  readonly AssetsCCBalance?: bigint
  readonly AssetsNormalAddress?: string
  readonly AssetsNormalBalance?: bigint
  /** Address that holds the units of asks. */
  readonly AssetsCCTokensAddress?: string
  /** The address of the key in the request. */
  readonly 'PubkeyCCaddress(Assets)'?: string
  readonly 'PubkeyCCbalance(Assets)'?: bigint
  /** Addresses and balances of the node's own key, which hold the markers of its orders. */
  readonly 'myCCAddress(Assets)': string
  readonly 'myCCbalance(Assets)'?: bigint
  readonly myaddress: string
  readonly mybalance?: bigint
}

export const assetsAddresses: Schema<AssetsAddresses> = v.looseObject({
  result: success,
  AssetsCCAddress: text,
  AssetsCCBalance: optional(satsFromCoins),
  AssetsNormalAddress: optional(text),
  AssetsNormalBalance: optional(satsFromCoins),
  AssetsCCTokensAddress: optional(text),
  'PubkeyCCaddress(Assets)': optional(text),
  'PubkeyCCbalance(Assets)': optional(satsFromCoins),
  'myCCAddress(Assets)': text,
  'myCCbalance(Assets)': optional(satsFromCoins),
  myaddress: text,
  mybalance: optional(satsFromCoins),
})

/**
 * An order as a daemon lists it, unproven. `verifyTokenOrder` reads the real terms from the order's
 * own transaction.
 */
export interface TokenOrderReply extends Open {
  /** `b` is a bid, `s` an ask; `B` and `S` are the remainders of one. */
  readonly funcid: 'b' | 'B' | 's' | 'S'
  readonly txid: string
  /**
   * The satoshis of a bid, or the token units of an ask. Absent from tokeld's replies, which have
   * only the next two.
   */
  readonly amount?: bigint
  readonly bidamount?: bigint
  readonly askamount?: bigint
  readonly tokenid: string
  /** The units that a bid wants, or the satoshis for all of an ask. */
  readonly totalrequired: bigint
  /** Satoshis for a unit, rounded. */
  readonly price: bigint
  readonly vout?: number
  readonly origaddress: string
  readonly origtokenaddress: string
  /** tokeld only. */
  readonly blockHeight?: number
  readonly ExpiryHeight?: number
}

/** Token units as number, or as text. */
const countedUnits: Schema<bigint> = field('token units', (value) => {
  const digits = isLosslessNumber(value) ? value.value : value
  const amount = typeof digits === 'string' ? integerOf(digits) : undefined
  return amount !== undefined && amount >= 0n ? amount : undefined
})

function orderOf(offered: Schema<bigint>, wanted: Schema<bigint>): Schema<TokenOrderReply> {
  return v.looseObject({
    funcid: v.picklist(['b', 'B', 's', 'S']),
    txid: hash256,
    amount: optional(offered),
    bidamount: optional(offered),
    askamount: optional(offered),
    tokenid: hash256,
    totalrequired: wanted,
    price: satsFromCoins,
    vout: optional(count),
    origaddress: text,
    origtokenaddress: text,
    blockHeight: optional(count),
    ExpiryHeight: optional(count),
  })
}

const bid = orderOf(satsFromCoins, countedUnits)
const ask = orderOf(countedUnits, satsFromCoins)

export const tokenOrders: Schema<readonly TokenOrderReply[]> = v.array(
  v.lazy((value) => {
    const { funcid } = (value ?? {}) as { funcid?: unknown }
    return funcid === 'b' || funcid === 'B' ? bid : ask
  }),
)

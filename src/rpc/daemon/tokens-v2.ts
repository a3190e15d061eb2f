// The methods of tokeld's tokens v2, which are separate from those of v1.

import {
  tokenDataBytesMax,
  tokenDescriptionBytesMax,
  tokenNameBytesMax,
} from '../../chain/limits.ts'
import { hashes as anyHashes, text as anyText, texts as anyTexts } from '../fields.ts'
import { type TokenOrderReply, tokenOrders } from './order-results.ts'
import {
  bytes,
  bytesUpTo,
  coins,
  flag,
  hash,
  hashes,
  json,
  key,
  optional,
  payableKey,
  payableKeyOrAddress,
  payableKeys,
  text,
  textOf,
  uint32,
  units,
  unitsAsCoins,
} from './parameter.ts'
import { positional, type Row, type Rows, row, type Written } from './row.ts'
import { asText } from './text-parameter.ts'
import {
  type TokenBalance,
  type TokenInfo,
  type TokenInfoTokel,
  tokenBalance,
  tokenInfo,
  tokenInfoTokel,
} from './token-results.ts'
import type * as params from './tokens-v2-parameters.ts'
import * as results from './tokens-v2-results.ts'

/** Parameters and result of each method of tokens v2; tokeld alone has them. */
export interface TokensV2Methods {
  /** Builds and signs a creation; broadcasts nothing. Never retried. */
  tokenv2create: { params: params.TokenV2CreateParams; result: results.TokenV2Hex }
  /** As `tokenv2create`, for a token with properties. */
  tokenv2createtokel: { params: params.TokenV2CreateTokelParams; result: results.TokenV2Hex }
  /** Builds and signs a transfer; broadcasts nothing. Never retried. Prefer `transferToken`. */
  tokenv2transfer: { params: params.TokenV2TransferParams; result: results.TokenV2Hex }
  /** As `tokenv2transfer`, for several tokens at once. */
  tokenv2transfermany: { params: params.TokenV2TransferManyParams; result: results.TokenV2Hex }
  /** As `tokenv2transfer`, to or from several keys; other keys may then have to sign. */
  tokenv2transferMofN: { params: params.TokenV2TransferMofNParams; result: results.TokenV2Hex }
  /** Builds and signs a transfer to the burn key; as `tokenv2transfer`. */
  tokenv2burn: { params: params.TokenV2BurnParams; result: results.TokenV2Hex }
  tokenv2info: { params: params.TokenV2InfoParams; result: TokenInfo }
  /** Returns a token with its properties. */
  tokenv2infotokel: { params: params.TokenV2InfoParams; result: TokenInfoTokel }
  /** Ids of tokens, in no promised order. */
  tokenv2list: { params: params.TokenV2ListParams; result: readonly string[] }
  /** Token units of a key. */
  tokenv2balance: { params: params.TokenV2BalanceParams; result: TokenBalance }
  /** Token units of a key by token, one object each. */
  tokenv2allbalances: {
    params: params.TokenV2AllBalancesParams
    result: readonly results.TokenBalances[]
  }
  /** Addresses of the conditions that hold a key's tokens: of the key itself, and of its hash. */
  tokenv2indexkey: { params: params.IndexKeyParams; result: readonly string[] }
  /** Address of the condition of a key in the module of orders. */
  assetsv2indexkey: { params: params.IndexKeyParams; result: string }
  /** Open orders, of one token or all: bids, then asks. */
  tokenv2orders: { params: params.TokenV2OrdersParams; result: readonly TokenOrderReply[] }
  /** Open orders of the node's own key. */
  mytokenv2orders: {
    params: Readonly<Record<string, never>>
    result: readonly TokenOrderReply[]
  }
  /** Builds and signs an offer of units; broadcasts nothing. Never retried. */
  tokenv2ask: { params: params.TokenV2OfferParams; result: results.TokenV2Hex }
  /** Builds and signs an offer of coins; as `tokenv2ask`. */
  tokenv2bid: { params: params.TokenV2OfferParams; result: results.TokenV2Hex }
  /** Builds and signs a purchase from an ask; as `tokenv2ask`. */
  tokenv2fillask: { params: params.TokenV2FillAskParams; result: results.TokenV2Hex }
  /** Builds and signs a sale to a bid; as `tokenv2ask`. */
  tokenv2fillbid: { params: params.TokenV2FillBidParams; result: results.TokenV2Hex }
  /** Builds and signs the cancellation of an own ask; as `tokenv2ask`. */
  tokenv2cancelask: { params: params.TokenV2CancelAskParams; result: results.TokenV2Hex }
  /** Builds and signs the cancellation of an own bid; as `tokenv2ask`. */
  tokenv2cancelbid: { params: params.TokenV2CancelBidParams; result: results.TokenV2Hex }
  /** Token inputs for a transaction that is completed elsewhere. */
  tokenv2addccinputs: { params: params.TokenV2AddCcInputsParams; result: results.TokenV2Inputs }
  /** Adds the node's own signature to a transaction that several keys sign; broadcasts nothing. */
  addccv2signature: { params: params.AddCcV2SignatureParams; result: results.TokenV2Hex }
}

const heights = { beginHeight: optional(uint32), endHeight: optional(uint32) }

/** Each call chooses inputs anew, so a repetition could be a second transaction. */
function building<Params>(
  params: Row<Params, unknown>['params'],
  wire?: Row<NoInfer<Params>, unknown>['wire'],
): Row<Params, results.TokenV2Hex> {
  return row('build', 'built', results.tokenV2Hex, params, wire)
}

const created = {
  name: textOf(1, tokenNameBytesMax),
  supply: unitsAsCoins,
  description: optional(textOf(0, tokenDescriptionBytesMax), ''),
}
/** The parameters of a creation, which tokens v1 have too. */
export const createdWithData: Rows<TokensV2Methods>['tokenv2create']['params'] = {
  ...created,
  data: optional(bytesUpTo(tokenDataBytesMax)),
}
/** Properties are JSON in a text, as every parameter of these methods is a text. */
export const createdWithProperties: Rows<TokensV2Methods>['tokenv2createtokel']['params'] = {
  ...created,
  data: optional(asText(json)),
}

const offered = {
  numtokens: units,
  tokenid: hash,
  price: coins,
  expiryHeight: optional(asText(uint32)),
}

export const tokensV2: Rows<TokensV2Methods> = {
  tokenv2create: building(createdWithData),
  tokenv2createtokel: building(createdWithProperties),
  tokenv2transfer: building({ tokenid: hash, destination: payableKeyOrAddress, amount: units }),
  tokenv2transfermany: building(
    { tokenids: hashes, destpubkey: payableKey, amount: units },
    (_, { tokenids, destpubkey, amount }) => [...(tokenids as string[]), destpubkey, amount],
  ),
  tokenv2transferMofN: building(
    {
      tokenid: hash,
      ccaddressMofN: optional(text),
      destpubkeys: payableKeys,
      M: uint32,
      amount: units,
    },
    manyKeysQuery,
  ),
  tokenv2burn: building({ tokenid: hash, amount: units, remove: asText(flag) }),
  tokenv2info: row('read', 'object', tokenInfo, { tokenid: hash }),
  tokenv2infotokel: row('read', 'object', tokenInfoTokel, { tokenid: hash }),
  tokenv2list: row(
    'read',
    'list',
    anyHashes,
    { ...heights, pubkey: optional(key), address: optional(text) },
    (_, written) => queryOf(written),
  ),
  tokenv2balance: row('read', 'scalar', tokenBalance, { tokenid: hash, pubkey: optional(key) }),
  tokenv2allbalances: row('read', 'list', results.tokenBalances, { pubkey: optional(key) }),
  tokenv2indexkey: row('read', 'object', anyTexts, { pubkey: key }),
  assetsv2indexkey: row('read', 'scalar', anyText, { pubkey: key }),
  tokenv2orders: row(
    'read',
    'list',
    tokenOrders,
    { tokenid: optional(hash), ...heights, pubkey: optional(key) },
    ordersQuery,
  ),
  mytokenv2orders: row('read', 'list', tokenOrders, {}),
  tokenv2ask: building(offered),
  tokenv2bid: building(offered),
  tokenv2fillask: building({
    tokenid: hash,
    asktxid: hash,
    fillunits: units,
    unitPrice: optional(coins),
  }),
  tokenv2fillbid: building({
    tokenid: hash,
    bidtxid: hash,
    fillamount: units,
    unitPrice: optional(coins),
  }),
  tokenv2cancelask: building({ tokenid: hash, asktxid: hash }),
  tokenv2cancelbid: building({ tokenid: hash, bidtxid: hash }),
  tokenv2addccinputs: row('read', 'list', results.tokenV2Inputs, {
    tokenid: hash,
    pubkey: key,
    amount: units,
  }),
  addccv2signature: building({ hextx: bytes, conditions: json }),
}

/** Returns the filter of a list: one text of JSON, or no parameter. */
function queryOf(query: Written): readonly unknown[] {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0 ? [] : [JSON.stringify(Object.fromEntries(given))]
}

function ordersQuery(_: object, { tokenid, ...query }: Written): readonly unknown[] {
  const narrowed = queryOf(query)
  return narrowed.length === 0
    ? positional({ tokenid }, { tokenid: optional(hash) })
    : [tokenid ?? '*', ...narrowed]
}

/**
 * Returns the query as JSON text. The amount is a JSON number that may exceed those of JavaScript.
 */
function manyKeysQuery(
  _: params.TokenV2TransferMofNParams,
  { amount, ...query }: Written,
): readonly unknown[] {
  const [text] = queryOf(query) as [string]
  return [`${text.slice(0, -1)},"amount":${String(amount)}}`]
}

// Results about tokens.

import * as v from 'valibot'
import { isJsonObject, isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import { integerOf, satsOfCoins } from '../amounts.ts'
import {
  count,
  field,
  hash256,
  hex,
  integer,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  success,
  text,
  units,
} from '../fields.ts'

/** Addresses of the tokens module and of one key, balances in satoshis. */
export interface TokenAddresses extends Open {
  readonly result: 'success'
  /** Global address of the module. */
  readonly TokensCCAddress: string
  readonly TokensCCBalance?: bigint
  readonly TokensNormalAddress?: string
  readonly TokensNormalBalance?: bigint
  /**
   * The address of the key in the request. Its balance counts normal outputs and is 0 in practice.
   */
  readonly 'PubkeyCCaddress(Tokens)'?: string
  readonly 'PubkeyCCbalance(Tokens)'?: bigint
  /** Addresses and balances of the node's own key. */
  readonly 'myCCAddress(Tokens)': string
  readonly 'myCCbalance(Tokens)'?: bigint
  readonly myaddress: string
  readonly mybalance?: bigint
}

// The documentation spells two members differently; the wire's spelling wins.
const documentedAddressNames: ReadonlyMap<string, string> = new Map([
  ['TokensCCaddress', 'TokensCCAddress'],
  ['myCCaddress', 'myCCAddress(Tokens)'],
])

export const tokenAddresses: Schema<TokenAddresses> = v.pipe(
  v.unknown(),
  v.transform((value) => withWireNames(value, documentedAddressNames)),
  v.looseObject({
    result: success,
    TokensCCAddress: text,
    TokensCCBalance: optional(satsFromCoins),
    TokensNormalAddress: optional(text),
    TokensNormalBalance: optional(satsFromCoins),
    'PubkeyCCaddress(Tokens)': optional(text),
    'PubkeyCCbalance(Tokens)': optional(satsFromCoins),
    'myCCAddress(Tokens)': text,
    'myCCbalance(Tokens)': optional(satsFromCoins),
    myaddress: text,
    mybalance: optional(satsFromCoins),
  }),
)

function withWireNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isJsonObject(value as JsonValue)) return value
  const members = Object.entries(value as object)
  return Object.fromEntries(members.map(([name, item]) => [names.get(name) ?? name, item]))
}

export interface TokenBalance extends Open {
  readonly result: 'success'
  /** CC address of the key (komodod). The balance may be that of another address. */
  readonly CCaddress?: string
  /** Replaces `CCaddress` in tokeld's replies. */
  readonly CCIndexKeys?: readonly string[]
  readonly tokenid: string
  /** Token units. Also 0 for an unknown token, and on both sides of an unconfirmed transfer. */
  readonly balance: bigint
}

export const tokenBalance: Schema<TokenBalance> = v.looseObject({
  result: success,
  CCaddress: optional(text),
  CCIndexKeys: optional(v.array(text)),
  tokenid: text,
  balance: units,
})

export interface TokenInfo extends Open {
  readonly result: 'success'
  readonly tokenid: string
  /** Public key of the creator, hex. */
  readonly owner: string
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description: string
  /** Data of a non-fungible token, hex. */
  readonly data?: string
  readonly IsImported?: string
  readonly sourceChain?: string
  readonly sourceTokenId?: string
  /** tokeld only. */
  readonly height?: number
  readonly version?: number
  readonly IsMixed?: string
}

/** A supply: an integer counts units; a number or text with a point counts coins. */
const supply = field('a supply', (value) => {
  const digits = isLosslessNumber(value) ? value.value : value
  if (typeof digits !== 'string') return undefined
  const amount = /^\d+\.\d+$/.test(digits) ? satsOfCoins(digits) : integerOf(digits)
  return amount !== undefined && amount >= 0n ? amount : undefined
})

const tokenInfoMembers = {
  result: success,
  tokenid: hash256,
  owner: hex,
  name: text,
  supply,
  description: text,
  data: optional(hex),
  IsImported: optional(text),
  sourceChain: optional(text),
  sourceTokenId: optional(text),
  height: optional(integer),
  version: optional(integer),
  IsMixed: optional(text),
}

export const tokenInfo: Schema<TokenInfo> = v.looseObject(tokenInfoMembers)

/** `TokenInfo` with the properties of the token. */
export interface TokenInfoTokel extends TokenInfo {
  /** The properties of the token; absent if it has none. */
  readonly dataAsJson?: TokelDataReply
}

export interface TokelDataReply extends Open {
  readonly id?: number
  readonly url?: string
  readonly royalty?: number
  readonly arbitrary?: string
}

export const tokenInfoTokel: Schema<TokenInfoTokel> = v.looseObject({
  ...tokenInfoMembers,
  dataAsJson: optional(
    v.looseObject({
      id: optional(count),
      url: optional(text),
      royalty: optional(count),
      arbitrary: optional(hex),
    }),
  ),
})

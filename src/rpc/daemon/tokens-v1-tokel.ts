// The methods for tokens v1 that only tokeld has. Its other ones have the names of komodod's methods.

import {
  type AssetsIndexKeys,
  assetsIndexKeys,
  type TokenIndexKeys,
  tokenIndexKeys,
} from './module-addresses.ts'
import { flag, hash, key, optional, units } from './parameter.ts'
import type { TokenAddressParams } from './parameters.ts'
import { type Rows, row } from './row.ts'
import { asText } from './text-parameter.ts'
import { type TokenInfoTokel, tokenInfoTokel } from './token-results.ts'
import { createdWithProperties } from './tokens-v2.ts'
import type * as params from './tokens-v2-parameters.ts'
import { type TokenBalances, tokenBalances } from './tokens-v2-results.ts'
import { type RawTransactionHex, rawTransactionHex } from './transaction-results.ts'

export interface TokelTokensV1Methods {
  /** As `tokencreate`, for a token with properties. Never retried. Prefer `createToken`. */
  tokencreatetokel: { params: params.TokenV2CreateTokelParams; result: RawTransactionHex }
  /** Builds and signs a transfer to the burn key; broadcasts nothing. Never retried. */
  tokenburn: { params: params.TokenV2BurnParams; result: RawTransactionHex }
  /** Returns a token with its properties. */
  tokeninfotokel: { params: params.TokenV2InfoParams; result: TokenInfoTokel }
  /** Token units of a key by token, one object each. */
  tokenallbalances: {
    params: params.TokenV2AllBalancesParams
    result: readonly TokenBalances[]
  }
  /** Addresses of the tokens module, of a key and of the node; replaces `tokenaddress`. */
  tokenindexkey: { params: TokenAddressParams; result: TokenIndexKeys }
  /** Addresses of the assets module, of a key and of the node; replaces `assetsaddress`. */
  assetsindexkey: { params: TokenAddressParams; result: AssetsIndexKeys }
}

export const tokelTokensV1: Rows<TokelTokensV1Methods> = {
  tokencreatetokel: row('build', 'transaction', rawTransactionHex, createdWithProperties),
  tokenburn: row('build', 'transaction', rawTransactionHex, {
    tokenid: hash,
    amount: units,
    remove: asText(flag),
  }),
  tokeninfotokel: row('read', 'object', tokenInfoTokel, { tokenid: hash }),
  tokenallbalances: row('read', 'list', tokenBalances, { pubkey: optional(key) }),
  tokenindexkey: row('read', 'object', tokenIndexKeys, { pubkey: optional(key) }),
  assetsindexkey: row('read', 'object', assetsIndexKeys, { pubkey: optional(key) }),
}

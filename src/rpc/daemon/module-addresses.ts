// tokeld's answers about the addresses of its contract modules. Balances are satoshis.

import * as v from 'valibot'
import { type Open, optional, type Schema, satsFromCoins, success, text } from '../fields.ts'

/** Addresses of the tokens module, of the key in the request, and of the node's own key. */
export interface TokenIndexKeys extends Open {
  readonly result: 'success'
  readonly 'GlobalPk Tokens CC Address': string
  readonly 'GlobalPk Tokens CC Balance': bigint
  readonly 'GlobalPk Tokens Normal Address': string
  readonly 'GlobalPk Tokens Normal Balance': bigint
  readonly 'pubkey Tokens CC Address'?: string
  /** The balance of normal outputs, which is 0 in practice. */
  readonly 'pubkey Tokens CC Balance'?: bigint
  readonly 'mypk Tokens CC Address': string
  readonly 'mypk Tokens CC Balance': bigint
  readonly 'mypk Normal Address': string
  readonly 'mypk Normal Balance': bigint
}

/** Addresses of the assets module, of the key in the request, and of the node's own key. */
export interface AssetsIndexKeys extends Open {
  readonly result: 'success'
  readonly 'GlobalPk Assets CC Address': string
  readonly 'GlobalPk Assets CC Balance': bigint
  readonly 'GlobalPk Assets Normal Address': string
  readonly 'GlobalPk Assets Normal Balance': bigint
  /** Address of tokens that are for sale: its condition names both modules. */
  readonly 'GlobalPk Assets/Tokens CC Address': string
  readonly 'pubkey Assets CC Address'?: string
  /** The balance of normal outputs, which is 0 in practice. */
  readonly 'pubkey Assets CC Balance'?: bigint
  readonly 'mypk Assets CC Address': string
  readonly 'mypk Assets CC Balance': bigint
  readonly 'mypk Normal Address': string
  readonly 'mypk Normal Balance': bigint
}

const ownMembers = { 'mypk Normal Address': text, 'mypk Normal Balance': satsFromCoins }

export const tokenIndexKeys: Schema<TokenIndexKeys> = v.looseObject({
  result: success,
  'GlobalPk Tokens CC Address': text,
  'GlobalPk Tokens CC Balance': satsFromCoins,
  'GlobalPk Tokens Normal Address': text,
  'GlobalPk Tokens Normal Balance': satsFromCoins,
  'pubkey Tokens CC Address': optional(text),
  'pubkey Tokens CC Balance': optional(satsFromCoins),
  'mypk Tokens CC Address': text,
  'mypk Tokens CC Balance': satsFromCoins,
  ...ownMembers,
})

export const assetsIndexKeys: Schema<AssetsIndexKeys> = v.looseObject({
  result: success,
  'GlobalPk Assets CC Address': text,
  'GlobalPk Assets CC Balance': satsFromCoins,
  'GlobalPk Assets Normal Address': text,
  'GlobalPk Assets Normal Balance': satsFromCoins,
  'GlobalPk Assets/Tokens CC Address': text,
  'pubkey Assets CC Address': optional(text),
  'pubkey Assets CC Balance': optional(satsFromCoins),
  'mypk Assets CC Address': text,
  'mypk Assets CC Balance': satsFromCoins,
  ...ownMembers,
})

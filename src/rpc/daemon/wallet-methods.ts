// The methods of a daemon's wallet: coins, transactions, addresses and keys.

import {
  flag as anyFlag,
  text as anyText,
  texts as anyTexts,
  hash256,
  hashes,
  nothing,
  satsFromCoins,
} from '../fields.ts'
import { feeRate, keyCount, outpoints, payees, satoshis } from './coin-parameter.ts'
import { flag, hash, key, optional, text, texts, uint32 } from './parameter.ts'
import type { NoParams } from './parameters.ts'
import { positional, type Rows, row, type Written } from './row.ts'
import type * as params from './wallet-parameters.ts'
import * as results from './wallet-results.ts'

export interface WalletMethods {
  /** Satoshis that the wallet may spend. */
  getbalance: { params: params.GetBalanceParams; result: bigint }
  /** Satoshis that others sent, and that wait for a block. */
  getunconfirmedbalance: { params: NoParams; result: bigint }
  getwalletinfo: { params: NoParams; result: results.WalletInfo }
  getnewaddress: { params: params.AccountParams; result: string }
  /** A new address for change, which the daemon does not list. */
  getrawchangeaddress: { params: NoParams; result: string }
  getaddressesbyaccount: { params: params.AccountNameParams; result: readonly string[] }
  /** The name of an address; empty for one without a name. */
  getaccount: { params: params.AddressParams; result: string }
  /** The address of an account: a new one once the last was paid. */
  getaccountaddress: { params: params.AccountNameParams; result: string }
  /** Names an own address. */
  setaccount: { params: params.SetAccountParams; result: null }
  /** Makes keys before they are needed. */
  keypoolrefill: { params: params.KeypoolRefillParams; result: null }
  /** Sends waiting transactions of the wallet to peers again; returns their txids. */
  resendwallettransactions: { params: NoParams; result: readonly string[] }
  /** Shielded addresses of the wallet. */
  z_listaddresses: { params: params.ListShieldedParams; result: readonly string[] }
  /** Ids of shielded payments that the daemon works on or has ended. */
  z_listoperationids: { params: params.ListOperationsParams; result: readonly string[] }
  /** Satoshis of the wallet: on addresses that anyone can read, and on shielded ones. */
  z_gettotalbalance: { params: params.TotalBalanceParams; result: results.TotalBalance }
  /** A transaction that concerns the wallet. Verify the hex, not the members beside it. */
  gettransaction: { params: params.GetTransactionParams; result: results.WalletTransaction }
  /** Latest entries, oldest first. */
  listtransactions: {
    params: params.ListTransactionsParams
    result: readonly results.WalletEntry[]
  }
  listsinceblock: { params: params.ListSinceBlockParams; result: results.EntriesSinceBlock }
  listreceivedbyaddress: {
    params: params.ListReceivedByAddressParams
    result: readonly results.ReceivedByAddress[]
  }
  getreceivedbyaddress: { params: params.GetReceivedByAddressParams; result: bigint }
  /** Addresses that were spent together, in groups. */
  listaddressgroupings: {
    params: NoParams
    result: readonly (readonly results.AddressGrouping[])[]
  }
  lockunspent: { params: params.LockUnspentParams; result: boolean }
  listlockunspent: { params: NoParams; result: readonly results.Outpoint[] }
  /**
   * Pays at once, without verification. The call is repeated only if the daemon cannot have begun.
   * After an error with `uncertain: true`, the daemon may have paid. Prefer `payCoins`.
   */
  sendtoaddress: { params: params.SendToAddressParams; result: string }
  /** Pays several recipients at once; as `sendtoaddress`. */
  sendmany: { params: params.SendManyParams; result: string }
  settxfee: { params: params.SetTxFeeParams; result: boolean }
  importaddress: { params: params.ImportAddressParams; result: null }
  /** Gives the daemon a private key; returns its address. */
  importprivkey: { params: params.ImportPrivKeyParams; result: string }
  /** Returns a private key of the wallet. */
  dumpprivkey: { params: params.AddressParams; result: string }
  addmultisigaddress: { params: params.AddMultisigAddressParams; result: string }
  signmessage: { params: params.SignMessageParams; result: string }
  verifymessage: { params: params.VerifyMessageParams; result: boolean }
  /** Sets the key that contract modules use; a daemon accepts one in its life. */
  setpubkey: { params: params.SetPubkeyParams; result: results.OwnPubkey }
}

const watchOnly = { includeWatchonly: optional(flag) }

export const walletMethods: Rows<WalletMethods> = {
  getbalance: row('read', 'scalar', satsFromCoins, {
    account: optional(text, '*'),
    minconf: optional(uint32, 1),
    ...watchOnly,
  }),
  getunconfirmedbalance: row('read', 'scalar', satsFromCoins, {}),
  getwalletinfo: row('read', 'scalar', results.walletInfo, {}),
  getnewaddress: row('other', 'scalar', anyText, { account: optional(text) }),
  getrawchangeaddress: row('other', 'scalar', anyText, {}),
  getaddressesbyaccount: row('read', 'list', anyTexts, { account: text }),
  getaccount: row('read', 'scalar', anyText, { address: text }),
  getaccountaddress: row('other', 'scalar', anyText, { account: text }),
  setaccount: row('other', 'scalar', nothing, { address: text, account: optional(text) }),
  keypoolrefill: row('other', 'scalar', nothing, { newsize: optional(uint32) }),
  resendwallettransactions: row('other', 'list', hashes, {}),
  z_listaddresses: row('read', 'list', anyTexts, watchOnly),
  z_listoperationids: row('read', 'list', anyTexts, { status: optional(text) }),
  z_gettotalbalance: row('read', 'scalar', results.totalBalance, {
    minconf: optional(uint32, 1),
    ...watchOnly,
  }),
  gettransaction: row('read', 'decoded', results.walletTransaction, { txid: hash, ...watchOnly }),
  listtransactions: row('read', 'list', results.walletEntries, {
    account: optional(text, '*'),
    count: optional(uint32, 10),
    from: optional(uint32, 0),
    ...watchOnly,
  }),
  listsinceblock: row('read', 'list', results.entriesSinceBlock, {
    blockhash: optional(hash, ''),
    targetconfirmations: optional(uint32, 1),
    ...watchOnly,
  }),
  listreceivedbyaddress: row('read', 'list', results.receivedByAddresses, {
    minconf: optional(uint32, 1),
    includeempty: optional(flag, false),
    ...watchOnly,
  }),
  getreceivedbyaddress: row('read', 'scalar', satsFromCoins, {
    address: text,
    minconf: optional(uint32),
  }),
  listaddressgroupings: row('read', 'list', results.addressGroupings, {}),
  lockunspent: row('other', 'scalar', anyFlag, { unlock: flag, outputs: optional(outpoints) }),
  listlockunspent: row('read', 'list', results.outpoints, {}),
  sendtoaddress: row('other', 'scalar', hash256, {
    address: text,
    amount: satoshis,
    comment: optional(text, ''),
    comment_to: optional(text, ''),
    subtractfeefromamount: optional(flag),
  }),
  sendmany: row(
    'other',
    'scalar',
    hash256,
    {
      amounts: payees,
      minconf: optional(uint32, 1),
      comment: optional(text, ''),
      subtractfeefrom: optional(texts),
    },
    fromNoAccount,
  ),
  settxfee: row('other', 'scalar', anyFlag, { amount: feeRate }),
  importaddress: row('other', 'scalar', nothing, {
    address: text,
    label: optional(text, ''),
    rescan: optional(flag),
  }),
  importprivkey: row('other', 'scalar', anyText, {
    privkey: text,
    label: optional(text, ''),
    rescan: optional(flag),
  }),
  dumpprivkey: row('read', 'scalar', anyText, { address: text }),
  addmultisigaddress: row('other', 'scalar', anyText, {
    nrequired: keyCount,
    keys: texts,
    account: optional(text),
  }),
  signmessage: row('read', 'scalar', anyText, { address: text, message: text }),
  verifymessage: row('read', 'scalar', anyFlag, { address: text, signature: text, message: text }),
  setpubkey: row('other', 'scalar', results.ownPubkey, { pubkey: optional(key) }),
}

/** Accounts are obsolete: the daemon accepts only the empty name of one. */
function fromNoAccount(_: params.SendManyParams, written: Written): readonly unknown[] {
  return ['', ...positional(written, walletMethods.sendmany.params)]
}

// The methods of a daemon's wallet: coins, transactions, addresses and keys.

import {
  flag as anyFlag,
  text as anyText,
  hashes,
  nothing,
  type Schema,
  satsFromCoins,
} from '../fields.ts'
import * as sizes from '../reply-sizes.ts'
import { feeRate, numberFromTo, outpoints, payees, satoshis } from './coin-parameter.ts'
import { flag, hash, key, optional, text, texts, uint32 } from './parameter.ts'
import type { NoParams } from './parameters.ts'
import { looking, positional, type Rows, type Written } from './row.ts'
import { txid } from './transaction-results.ts'
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

const keysMax = 16
const watchOnly = { includeWatchonly: optional(flag) }

export const walletMethods: Rows<WalletMethods> = {
  getbalance: {
    ...looking(satsFromCoins, sizes.scalarReplyBytesMax),
    params: { account: optional(text, '*'), minconf: optional(uint32, 1), ...watchOnly },
  },
  getunconfirmedbalance: { ...looking(satsFromCoins, sizes.scalarReplyBytesMax), params: {} },
  getwalletinfo: { ...looking(results.walletInfo, sizes.scalarReplyBytesMax), params: {} },
  getnewaddress: {
    ...changing(anyText),
    params: { account: optional(text) },
  },
  getrawchangeaddress: { ...changing(anyText), params: {} },
  getaddressesbyaccount: {
    ...looking(results.addresses, sizes.listReplyBytesMax),
    params: { account: text },
  },
  getaccount: { ...looking(anyText, sizes.scalarReplyBytesMax), params: { address: text } },
  getaccountaddress: { ...changing(anyText), params: { account: text } },
  setaccount: { ...changing(nothing), params: { address: text, account: optional(text) } },
  keypoolrefill: { ...changing(nothing), params: { newsize: optional(uint32) } },
  resendwallettransactions: {
    ...changing(hashes),
    params: {},
    replyBytesMax: sizes.listReplyBytesMax,
  },
  z_listaddresses: {
    ...looking(results.addresses, sizes.listReplyBytesMax),
    params: watchOnly,
  },
  z_listoperationids: {
    ...looking(results.operationIds, sizes.listReplyBytesMax),
    params: { status: optional(text) },
  },
  z_gettotalbalance: {
    ...looking(results.totalBalance, sizes.scalarReplyBytesMax),
    params: { minconf: optional(uint32, 1), ...watchOnly },
  },
  gettransaction: {
    ...looking(results.walletTransaction, sizes.decodedReplyBytesMax),
    params: { txid: hash, ...watchOnly },
  },
  listtransactions: {
    ...looking(results.walletEntries, sizes.listReplyBytesMax),
    params: {
      account: optional(text, '*'),
      count: optional(uint32, 10),
      from: optional(uint32, 0),
      ...watchOnly,
    },
  },
  listsinceblock: {
    ...looking(results.entriesSinceBlock, sizes.listReplyBytesMax),
    params: {
      blockhash: optional(hash, ''),
      targetconfirmations: optional(uint32, 1),
      ...watchOnly,
    },
  },
  listreceivedbyaddress: {
    ...looking(results.receivedByAddresses, sizes.listReplyBytesMax),
    params: { minconf: optional(uint32, 1), includeempty: optional(flag, false), ...watchOnly },
  },
  getreceivedbyaddress: {
    ...looking(satsFromCoins, sizes.scalarReplyBytesMax),
    params: { address: text, minconf: optional(uint32) },
  },
  listaddressgroupings: {
    ...looking(results.addressGroupings, sizes.listReplyBytesMax),
    params: {},
  },
  lockunspent: {
    ...changing(anyFlag),
    params: { unlock: flag, outputs: optional(outpoints) },
  },
  listlockunspent: { ...looking(results.outpoints, sizes.listReplyBytesMax), params: {} },
  sendtoaddress: {
    ...changing(txid),
    params: {
      address: text,
      amount: satoshis,
      comment: optional(text, ''),
      comment_to: optional(text, ''),
      subtractfeefromamount: optional(flag),
    },
  },
  sendmany: {
    ...changing(txid),
    params: {
      amounts: payees,
      minconf: optional(uint32, 1),
      comment: optional(text, ''),
      subtractfeefrom: optional(texts),
    },
    wire: fromNoAccount,
  },
  settxfee: { ...changing(anyFlag), params: { amount: feeRate } },
  importaddress: {
    ...changing(nothing),
    params: { address: text, label: optional(text, ''), rescan: optional(flag) },
  },
  importprivkey: {
    ...changing(anyText),
    params: { privkey: text, label: optional(text, ''), rescan: optional(flag) },
  },
  dumpprivkey: {
    ...looking(anyText, sizes.scalarReplyBytesMax),
    params: { address: text },
  },
  addmultisigaddress: {
    ...changing(anyText),
    params: { nrequired: numberFromTo(1, keysMax), keys: texts, account: optional(text) },
  },
  signmessage: {
    ...looking(anyText, sizes.scalarReplyBytesMax),
    params: { address: text, message: text },
  },
  verifymessage: {
    ...looking(anyFlag, sizes.scalarReplyBytesMax),
    params: { address: text, signature: text, message: text },
  },
  setpubkey: { ...changing(results.ownPubkey), params: { pubkey: optional(key) } },
}

/** Accounts are obsolete: the daemon accepts only the empty name of one. */
function fromNoAccount(_: params.SendManyParams, written: Written): readonly unknown[] {
  return ['', ...positional(written, walletMethods.sendmany.params)]
}

function changing<Result>(result: Schema<Result>) {
  return { safety: 'other', result, replyBytesMax: sizes.scalarReplyBytesMax } as const
}

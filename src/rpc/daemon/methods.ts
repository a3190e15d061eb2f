// The table of the daemon's typed methods.

import { AntaraError } from '../../errors/antara-error.ts'
import { requireKnownMembers } from '../../primitives/known-members.ts'
import { wholeNumberIn } from '../../primitives/whole-number.ts'
import { text as anyText, count, hash256, hashes, type Schema } from '../fields.ts'
import type { CallOptions } from '../options.ts'
import { replyBytesMax } from '../reply-sizes.ts'
import type { Safety } from '../retry.ts'
import { type AddressMethods, addressMethods, addressQuery } from './address-methods.ts'
import { type ChainMethods, chainMethods } from './chain-methods.ts'
import { type ControlMethods, controlMethods } from './control-methods.ts'
import { type MiningMethods, miningMethods } from './mining-methods.ts'
import * as orders from './order-results.ts'
import {
  bytes,
  coinsPerUnit,
  flag,
  hash,
  key,
  optional,
  type Parameter,
  payableKey,
  text,
  texts,
  uint32,
  units,
  zeroOrOne,
} from './parameter.ts'
import type * as params from './parameters.ts'
import { type PeerMethods, peerMethods } from './peer-methods.ts'
import { type RawMethods, rawMethods } from './raw-methods.ts'
import * as results from './results.ts'
import { positional, type Row, type Rows, row, type Written } from './row.ts'
import { type TokelTokensV1Methods, tokelTokensV1 } from './tokens-v1-tokel.ts'
import { createdWithData, type TokensV2Methods, tokensV2 } from './tokens-v2.ts'
import { type WalletMethods, walletMethods } from './wallet-methods.ts'

/**
 * Parameters and result of every typed method, by the wire's names. Each has a row in the table
 * below.
 */
export interface DaemonMethods
  extends AddressMethods,
    ChainMethods,
    ControlMethods,
    MiningMethods,
    PeerMethods,
    RawMethods,
    TokelTokensV1Methods,
    TokensV2Methods,
    WalletMethods {
  /** Addresses of the tokens module, of a key and of the node, with their balances. */
  tokenaddress: { params: params.TokenAddressParams; result: results.TokenAddresses }
  /** Token units of a key. 0 may also mean an unknown token or an unconfirmed transfer. */
  tokenbalance: { params: params.TokenBalanceParams; result: results.TokenBalance }
  /** Builds and signs a creation; broadcasts nothing. Never retried. Prefer `createToken`. */
  tokencreate: { params: params.TokenCreateParams; result: results.RawTransactionHex }
  tokeninfo: { params: params.TokenInfoParams; result: results.TokenInfo }
  /** Addresses of the assets module, of a key and of the node, with their balances. */
  assetsaddress: { params: params.TokenAddressParams; result: orders.AssetsAddresses }
  /** Open orders, of one token or all: bids, then asks. */
  tokenorders: { params: params.TokenOrdersParams; result: readonly orders.TokenOrderReply[] }
  /** Open orders of the node's own key. */
  mytokenorders: { params: params.MyTokenOrdersParams; result: readonly orders.TokenOrderReply[] }
  /** Builds and signs an offer of units; broadcasts nothing. Never retried. Prefer `tradeToken`. */
  tokenask: { params: params.TokenOfferParams; result: results.RawTransactionHex }
  /** Builds and signs an offer of coins; as `tokenask`. */
  tokenbid: { params: params.TokenOfferParams; result: results.RawTransactionHex }
  /** Builds and signs a purchase from an ask; as `tokenask`. */
  tokenfillask: { params: params.TokenFillAskParams; result: results.RawTransactionHex }
  /** Builds and signs a sale to a bid; as `tokenask`. */
  tokenfillbid: { params: params.TokenFillBidParams; result: results.RawTransactionHex }
  /** Builds and signs the cancellation of an own ask; as `tokenask`. */
  tokencancelask: { params: params.TokenCancelAskParams; result: results.RawTransactionHex }
  /** Builds and signs the cancellation of an own bid; as `tokenask`. */
  tokencancelbid: { params: params.TokenCancelBidParams; result: results.RawTransactionHex }
  /** Ids of all tokens of the chain, in any order. */
  tokenlist: { params: params.NoParams; result: readonly string[] }
  /** Builds and signs a transfer; broadcasts nothing. Never retried. Prefer `transferToken`. */
  tokentransfer: { params: params.TokenTransferParams; result: results.RawTransactionHex }
  /**
   * Broadcasts a transaction and returns the txid that the daemon reports.
   *
   * Retried once. "Already in the chain" counts as success on that retry, because the first attempt
   * arrived. With `expectedTxid` it counts at once if that is the txid of the transaction, and an
   * answer with any other txid is an error (`shape`, `wrong_txid`).
   */
  sendrawtransaction: {
    params: params.SendRawTransactionParams
    result: string
    options: SendOptions
  }
  decoderawtransaction: { params: params.HexParams; result: results.DecodedTransactionReply }
  getrawtransaction: {
    params: params.GetRawTransactionParams
    result: string | results.TransactionReply
  }
  /** `null` when the output is spent or unknown. */
  gettxout: { params: params.GetTxOutParams; result: results.UnspentOutput | null }
  getaddressutxos: { params: params.GetAddressUtxosParams; result: results.AddressUtxosReply }
  listunspent: { params: params.ListUnspentParams; result: readonly results.WalletUtxo[] }
  validateaddress: { params: params.ValidateAddressParams; result: results.AddressValidation }
  getinfo: { params: params.NoParams; result: results.NodeInfo }
  getblockcount: { params: params.NoParams; result: number }
  getrawmempool: { params: params.GetRawMempoolParams; result: results.MempoolReply }
  help: { params: params.HelpParams; result: string }
}

/** Options of a broadcast. */
export interface SendOptions extends CallOptions {
  /** Txid of the transaction, from a source other than the daemon. */
  readonly expectedTxid?: string | undefined
}

/** Each call chooses inputs anew, so a repetition could create or transfer a second time. */
function building<Params>(
  params: Row<Params, unknown>['params'],
  wire?: Row<NoInfer<Params>, unknown>['wire'],
): Row<Params, results.RawTransactionHex> {
  return row('build', 'transaction', results.rawTransactionHex, params, wire)
}

const table: Rows<DaemonMethods> = {
  tokenaddress: row('read', 'object', results.tokenAddresses, { pubkey: optional(key) }),
  tokenbalance: row('read', 'scalar', results.tokenBalance, {
    tokenid: hash,
    pubkey: optional(key),
  }),
  tokencreate: building(createdWithData, refuseManyOfOneKind),
  tokeninfo: row('read', 'object', results.tokenInfo, { tokenid: hash }),
  tokenlist: row('read', 'list', hashes, {}),
  tokentransfer: building({ tokenid: hash, destpubkey: payableKey, amount: units }),
  assetsaddress: row('read', 'object', orders.assetsAddresses, { pubkey: optional(key) }),
  tokenorders: row('read', 'list', orders.tokenOrders, { tokenid: optional(hash) }),
  mytokenorders: row('read', 'list', orders.tokenOrders, { evalcode: optional(text) }),
  tokenask: building({ numtokens: units, tokenid: hash, price: coinsPerUnit }),
  tokenbid: building({ numtokens: units, tokenid: hash, price: coinsPerUnit }),
  tokenfillask: building({ tokenid: hash, asktxid: hash, fillunits: units }),
  tokenfillbid: building({ tokenid: hash, bidtxid: hash, fillamount: units }),
  tokencancelask: building({ tokenid: hash, asktxid: hash }),
  tokencancelbid: building({ tokenid: hash, bidtxid: hash }),
  sendrawtransaction: row('broadcast', 'scalar', hash256, {
    hex: bytes,
    allowhighfees: optional(flag),
  }),
  decoderawtransaction: row('read', 'decoded', results.decodedTransaction, { hex: bytes }),
  getrawtransaction: {
    safety: 'read',
    params: { txid: hash, verbose: optional(zeroOrOne) },
    result: (given) => (isVerbose(given) ? results.transaction : results.usableHex),
    replyBytesMax: rawReplyBytesMax,
  },
  gettxout: row('read', 'object', results.unspentOutput, {
    txid: hash,
    n: uint32,
    includemempool: optional(flag),
  }),
  getaddressutxos: row(
    'read',
    'list',
    results.addressUtxos,
    { addresses: texts, chainInfo: optional(flag), ccvout: optional(flag) },
    addressQuery,
  ),
  listunspent: row('read', 'list', results.walletUtxos, {
    minconf: optional(uint32, 1),
    maxconf: optional(uint32, 9_999_999),
    addresses: optional(texts),
  }),
  validateaddress: row('read', 'object', results.addressValidation, { address: text }),
  getinfo: row('read', 'object', results.nodeInfo, {}),
  getblockcount: row('read', 'scalar', count, {}),
  getrawmempool: row('read', 'list', results.mempool, { verbose: optional(flag) }),
  help: row('read', 'object', anyText, { command: optional(text) }),
  ...addressMethods,
  ...chainMethods,
  ...controlMethods,
  ...miningMethods,
  ...peerMethods,
  ...rawMethods,
  ...tokelTokensV1,
  ...tokensV2,
  ...walletMethods,
}

function rawReplyBytesMax(given: readonly unknown[]): number {
  return isVerbose(given) ? replyBytesMax.decoded : replyBytesMax.transaction
}

function isVerbose([, verbose = 0]: readonly unknown[]): boolean {
  return wholeNumberIn(verbose) !== 0
}

function refuseManyOfOneKind(
  { data, supply }: params.TokenCreateParams,
  written: Written,
): readonly unknown[] {
  if (data !== undefined && supply !== 1n) {
    const details = { path: 'supply', expected: 1n, actual: supply }
    throw new AntaraError('amount_out_of_range', details)
  }
  return positional(written, createdWithData)
}

/**
 * Returns the positional values that the client sends for named parameters.
 *
 * @throws {TypeError} for an unknown name; the daemon would use a default in its place
 */
export function encodeParams<M extends keyof DaemonMethods>(
  method: M,
  given: DaemonMethods[M]['params'],
): readonly unknown[] {
  const row: Row<DaemonMethods[M]['params'], unknown> = table[method]
  const parameters: Readonly<Record<string, Parameter>> = row.params
  requireKnownParameters(method, given, Object.keys(parameters))
  const written: Record<string, unknown> = {}
  for (const [name, { write, isOptional }] of Object.entries(parameters)) {
    const value = memberOf(given, name)
    if (value !== undefined || isOptional !== true) written[name] = write(value, name)
  }
  return row.wire === undefined ? positional(written, parameters) : row.wire(given, written)
}

function requireKnownParameters(method: string, given: object, names: readonly string[]): void {
  const known = names.includes('hex') ? [...names, 'hexstring'] : names
  requireKnownMembers(given, known, method)
  const { hex, hexstring } = given as { readonly hex?: unknown; readonly hexstring?: unknown }
  if (hex === undefined || hexstring === undefined) return
  throw new TypeError(`${method}: expected hex or hexstring, received both`)
}

/** Returns one of two spellings: the daemon's help says `hexstring`, its documentation `hex`. */
function memberOf(given: object, name: string): unknown {
  const named = given as Readonly<Record<string, unknown>>
  return name === 'hex' ? (named.hex ?? named.hexstring) : named[name]
}

export const daemonMethodNames: readonly (keyof DaemonMethods)[] = Object.keys(
  table,
) as (keyof DaemonMethods)[]

export function parametersOf(method: keyof DaemonMethods): Readonly<Record<string, Parameter>> {
  return table[method].params
}

export function resultSchemaOf(
  method: keyof DaemonMethods,
  given: readonly unknown[] = [],
): Schema<unknown> {
  const { result } = table[method]
  return typeof result === 'function' ? result(given) : result
}

export function replyBytesMaxOf(method: string, params: readonly unknown[]): number {
  if (!isTypedMethod(method)) return replyBytesMax.untyped
  const most = table[method].replyBytesMax
  return typeof most === 'number' ? most : most(params)
}

export function isTypedMethod(method: string): method is keyof DaemonMethods {
  return Object.hasOwn(table, method)
}

export function safetyOf(method: string): Safety {
  return isTypedMethod(method) ? table[method].safety : 'other'
}

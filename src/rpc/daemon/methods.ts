import { count, type Schema, text } from '../fields.ts'
import type { MethodTrait } from '../retry.ts'
import * as params from './parameters.ts'
import * as results from './results.ts'

/** Parameters and result of every typed method. */
export interface DaemonMethods {
  tokenaddress: { params: params.TokenAddressParams; result: results.TokenAddresses }
  tokenbalance: { params: params.TokenBalanceParams; result: results.TokenBalance }
  tokencreate: { params: params.TokenCreateParams; result: results.RawTransactionHex }
  tokeninfo: { params: params.TokenInfoParams; result: results.TokenInfo }
  tokenlist: { params: params.NoParams; result: readonly string[] }
  tokentransfer: { params: params.TokenTransferParams; result: results.RawTransactionHex }
  sendrawtransaction: { params: params.SendRawTransactionParams; result: string }
  decoderawtransaction: { params: params.HexParams; result: results.DecodedTransactionReply }
  getrawtransaction: {
    params: params.GetRawTransactionParams
    result: string | results.TransactionReply
  }
  gettxout: { params: params.GetTxOutParams; result: results.UnspentOutput | null }
  getaddressutxos: { params: params.GetAddressUtxosParams; result: results.AddressUtxosReply }
  listunspent: { params: params.ListUnspentParams; result: readonly results.WalletUtxo[] }
  validateaddress: { params: params.ValidateAddressParams; result: results.AddressValidation }
  getinfo: { params: params.NoParams; result: results.NodeInfo }
  getblockcount: { params: params.NoParams; result: number }
  getrawmempool: { params: params.GetRawMempoolParams; result: results.MempoolReply }
  help: { params: params.HelpParams; result: string }
}

/** How one method is written, what a repetition of it may do, and how its result is read. */
export interface MethodCodec<Params, Result> {
  readonly trait: MethodTrait
  readonly encode: (params: Params) => readonly unknown[]
  readonly result: Schema<Result>
}

type Codecs = {
  readonly [Method in keyof DaemonMethods]: MethodCodec<
    DaemonMethods[Method]['params'],
    DaemonMethods[Method]['result']
  >
}

function codec<Params, Result>(
  trait: MethodTrait,
  encode: (params: Params) => readonly unknown[],
  result: Schema<Result>,
): MethodCodec<Params, Result> {
  return { trait, encode, result }
}

export const daemonCodecs: Codecs = {
  tokenaddress: codec('read', params.tokenAddressParams, results.tokenAddresses),
  tokenbalance: codec('read', params.tokenBalanceParams, results.tokenBalance),
  // Each call chooses inputs anew: a repetition could be a second creation or a second transfer.
  tokencreate: codec('once', params.tokenCreateParams, results.rawTransactionHex),
  tokeninfo: codec('read', params.tokenInfoParams, results.tokenInfo),
  tokenlist: codec('read', params.noParams, results.tokenIds),
  tokentransfer: codec('once', params.tokenTransferParams, results.rawTransactionHex),
  sendrawtransaction: codec('broadcast', params.sendRawTransactionParams, results.txid),
  decoderawtransaction: codec(
    'read',
    params.decodeRawTransactionParams,
    results.decodedTransaction,
  ),
  getrawtransaction: codec('read', params.getRawTransactionParams, results.rawTransaction),
  gettxout: codec('read', params.getTxOutParams, results.unspentOutput),
  getaddressutxos: codec('read', params.getAddressUtxosParams, results.addressUtxos),
  listunspent: codec('read', params.listUnspentParams, results.walletUtxos),
  validateaddress: codec('read', params.validateAddressParams, results.addressValidation),
  getinfo: codec('read', params.noParams, results.nodeInfo),
  getblockcount: codec('read', params.noParams, count),
  getrawmempool: codec('read', params.getRawMempoolParams, results.mempool),
  help: codec('read', params.helpParams, text),
}

// Methods without a type here that only look things up.
const lookUps = new Set([
  'decodescript',
  'decodeccopret',
  'estimatefee',
  'getaddressbalance',
  'getaddressdeltas',
  'getaddressmempool',
  'getaddresstxids',
  'getbestblockhash',
  'getblock',
  'getblockchaininfo',
  'getblockhash',
  'getblockheader',
  'getconnectioncount',
  'getdifficulty',
  'getmempoolinfo',
  'getnetworkinfo',
  'getpeerinfo',
  'getspentinfo',
  'gettransaction',
  'getwalletinfo',
  'mytokenorders',
  'tokenorders',
])

export function isTypedMethod(method: string): method is keyof DaemonMethods {
  return Object.hasOwn(daemonCodecs, method)
}

export function traitOf(method: string): MethodTrait {
  if (isTypedMethod(method)) return daemonCodecs[method].trait
  return lookUps.has(method) ? 'read' : 'other'
}

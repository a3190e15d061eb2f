// The methods about blocks, proofs of inclusion, the mempool, peers and mining.

import { flag as anyFlag, count, hashes as hashList, measure, nothing } from '../fields.ts'
import * as sizes from '../reply-sizes.ts'
import * as results from './block-results.ts'
import type * as params from './chain-parameters.ts'
import { blockName, numberFromTo } from './coin-parameter.ts'
import * as network from './network-results.ts'
import { bytes, flag, hash, hashes, optional, uint32 } from './parameter.ts'
import type { NoParams } from './parameters.ts'
import { looking, type Row, type Rows, type Written } from './row.ts'
import { heightText } from './text-parameter.ts'
import { txid, usableHex } from './transaction-results.ts'

export interface ChainMethods {
  getbestblockhash: { params: NoParams; result: string }
  getblockhash: { params: params.GetBlockHashParams; result: string }
  getblock: {
    params: params.GetBlockParams
    result: string | results.BlockReply | results.BlockWithTransactions
  }
  /** Hashes of the blocks between two times; needs `-timestampindex=1`. */
  getblockhashes: {
    params: params.GetBlockHashesParams
    result: readonly string[] | readonly results.BlockTime[]
  }
  getblockheader: {
    params: params.GetBlockHeaderParams
    result: string | results.BlockHeaderReply
  }
  getblockchaininfo: { params: NoParams; result: results.BlockchainInfo }
  /** The last block of each branch that the daemon knows. */
  getchaintips: { params: NoParams; result: readonly results.ChainTipReply[] }
  getchaintxstats: { params: params.GetChainTxStatsParams; result: results.ChainStatistics }
  getdifficulty: { params: NoParams; result: number }
  getmempoolinfo: { params: NoParams; result: network.MempoolInfo }
  /**
   * Proof that a block has transactions, for `verifytxoutproof`. A proof of the daemon shows
   * nothing about the chain by itself: `verifyHeaderChain` and `verifyInclusion` do.
   */
  gettxoutproof: { params: params.GetTxOutProofParams; result: string }
  /** Txids that a proof names, as this daemon verifies it; empty if it does not hold. */
  verifytxoutproof: { params: params.VerifyTxOutProofParams; result: readonly string[] }
  gettxoutsetinfo: { params: NoParams; result: results.OutputSet }
  coinsupply: { params: params.HeightParams; result: results.CoinSupply }
  getblocksubsidy: { params: params.HeightParams; result: results.BlockSubsidy }
  /**
   * Returns whether a transaction is notarized; on a chain without notaries, whether 100 blocks
   * follow its block.
   */
  txnotarizedconfirmed: {
    params: params.TxNotarizedConfirmedParams
    result: results.NotarizedConfirmed
  }
  verifychain: { params: params.VerifyChainParams; result: boolean }
  /** Declares a block wrong, so that the daemon follows another branch. */
  invalidateblock: { params: params.BlockHashParams; result: null }
  reconsiderblock: { params: params.BlockHashParams; result: null }
  getnetworkinfo: { params: NoParams; result: network.NetworkInfo }
  getconnectioncount: { params: NoParams; result: number }
  getpeerinfo: { params: NoParams; result: readonly network.PeerInfo[] }
  getnettotals: { params: NoParams; result: network.NetTotals }
  getmininginfo: { params: NoParams; result: network.MiningInfo }
  ping: { params: NoParams; result: null }
}

const blockMark: Row<params.BlockHashParams, null> = {
  safety: 'other',
  params: { hash },
  result: nothing,
  replyBytesMax: sizes.scalarReplyBytesMax,
}

const scalarBytes = sizes.scalarReplyBytesMax
const objectBytes = sizes.objectReplyBytesMax
const listBytes = sizes.listReplyBytesMax

export const chainMethods: Rows<ChainMethods> = {
  getbestblockhash: { ...looking(txid, scalarBytes), params: {} },
  getblockhash: { ...looking(txid, scalarBytes), params: { index: uint32 } },
  getblock: {
    ...looking(results.block, listBytes),
    params: { block: blockName, verbosity: optional(numberFromTo(0, 2)) },
  },
  getblockhashes: {
    ...looking(results.blockHashes, listBytes),
    params: {
      high: uint32,
      low: uint32,
      noOrphans: optional(flag),
      logicalTimes: optional(flag),
    },
    wire: betweenTimes,
  },
  getblockheader: {
    ...looking(results.blockHeader, objectBytes),
    params: { hash, verbose: optional(flag) },
  },
  getblockchaininfo: { ...looking(results.blockchainInfo, objectBytes), params: {} },
  getchaintips: { ...looking(results.chainTips, listBytes), params: {} },
  getchaintxstats: {
    ...looking(results.chainStatistics, scalarBytes),
    params: { nblocks: optional(uint32), blockhash: optional(hash) },
  },
  getdifficulty: { ...looking(measure, scalarBytes), params: {} },
  getmempoolinfo: { ...looking(network.mempoolInfo, scalarBytes), params: {} },
  gettxoutproof: {
    ...looking(usableHex, listBytes),
    params: { txids: hashes, blockhash: optional(hash) },
  },
  verifytxoutproof: { ...looking(hashList, listBytes), params: { proof: bytes } },
  gettxoutsetinfo: { ...looking(results.outputSet, objectBytes), params: {} },
  coinsupply: {
    ...looking(results.coinSupply, scalarBytes),
    params: { height: optional(heightText) },
  },
  getblocksubsidy: {
    ...looking(results.blockSubsidy, scalarBytes),
    params: { height: optional(uint32) },
  },
  txnotarizedconfirmed: {
    ...looking(results.notarizedConfirmed, scalarBytes),
    params: { txid: hash },
  },
  verifychain: {
    ...looking(anyFlag, scalarBytes),
    params: { checklevel: optional(numberFromTo(0, 4), 3), numblocks: optional(uint32) },
  },
  invalidateblock: blockMark,
  reconsiderblock: blockMark,
  getnetworkinfo: { ...looking(network.networkInfo, objectBytes), params: {} },
  getconnectioncount: { ...looking(count, scalarBytes), params: {} },
  getpeerinfo: { ...looking(network.peers, listBytes), params: {} },
  getnettotals: { ...looking(network.netTotals, scalarBytes), params: {} },
  getmininginfo: { ...looking(network.miningInfo, scalarBytes), params: {} },
  ping: { ...looking(nothing, scalarBytes), params: {} },
}

/** Options follow the times in an object, and only if there are some. */
function betweenTimes(_: object, { high, low, ...options }: Written): readonly unknown[] {
  return Object.keys(options).length === 0 ? [high, low] : [high, low, options]
}

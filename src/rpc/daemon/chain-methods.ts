// The methods about blocks, proofs of inclusion, the mempool, peers and mining.

import { flag as anyFlag, count, hash256, hashes as hashList, measure, nothing } from '../fields.ts'
import * as results from './block-results.ts'
import type * as params from './chain-parameters.ts'
import { blockName, numberFromTo } from './coin-parameter.ts'
import * as network from './network-results.ts'
import { bytes, flag, hash, hashes, optional, uint32 } from './parameter.ts'
import type { NoParams } from './parameters.ts'
import { type Rows, row, type Written } from './row.ts'
import { heightText } from './text-parameter.ts'
import { usableHex } from './transaction-results.ts'

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

export const chainMethods: Rows<ChainMethods> = {
  getbestblockhash: row('read', 'scalar', hash256, {}),
  getblockhash: row('read', 'scalar', hash256, { index: uint32 }),
  getblock: row('read', 'list', results.block, {
    block: blockName,
    verbosity: optional(numberFromTo(0, 2)),
  }),
  getblockhashes: row(
    'read',
    'list',
    results.blockHashes,
    {
      high: uint32,
      low: uint32,
      noOrphans: optional(flag),
      logicalTimes: optional(flag),
    },
    betweenTimes,
  ),
  getblockheader: row('read', 'object', results.blockHeader, { hash, verbose: optional(flag) }),
  getblockchaininfo: row('read', 'object', results.blockchainInfo, {}),
  getchaintips: row('read', 'list', results.chainTips, {}),
  getchaintxstats: row('read', 'scalar', results.chainStatistics, {
    nblocks: optional(uint32),
    blockhash: optional(hash),
  }),
  getdifficulty: row('read', 'scalar', measure, {}),
  getmempoolinfo: row('read', 'scalar', network.mempoolInfo, {}),
  gettxoutproof: row('read', 'list', usableHex, { txids: hashes, blockhash: optional(hash) }),
  verifytxoutproof: row('read', 'list', hashList, { proof: bytes }),
  gettxoutsetinfo: row('read', 'object', results.outputSet, {}),
  coinsupply: row('read', 'scalar', results.coinSupply, { height: optional(heightText) }),
  getblocksubsidy: row('read', 'scalar', results.blockSubsidy, { height: optional(uint32) }),
  txnotarizedconfirmed: row('read', 'scalar', results.notarizedConfirmed, { txid: hash }),
  verifychain: row('read', 'scalar', anyFlag, {
    checklevel: optional(numberFromTo(0, 4), 3),
    numblocks: optional(uint32),
  }),
  invalidateblock: row('other', 'scalar', nothing, { hash }),
  reconsiderblock: row('other', 'scalar', nothing, { hash }),
  getnetworkinfo: row('read', 'object', network.networkInfo, {}),
  getconnectioncount: row('read', 'scalar', count, {}),
  getpeerinfo: row('read', 'list', network.peers, {}),
  getnettotals: row('read', 'scalar', network.netTotals, {}),
  getmininginfo: row('read', 'scalar', network.miningInfo, {}),
  ping: row('read', 'scalar', nothing, {}),
}

/** Options follow the times in an object, and only if there are some. */
function betweenTimes(_: object, { high, low, ...options }: Written): readonly unknown[] {
  return Object.keys(options).length === 0 ? [high, low] : [high, low, options]
}

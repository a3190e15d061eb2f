// Methods for transactions: broadcast, bytes, and proofs of inclusion.

import { merkleBranchOf } from '../../block/merkle.ts'
import { LosslessNumber } from '../../primitives/json.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import type { Engine } from '../engine.ts'
import { callMethod } from '../methods/table.ts'
import { blockAt } from '../state/view.ts'
import { ofDaemon } from './daemon.ts'
import type { Methods } from './method.ts'
import { grouped, hashOf, isBoolean, isTrue, refused, textOf, wholeNumber } from './values.ts'

export const transactionMethods: Methods = {
  'blockchain.transaction.broadcast': {
    required: ['raw_tx'],
    answer({ daemon }, [hex]) {
      if (typeof hex !== 'string' || !/^(?:[0-9a-f]{2})*$/i.test(hex)) {
        throw refused(`${textOf(hex)} should be a hex string`)
      }
      try {
        return JSON.parse(callMethod(daemon, 'sendrawtransaction', [hex]))
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error
        throw refused(
          `the transaction was rejected by network rules.\n\n${error.message}\n[${hex}]`,
        )
      }
    },
  },
  'blockchain.transaction.get': {
    required: ['tx_hash'],
    optional: ['verbose'],
    answer({ daemon }, [txid, verbose]) {
      const wanted = hashOf(txid, 'a transaction hash', 'should be')
      if (!isBoolean(verbose ?? false)) throw refused('"verbose" must be a boolean')
      const isDecoded = new LosslessNumber(isTrue(verbose) ? '1' : '0')
      return ofDaemon(daemon, 'getrawtransaction', [wanted, isDecoded])
    },
  },
  'blockchain.transaction.get_merkle': {
    required: ['tx_hash', 'height'],
    answer({ engine }, [given, at]) {
      const txid = hashOf(given, 'a transaction hash', 'should be')
      const height = wholeNumber(at)
      const txids = txidsAt(engine, height)
      const pos = txids.indexOf(txid)
      if (pos < 0) throw refused(`tx ${txid} not in block at height ${grouped(height)}`)
      return { block_height: height, merkle: merkleBranchOf(txids, pos).branch, pos }
    },
  },
  'blockchain.transaction.id_from_pos': {
    required: ['height', 'tx_pos'],
    optional: ['merkle'],
    answer({ engine }, [at, position, wantsBranch]) {
      const pos = wholeNumber(position)
      const height = wholeNumber(at)
      if (!isBoolean(wantsBranch ?? false)) throw refused('"merkle" must be a boolean')
      const { height: last } = engine.state.chain.tip
      if (height > last) {
        throw refused(`db error: DBError('block ${height} not on disk (>${last})')`)
      }
      const txids = txidsAt(engine, height)
      const txid = txids[pos]
      if (txid === undefined) {
        throw refused(`no tx at position ${grouped(pos)} in block at height ${grouped(height)}`)
      }
      if (!isTrue(wantsBranch)) return txid
      return { tx_hash: txid, merkle: merkleBranchOf(txids, pos).branch }
    },
  },
}

/**
 * Returns the txids of the block at a height. None for the first block: the index leaves out its
 * coinbase, which cannot be spent.
 *
 * @see spesmilo/electrumx lib/coins.py, Coin.genesis_block
 */
function txidsAt(engine: Engine, height: number): string[] {
  if (height === 0) return []
  const block = blockAt(engine, height)
  if (block === undefined) throw refused(`height ${grouped(height)} out of range`)
  return block.transactions.map(({ txid }) => txid)
}

// Methods for unspent outputs, and proofs that a transaction is in a block.

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesFromHex, hexFromBytes } from '../../primitives/hex.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { printedCondition } from '../../script/condition-json.ts'
import { type Block, headerHex } from '../state/block.ts'
import { ordinal, outpointOf } from '../state/keys.ts'
import { entriesFrom } from '../state/ordered-map.ts'
import {
  blockAt,
  confirmedCoin,
  findCoin,
  findTransaction,
  isSpentInMempool,
  knownBlock,
  positionOf,
  requireWholeChain,
} from '../state/view.ts'
import { type Answer, coins } from './answer.ts'
import { blockOfHash, isInChain, requireFullBlock } from './blocks.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { merkleBlock, readMerkleBlock } from './merkle-block.ts'
import { boolean, hexText, integer, lenientHash, list, text } from './params.ts'
import { scriptJson } from './transaction-json.ts'

export const outputMethods: Methods = methodsIn('Blockchain', [
  method('gettxout "txid" n ( includemempool )', [2, 3], (context, [id, n, includesMempool]) => {
    const txid = lenientHash(text(id))
    const index = integer(n)
    const withMempool = includesMempool === undefined || boolean(includesMempool)
    return unspentOutput(context, txid, index, withMempool)
  }),
  method('gettxoutsetinfo', [0, 0], outputSet),
  method('gettxoutproof ["txid",...] ( "blockhash" )', [1, 2], (context, [ids, blockHash]) => {
    const txids = txidsToProve(list(ids))
    const block =
      blockHash === undefined
        ? blockWith(context, txids.at(-1))
        : requireFullBlock(context, blockOfHash(context, lenientHash(text(blockHash))))
    const all = block.transactions.map(({ txid }) => txid)
    if (!txids.every((txid) => all.includes(txid))) {
      throw failure('addressOrKey', '(Not all) transactions not found in specified block')
    }
    return headerHex(block) + merkleBlock(all, txids)
  }),
  method('verifytxoutproof "proof"', [1, 1], (context, [proof]) => {
    const hex = hexText(proof, 'proof')
    // komodo src/rpc/rawtransaction.cpp, verifytxoutproof: an invalid tree is answered with an empty
    // list, whatever its block. A block beside the best chain does not count.
    const { block, txids } = readMerkleBlock(hex)
    if (txids === undefined) return []
    const known = knownBlock(context, block)
    if (known === undefined || !isInChain(context, known)) {
      throw failure('addressOrKey', 'Block not found in chain')
    }
    return txids
  }),
])

/** @throws {RpcFailure} for a malformed or repeated txid */
function txidsToProve(ids: readonly JsonValue[]): string[] {
  const seen = new Set<string>()
  for (const id of ids) {
    const given = text(id)
    if (!isHex32(given.toLowerCase())) throw failure('parameter', `Invalid txid ${given}`)
    if (seen.has(given.toLowerCase())) {
      throw failure('parameter', `Invalid parameter, duplicated txid: ${given}`)
    }
    seen.add(given.toLowerCase())
  }
  return [...seen]
}

/** @throws {RpcFailure} unless a block of the chain has the transaction */
function blockWith(context: Context, txid: string | undefined): Block {
  const position = txid === undefined ? undefined : positionOf(context.state, txid)
  if (position === undefined) throw failure('addressOrKey', 'Transaction not yet in block')
  return requireFullBlock(context, blockAt(context, position.height)!)
}

/** @see komodo src/rpc/blockchain.cpp, gettxout */
function unspentOutput(
  context: Context,
  txid: string,
  index: number,
  withMempool: boolean,
): Answer {
  const { state } = context
  const { chain } = state
  // A negative index names no output. As an unsigned number it is too high for every transaction.
  const vout = index >>> 0
  const coin = withMempool ? findCoin(state, txid, vout) : confirmedCoin(state, txid, vout)
  if (coin === undefined || (withMempool && isSpentInMempool(state, txid, vout))) return null
  const { scripts, network } = context.rules
  const condition = printedCondition(coin.script, network)
  const confirmations = Math.max(0, chain.tip.height - coin.height + 1)
  return {
    bestblock: chain.tip.hash,
    confirmations,
    rawconfirmations: confirmations,
    value: coins(coin.value),
    scriptPubKey: scriptJson({
      ...scripts.describe(coin.script),
      hex: coin.script,
      ...(condition && { condition }),
    }),
    version: findTransaction(context, txid)!.transaction.version,
    coinbase: coin.coinbase,
  }
}

/** About the bytes of the daemon's record of an output, without its script. */
const recordBytes = 50

/**
 * Counts the unspent outputs. The daemon reports the size and the hash of records in its database,
 * which this node does not have. Its own size and digest only show whether two states are equal.
 */
function outputSet(context: Context): Answer {
  requireWholeChain(context.state.chain)
  const { tip, tables } = context.state.chain
  const digest = sha256.create()
  const txids = new Set<string>()
  let outputs = 0
  let bytes = 0
  let total = 0n
  for (const [key, { value, script, height }] of entriesFrom(tables.coins)) {
    txids.add(outpointOf(key).txid)
    outputs += 1
    bytes += recordBytes + script.length / 2
    total += value
    digest.update(bytesFromHex(`${key}${ordinal(height)}${script}`))
  }
  return {
    height: tip.height,
    bestblock: tip.hash,
    transactions: txids.size,
    txouts: outputs,
    bytes_serialized: bytes,
    hash_serialized: hexFromBytes(digest.digest()),
    total_amount: coins(total),
  }
}

// The node mines at once and by itself. It gives templates of blocks to miners, and takes no blocks.

import { easiestBits } from '../../block/chains.ts'
import { leadingHeader } from '../../block/header.ts'
import { targetOfBits } from '../../block/work.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { sigopsIn } from '../consensus/standard.ts'
import { minerScript } from '../faucet.ts'
import { blockBytesMax } from '../next-block.ts'
import { subsidyOf } from '../profile.ts'
import { bits, blockVersion, emptySaplingRoot, medianTime } from '../state/block.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'
import { findCoin, knownBlock } from '../state/view.ts'
import { type Answer, coins } from './answer.ts'
import { isInvalidBlock } from './blocks.ts'
import { type Context, changeSettings, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import {
  boolean,
  hashText,
  integer,
  longInteger,
  members,
  number,
  type Params,
  text,
} from './params.ts'

/** komodo src/consensus/consensus.h, MAX_BLOCK_SIGOPS */
const blockSigopsMax = 20_000

export const miningMethods: Methods = {
  ...methodsIn('Mining', [
    method('getmininginfo', [0, 0], miningInfo),
    method('getlocalsolps', [0, 0], () => 0),
    method('getnetworksolps ( blocks height )', [0, 2], () => 0),
    method('getnetworkhashps ( blocks height )', [0, 2], () => 0),
    method('getblocksubsidy ( height )', [0, 1], (context, [height]) => {
      const asked = height === undefined ? context.state.chain.tip.height : integer(height)
      if (asked < 0) throw failure('parameter', 'Block height out of range')
      return { miner: coins(subsidyOf(context.rules.profile, asked)) }
    }),
    {
      ...method('getblocktemplate ( "jsonrequestobject" )', [0, 1], blockTemplate),
      about: 'This node answers at once, also with a longpollid, and takes no proposals.',
    },
    {
      ...method('submitblock "hexdata" ( "jsonparametersobject" )', [1, 2], submitBlock),
      about: 'This node says whether it has a block. It takes none that it has not made.',
    },
    {
      ...method(
        'prioritisetransaction <txid> <priority delta> <fee delta>',
        [3, 3],
        (_, [txid, priority, fee]) => {
          hashText(txid, 'txid')
          longInteger(fee)
          number(priority)
          return true
        },
      ),
      about: 'This node mines transactions in the order of their arrival, whatever their priority.',
    },
  ]),
  ...methodsIn('Generating', [
    method('generate numblocks', [1, 1], (context, [count]) =>
      Array.from({ length: Math.max(0, integer(count)) }, () => context.mineBlock()),
    ),
    method('getgenerate', [0, 0], (context) => {
      const { generate, staking, numthreads } = miningState(context)
      return { staking, generate, numthreads }
    }),
    method('setgenerate generate ( genproclimit )', [1, 2], setGenerate),
  ]),
}

function miningState(context: Context) {
  const { isOn, threads } = context.wallet.settings.mining
  return { staking: false, generate: isOn && threads !== 0, numthreads: threads }
}

/** A daemon mines from now on; this node mines its blocks before it answers. */
function setGenerate(context: Context, [mines, count]: Params): Answer {
  const isOn = boolean(mines)
  const { threads: before } = context.wallet.settings.mining
  const threads = count === undefined ? Math.max(0, before) : integer(count)
  changeSettings(context, { mining: { isOn, threads } })
  const blocks = isOn ? (count === undefined ? 1 : threads) : 0
  for (let mined = 0; mined < blocks; mined += 1) context.mineBlock()
  return null
}

/** @see komodo src/rpc/mining.cpp, getmininginfo */
function miningInfo(context: Context): Answer {
  const { tip } = context.state.chain
  return {
    blocks: tip.height,
    currentblocksize: 1000 + tip.transactions.slice(1).reduce((sum, { size }) => sum + size, 0),
    currentblocktx: Math.max(0, tip.transactions.length - 1),
    difficulty: 1,
    errors: '',
    genproclimit: context.wallet.settings.mining.threads,
    localsolps: 0,
    networksolps: 0,
    networkhashps: 0,
    pooledtx: context.state.mempool.transactions.size,
    testnet: false,
    chain: 'main',
    ...miningState(context),
  }
}

/** Returns true if the template has the coinbase as `coinbasetxn`. @throws {RpcFailure} for other modes */
function isCoinbaseApart(request: JsonValue | undefined): boolean {
  if (request === undefined) return true
  const { mode } = members(request)
  if (mode !== undefined && mode !== null && typeof mode !== 'string') {
    throw failure('parameter', 'Invalid mode')
  }
  if (mode === 'proposal') throw failure('parameter', 'this development node takes no proposals')
  return mode !== 'disablecb'
}

/** @see komodo src/rpc/mining.cpp, getblocktemplate */
function blockTemplate(context: Context, [request]: Params): Answer {
  const isApart = isCoinbaseApart(request)
  const { engine, identity } = context
  const { chain, mempool } = engine.state
  const { tip } = chain
  const next = engine.next({ script: minerScript(engine, identity) })
  const { height, time, coinbase, others } = next
  const places = new Map([coinbase, ...others].map(({ txid }, at) => [txid, at]))
  const fees = others.reduce((sum, { fee }) => sum + fee, 0n)
  const entry = (stored: StoredTransaction, fee: bigint) => ({
    data: stored.hex,
    hash: stored.txid,
    depends: stored.transaction.inputs.flatMap(({ txid }) => places.get(txid) ?? []),
    fee,
    sigops: sigopsOf(context, stored),
  })
  const first = entry(coinbase, -fees)
  const value = subsidyOf(engine.rules.profile, height)
  const apart = { ...first, coinbasevalue: value, required: true }
  const rest = others.map((other) => entry(other, other.fee))
  return {
    capabilities: ['proposal'],
    version: blockVersion,
    previousblockhash: tip.hash,
    finalsaplingroothash: emptySaplingRoot,
    transactions: isApart ? rest : [first, ...rest],
    coinbasetxn: isApart ? apart : undefined,
    longpollid: `${tip.hash}${mempool.nextSequence}`,
    target: (targetOfBits(easiestBits) as bigint).toString(16).padStart(64, '0'),
    mintime: medianTime(tip) + 1,
    mutable: ['time', 'transactions', 'prevblock'],
    noncerange: '00000000ffffffff',
    sigoplimit: blockSigopsMax,
    sizelimit: blockBytesMax,
    curtime: time,
    bits,
    height,
  }
}

function sigopsOf({ engine }: Context, { transaction }: StoredTransaction): number {
  const spent = transaction.inputs.flatMap(({ txid, vout }) => {
    const coin = findCoin(engine.state, txid, vout)
    return coin === undefined ? [] : [coin]
  })
  return sigopsIn(transaction, spent, engine.rules.scripts)
}

/** @see komodo src/rpc/mining.cpp, submitblock */
function submitBlock(context: Context, [given]: Params): Answer {
  const read = unlessMalformed(() => leadingHeader(text(given)))
  if (read === undefined) throw failure('deserialization', 'Block decode failed')
  const block = knownBlock(context, read.header.hash)
  if (block !== undefined) return isInvalidBlock(context, block) ? 'duplicate-invalid' : 'duplicate'
  throw failure('misc', 'this development node takes no blocks: generate mines one')
}

// Methods about blocks and the chain.

import { isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import { decodeRawTransaction } from '../../transaction/daemon-json.ts'
import { belowFork } from '../state/base-chain.ts'
import { type Block, bits, blockHex, headerHex, sproutAnchor } from '../state/block.ts'
import { isOwnBlock } from '../state/chain.ts'
import { ordinal } from '../state/keys.ts'
import { entriesFrom, lookUp, withEntry } from '../state/ordered-map.ts'
import { blockAt, knownBlock, knownBlocks } from '../state/view.ts'
import { type Answer, coins, json } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { boolean, hash, integer, lenientHash, text } from './params.ts'

export const blockMethods: Methods = methodsIn('Blockchain', [
  method('getbestblockhash', [0, 0], (context) => context.state.chain.tip.hash),
  method('getblockcount', [0, 0], (context) => context.state.chain.tip.height),
  method('getdifficulty', [0, 0], () => 1),
  method('getblockchaininfo', [0, 0], chainInfo),
  method('getchaintips', [0, 0], chainTips),
  method('getblockhash index', [1, 1], (context, [index]) => {
    const block = blockAt(context, integer(index))
    if (block === undefined) throw failure('parameter', 'Block height out of range')
    return block.hash
  }),
  method('getblock "hash|height" ( verbosity )', [1, 2], (context, [which, verbosity]) => {
    const block = requireFullBlock(context, blockNamed(context, text(which)))
    const level = verbosityOf(verbosity)
    return level === 0 ? blockHex(block) : blockJson(context, block, level)
  }),
  method('getblockheader "hash" ( verbose )', [1, 2], (context, [which, verbose]) => {
    const named = lenientHash(text(which))
    const isVerbose = verbose === undefined || boolean(verbose)
    const block = blockOfHash(context, named)
    return isVerbose ? headerJson(context, block) : headerHex(block)
  }),
  method('invalidateblock "hash"', [1, 1], (context, [which]) => {
    const block = blockOfHash(context, hash(which, 'parameter 1'))
    const { chain } = context.state
    if (chain.base !== undefined && !isOwnBlock(chain, block)) throw belowFork('keeps this block')
    if (block.previous === undefined) throw failure('parameter', 'the genesis block stays')
    declare(context, block, true)
    return null
  }),
  method('reconsiderblock "hash"', [1, 1], (context, [which]) => {
    declare(context, blockOfHash(context, hash(which, 'parameter 1')), undefined)
    return null
  }),
])

/** @see komodo src/rpc/blockchain.cpp, getblock: what is shorter than a hash is a height */
function blockNamed(context: Context, which: string): Block {
  if (which.length >= 64) return blockOfHash(context, lenientHash(which))
  if (!/^\d+$/.test(which) || Number(which) >= 2 ** 31) {
    throw failure('parameter', 'Invalid block height parameter')
  }
  const block = blockAt(context, Number(which))
  if (block === undefined) throw failure('parameter', 'Block height out of range')
  return block
}

export function blockOfHash({ engine }: Context, blockHash: string): Block {
  const block = knownBlock(engine, blockHash)
  if (block === undefined) throw failure('addressOrKey', 'Block not found')
  return block
}

/**
 * Returns the block if its transactions are here.
 *
 * @throws {RpcFailure} on a forked node, which has only the headers of the daemon's blocks
 */
export function requireFullBlock(context: Context, block: Block): Block {
  const { chain } = context.state
  if (chain.base === undefined || isOwnBlock(chain, block)) return block
  throw belowFork('has no transactions of this block')
}

function verbosityOf(value: JsonValue | undefined): number {
  if (value === undefined) return 1
  if (!isLosslessNumber(value)) return boolean(value) ? 1 : 0
  const level = integer(value)
  if (level < 0 || level > 2) throw failure('parameter', 'Verbosity must be in range from 0 to 2')
  return level
}

/** Returns true for a block of the best chain. */
export function isInChain(context: Context, { height, hash: blockHash }: Block): boolean {
  return lookUp(context.state.chain.tables.hashes, ordinal(height)) === blockHash
}

function confirmationsOf(context: Context, block: Block): number {
  return isInChain(context, block) ? context.state.chain.tip.height - block.height + 1 : -1
}

function nextHash(context: Context, block: Block): string | undefined {
  if (!isInChain(context, block)) return undefined
  return lookUp(context.state.chain.tables.hashes, ordinal(block.height + 1))
}

/** @see komodo src/rpc/blockchain.cpp, blockToJSON */
function blockJson(context: Context, block: Block, verbosity: number): Answer {
  const { network } = context.rules
  const confirmations = confirmationsOf(context, block)
  const delta = block.supply - (block.previous?.supply ?? 0n)
  return {
    last_notarized_height: 0,
    hash: block.hash,
    confirmations,
    rawconfirmations: confirmations,
    size: block.size,
    height: block.height,
    version: block.version,
    merkleroot: block.merkleRoot,
    segid: -1,
    finalsaplingroot: block.saplingRoot,
    tx: block.transactions.map(({ txid, hex }) =>
      verbosity === 2 ? json(decodeRawTransaction(hex, { network })) : txid,
    ),
    time: block.time,
    nonce: block.nonce,
    solution: block.solution,
    bits,
    difficulty: 1,
    chainwork: workText(block),
    anchor: sproutAnchor,
    chainSupply: valuePool(undefined, block.supply, delta),
    valuePools: valuePools(block.supply, delta),
    previousblockhash: block.previous?.hash,
    nextblockhash: nextHash(context, block),
  }
}

function valuePool(id: string | undefined, value: bigint, delta?: bigint): Answer {
  return {
    id,
    monitored: true,
    chainValue: coins(value),
    chainValueZat: value,
    ...(delta !== undefined && { valueDelta: coins(delta), valueDeltaZat: delta }),
  }
}

function valuePools(supply: bigint, delta?: bigint): Answer {
  const none = delta === undefined ? undefined : 0n
  return [
    valuePool('transparent', supply, delta),
    ...['sprout', 'sapling', 'burned'].map((id) => valuePool(id, 0n, none)),
  ]
}

function workText({ work }: Block): string {
  return work.toString(16).padStart(64, '0')
}

/** @see komodo src/rpc/blockchain.cpp, blockheaderToJSON */
function headerJson(context: Context, block: Block): Answer {
  const confirmations = confirmationsOf(context, block)
  return {
    last_notarized_height: 0,
    hash: block.hash,
    confirmations,
    rawconfirmations: confirmations,
    height: block.height,
    version: block.version,
    merkleroot: block.merkleRoot,
    finalsaplingroot: block.saplingRoot,
    time: block.time,
    nonce: block.nonce,
    solution: block.solution,
    bits: block.bits ?? bits,
    ...(block.bits === undefined && { difficulty: 1, chainwork: workText(block) }),
    segid: -1,
    previousblockhash: block.height === 0 ? undefined : block.previousHash,
    nextblockhash: nextHash(context, block),
  }
}

/** komodo src/consensus/upgrades.cpp */
const upgrades = [
  ['5ba81b19', 'Overwinter', 'overwinter'],
  ['76b809bb', 'Sapling', 'sapling'],
] as const
/** komodo src/rpc/blockchain.cpp: version and blocks of the last 4000 that a soft fork asks for */
const softForks = [
  ['bip34', 2],
  ['bip66', 3],
  ['bip65', 4],
] as const

/** @see komodo src/rpc/blockchain.cpp, getblockchaininfo */
function chainInfo(context: Context): Answer {
  const { tip } = context.state.chain
  const found = Math.min(tip.height, 4000)
  const majority = (required: number) => ({
    status: found >= required,
    found,
    required,
    window: 4000,
  })
  const isActive = tip.height >= 1
  return {
    chain: 'main',
    blocks: tip.height,
    synced: false,
    headers: tip.height,
    bestblockhash: tip.hash,
    difficulty: 1,
    verificationprogress: 1,
    chainwork: workText(tip),
    pruned: false,
    commitments: 0,
    chainSupply: valuePool(undefined, tip.supply),
    valuePools: valuePools(tip.supply),
    softforks: softForks.map(([id, version]) => ({
      id,
      version,
      enforce: majority(750),
      reject: majority(950),
    })),
    upgrades: Object.fromEntries(
      upgrades.map(([branch, name, page]) => [
        branch,
        {
          name,
          activationheight: 1,
          status: isActive ? 'active' : 'pending',
          info: `See https://z.cash/upgrade/${page}.html for details.`,
        },
      ]),
    ),
    consensus: { chaintip: isActive ? '76b809bb' : '00000000', nextblock: '76b809bb' },
  }
}

function chainTips(context: Context): Answer {
  const blocks = knownBlocks(context)
  const parents = new Set(blocks.map(({ previous }) => previous?.hash))
  const active = context.state.chain.tip
  const tips = blocks.filter(
    (block) => block === active || (!parents.has(block.hash) && !isInChain(context, block)),
  )
  return tips
    .sort((one, other) => other.height - one.height)
    .map((tip) => {
      let fork = tip
      while (!isInChain(context, fork)) fork = fork.previous!
      const status =
        tip === active ? 'active' : isInvalidBlock(context, tip) ? 'invalid' : 'valid-fork'
      return { height: tip.height, hash: tip.hash, branchlen: tip.height - fork.height, status }
    })
}

/** True for a block that somebody declared invalid, and for all above it. */
export function isInvalidBlock(context: Context, tip: Block): boolean {
  const { invalid } = context.state
  if (invalid.size === 0) return false
  for (let block: Block | undefined = tip; block !== undefined; block = block.previous) {
    if (lookUp(invalid, block.hash) !== undefined) return true
  }
  return false
}

/**
 * Declares a block invalid, or no longer so, and goes to the chain with the most work that is left.
 */
function declare(context: Context, block: Block, isInvalidNow: true | undefined): void {
  const { engine } = context
  let { invalid } = engine.state
  if (isInvalidNow) invalid = withEntry(invalid, block.hash, isInvalidNow)
  else {
    for (const [known] of entriesFrom(invalid)) {
      if (areRelated(engine.rules.blocks.get(known)!, block))
        invalid = withEntry<true>(invalid, known, undefined)
    }
  }
  engine.state = { ...engine.state, invalid }
  let best: Block | undefined
  for (const candidate of knownBlocks(engine)) {
    if (isInvalidBlock(context, candidate)) continue
    if (best === undefined || candidate.work > best.work) best = candidate
    else if (candidate.work === best.work && isInChain(context, candidate)) best = candidate
  }
  if (best !== undefined && best.hash !== engine.state.chain.tip.hash) engine.switchTo(best)
}

function areRelated(one: Block, other: Block): boolean {
  const [low, high] = one.height < other.height ? [one, other] : [other, one]
  let block: Block | undefined = high
  while (block !== undefined && block.height > low.height) block = block.previous
  return block?.hash === low.hash
}

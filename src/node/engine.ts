// The node without its servers: a state, and the changes that may be made to it.

import {
  type Accepted,
  type AcceptOptions,
  admit,
  admitStored,
  type Rules,
} from './consensus/accept.ts'
import { createTokenRules } from './consensus/token-rules.ts'
import type { Refused } from './consensus/verdict.ts'
import { type MineOptions, type NextBlock, nextBlock } from './next-block.ts'
import { type ChainProfile, networkOf, profileFor } from './profile.ts'
import { type Block, medianTime, type Seal, unsolved } from './state/block.ts'
import {
  type Chain,
  connected,
  disconnected,
  type NewBlock,
  newChain,
  withBaseCoins,
} from './state/chain.ts'
import { ordinal, outpointKey } from './state/keys.ts'
import {
  emptyMempool,
  pooledTransactions,
  withoutDescendants,
  withoutPooled,
  withPooled,
} from './state/mempool.ts'
import { emptyMap, lookUp, withEntry } from './state/ordered-map.ts'
import { createScriptIndex } from './state/script-index.ts'
import { isCoinbase, type StoredTransaction } from './state/stored-transaction.ts'
import { coinsBelow, type NodeState } from './state/view.ts'

export interface Engine {
  readonly rules: Rules
  /** The present state; keeping it costs nothing, and putting it back is exact. */
  state: NodeState
  /** Seconds since 1970 by the node's clock. */
  now(): number
  admit(hex: string, options?: AcceptOptions): Accepted | Refused
  /** Takes a transaction into the mempool, if it may be. */
  broadcast(hex: string, options?: AcceptOptions): Accepted | Refused
  /** Returns the block that `mine` would add. */
  next(options: MineOptions): NextBlock
  /** Puts what waits into a new block, first come first. */
  mine(options: MineOptions): Block
  /** Adds a block of transactions that came from elsewhere. */
  importBlock(block: ImportedBlock): Block
  /** Removes the last block. Its transactions wait again, except the named ones. */
  disconnect(drop?: ReadonlySet<string>): void
  /** Makes a block that was seen before, and all before it, the chain's last. */
  switchTo(tip: Block): void
  /** Goes back to the genesis block, with the wallets as they are. */
  clear(): void
  /** Begins with another chain, where no block and no waiting transaction is the node's own. */
  startFrom(chain: Chain): void
  /**
   * Calls a listener after each change of the state. Several changes in one turn of the event loop
   * count as one.
   *
   * @returns a function that ends the calls
   */
  onChange(listener: () => void): () => void
}

/** A block of transactions that came from elsewhere. One that is made again has all members. */
type ImportedBlock = Partial<NewBlock> & Pick<NewBlock, 'transactions'>

interface EngineOptions {
  readonly profile?: Partial<ChainProfile>
  /** Seconds since 1970 at which the node's clock stands; the wall's clock by default. */
  readonly time?: number
  /** Finishes the headers of new blocks; without proof of work by default. */
  readonly seal?: Seal
  /** The chain to begin with; one of the genesis block alone by default. */
  readonly chain?: Chain
}

export function createEngine(options: EngineOptions = {}): Engine {
  const profile: ChainProfile = {
    ...profileFor(options.profile?.network ?? 'assetChain'),
    ...options.profile,
  }
  const network = networkOf(profile)
  const rules: Rules = {
    profile,
    network,
    scripts: createScriptIndex(network),
    seal: options.seal ?? unsolved,
    blocks: new Map(),
    modules: { tokens: createTokenRules() },
  }
  /** Blocks of different branches differ by this, whatever else is in them. */
  let minted = 0
  const chain = options.chain ?? newChain()
  const initial: NodeState = {
    chain,
    mempool: emptyMempool,
    time: options.time,
    seen: emptyMap(),
    met: metIn(chain),
    wallets: [],
    invalid: emptyMap(),
  }
  let state = initial
  const listeners = new Set<() => void>()
  let isTelling = false

  const engine: Engine = {
    rules,
    get state() {
      return state
    },
    set state(next) {
      state = next
      if (isTelling || listeners.size === 0) return
      isTelling = true
      setImmediate(() => {
        isTelling = false
        for (const listener of listeners) listener()
      })
    },
    now: () => engine.state.time ?? Math.floor(Date.now() / 1000),
    admit: (hex, accept) => admit(hex, engine, accept),
    broadcast(hex, accept) {
      const verdict = admit(hex, engine, accept)
      if (verdict.ok && !verdict.isKnown) pool(verdict)
      return verdict
    },
    next,
    mine,
    importBlock,
    disconnect,
    switchTo,
    clear() {
      const { wallets } = engine.state
      engine.state = { ...initial, wallets }
    },
    startFrom(base) {
      engine.state = { ...engine.state, chain: base, met: metIn(base) }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return engine

  function pool({ transaction, fee }: Accepted): void {
    const { chain: now, mempool } = engine.state
    const arrival = { ...transaction, fee, time: engine.now(), height: now.tip.height }
    note([transaction], arrival.time)
    const grown = withBaseCoins(now, coinsBelow(engine.state, transaction.transaction))
    engine.state = { ...engine.state, chain: grown, mempool: withPooled(mempool, arrival) }
  }

  /** Remembers the blocks that a chain begins with. */
  function metIn({ tip }: Chain): NodeState['met'] {
    const blocks: Block[] = []
    for (let block: Block | undefined = tip; block !== undefined; block = block.previous) {
      rules.blocks.set(block.hash, block)
      blocks.push(block)
    }
    return blocks
      .reverse()
      .reduce((met, { hash }, at) => withEntry(met, hash, at), emptyMap<number>())
  }

  /** The time of a next block by the clock. */
  function nextTime(): number {
    return Math.max(engine.now(), medianTime(engine.state.chain.tip) + 1)
  }

  function next(options: MineOptions): NextBlock {
    return nextBlock(engine.state, profile, { ...options, time: options.time ?? nextTime() })
  }

  function mine(options: MineOptions): Block {
    const { coinbase, others, time } = next(options)
    return append({ transactions: [coinbase, ...others], time })
  }

  function importBlock(block: ImportedBlock): Block {
    const first = block.transactions[0]?.transaction
    if (first === undefined) throw new RangeError('a block has at least one transaction')
    const time = block.time ?? (isCoinbase(first) ? first.lockTime : nextTime())
    return append({ ...block, time })
  }

  function append(block: Omit<NewBlock, 'nonce'> & Partial<NewBlock>): Block {
    const { transactions, time, nonce } = block
    // above all that were given, so that no later block is one of these again
    minted = Math.max(minted + 1, Number.parseInt(nonce?.slice(-8) ?? '0', 16))
    const tip = connect({ ...block, nonce: nonce ?? ordinal(minted).padStart(64, '0') })
    note(transactions, time)
    settleMempool(transactions)
    return tip
  }

  function connect(block: NewBlock): Block {
    const { chain: before, met } = engine.state
    const after = connected(before, block, rules)
    const { tip } = after
    rules.blocks.set(tip.hash, tip)
    const isMet = lookUp(met, tip.hash) !== undefined
    const meeting = isMet ? met : withEntry(met, tip.hash, met.size)
    engine.state = { ...engine.state, chain: after, met: meeting }
    return tip
  }

  /** When the node first met transactions. */
  function note(transactions: readonly StoredTransaction[], time: number): void {
    let { seen } = engine.state
    for (const { txid } of transactions) {
      if (lookUp(seen, txid) === undefined) seen = withEntry(seen, txid, time)
    }
    engine.state = { ...engine.state, seen }
  }

  /** Removes the transactions that a new block has, contradicts or lets expire. */
  function settleMempool(transactions: readonly StoredTransaction[]): void {
    let { mempool } = engine.state
    for (const { txid, transaction } of transactions) {
      mempool = withoutPooled(mempool, txid)
      for (const input of transaction.inputs) {
        const rival = lookUp(mempool.spends, outpointKey(input.txid, input.vout))
        if (rival !== undefined) mempool = withoutDescendants(mempool, rival)
      }
    }
    const { height } = engine.state.chain.tip
    for (const { txid, transaction } of pooledTransactions(mempool)) {
      const { expiryHeight } = transaction
      if (expiryHeight !== 0 && height > expiryHeight) mempool = withoutDescendants(mempool, txid)
    }
    engine.state = { ...engine.state, mempool }
  }

  function disconnect(drop: ReadonlySet<string> = new Set()): void {
    const { chain: before, mempool } = engine.state
    engine.state = { ...engine.state, chain: disconnected(before), mempool: emptyMempool }
    const returning = before.tip.transactions.filter(
      ({ txid, transaction }) => !isCoinbase(transaction) && !drop.has(txid),
    )
    readmit([...returning, ...pooledTransactions(mempool).filter(({ txid }) => !drop.has(txid))])
  }

  /** Transactions that are still valid wait again. */
  function readmit(transactions: readonly StoredTransaction[]): void {
    for (const transaction of transactions) {
      const verdict = admitStored(transaction, engine, { allowHighFees: true })
      if (verdict.ok) pool(verdict)
    }
  }

  function switchTo(tip: Block): void {
    const path: Block[] = []
    let fork: Block = tip
    while (lookUp(engine.state.chain.tables.hashes, ordinal(fork.height)) !== fork.hash) {
      path.push(fork)
      fork = fork.previous!
    }
    while (engine.state.chain.tip.hash !== fork.hash) disconnect()
    for (const block of path.reverse()) {
      connect({ ...block, mayLackParents: true })
      settleMempool(block.transactions)
    }
  }
}

// A node on top of a daemon's chain: a request that lacks a fact waits until the daemon was asked,
// and then begins again.

import { recentValues } from '../../primitives/recent.ts'
import type { Engine } from '../engine.ts'
import {
  type BaseChain,
  type BaseTransaction,
  NotFetched,
  type Wanted,
} from '../state/base-chain.ts'
import type { Chain } from '../state/chain.ts'
import { outpointKey } from '../state/keys.ts'
import type { UpstreamOutput } from './answers.ts'
import { baseChain } from './base.ts'
import { chainBelow, type DaemonTip, headerBlock, requireFamily, tipOf } from './chain-below.ts'
import { type Facts, noFacts, outputFact, parentsOf } from './facts.ts'
import { ForkError } from './fork-error.ts'
import { type ForkSource, type Upstream, type UpstreamFacts, upstreamOf } from './upstream.ts'

/** A daemon whose chain a node is about to begin with. */
interface OpenFork {
  readonly upstream: Upstream
  readonly facts: UpstreamFacts
  readonly tip: DaemonTip
}

export interface Fork {
  /** The chain that the node begins with. */
  readonly chain: Chain
  /** Answers a request. `run` may be called several times; the state is put back in between. */
  answer(engine: Engine, method: string, run: () => string): Promise<string>
}

/** Methods that are answered even if the daemon is not there. */
const independent: readonly string[] = ['stop', 'help']
/** How often a request begins again because it lacks facts. */
const attemptsMax = 64
/** How often it begins again because the daemon has a new block. */
const roundsMax = 3
/** Transactions, and outputs, that one request may need. */
const transactionsMax = 2_000
const outputsMax = 20_000
/** Ancestors that are fetched together once a rule asks for one of them. */
const ancestorsMax = 500
/** Characters of hex that stay from one request to the next. */
const cacheCharacters = 1 << 26

/**
 * Asks a daemon for its chain.
 *
 * @throws {ForkError} `other_chain` for a chain of another family; `unanswered`
 */
export async function openFork(source: ForkSource): Promise<OpenFork> {
  const upstream = upstreamOf(source)
  await requireFamily(upstream)
  const facts = await upstream.facts()
  return { upstream, facts, tip: await tipOf(upstream, await upstream.bestHash()) }
}

/** @param supply - satoshis that the chain has at most */
export function forkFrom({ upstream, tip: first }: OpenFork, supply: bigint): Fork {
  /** Confirmed transactions that were hashed. */
  const cache = recentValues<BaseTransaction>(cacheCharacters)
  let current: Facts | undefined
  let settling: Promise<void> | undefined
  /** The last block of the daemon above which the node's own base was found again. */
  let checked = ''

  const read = (): Facts => {
    if (current === undefined) throw new NotFetched([])
    return current
  }
  const chainAt = (tip: DaemonTip): Chain => {
    const { hash } = tip.headers.at(-1)!
    return chainBelow(tip, { base: baseChain({ height: tip.height, hash, read, cache }), supply })
  }

  /** Follows the daemon while nothing is the node's own, and stays below its own blocks otherwise. */
  async function settle(engine: Engine): Promise<void> {
    const hash = await upstream.bestHash()
    const { base } = engine.state.chain
    if (base === undefined || hash === base.hash) return
    if (isUntouched(engine)) {
      const tip = await tipOf(upstream, hash)
      if (!isUntouched(engine)) return
      if (!tip.headers.some((it) => it.hash === base.hash)) cache.clear()
      engine.startFrom(chainAt(tip))
      return
    }
    if (hash === checked) return
    if ((await upstream.hashAt(base.height)) !== base.hash) {
      const message = `the daemon of the fork replaced block ${base.hash}: start the node again`
      throw new ForkError('reorganized', message)
    }
    checked = hash
  }

  async function fetch(engine: Engine, wanted: readonly Wanted[], facts: Facts): Promise<void> {
    await fetchTransactions(engine, wanted, facts)
    await fetchOutputs(engine, wanted, facts)
    for (const it of wanted) {
      if (it.kind !== 'block') continue
      const hash = await upstream.hashAt(it.height)
      const header = hash === undefined ? undefined : (await upstream.headers([hash]))[0]
      facts.blocks.set(it.height, header && headerBlock(header, it.height, supply, undefined))
    }
  }

  async function fetchTransactions(
    engine: Engine,
    wanted: readonly Wanted[],
    facts: Facts,
  ): Promise<void> {
    const base = engine.state.chain.base!
    const asked = wanted.flatMap((it) => (it.kind === 'transaction' ? it.txid : []))
    if (asked.length === 0) return
    // A rule that asks for one ancestor mostly goes on to ask for others.
    const parents = asked.length === 1 ? parentsOf(facts).slice(0, ancestorsMax) : []
    const txids = [...new Set([...asked, ...parents])].filter((it) => !facts.transactions.has(it))
    requireFew(facts.transactions.size + txids.length, transactionsMax, 'transactions')
    const found = await upstream.transactions(txids)
    requireBase(engine, base)
    for (const [at, txid] of txids.entries()) {
      const one = found[at]
      if (one === undefined && parents.includes(txid)) throw withoutIndex(txid)
      facts.transactions.set(txid, one)
      // A block above the base may be replaced while the base stays, so it does not count as known.
      const isBelow = one?.height !== undefined && one.height <= base.height
      if (isBelow) cache.add(txid, one, one.stored.hex.length)
    }
  }

  async function fetchOutputs(
    engine: Engine,
    wanted: readonly Wanted[],
    facts: Facts,
  ): Promise<void> {
    const outpoints = wanted.flatMap((it) => (it.kind === 'coin' ? it : []))
    if (outpoints.length === 0) return
    requireFew(facts.outputs.size + outpoints.length, outputsMax, 'outputs')
    const found = await upstream.outputs(outpoints)
    for (const [at, { txid, vout }] of outpoints.entries()) {
      const { confirmed, waiting } = found[at]!
      const maker = facts.transactions.get(txid)
      const isInBlock = maker?.height !== undefined
      const output = maker?.stored.transaction.outputs[vout]
      for (const it of [confirmed, waiting]) requireSame(it, output, `${txid}:${vout}`)
      if (isInBlock && confirmed === null && waiting !== null) {
        throw bothSpentAndUnspent(`${txid}:${vout}`)
      }
      facts.outputs.set(outpointKey(txid, vout), outputFact(isInBlock, confirmed, waiting))
    }
    // Spent outputs name no block, so the last block is compared once more.
    if (!isUntouched(engine)) return
    const { hash } = engine.state.chain.base!
    const bests = found.flatMap(({ confirmed }) => confirmed?.bestBlock ?? [])
    if ([...bests, await upstream.bestHash()].some((best) => best !== hash)) throw moving()
  }

  /** Returns the answer, or the facts that it lacks. */
  function attempted(work: () => string, facts: Facts): string | readonly Wanted[] {
    current = facts
    try {
      return work()
    } catch (error) {
      if (error instanceof NotFetched) return error.wanted
      throw error
    } finally {
      current = undefined
    }
  }

  async function run(engine: Engine, work: () => string): Promise<string> {
    settling ??= settle(engine).finally(() => {
      settling = undefined
    })
    await settling
    const base = engine.state.chain.base!
    const facts = noFacts()
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const before = engine.state
      const result = attempted(work, facts)
      if (typeof result === 'string') return result
      if (engine.state !== before) engine.state = before
      await fetch(engine, result, facts)
      requireBase(engine, base)
    }
    throw tooMuch(`more than ${attemptsMax} answers of the daemon, one after the other`)
  }

  return {
    chain: chainAt(first),
    async answer(engine, method, work) {
      if (independent.includes(method)) return work()
      for (let round = 1; ; round += 1) {
        try {
          return await run(engine, work)
        } catch (error) {
          const isMoving = error instanceof ForkError && error.code === 'moving'
          if (!isMoving || round >= roundsMax) throw error
        }
      }
    },
  }
}

/** Tells whether the node has neither a block nor a waiting transaction of its own. */
function isUntouched({ state }: Engine): boolean {
  const { tip, base } = state.chain
  return tip.height === base?.height && state.mempool.transactions.size === 0
}

/** Refuses facts that were read for another base: a request beside this one may have moved the node. */
function requireBase({ state }: Engine, base: BaseChain): void {
  if (state.chain.base !== base) throw moving()
}

function requireSame(
  answer: UpstreamOutput | null,
  output: { readonly value: bigint; readonly script: string } | undefined,
  outpoint: string,
): void {
  if (answer === null) return
  if (answer.value === output?.value && answer.script === output.script) return
  throw new ForkError(
    'contradiction',
    `the daemon of the fork says that ${outpoint} has ${answer.value} satoshis for ${answer.script}, ` +
      'which is not what its transaction says',
  )
}

/** The transaction that made it is in a block, so the mempool adds nothing to what the chain has. */
function bothSpentAndUnspent(outpoint: string): ForkError {
  const message = `the daemon of the fork calls ${outpoint} spent in the chain, and unspent with the mempool`
  return new ForkError('contradiction', message)
}

function requireFew(count: number, most: number, what: string): void {
  if (count > most) throw tooMuch(`more than ${most} ${what}`)
}

function tooMuch(what: string): ForkError {
  return new ForkError('too_much', `this needs ${what} of the chain below the fork`)
}

function moving(): ForkError {
  return new ForkError('moving', 'the daemon of the fork has new blocks each time it is read')
}

/** A transaction that spends from it is in the chain, so it is there too. */
function withoutIndex(txid: string): ForkError {
  const message = `the daemon of the fork does not have ${txid}, which its chain spends from: start it with -txindex=1`
  return new ForkError('unanswered', message)
}

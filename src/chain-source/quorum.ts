// A chain source of several others, which reports what enough of them agree on.

import { argumentError, requireArray, requireUint32 } from '../primitives/arguments.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import { mayPass } from '../rpc/retry.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import { broadcastToAll } from './quorum-broadcast.ts'
import { decoded, requireOwnServers } from './quorum-members.ts'
import { firstInclusion, headersOf, mostAlike } from './quorum-proofs.ts'
import type {
  ChainOptions,
  ChainSource,
  ChainTip,
  HistoryEntry,
  SourceHeaders,
  UnspentOutput,
} from './source.ts'
import { createFindings, type SourceFinding } from './source-findings.ts'

/** Several sources that are read as one, with the contradictions between them. */
export interface QuorumChain extends ChainSource {
  findings(): readonly SourceFinding[]
}

/** An item of a list about the chain. */
type Dated = HistoryEntry | UnspentOutput

interface Answered<Answer> {
  readonly source: ChainSource
  readonly answer: Answer
}

/** An item of an answer, and the sources that list it, each with its height. */
interface Disputed<Item> {
  readonly item: Item
  readonly by: ReadonlyMap<ChainSource, number>
}

/** Transactions of one answer that are fetched to learn whether they spend the same coin. */
const comparedMax = 100

/**
 * Reads several sources, and reports what at least `needed` of them agree on.
 *
 * The last block is the highest one that `needed` sources have reached, and a coin or a transaction
 * counts if `needed` sources report it. A transaction is in a block if `needed` sources report that
 * block or an older one. A transaction in a block that a source leaves out, although it has reached
 * that block, is a finding; a source that is behind contradicts no other. Two transactions that
 * spend one coin are always a finding.
 *
 * A transaction is sent to every source. The call resolves once `needed` sources accept or already
 * have the transaction, and does not wait for the others. If some sources take or have it, but fewer
 * than `needed`, the outcome is uncertain. If all refuse it, the call rejects with the refusal.
 * Without enough answers, the call waits for silent sources until they fail or the signal aborts.
 *
 * @param sources - a source that is there twice counts once
 * @param needed - the number of sources that must agree
 * @returns a source; `findings` lists contradictions between the members
 * @throws {TypeError} if fewer sources than `needed` are left, or two of them share a name or a
 *   server
 * @example
 * const chain = quorum([electrumChain(['tcp://127.0.0.1:50001']), daemonChain(daemon)], 2)
 */
export function quorum(sources: readonly ChainSource[], needed: number): QuorumChain {
  requireArray(sources, 'sources')
  requireUint32(needed, 'needed')
  const members = [...new Set(sources)]
  if (needed < 1 || needed > members.length) {
    throw argumentError('needed', `1 to ${members.length}, the number of sources`, needed)
  }
  requireOwnServers(members)
  const name = `${needed} of ${members.map((it) => it.name).join(', ')}`
  const found = new Map(members.map((it) => [it.name, createFindings(it.name)]))
  /** The last block of each source, as it reported it last. */
  const tips = new Map<string, ChainTip>()

  /** Asks every source, and returns the answers. Rejects if fewer than `needed` answer. */
  async function ask<Answer>(
    method: string,
    call: (source: ChainSource) => Promise<Answer>,
  ): Promise<Answered<Answer>[]> {
    const settled = await Promise.allSettled(members.map(call))
    const answers = settled.flatMap((result, at) =>
      result.status === 'fulfilled' ? [{ source: members[at]!, answer: result.value }] : [],
    )
    if (answers.length >= needed) return answers
    const errors = settled.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []))
    const known = errors.filter((it) => isRpcError(it))
    const lasting = known.filter((it) => !mayPass(it))
    // If too few sources may answer later, the caller learns why: a wrong password is no outage.
    const isLasting = members.length - lasting.length < needed
    const first = known.find((it) => mayPass(it) !== isLasting) ?? known[0] ?? errors[0]
    if (!isRpcError(first)) throw first
    const message = `${method}: ${answers.length} of ${members.length} sources answered, ${needed} are needed: ${first.message}`
    throw new RpcError(first.kind === 'aborted' ? 'aborted' : 'transport', message, {
      method,
      reason: 'not_connected',
      cause: first,
      earlierErrors: known,
    })
  }

  // If too few members have headers, the method is absent, so a caller does not wait for an answer.
  const hasHeaders = members.filter((it) => it.headers !== undefined).length >= needed
  async function headers(
    start: number,
    count: number,
    options: ChainOptions = {},
  ): Promise<SourceHeaders> {
    const answers = await ask('headers', (source) => headersOf(source, start, count, options))
    const { by, others, headers } = mostAlike(answers)
    const expected = `headers from ${start} on, as by ${namesOf(by)}`
    for (const { name: of } of others) {
      found.get(of)!.add({ code: 'source_disagrees', expected, actual: 'others' })
    }
    if (by.length >= needed) return { headers, sources: by.map((it) => it.name) }
    const message = `headers: ${by.length} sources agree, ${needed} are needed`
    throw new RpcError('shape', message, { method: 'headers', reason: 'unexpected_value' })
  }

  async function tip(options: ChainOptions = {}): Promise<ChainTip> {
    const answers = await ask('tip', (source) => source.tip(options))
    for (const { source, answer } of answers) tips.set(source.name, answer)
    const highest = answers.toSorted((one, other) => other.answer.height - one.answer.height)
    const { height } = highest[needed - 1]!.answer
    const there = answers.filter(({ answer }) => answer.height === height)
    const alike = new Map<string, Answered<ChainTip>[]>()
    for (const it of there) {
      const key = `${it.answer.hash ?? ''} at ${it.answer.time}`
      alike.set(key, [...(alike.get(key) ?? []), it])
    }
    const [[expected, most]] = [...alike].toSorted(
      ([, one], [, other]) => other.length - one.length,
    ) as [[string, Answered<ChainTip>[]]]
    for (const { source, answer } of there.filter((it) => !most.includes(it))) {
      const actual = `block ${height}: ${answer.hash} at ${answer.time}`
      found.get(source.name)!.add({ code: 'source_disagrees', expected, actual })
    }
    const { answer } = most[0]!
    if (most.length >= needed) return answer
    // Too few have this block to vouch for its time, by which rewards and lock times are made.
    const times = answers.map((it) => it.answer.time).toSorted((one, other) => other - one)
    return { ...answer, time: times[needed - 1]! }
  }

  /** Asks every source for a list, and returns what they list with the heights that count. */
  async function lists<Item extends Dated>(
    method: string,
    call: (source: ChainSource) => Promise<readonly Item[]>,
    keyOf: (item: Item) => string,
    options: ChainOptions,
  ) {
    if (tips.size === 0) await tip(options)
    const before = new Map(tips)
    const answers = await ask(method, call)
    const isAbove = ({ source, answer }: Answered<readonly Item[]>) =>
      answer.some(({ height }) => height > (tips.get(source.name)?.height ?? height))
    // A block that came since the last look at the tips is not a contradiction.
    if (answers.some(isAbove)) await tip(options)
    const { items, all } = agreed(answers, keyOf)
    // A source that had reached a block before it was asked has no excuse.
    const heightOf = ({ name: of }: ChainSource) => before.get(of)?.height ?? 0
    nameHeights(all, heightOf)
    const disputed = all.filter(({ by }) => by.size < answers.length)
    return { answers, items, disputed, heightOf }
  }

  /** Returns the items that enough sources list, and all others beside them. */
  function agreed<Item extends Dated>(
    answers: readonly Answered<readonly Item[]>[],
    keyOf: (item: Item) => string,
  ): { readonly items: Item[]; readonly all: Disputed<Item>[] } {
    const listed = new Map<string, { readonly item: Item; readonly by: Map<ChainSource, number> }>()
    for (const { source, answer } of answers) {
      for (const item of answer) {
        const { by } = listed.get(keyOf(item)) ?? { by: new Map<ChainSource, number>() }
        const [height, known] = [ownHeight(source, item), by.get(source)]
        // If a source reports two heights, the younger one counts.
        if (known === undefined || isYoungerThan(height, known)) by.set(source, height)
        listed.set(keyOf(item), { item, by })
      }
    }
    const all = [...listed.values()].map(({ item, by }) => {
      return { item: { ...item, height: agreedHeight([...by.values()], needed) }, by }
    })
    return { items: all.filter(({ by }) => by.size >= needed).map(({ item }) => item), all }
  }

  /** Returns the height that a source reports; 0 for a block that its own chain does not have. */
  function ownHeight({ name: of }: ChainSource, item: Dated): number {
    const { txid, height } = item
    const last = tips.get(of)?.height ?? height
    if (height <= last) return height
    const [expected, actual] = [`at most ${last}`, `${height}`]
    found.get(of)!.add({ code: 'source_height_above_tip', txid, expected, actual })
    return 0
  }

  /** Adds findings about sources that report another height than the one that counts. */
  function nameHeights(
    all: readonly Disputed<Dated>[],
    heightOf: (source: ChainSource) => number,
  ): void {
    for (const { item, by } of all) {
      const { txid, height } = item
      if (by.size < needed) continue
      const others = [...by].filter(([, own]) => own === height).map(([source]) => source)
      for (const [source, own] of by) {
        if (own === height) continue
        // A source that is behind contradicts no other, and neither does one that is ahead.
        const hasReached =
          own === 0 ? heightOf(source) >= height : others.some((it) => heightOf(it) >= own)
        if (!hasReached) continue
        const expected = `${placeText(height)}, as by ${namesOf(others)}`
        found
          .get(source.name)!
          .add({ code: 'source_disagrees', txid, expected, actual: placeText(own) })
      }
    }
  }

  /**
   * Adds findings about a transaction in a block that only some sources list: about those that
   * leave it out if enough list it, else about those that list it.
   */
  function nameOmissions(
    answers: readonly Answered<unknown>[],
    disputed: readonly Disputed<HistoryEntry>[],
    heightOf: (source: ChainSource) => number,
  ): void {
    for (const { item, by } of disputed) {
      const { txid, height } = item
      if (height === 0) continue
      // A source that is behind has left nothing out.
      const without = answers
        .map(({ source }) => source)
        .filter((source) => !by.has(source) && heightOf(source) >= height)
      if (without.length === 0) continue
      const isListed = by.size >= needed
      const expected = `${isListed ? 'listed' : 'absent'}, as by ${namesOf(isListed ? by.keys() : without)}`
      const actual = isListed ? 'absent' : `listed at ${height}`
      for (const source of isListed ? without : by.keys()) {
        found.get(source.name)!.add({ code: 'source_disagrees', txid, expected, actual })
      }
    }
  }

  /**
   * Adds findings about two transactions that spend one coin: a late source cannot explain them.
   */
  async function nameDoubleSpends(
    disputed: readonly Disputed<HistoryEntry>[],
    options: ChainOptions,
  ): Promise<void> {
    const listers = new Map(disputed.map(({ item, by }) => [item.txid, by]))
    const txids = [...listers.keys()].slice(0, comparedMax)
    if (txids.length < 2) return
    const spenders = new Map<string, string>()
    for (const hex of await transactions(txids, options)) {
      const transaction = hex === undefined ? undefined : decoded(hex)
      if (transaction === undefined || isCoinbase(transaction)) continue
      for (const { txid, vout } of transaction.inputs) {
        const key = `${txid}:${vout}`
        const other = spenders.get(key)
        spenders.set(key, transaction.txid)
        if (other === undefined || other === transaction.txid) continue
        const actual = transaction.txid
        for (const source of listers.get(actual)!.keys()) {
          found
            .get(source.name)!
            .add({ code: 'source_disagrees', txid, vout, expected: other, actual })
        }
      }
    }
  }

  /** Returns hex that hashes to each txid, from the first source that has it. */
  async function transactions(
    txids: readonly string[],
    options: ChainOptions = {},
  ): Promise<(string | undefined)[]> {
    const texts = new Map<string, string>()
    let failure: unknown
    let asked = 0
    for (const source of members) {
      const absent = txids.filter((txid) => !texts.has(txid))
      if (absent.length === 0) break
      try {
        const given = await source.transactions(absent, options)
        asked += 1
        for (const [at, txid] of absent.entries()) {
          const hex = given[at]
          if (typeof hex === 'string' && decoded(hex)?.txid === txid.toLowerCase()) {
            texts.set(txid, hex)
          }
        }
      } catch (error) {
        failure = error
      }
    }
    if (asked === 0) throw failure
    return txids.map((txid) => texts.get(txid))
  }

  function nameFalseTxid({ name: of }: ChainSource, txid: string, answer: unknown): void {
    const actual = String(answer).slice(0, 64)
    found.get(of)!.add({ code: 'source_disagrees', txid, expected: txid, actual })
  }

  return {
    name,
    networks: members.flatMap(({ networks = [] }) => networks),
    tip,
    transactions,
    async unspent(scripts, options = {}) {
      const call = (source: ChainSource) => source.unspent(scripts, options)
      const keyOf = ({ txid, vout }: UnspentOutput) => `${txid}:${vout}`
      return (await lists('unspent', call, keyOf, options)).items
    },
    async history(scripts, options = {}) {
      const call = (source: ChainSource) => source.history(scripts, options)
      const keyOf = ({ txid }: HistoryEntry) => txid
      const { answers, items, disputed, heightOf } = await lists('history', call, keyOf, options)
      nameOmissions(answers, disputed, heightOf)
      await nameDoubleSpends(disputed, options)
      return items.sort((one, other) => placeOf(one) - placeOf(other))
    },
    broadcast: (hex, options = {}) =>
      broadcastToAll(members, needed, hex, { options, onFalseTxid: nameFalseTxid }),
    inclusion: (txid, height, options = {}) => firstInclusion(members, txid, height, options),
    ...(hasHeaders && { headers }),
    async chain(options = {}) {
      const answers = await ask('chain', async (source) => source.chain?.(options))
      // A source that does not tell its chain must not keep the others from a comparison.
      const given = answers.filter(({ answer }) => answer !== undefined)
      const tellers = new Map<string, ChainSource[]>()
      for (const { source, answer } of given) {
        tellers.set(answer!, [...(tellers.get(answer!) ?? []), source])
      }
      if (tellers.size <= 1) return [...tellers.keys()][0]
      const [agreed, another] = [...tellers].filter(([, by]) => by.length >= needed)
      if (agreed !== undefined && another === undefined) {
        const [first, by] = agreed
        const expected = `block 1 ${first}, as by ${namesOf(by)}`
        for (const { source, answer } of given.filter((it) => it.answer !== first)) {
          found.get(source.name)!.add({ code: 'source_disagrees', expected, actual: answer! })
        }
        return first
      }
      const message = `the sources serve different chains: ${given
        .map(({ source, answer }) => `${source.name} ${answer}`)
        .join(', ')}`
      throw new RpcError('shape', message, { method: 'chain', reason: 'unexpected_value' })
    },
    findings: () => [...found.values()].flatMap((it) => it.list()),
  }
}

const isYoungerThan = (height: number, other: number) =>
  other !== 0 && (height === 0 || height > other)

/**
 * Returns the oldest height that at least `needed` sources report, or report as older; 0 if there is
 * none. So fewer than `needed` sources cannot make a height older, and nobody can hide one that
 * `needed` sources report.
 */
function agreedHeight(heights: readonly number[], needed: number): number {
  const ages = heights.map((height) => height || Number.POSITIVE_INFINITY)
  const sorted = ages.sort((one, other) => one - other)
  const height = sorted[Math.min(needed, sorted.length) - 1]!
  return Number.isFinite(height) ? height : 0
}

const placeText = (height: number) => (height === 0 ? 'in no block' : `in block ${height}`)

const namesOf = (sources: Iterable<ChainSource>) => [...sources].map(({ name }) => name).join(', ')

const placeOf = ({ height }: HistoryEntry) => (height === 0 ? Number.POSITIVE_INFINITY : height)

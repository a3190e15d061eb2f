// The transactions by which a key spent coins or tokens, from the address index of a daemon.

import { defaultNetwork, type Network } from '../../chain/network.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { wholeNumberIn } from '../../primitives/whole-number.ts'
import { pubkeyHashScript } from '../../script/key-script.ts'
import { addressOfScript } from '../../script/script.ts'
import { rulesOfNew } from '../../token/rules/network.ts'
import { fungible } from '../../token/rules/rules.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isReplyTooLarge, isRpcError, RpcError } from '../errors.ts'
import { type Answer, askAtOnce, isRefusal, type Question } from './at-once.ts'
import {
  blocksLookedBack,
  comparedAbove,
  dayLookedBack,
  isDropped,
  type MinedSpend,
  type RecordedHeights,
} from './look-back.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'

interface Payer {
  /** A compressed public key. */
  readonly pubkey: string
  /** Further addresses whose coins may pay. */
  readonly addresses?: readonly string[] | undefined
  readonly network?: Network | undefined
}

/** A height that no chain reaches. komodo src/rpc/misc.cpp, getaddressdeltas, reads an `int`. */
const heightMax = 0x7fffffff

/**
 * Blocks that a daemon may lack of the chain whose headers it has: it gets a header before its block.
 * With more, a block that it does not have yet may have an equal payment.
 */
export const lagMax = 3

/** Limits how often a range of blocks is halved, which a hostile daemon could demand for ever. */
const halvingsMax = 1024

/** The spends of a payer, as a daemon lists them. Empty for a daemon without an address index. */
export interface SpendReader {
  /** Returns the txids of waiting transactions. */
  waiting(): Promise<readonly string[]>
  /** Returns the height of the chain. */
  tip(): Promise<number>
  /** Returns how many blocks above a height the daemon has headers of. */
  lag(tip: number): Promise<number>
  /** Returns the time of the block of a height, in seconds; `undefined` if it is unknown. */
  time(height: number): Promise<number | undefined>
  /** Returns the transactions in the blocks of some heights, both included. */
  mined(start: number, end: number): Promise<MinedSpends>
  /** Returns the questions of `waiting`, `tip`, `mined` above a height, and `lag`, for one request. */
  questions(above: number): SpendQuestions
}

interface SpendQuestions {
  readonly questions: readonly Question[]
  /** Reads their answers; `undefined` unless the height of the chain is among them. */
  read(answers: readonly Answer[]): SeenSpends | undefined
}

/** The spends that a daemon listed in one answer. */
export interface SeenSpends {
  /** The blocks above this height were listed. */
  readonly above: number
  readonly waiting: readonly string[]
  readonly tip: number
  readonly mined: MinedSpends
  readonly lag: number
}

export interface MinedSpends {
  readonly spends: readonly MinedSpend[]
  /** False if the daemon refused a list. It may give the list later. */
  readonly isWhole: boolean
}

/** Transactions that spend coins or fungible tokens of a payer. */
export interface OwnSpends {
  readonly txids: readonly string[]
  /**
   * False if the server does not list all: a daemon without an address index, or a framework that
   * keeps no history.
   */
  readonly isWhole: boolean
}

/** Lists the spends that wait for a block, and those in the blocks that are compared. */
export async function ownSpends(
  client: DaemonClient,
  payer: Payer,
  recorded: RecordedHeights,
  options: SafeFlowOptions,
): Promise<OwnSpends> {
  const reader = spendReader(client, payer, options)
  const { tip, above } = await comparedNow(reader, client, recorded)
  if (tip === undefined) return { txids: [], isWhole: false }
  return listed(await seenAbove(reader, client, above, options), recorded)
}

/** The range of a comparison; without a `tip` for a daemon that refuses its height. */
interface Compared {
  readonly tip: number | undefined
  /** The blocks above this height are compared. */
  readonly above: number
}

export async function comparedNow(
  reader: SpendReader,
  client: DaemonClient,
  recorded: RecordedHeights,
): Promise<Compared> {
  const tip = await reader.tip().catch((error: unknown) => {
    if (isRefusal(error)) return undefined
    throw error
  })
  if (tip === undefined) return { tip, above: 0 }
  const blocksBack = await lookBackOf(client)(tip, reader.time)
  return { tip, above: comparedAbove(recorded, tip, blocksBack) }
}

/** Reads what waits, and the blocks above a height. */
export async function seenAbove(
  reader: SpendReader,
  client: DaemonClient,
  above: number,
  options: SafeFlowOptions,
): Promise<SeenSpends> {
  const { questions, read } = reader.questions(above)
  const answers = await askAtOnce(client, questions, callOptions(options))
  const seen = (answers && read(answers)) ?? (await seenOneByOne(reader, above))
  if (seen.lag > lagMax) throw lagging(seen)
  return seen
}

/** Returns the transactions that count for a journal. */
export function listed({ waiting, mined, tip }: SeenSpends, recorded: RecordedHeights): OwnSpends {
  const counted = mined.spends.filter((spend) => !isDropped(spend, recorded, tip))
  return {
    txids: [...new Set([...waiting, ...counted.map(({ txid }) => txid)])],
    isWhole: mined.isWhole,
  }
}

function lagging({ tip, lag }: Pick<SeenSpends, 'tip' | 'lag'>): RpcError {
  const expected = `at most ${lagMax} blocks more than the daemon has`
  const received = `${lag}`
  const details = { reason: 'unexpected_value', path: 'headers', expected, received } as const
  return new RpcError('shape', lagText(tip, lag), details)
}

/** Says why a daemon that still gets blocks makes no payment. */
export function lagText(tip: number, lag: number): string {
  return `the daemon has ${tip} of ${tip + lag} blocks, and the others may have this payment: wait until it has all`
}

/** By client, because the times of blocks are asked for once in many blocks. */
const lookBackOf = oncePerObject((_client: DaemonClient) => blocksLookedBack(dayLookedBack))

/** Asks one question after the other, because an answer of a batch must be smaller. */
async function seenOneByOne(reader: SpendReader, above: number): Promise<SeenSpends> {
  // The mempool is read first: a block between the answers moves a transaction from it to the
  // chain.
  const waiting = await reader.waiting()
  const tip = await reader.tip()
  const mined = await reader.mined(above + 1, Math.max(tip, above + 1))
  return { above, waiting, tip, mined, lag: await reader.lag(tip) }
}

export function spendReader(
  client: DaemonClient,
  { pubkey, addresses: further = [], network = defaultNetwork }: Payer,
  options: SafeFlowOptions,
): SpendReader {
  const lists = listsOf(pubkey, further, network)
  const spendIn = (row: unknown) => transactionOf(row, (satoshis) => satoshis.startsWith('-'))
  return rowReader(client, lists, { waitingIn: spendIn, minedIn: spendIn }, options)
}

/**
 * Reads the rows of one address. The spends are what it got.
 *
 * @param isWanted - chooses waiting transactions by their satoshis
 */
export function receiptReader(
  client: DaemonClient,
  address: string,
  isWanted: (satoshis: string) => boolean,
  options: SafeFlowOptions,
): SpendReader {
  const lists = [{ addresses: [address], isCondition: false }]
  const minedIn = (row: unknown): MinedSpend[] => {
    const satoshis = String(Object(row).satoshis)
    return transactionOf(row, isReceipt).map((it) => ({ ...it, satoshis }))
  }
  return rowReader(
    client,
    lists,
    { waitingIn: (row) => transactionOf(row, isWanted), minedIn },
    options,
  )
}

const isReceipt = (satoshis: string): boolean => !satoshis.startsWith('-')

interface RowRules {
  readonly waitingIn: (row: unknown) => MinedSpend[]
  readonly minedIn: (row: unknown) => MinedSpend[]
}

function rowReader(
  client: DaemonClient,
  lists: readonly SpendList[],
  { waitingIn, minedIn }: RowRules,
  options: SafeFlowOptions,
): SpendReader {
  const limits = callOptions(options)
  const txidsOf = (found: readonly (readonly unknown[] | undefined)[]) =>
    found.flatMap((list) => (list ?? []).flatMap(waitingIn).map(({ txid }) => txid))
  /** Returns `undefined` if the daemon refuses. */
  const rows = async (
    method: string,
    params: readonly unknown[],
  ): Promise<readonly unknown[] | undefined> => {
    try {
      const reply = await client.call(method, params, limits)
      return Array.isArray(reply) ? reply : undefined
    } catch (error) {
      if (isReplyTooLarge(error)) throw error
      if (isRefusal(error) || isRpcError(error, 'shape')) return undefined
      throw error
    }
  }
  const mempoolQuestions = lists.flatMap(({ addresses, isCondition }): Question[] => {
    const asked = { addresses }
    const method = 'getaddressmempool'
    // komodod lists waiting conditions without the second parameter only; other daemons may not.
    return [{ method, params: [asked] }, ...(isCondition ? [{ method, params: [asked, 1] }] : [])]
  })
  return {
    async waiting() {
      const asked = mempoolQuestions.map(({ method, params }) => rows(method, params))
      return txidsOf(await Promise.all(asked))
    },
    async tip() {
      const tip = wholeNumberIn(await client.call('getblockcount', [], limits))
      if (tip !== undefined) return tip
      throw new RpcError('shape', 'getblockcount: the answer is not a height')
    },
    lag: async (tip) =>
      lagIn(
        tip,
        await client
          .call(lagQuestion.method, lagQuestion.params, limits)
          .catch((error: unknown) => {
            if (isRefusal(error) || isRpcError(error, 'shape')) return undefined
            throw error
          }),
      ),
    async time(height) {
      const hash = await client.call('getblockhash', [height], limits)
      const header = await client.call('getblockheader', [hash], limits)
      return wholeNumberIn(Object(header).time)
    },
    questions: (above) => ({
      // The mempool stands first: a block moves a transaction from it to the chain.
      questions: [
        ...mempoolQuestions,
        { method: 'getblockcount', params: [] },
        ...lists.map((it) => deltasQuestion(it, above + 1, heightMax)),
        lagQuestion,
      ],
      read(answers) {
        const answered = answers.map((answer) => (Array.isArray(answer) ? answer : undefined))
        const at = mempoolQuestions.length
        const tip = wholeNumberIn(answers[at])
        if (tip === undefined) return undefined
        const deltas = answered.slice(at + 1, at + 1 + lists.length)
        const spends = deltas.flatMap((list) => list ?? []).flatMap(minedIn)
        const isWhole = deltas.every((list) => list !== undefined)
        const lag = lagIn(tip, answers[at + 1 + lists.length])
        const waiting = txidsOf(answered.slice(0, at))
        return { above, waiting, tip, mined: { spends, isWhole }, lag }
      },
    }),
    async mined(first, last) {
      let halvings = 0
      let isWhole = true
      /** Asks for fewer blocks at once if all rows are more than a reply may have. */
      const deltas = async (
        of: SpendList,
        start: number,
        end: number,
      ): Promise<readonly unknown[]> => {
        try {
          const { method, params } = deltasQuestion(of, start, end)
          const found = await rows(method, params)
          if (found === undefined) isWhole = false
          return found ?? []
        } catch (error) {
          if (!isReplyTooLarge(error) || !(start < end) || ++halvings > halvingsMax) throw error
          const middle = Math.floor((start + end) / 2)
          const first = await deltas(of, start, middle)
          return [...first, ...(await deltas(of, middle + 1, end))]
        }
      }
      const found = await Promise.all(lists.map((list) => deltas(list, first, last)))
      return { spends: found.flat().flatMap(minedIn), isWhole }
    },
  }
}

const lagQuestion: Question = { method: 'getblockchaininfo', params: [] }

/**
 * @param tip - height that was asked for before the lists: blocks that came since may be in none
 * @see komodo src/rpc/blockchain.cpp, getblockchaininfo
 */
function lagIn(tip: number, info: unknown): number {
  const { blocks, headers } = Object(info) as Readonly<Record<string, unknown>>
  const [has, knows] = [wholeNumberIn(blocks), wholeNumberIn(headers)]
  return has === undefined || knows === undefined ? 0 : Math.max(0, knows - Math.min(has, tip))
}

/** Addresses that a daemon lists in one answer. */
interface SpendList {
  readonly addresses: readonly string[]
  readonly isCondition: boolean
}

function deltasQuestion(
  { addresses, isCondition }: SpendList,
  start: number,
  end: number,
): Question {
  const params = [{ addresses, start, end }, ...(isCondition ? [1] : [])]
  return { method: 'getaddressdeltas', params }
}

function listsOf(
  pubkey: string,
  further: readonly string[],
  network: Network,
): readonly SpendList[] {
  const versions = network.conditions === 'tokel' ? ([2, 1] as const) : ([1] as const)
  const tokens = versions.map((version) => {
    const [script] = rulesOfNew(network, version).placesOf(fungible).scriptsOf([pubkey])
    return { addresses: [addressOfScript(script!, network)!], isCondition: true }
  })
  const own = addressOfScript(pubkeyHashScript(pubkey), network)!
  return [{ addresses: [...new Set([own, ...further])], isCondition: false }, ...tokens]
}

/**
 * Returns the transaction of a row, if its satoshis are wanted. They are negative where coins are
 * spent.
 */
function transactionOf(row: unknown, isWanted: (satoshis: string) => boolean): MinedSpend[] {
  const { txid, satoshis, height } = Object(row) as Readonly<Record<string, unknown>>
  if (!isWanted(String(satoshis)) || typeof txid !== 'string') return []
  const at = wholeNumberIn(height)
  return [{ txid: txid.toLowerCase(), ...(at !== undefined && { height: at }) }]
}

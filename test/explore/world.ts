// A world with one disk, one network, one chain and two processes, in which nothing happens outside
// of a schedule. The code under test is the real one: the journal on its file, the book, and
// the flow that pays.

import { encodeTransaction, transactionId } from '../../src/index.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { RpcError } from '../../src/rpc/errors.ts'
import type { Payment } from '../../src/rpc/safe-flow/flow.ts'
import { seal } from '../../src/verification/sealed.ts'
import { type Kept, SimulatedDisk } from '../support/simulated-disk.ts'
import { guardFiles, payThroughGuard } from './guarded.ts'
import type { CodeUnderTest } from './mutants.ts'

/** The explorer's deviation at one step. At all other steps everything goes well. */
export interface Deviation {
  /** The decision of the run, counted from 0. */
  readonly step: number
  /** The action at that decision. */
  readonly what: string
}

/** One run: a schedule, what happened, and whether a promise was broken. */
export interface Run {
  /** The other possible actions at each decision. */
  readonly alternatives: readonly (readonly string[])[]
  /** The events, one line each. */
  readonly trace: readonly string[]
  /** The broken promise, in words. */
  readonly broken?: string
}

export interface Scenario {
  readonly name: string
  /** `file`: each process opens the file. `shared`: both use one store, as with a database. */
  readonly journal: 'file' | 'shared'
  readonly id?: string
  /** The server is trusted, and another wallet may spend the coins. */
  readonly isTrusted?: boolean
  /** True if the server may answer falsely. */
  readonly isHostile?: boolean
  /** True if a guard makes the payment, with limits and a record of its own. */
  readonly isGuarded?: boolean
  /** How often the request is made, whatever comes of it. */
  readonly calls: number
}

const path = '/state/journal'
const coins = ['c0', 'c1'].map((_, index) => ({ txid: `${index + 1}`.repeat(64), vout: 0 }))

interface Built {
  readonly hex: string
  readonly txid: string
  readonly coin: number
}

/** The same payment from one of the coins; another transaction each time that it is built. */
const built = new Map<string, Built>()
function transactionOf(coin: number, nonce: number): Built {
  const key = `${coin}.${nonce}`
  const known = built.get(key)
  if (known !== undefined) return known
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ ...coins[coin]!, scriptSig: '', sequence: 0 }],
    outputs: [{ value: 70n, script: '51' }],
    lockTime: nonce,
    expiryHeight: 0,
    valueBalance: 0n,
    shieldedSpends: [],
    shieldedOutputs: [],
    joinSplits: [],
  })
  const made = { hex, txid: transactionId(hex), coin }
  built.set(key, made)
  return made
}

/** Thrown by the world's own checks, so that it is told from errors of the code. */
class Broken extends Error {}

/** The chain and its mempool, as they are: not as a server tells of them. */
class Chain {
  readonly blocks: Built[][] = []
  mempool: Built[] = []
  /** Every transaction that reached the network, or may still reach it. */
  readonly everSent = new Map<string, Built>()
  flying: Built[] = []
  /** Coins that another wallet of the same key spent, deep in the chain. */
  readonly spentElsewhere = new Set<number>()

  mined(): Built[] {
    return this.blocks.flat()
  }

  accepts(tx: Built): boolean {
    const all = [...this.mined(), ...this.mempool]
    return !this.spentElsewhere.has(tx.coin) && !all.some(({ coin }) => coin === tx.coin)
  }

  receive(tx: Built): boolean {
    if (this.mempool.some(({ txid }) => txid === tx.txid)) return true
    if (!this.accepts(tx)) return false
    this.mempool.push(tx)
    return true
  }

  mine(): void {
    this.blocks.push(this.mempool)
    this.mempool = []
  }

  /** Replaces the last block by one without its transactions. */
  reorganize(): void {
    this.blocks.pop()
    this.blocks.push([])
  }

  has(txid: string): 'block' | 'mempool' | undefined {
    if (this.mined().some((it) => it.txid === txid)) return 'block'
    return this.mempool.some((it) => it.txid === txid) ? 'mempool' : undefined
  }
}

interface Process {
  readonly name: string
  /** The event that it waits for; absent while it computes. */
  waiting:
    | { readonly label: string; readonly options: readonly string[]; go(what: string): void }
    | undefined
  arrived: () => void
  /** Ends the files of its disk. */
  end(): void
  /** Carries out half of the write that it has begun. */
  tear(): void
  state: 'running' | 'done' | 'crashed'
}

type Outcome = { readonly txid?: string; readonly held?: string } | { readonly error: unknown }

const hour = 3_600_000

export class World {
  readonly #scenario: Scenario
  readonly #code: CodeUnderTest
  readonly #deviations: ReadonlyMap<number, string>
  readonly #disk = new SimulatedDisk()
  readonly #chain = new Chain()
  readonly #alternatives: string[][] = []
  readonly #trace: string[] = []
  readonly #shared: Journal
  #clock = Date.UTC(2026, 10, 23)
  #nonce = 0
  #processes: Process[] = []
  #started = 0
  #last: Outcome | undefined
  #broken: string | undefined
  /** True once no further fault occurs. */
  #isCalm = false

  constructor(code: CodeUnderTest, scenario: Scenario, deviations: readonly Deviation[]) {
    this.#code = code
    this.#shared = code.memoryJournal()
    this.#scenario = scenario
    this.#deviations = new Map(deviations.map(({ step, what }) => [step, what]))
  }

  async run(): Promise<Run> {
    const now = Date.now
    Date.now = () => this.#clock
    try {
      await this.#storm()
      await this.#calm()
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      this.#broken = error.message
    } finally {
      Date.now = now
      for (const process of this.#processes) process.end()
    }
    const { alternatives, trace } = { alternatives: this.#alternatives, trace: this.#trace }
    return { alternatives, trace, ...(this.#broken !== undefined && { broken: this.#broken }) }
  }

  /** As long as the schedule has something to say. */
  async #storm(): Promise<void> {
    while (this.#live().length > 0 || this.#started < this.#scenario.calls) {
      if (this.#live().length === 0) await this.#start()
      else await this.#step()
      this.#check()
    }
  }

  /** The network is honest, nothing crashes: the payment must be made now, once. */
  async #calm(): Promise<void> {
    this.#isCalm = true
    for (const tx of this.#chain.flying.splice(0)) this.#arrive(tx)
    for (let round = 0; round < 6; round += 1) {
      this.#note('-- calm --')
      await this.#start()
      while (this.#live().length > 0) await this.#step()
      this.#chain.mine()
      this.#check()
    }
    const last = this.#last
    const isMade = last !== undefined && 'txid' in last && last.txid !== undefined
    if (!isMade) throw new Broken(`stuck: ${outcomeText(last)}`)
    if (this.#chain.has(last.txid!) !== 'block') throw new Broken('settled, but not in the chain')
  }

  /** At most one transaction of the payment can ever be mined; none was lost. */
  #check(): void {
    if (this.#broken !== undefined) throw new Broken(this.#broken)
    const sent = [...this.#chain.everSent.values()].filter(
      ({ coin }) => !this.#chain.spentElsewhere.has(coin),
    )
    const apart = new Set(sent.map(({ coin }) => coin))
    if (apart.size > 1) throw new Broken('two transactions of one payment can be mined')
  }

  #live(): Process[] {
    return this.#processes.filter(({ state }) => state === 'running')
  }

  #note(line: string): void {
    this.#trace.push(line)
  }

  // Processes

  /** Starts a process that makes the request, and lets it come to its first step. */
  async #start(): Promise<void> {
    this.#started += 1
    const name = `P${this.#started}`
    const process: Process = {
      name,
      waiting: undefined,
      arrived: () => undefined,
      end: () => undefined,
      tear: () => undefined,
      state: 'running',
    }
    this.#processes.push(process)
    const disk = this.#disk.process(async (operation) => {
      await this.#pause(process, operation, [])
    })
    process.end = () => disk.end()
    process.tear = () => disk.tear()
    this.#note(`${name} starts`)
    await this.#untilItWaits(process, () => {
      void this.#program(process, disk).then((outcome) => {
        // A crashed process does none of its later work.
        if (process.state !== 'running') return
        this.#last = outcome
        this.#note(`${name} ends: ${outcomeText(outcome)}`)
        process.state = 'done'
        disk.end()
        process.arrived()
      })
    })
  }

  async #program(process: Process, disk: ReturnType<SimulatedDisk['process']>): Promise<Outcome> {
    const journal =
      this.#scenario.journal === 'file'
        ? this.#code.fileJournal(path, { disk })
        : this.#sharedJournal(process)
    try {
      const payment = this.#payment(process, journal)
      const { txid, held } =
        this.#scenario.isGuarded === true
          ? await payThroughGuard(payment, disk)
          : await this.#code.idempotentSend(payment)
      return { ...(txid !== undefined && { txid }), ...(held !== undefined && { held }) }
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) throw error
      return { error }
    } finally {
      await journal.close()
    }
  }

  /**
   * A store like a table with a unique position: each call arrives at once, and is answered later.
   */
  #sharedJournal(process: Process): Journal {
    return {
      read: async (after) => {
        await this.#pause(process, 'read', [])
        return this.#shared.read(after)
      },
      append: async (position, text) => {
        const what = await this.#pause(process, 'append', ['lost append', 'append without answer'])
        if (what === 'lost append') throw new Error('the database is gone')
        const isStored = await this.#shared.append(position, text)
        if (what === 'append without answer') throw new Error('the database is gone')
        return isStored
      },
      close: async () => undefined,
    }
  }

  /** Waits for the schedule. Answers what it says, '' where everything goes well. */
  #pause(process: Process, label: string, options: readonly string[]): Promise<string> {
    // The schedule decides one step at a time, so the first of two would wait for ever.
    const { waiting } = process
    if (waiting) this.#broken ??= `${process.name} does ${waiting.label} and ${label} at once`
    return new Promise((resolve) => {
      process.waiting = {
        label,
        options: this.#isCalm ? [] : options,
        go: (what) => {
          process.waiting = undefined
          resolve(what)
        },
      }
      process.arrived()
    })
  }

  async #untilItWaits(process: Process, go: () => void): Promise<void> {
    const arrival = new Promise<void>((resolve) => {
      process.arrived = resolve
    })
    go()
    await arrival
  }

  // The schedule

  /** One decision: the process that ran last goes on, unless the schedule says something else. */
  async #step(): Promise<void> {
    const live = this.#live()
    const current = live[0]!
    const waiting = current.waiting!
    const alternatives = this.#isCalm ? [] : this.#alternativesAt(current, waiting.options)
    const step = this.#alternatives.length
    const what = this.#isCalm ? undefined : this.#deviations.get(step)
    if (!this.#isCalm) this.#alternatives.push(alternatives)
    if (what === undefined) {
      this.#note(`${current.name} ${waiting.label}`)
      return this.#untilItWaits(current, () => waiting.go(''))
    }
    this.#note(`${current.name} ${waiting.label} ** ${what}`)
    if (waiting.options.includes(what)) {
      return this.#untilItWaits(current, () => waiting.go(what))
    }
    return this.#happen(what, current)
  }

  #alternativesAt(current: Process, options: readonly string[]): string[] {
    const isFile = this.#scenario.journal === 'file'
    const label = current.waiting!.label
    const writes = ['write', 'sync', 'rename', 'truncate', 'sync-directory', 'close'].includes(
      label,
    )
    const sends = ['send', 'sent', 'append', 'ask'].includes(label)
    const all = [...options]
    if (writes || sends) all.push('crash')
    if (isFile && label === 'write') all.push('crash in the write')
    if (isFile && (writes || sends))
      all.push('power fails, none', 'power fails, half', 'power fails, zeros', 'power fails, all')
    if (this.#live().length > 1) all.push('switch')
    else if (this.#started < this.#scenario.calls) all.push('another process starts')
    const isMoment = ['look up', 'send', 'sent', 'ask', 'lock'].includes(label)
    if (isMoment || (!isFile && label === 'read')) {
      if (this.#chain.mempool.length > 0) all.push('block')
      if (this.#chain.blocks.at(-1)?.length) all.push('reorganization')
      if (this.#chain.flying.length > 0) all.push('arrival')
      all.push('clock back')
      if (this.#scenario.isTrusted && this.#chain.spentElsewhere.size === 0)
        all.push('coin spent elsewhere')
    }
    return all
  }

  async #happen(what: string, current: Process): Promise<void> {
    switch (what) {
      case 'crash':
        this.#crash(current)
        return
      case 'crash in the write':
        current.tear()
        this.#crash(current)
        return
      case 'switch':
        this.#processes = [...this.#processes.filter((it) => it !== current), current]
        return
      case 'another process starts': {
        await this.#start()
        const started = this.#processes.pop()!
        this.#processes.unshift(started)
        return
      }
      case 'block':
        this.#chain.mine()
        return
      case 'reorganization':
        this.#chain.reorganize()
        return
      case 'arrival':
        this.#arrive(this.#chain.flying.shift()!)
        return
      case 'clock back':
        this.#clock -= hour
        return
      case 'coin spent elsewhere': {
        // An honest chain: what spends a coin deep in it is neither undone nor doubled.
        const coin = [0, 1].find((it) => !this.#chain.mined().some((tx) => tx.coin === it))!
        this.#chain.spentElsewhere.add(coin)
        this.#chain.mempool = this.#chain.mempool.filter((tx) => tx.coin !== coin)
        return
      }
      default: {
        if (!what.startsWith('power fails, ')) throw new Error(`unknown deviation: ${what}`)
        for (const process of this.#live()) this.#crash(process)
        this.#disk.powerFails(what.slice('power fails, '.length) as Kept)
      }
    }
  }

  #crash(process: Process): void {
    process.state = 'crashed'
    process.waiting = undefined
    process.end()
  }

  // The network

  #arrive(tx: Built): boolean {
    return this.#chain.receive(tx)
  }

  #payment(process: Process, journal: Journal): Payment {
    const { id, isTrusted = false, isHostile = false } = this.#scenario
    const report = (tx: Built) => ({
      report: {
        ok: true,
        broadcast: 'yes' as const,
        findings: [],
        hex: tx.hex,
        effects: [],
        verified: seal(tx.hex, tx.txid),
      },
    })
    const txOf = (hex: string): Built => [...built.values()].find((tx) => tx.hex === hex)!
    const payment: Payment = {
      client: this,
      // Two spellings of one request.
      key: '["transfer","70"]',
      request: () => `{"to":"${this.#started % 2 === 0 ? 'address' : 'public key'}"}`,
      options: { journal, ...(id !== undefined && { id }), trustServer: isTrusted },
      refusal: 'daemon',
      newTransaction: async () => {
        const what = await this.#pause(process, 'ask', ['other coin', 'no answer'])
        if (what === 'no answer') throw lost(false)
        const isFree = (coin: number) => this.#chain.accepts({ hex: '', txid: '', coin })
        const first = isFree(0) ? 0 : 1
        return report(transactionOf(what === 'other coin' ? 1 - first : first, this.#nonce++))
      },
      check: async (hex) => report(txOf(hex)),
      lookUp: async (txid) => {
        const tampers = isHostile ? ['says unknown'] : []
        const what = await this.#pause(process, 'look up', ['no answer', ...tampers])
        if (what === 'no answer') throw lost(false)
        const tx = [...built.values()].find((it) => it.txid === txid)
        const isThere = tx !== undefined && this.#chain.has(txid) !== undefined
        return isThere && what !== 'says unknown' ? tx.hex : { reason: 'unknown' }
      },
      place: async (txid) => {
        const tampers = isHostile ? ['says mined', 'says waiting'] : []
        const what = await this.#pause(process, 'place', tampers)
        const isMined = what === '' ? this.#chain.has(txid) === 'block' : what === 'says mined'
        return isMined ? { height: 10 } : {}
      },
      tip: async () => 20,
      isDead: async ({ hex }) => this.#chain.spentElsewhere.has(txOf(hex).coin),
      send: async ({ hex }) => {
        const tx = txOf(hex)
        await this.#requireRecorded(tx)
        const tampers = isHostile ? ['says refused', 'says accepted'] : []
        const ways = ['lost', 'reply lost', 'delayed', 'duplicated', ...tampers]
        const what = await this.#pause(process, 'send', ways)
        if (what === 'lost') throw lost(true)
        this.#chain.everSent.set(tx.txid, tx)
        if (what === 'says accepted') return
        if (what === 'delayed') {
          this.#chain.flying.push(tx)
          throw lost(true)
        }
        if (what === 'duplicated') this.#chain.flying.push(tx)
        const isAccepted = this.#arrive(tx)
        // The bytes have left: a crash here leaves a transaction that nobody heard of.
        await this.#pause(process, 'sent', [])
        if (what === 'reply lost') throw lost(true)
        if (!isAccepted || what === 'says refused') throw refused()
      },
    }
    return payment as unknown as Payment
  }

  /** Before the first byte leaves, a power failure must not make anybody forget it. */
  async #requireRecorded(tx: Built): Promise<void> {
    const durable =
      this.#scenario.journal === 'file'
        ? Buffer.from(this.#disk.durable(path) ?? '').toString('latin1')
        : (await this.#shared.read(0)).join('\n')
    if (!durable.includes(tx.txid)) this.#broken ??= 'sent before it was recorded durably'
    if (this.#scenario.isGuarded !== true) return
    for (const file of guardFiles) {
      const text = Buffer.from(this.#disk.durable(file) ?? '').toString('latin1')
      if (!text.includes(tx.txid)) this.#broken ??= `sent before ${file} had it`
    }
  }
}

function lost(isUncertain: boolean): RpcError {
  const details = isUncertain ? ({ uncertain: true } as const) : {}
  return new RpcError('transport', 'no answer', { reason: 'connection_lost', ...details })
}

function refused(): RpcError {
  return new RpcError('daemon', 'refused', { code: -26, codeName: 'RPC_VERIFY_REJECTED' })
}

function outcomeText(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'nothing'
  if ('error' in outcome) return String((outcome.error as Error).message).slice(0, 80)
  return outcome.txid?.slice(0, 8) ?? outcome.held ?? 'nothing'
}

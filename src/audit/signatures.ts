// Signature checks for a ledger, on other threads while the ledger reads on. When the ledger waits
// for the results, its own thread checks the groups that no other thread has begun.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { networks } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { resultOf } from '../errors/malformed.ts'
import type { Prevout } from '../signing/prevout.ts'
import { verifyInputs } from '../signing/verify.ts'
import type { Disproof } from '../token/proof/proof.ts'

/** A transaction with inputs whose signatures are checked. */
interface Inputs {
  readonly raw: Uint8Array
  /** The output that each input spends; `undefined` for inputs that are not checked. */
  readonly prevouts: readonly (Prevout | undefined)[]
}

interface ToCheck extends Inputs {
  readonly txid: string
}

/** A group of transactions as a thread gets it: one buffer, which is transferred and not copied. */
interface Together {
  /** Shared with the thread. The thread that sets it to 1 first checks the group. */
  readonly taken: Int32Array
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lengths: readonly number[]
  readonly prevouts: readonly Inputs['prevouts'][]
}

/** A transaction with a bad signature, by its index in the group. */
interface Unsigned {
  readonly index: number
  readonly actual: string
}

/** A placeholder for an output that is not checked. */
export const notLookedAt: Prevout = { value: 0n, script: '' }

/** Transactions per group: enough to make the cost of a message negligible. */
const sentAtOnce = 64

/** The part of a worker that is used. */
export type ThreadWorker = Pick<Worker, 'on' | 'postMessage' | 'terminate'>

interface Thread {
  readonly worker: ThreadWorker
  /** In the order in which transactions were sent. */
  readonly waiting: Waiting[]
}

interface Sent {
  readonly given: readonly ToCheck[]
  readonly taken: Int32Array
  readonly found: Promise<Disproof[]>
}

interface Waiting {
  readonly resolve: (found: Unsigned[]) => void
  readonly reject: (error: unknown) => void
}

export class SignatureChecks {
  readonly #threadsMax: number
  readonly #open: () => ThreadWorker
  readonly #threads: Thread[] = []
  #given: ToCheck[] = []
  #sent: Sent[] = []

  /**
   * @param threads - the largest number to start; each starts when a group is full
   * @param open - starts a thread
   */
  constructor(threads = 0, open: () => ThreadWorker = openWorker) {
    this.#threadsMax = threads
    this.#open = open
  }

  add(transaction: ToCheck): void {
    this.#given.push(transaction)
    if (this.#threadsMax > 0 && this.#given.length >= sentAtOnce) this.#send()
  }

  /** Returns the bad signatures among the added transactions; this thread checks its share. */
  async finish(): Promise<Disproof[]> {
    const [given, sent] = [this.#given, this.#sent]
    this.forget()
    const found = disproofsOf(given, unsignedOf(given))
    const others: Promise<Disproof[]>[] = []
    // This thread begins with the last group, because the others begin with the first.
    for (const it of sent.reverse()) {
      if (take(it.taken)) found.push(...disproofsOf(it.given, unsignedOf(it.given)))
      else others.push(it.found)
    }
    return [...found, ...(await Promise.all(others)).flat()]
  }

  /** Discards the transactions that were added since. */
  forget(): void {
    this.#given = []
    this.#sent = []
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #send(): void {
    const given = this.#given
    this.#given = []
    const { worker, waiting } = this.#leastBusy()
    const answer = new Promise<Unsigned[]>((resolve, reject) => waiting.push({ resolve, reject }))
    const found = answer.then((unsigned) => disproofsOf(given, unsigned))
    // `finish` awaits it; without a handler an earlier failure would end the process.
    found.catch(() => undefined)
    const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    this.#sent.push({ given, taken, found })
    const bytes = bytesOf(given)
    const lengths = given.map(({ raw }) => raw.length)
    const prevouts = given.map((it) => it.prevouts)
    worker.postMessage({ taken, bytes, lengths, prevouts } satisfies Together, [bytes.buffer])
  }

  #leastBusy(): Thread {
    const idle = this.#threads.find(({ waiting }) => waiting.length === 0)
    if (idle !== undefined) return idle
    if (this.#threads.length < this.#threadsMax) return this.#start()
    const fewer = (one: Thread, other: Thread) =>
      other.waiting.length < one.waiting.length ? other : one
    return this.#threads.reduce(fewer)
  }

  #start(): Thread {
    const worker = this.#open()
    const waiting: Waiting[] = []
    const fail = (error: unknown): void => {
      for (const { reject } of waiting.splice(0)) reject(error)
    }
    worker.on('message', (found: Unsigned[]) => waiting.shift()!.resolve(found))
    worker.on('error', fail)
    worker.on('exit', (status) => fail(new Error(`a thread ended with ${status}`)))
    const thread = { worker, waiting }
    this.#threads.push(thread)
    return thread
  }
}

/** The worker runs this file, so a bundler cannot separate the two. */
function openWorker(): Worker {
  return new Worker(new URL(import.meta.url), { workerData: { [workerTag]: true } })
}

/** Returns what a thread finds in a group; an empty list if another thread has taken the group. */
export function answerTo(sent: Together): Unsigned[] {
  return take(sent.taken) ? unsignedOf(apart(sent)) : []
}

/** Returns true if no other thread has taken the group. */
function take(taken: Int32Array): boolean {
  return Atomics.exchange(taken, 0, 1) === 0
}

function bytesOf(transactions: readonly ToCheck[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(transactions.reduce((sum, { raw }) => sum + raw.length, 0))
  let at = 0
  for (const { raw } of transactions) {
    bytes.set(raw, at)
    at += raw.length
  }
  return bytes
}

function apart({ bytes, lengths, prevouts }: Together): Inputs[] {
  let at = 0
  return lengths.map((length, index) => {
    const raw = bytes.subarray(at, at + length)
    at += length
    return { raw, prevouts: prevouts[index]! }
  })
}

function unsignedOf(transactions: readonly Inputs[]): Unsigned[] {
  return transactions.flatMap((it, index) => {
    const actual = firstUnsigned(it)
    return actual === undefined ? [] : [{ index, actual }]
  })
}

/** Returns the first bad signature. Accepts conditions of both kinds of daemon, like the prover. */
function firstUnsigned({ raw, prevouts }: Inputs): string | undefined {
  const all = prevouts.map((prevout) => prevout ?? notLookedAt)
  const verdicts = resultOf(() => verifyInputs(raw, all, networks.tokel))
  if (isAntaraError(verdicts)) return verdicts.code
  const at = verdicts.findIndex(({ ok }, index) => prevouts[index] !== undefined && !ok)
  return at < 0 ? undefined : `${verdicts[at]!.code} in inputs[${at}]`
}

function disproofsOf(given: readonly ToCheck[], found: readonly Unsigned[]): Disproof[] {
  return found.map(({ index, actual }) => {
    return { txid: given[index]!.txid, rule: 'signature_invalid', actual }
  })
}

const workerTag = 'antara-tx audit'

if (
  !isMainThread &&
  typeof workerData === 'object' &&
  workerData !== null &&
  workerTag in workerData
) {
  parentPort!.on('message', (sent: Together) => parentPort!.postMessage(answerTo(sent)))
}

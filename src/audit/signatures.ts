// Signatures of what a ledger takes in, checked on other threads while it goes on. What they have not
// come to when it waits for them, it checks itself.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { networks } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import type { Prevout } from '../signing/prevout.ts'
import { verifyInputs } from '../signing/verify.ts'
import type { Disproof } from '../token/proof/proof.ts'

/** A transaction, of which some inputs must be rightly signed. */
interface Inputs {
  readonly raw: Uint8Array
  /** What each input spends; undefined of those that are not looked at. */
  readonly prevouts: readonly (Prevout | undefined)[]
}

interface ToCheck extends Inputs {
  readonly txid: string
}

/** Transactions as a thread gets them: their bytes lie together, which are handed over, not copied. */
interface Together {
  /** Shared with the thread: whoever sets it to one checks them. */
  readonly taken: Int32Array
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lengths: readonly number[]
  readonly prevouts: readonly Inputs['prevouts'][]
}

/** By its place among those that were sent together. */
interface Unsigned {
  readonly index: number
  readonly actual: string
}

/** Stands for an output that is not looked at. */
export const notLookedAt: Prevout = { value: 0n, script: '' }

/** So many go to a thread at a time that sending them does not show. */
const sentAtOnce = 64

interface Thread {
  readonly worker: Worker
  /** In the order in which transactions were sent. */
  readonly waiting: Waiting[]
}

/** What went to a thread. */
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
  readonly #threads: Thread[] = []
  #given: ToCheck[] = []
  #sent: Sent[] = []

  /** @param threads - at most so many, which are started once there is enough to check */
  constructor(threads = 0) {
    this.#threadsMax = threads
  }

  add(transaction: ToCheck): void {
    this.#given.push(transaction)
    if (this.#threadsMax > 0 && this.#given.length >= sentAtOnce) this.#send()
  }

  /** What is wrong with transactions that were added since; this thread takes its share. */
  async finish(): Promise<Disproof[]> {
    const [given, sent] = [this.#given, this.#sent]
    this.forget()
    const found = disproofsOf(given, unsignedOf(given))
    const others: Promise<Disproof[]>[] = []
    // The other threads begin with the first.
    for (const it of sent.reverse()) {
      if (take(it.taken)) found.push(...disproofsOf(it.given, unsignedOf(it.given)))
      else others.push(it.found)
    }
    return [...found, ...(await Promise.all(others)).flat()]
  }

  /** Leaves what was added since to itself. */
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
    // Waited for with the others: a failure before that is nobody's.
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
    // This very file, so that it is found wherever a bundler has put it.
    const worker = new Worker(new URL(import.meta.url), { workerData: { [workerTag]: true } })
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

/** Whether nobody has taken them before. */
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

/** Conditions of either kind of daemon are looked at, as the prover does. */
function firstUnsigned({ raw, prevouts }: Inputs): string | undefined {
  try {
    const all = prevouts.map((prevout) => prevout ?? notLookedAt)
    const verdicts = verifyInputs(raw, all, networks.tokel)
    const at = verdicts.findIndex(({ ok }, index) => prevouts[index] !== undefined && !ok)
    return at < 0 ? undefined : `${verdicts[at]!.code} in inputs[${at}]`
  } catch (error) {
    if (!isAntaraError(error)) throw error
    return error.code
  }
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
  parentPort!.on('message', (sent: Together) => {
    parentPort!.postMessage(take(sent.taken) ? unsignedOf(apart(sent)) : [])
  })
}

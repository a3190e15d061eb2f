// Signatures of what a ledger takes in, checked on other threads while it goes on.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { networks } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import type { Prevout } from '../signing/prevout.ts'
import { verifyInputs } from '../signing/verify.ts'
import type { Disproof } from '../token/proof/proof.ts'

/** A transaction, and which of its inputs must be rightly signed. */
interface ToCheck {
  readonly txid: string
  readonly hex: string
  /** What each input spends; of those that are not looked at, anything. */
  readonly prevouts: readonly Prevout[]
  readonly isToCheck: readonly boolean[]
}

/** So many go to a thread at a time that sending them does not show. */
const sentAtOnce = 64

interface Thread {
  readonly worker: Worker
  /** In the order in which transactions were sent. */
  readonly waiting: Waiting[]
}

interface Waiting {
  readonly resolve: (found: Disproof[]) => void
  readonly reject: (error: unknown) => void
}

export class SignatureChecks {
  readonly #threadsMax: number
  readonly #threads: Thread[] = []
  #given: ToCheck[] = []
  #sent: Promise<Disproof[]>[] = []

  /** @param threads - at most so many, which are started once there is enough to check */
  constructor(threads = 0) {
    this.#threadsMax = threads
  }

  add(transaction: ToCheck): void {
    this.#given.push(transaction)
    if (this.#threadsMax > 0 && this.#given.length >= sentAtOnce) this.#send()
  }

  /** What is wrong with transactions that were added since; few are checked here. */
  async finish(): Promise<Disproof[]> {
    const [given, sent] = [this.#given, this.#sent]
    this.forget()
    const found = unsignedOf(given)
    const others = await Promise.all(sent)
    return [...found, ...others.flat()]
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
    const { worker, waiting } = this.#leastBusy()
    const answer = new Promise<Disproof[]>((resolve, reject) => waiting.push({ resolve, reject }))
    // Waited for with the others: a failure before that is nobody's.
    answer.catch(() => undefined)
    this.#sent.push(answer)
    worker.postMessage(this.#given)
    this.#given = []
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
    const worker = new Worker(new URL(import.meta.url), { workerData: { [mark]: true } })
    const waiting: Waiting[] = []
    const fail = (error: unknown): void => {
      for (const { reject } of waiting.splice(0)) reject(error)
    }
    worker.on('message', (found: Disproof[]) => waiting.shift()!.resolve(found))
    worker.on('error', fail)
    worker.on('exit', (status) => fail(new Error(`a thread ended with ${status}`)))
    const thread = { worker, waiting }
    this.#threads.push(thread)
    return thread
  }
}

function unsignedOf(transactions: readonly ToCheck[]): Disproof[] {
  return transactions.flatMap((it) => firstUnsigned(it) ?? [])
}

/** Conditions of either kind of daemon are looked at, as the prover does. */
function firstUnsigned({ txid, hex, prevouts, isToCheck }: ToCheck): Disproof | undefined {
  try {
    const verdicts = verifyInputs(hex, prevouts, networks.tokel)
    const at = verdicts.findIndex(({ ok }, index) => isToCheck[index]! && !ok)
    if (at < 0) return undefined
    const actual = `${verdicts[at]!.code} in inputs[${at}]`
    return { txid, rule: 'signature_invalid', actual }
  } catch (error) {
    if (!isAntaraError(error)) throw error
    return { txid, rule: 'signature_invalid', actual: error.code }
  }
}

const mark = 'antara-tx audit'

if (!isMainThread && typeof workerData === 'object' && workerData !== null && mark in workerData) {
  parentPort!.on('message', (given: ToCheck[]) => parentPort!.postMessage(unsignedOf(given)))
}

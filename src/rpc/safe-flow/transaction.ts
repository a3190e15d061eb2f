import { inputsMax } from '../../chain/limits.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { Attempt, ReadAttempt } from './attempts.ts'

// The decoder is native, so it is loaded when a flow begins: the clients run where it does not.

/** Decodes a transaction. Returns `undefined` if it is malformed or larger than a chain accepts. */
export type ReadTransaction = (hex: string) => Transaction | undefined

export function loadReader(): Promise<ReadTransaction> {
  // A page that could not load a part of its script may try again.
  reader ??= importReader().catch((error) => {
    reader = undefined
    throw error
  })
  return reader
}

async function importReader(): Promise<ReadTransaction> {
  const { openTransaction } = await import('../../verification/open.ts')
  return (hex) => {
    const opened = openTransaction(hex)
    return 'tx' in opened ? opened.tx : undefined
  }
}

let reader: Promise<ReadTransaction> | undefined

export async function readTransaction(hex: string): Promise<Transaction | undefined> {
  return (await loadReader())(hex)
}

/** Reads the answer of a server; `undefined` if that is no transaction. */
export async function readAnswer(
  answer: string | object | undefined,
): Promise<Transaction | undefined> {
  return typeof answer === 'string' ? readTransaction(answer) : undefined
}

/** Returns the outputs that a transaction spends, unless it has too many inputs. */
export async function inputsOf(hex: string): Promise<Transaction['inputs']> {
  return worthwhileInputs(await readTransaction(hex))
}

export function worthwhileInputs(tx: Transaction | undefined): Transaction['inputs'] {
  const inputs = tx?.inputs ?? []
  return inputs.length > inputsMax ? [] : inputs
}

/** Reads the transaction of an attempt; `undefined` if the server gave no transaction. */
export async function readAttempt(answer: string | object): Promise<Attempt | undefined> {
  return typeof answer === 'string' ? (await loadAttemptReader())(answer) : undefined
}

/** Returns a reader of attempts, which returns `undefined` for malformed hex. */
export async function loadAttemptReader(): Promise<ReadAttempt> {
  const read = await loadReader()
  return (hex) => {
    const tx = read(hex)
    if (tx === undefined) return undefined
    const outpoints = new Set(tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`))
    return { hex: hex.toLowerCase(), txid: tx.txid, outpoints }
  }
}

/** Returns whether a transaction has an output of each amount. */
export function paysEach(amounts: readonly bigint[]): (tx: Transaction) => boolean {
  return ({ outputs }) => {
    const paid = new Set(outputs.map(({ value }) => value))
    return amounts.every((amount) => paid.has(amount))
  }
}

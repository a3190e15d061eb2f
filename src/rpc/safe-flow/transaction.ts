import { inputsMax } from '../../chain/limits.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { ReadAttempt } from './attempts.ts'

// The decoder is native: loaded when a flow begins, as the clients run where it does not.

/** Answers nothing for what is no transaction, or is larger than any that a chain takes. */
export type ReadTransaction = (hex: string) => Transaction | undefined

export function loadReader(): Promise<ReadTransaction> {
  reader ??= import('../../verification/open.ts').then(({ openTransaction }) => (hex) => {
    const opened = openTransaction(hex)
    return 'tx' in opened ? opened.tx : undefined
  })
  return reader
}

let reader: Promise<ReadTransaction> | undefined

export async function readTransaction(hex: string): Promise<Transaction | undefined> {
  return (await loadReader())(hex)
}

/** Returns the outputs that a transaction spends, unless it has too many inputs. */
export async function inputsOf(hex: string): Promise<Transaction['inputs']> {
  return worthwhileInputs(await readTransaction(hex))
}

export function worthwhileInputs(tx: Transaction | undefined): Transaction['inputs'] {
  const inputs = tx?.inputs ?? []
  return inputs.length > inputsMax ? [] : inputs
}

/** Reads transactions as they would be sent; nothing for what is none. */
export async function loadAttemptReader(): Promise<ReadAttempt> {
  const read = await loadReader()
  return (hex) => {
    const tx = read(hex)
    if (tx === undefined) return undefined
    const outpoints = new Set(tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`))
    return { hex: hex.toLowerCase(), txid: tx.txid, outpoints }
  }
}

import { inputsMax } from '../../chain/limits.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { Attempt } from './attempts.ts'

// The decoder is native: loaded when a flow begins, as the clients run where it does not.

/** Answers nothing for what is no transaction, or is larger than any that a chain takes. */
export type ReadTransaction = (hex: string) => Transaction | undefined

export async function loadReader(): Promise<ReadTransaction> {
  const { openTransaction } = await import('../../verification/open.ts')
  return (hex) => {
    const opened = openTransaction(hex)
    return 'tx' in opened ? opened.tx : undefined
  }
}

export async function readTransaction(hex: string): Promise<Transaction | undefined> {
  return (await loadReader())(hex)
}

/** What a transaction spends, as long as it is worth looking at. */
export async function inputsOf(hex: string): Promise<Transaction['inputs']> {
  return worthwhileInputs(await readTransaction(hex))
}

export function worthwhileInputs(tx: Transaction | undefined): Transaction['inputs'] {
  const inputs = tx?.inputs ?? []
  return inputs.length > inputsMax ? [] : inputs
}

/** A transaction as it would be sent; nothing for what is none. */
export async function attemptOf(hex: string): Promise<Attempt | undefined> {
  const tx = await readTransaction(hex)
  if (tx === undefined) return undefined
  const outpoints = new Set(tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`))
  return { hex: hex.toLowerCase(), txid: tx.txid, outpoints }
}

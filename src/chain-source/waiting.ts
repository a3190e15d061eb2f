// Reads the changes of transactions that wait for a block, as a daemon lists them.

import { templateOf } from '../script/template.ts'
import { readableTransaction } from '../transaction/readable.ts'
import type { AddressIndex } from './address-index.ts'
import { memberOf, numberOf, rowsOf, txidOf } from './daemon-answers.ts'
import type { ChainOptions } from './source.ts'

/** A change by a transaction that waits for its block. */
interface WaitingChange {
  readonly txid: string
  readonly index: number
  /** `txid:vout` of the output that it spends; absent where it makes one. */
  readonly spends?: string
}

interface WaitingContext {
  indexesOf(scripts: readonly string[]): AddressIndex[]
  indexed(
    method: string,
    index: AddressIndex,
    more: object,
    options: ChainOptions,
  ): Promise<unknown>
  transactions(
    txids: readonly string[],
    options: ChainOptions,
  ): Promise<readonly (string | undefined)[]>
}

const method = 'getaddressmempool'

/** Returns a function that reads the waiting changes of scripts, each once. */
export function waitingReader({ indexesOf, indexed, transactions }: WaitingContext) {
  /** True for the outputs of the last answer that are plain, as `txid:vout`. */
  let plainness: ReadonlyMap<string, boolean> = new Map()

  async function plainAmong(
    outputs: readonly WaitingChange[],
    options: ChainOptions,
  ): Promise<readonly WaitingChange[]> {
    const unknown = outputs.filter((output) => !plainness.has(keyOf(output)))
    const hexes = await transactions(
      unknown.map(({ txid }) => txid),
      options,
    )
    const read = new Map(unknown.map((output, at) => [keyOf(output), isPlain(output, hexes[at])]))
    const isNowPlain = (output: WaitingChange): boolean =>
      plainness.get(keyOf(output)) ?? read.get(keyOf(output)) ?? false
    plainness = new Map(outputs.map((output) => [keyOf(output), isNowPlain(output)]))
    return outputs.filter((output) => plainness.get(keyOf(output)))
  }

  return async (
    scripts: readonly string[],
    options: ChainOptions,
  ): Promise<readonly WaitingChange[]> => {
    const indexes = indexesOf(scripts)
    const conditions = indexes.filter(({ isCondition }) => isCondition)
    const all = { addresses: indexes.flatMap(({ addresses }) => addresses), isCondition: false }
    const rowsOfIndex = async (index: AddressIndex) =>
      rowsOf(await indexed(method, index, {}, options), method)
    if (all.addresses.length === 0) return []
    // komodod lists waiting conditions among plain addresses only (rpc/misc.cpp). Other daemons may
    // list them as the block index does, so both are read.
    const together = await rowsOfIndex(all)
    const apart = conditions.length === 0 ? [] : await rowsOfIndex(conditions[0]!)
    const changes = new Map<string, WaitingChange>()
    for (const row of [...together, ...apart]) {
      const change = changeOf(row)
      changes.set(keyOf(change), change)
    }
    // Anybody can pay plain coins to the address of a condition, where no key can spend them.
    const ofConditions = new Set<unknown>(conditions.flatMap(({ addresses }) => addresses))
    const doubtful = together
      .filter((row) => ofConditions.has(memberOf(row, 'address')))
      .map(changeOf)
      .filter(({ spends }) => spends === undefined)
    for (const output of await plainAmong(doubtful, options)) changes.delete(keyOf(output))
    return [...changes.values()]
  }
}

const keyOf = ({ txid, index, spends = '' }: WaitingChange) => `${txid}:${index}:${spends}`

function changeOf(row: unknown): WaitingChange {
  const change = {
    txid: txidOf(memberOf(row, 'txid'), method),
    index: numberOf(row, 'index', method),
  }
  const spent = memberOf(row, 'prevtxid')
  if (spent === undefined) return change
  return { ...change, spends: `${txidOf(spent, method)}:${numberOf(row, 'prevout', method)}` }
}

/** False also for bytes of another transaction, which the wallet names. */
function isPlain({ txid, index }: WaitingChange, hex: string | undefined): boolean {
  const transaction = readableTransaction(hex)
  const output = transaction?.txid === txid ? transaction.outputs[index] : undefined
  return output !== undefined && templateOf(output.script).type !== 'condition'
}

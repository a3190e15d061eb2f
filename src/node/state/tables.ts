import { emptyMap, lookUp, type OrderedMap, replaced } from './ordered-map.ts'

/** An output that is there to be spent. */
export interface Coin {
  readonly value: bigint
  readonly script: string
  readonly height: number
  readonly coinbase: boolean
}

/** Where a transaction stands in the chain. */
export interface Position {
  readonly height: number
  readonly index: number
}

/** The transaction that spent an output. */
export type Spending = Position & { readonly txid: string }

/** The tables of the chain, as the daemon's databases have them. Keys are those of keys.ts. */
export interface Tables {
  /** By outpoint. */
  readonly coins: OrderedMap<Coin>
  /** By outpoint. */
  readonly spends: OrderedMap<Spending>
  /** By wire key. */
  readonly positions: OrderedMap<Position>
  /** By index key and outpoint; the coin. */
  readonly addressCoins: OrderedMap<Coin>
  /** By index key, height, position, transaction, index, and whether it spends; satoshis. */
  readonly addressDeltas: OrderedMap<bigint>
  /** By height. */
  readonly hashes: OrderedMap<string>
}

export const emptyTables: Tables = {
  coins: emptyMap(),
  spends: emptyMap(),
  positions: emptyMap(),
  addressCoins: emptyMap(),
  addressDeltas: emptyMap(),
  hashes: emptyMap(),
}

/** The former value of one entry: put back in reverse order, such values undo all changes. */
export interface Change {
  readonly table: keyof Tables
  readonly key: string
  readonly before: unknown
}

type Values = {
  [Table in keyof Tables]: Tables[Table] extends OrderedMap<infer Value> ? Value : never
}

/** Tables that are being changed, and how to change them back. */
export interface Draft {
  get<Table extends keyof Tables>(table: Table, key: string): Values[Table] | undefined
  set<Table extends keyof Tables>(table: Table, key: string, value: Values[Table] | undefined): void
  finish(): { readonly tables: Tables; readonly undo: readonly Change[] }
}

export function draftOf(tables: Tables): Draft {
  const current: Record<keyof Tables, OrderedMap<unknown>> = { ...tables }
  const undo: Change[] = []
  const get = (table: keyof Tables, key: string) => lookUp(current[table], key)
  return {
    get: get as Draft['get'],
    set(table, key, value) {
      const before: unknown = get(table, key)
      undo.push({ table, key, before })
      current[table] = replaced<unknown>(current[table], key, { before, value })
    },
    finish: () => ({ tables: current as unknown as Tables, undo }),
  }
}

export function undone(tables: Tables, undo: readonly Change[]): Tables {
  const draft = draftOf(tables)
  for (const { table, key, before } of undo.toReversed()) draft.set(table, key, before as never)
  return draft.finish().tables
}

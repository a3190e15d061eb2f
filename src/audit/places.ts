// Where tokens lie: scripts, each written once, with who can spend what lies there as far as any
// transaction has shown it.

import type { Network } from '../chain/network.ts'
import { detached } from '../primitives/cache.ts'
import { addressOfScript } from '../script/script.ts'
import { blob, type Statements } from './store.ts'

export interface Place {
  readonly id: number
  /** Hex. */
  readonly script: string
  /** Whether the keys of its condition are known: a hash stands for them until somebody shows them. */
  readonly isShown: boolean
}

/** So many are in memory. */
const metMax = 10_000

export class Places {
  readonly #sql: Statements
  readonly #network: Network
  readonly #met = new Map<string, Place>()

  constructor(sql: Statements, network: Network) {
    this.#sql = sql
    this.#network = network
  }

  /** @param keys - those that a transaction shows; asked for only while none are known */
  of(script: string, keys: () => readonly string[] | undefined): Place {
    const known = this.#met.get(script) ?? this.#stored(script)
    if (known?.isShown === true) return known
    const pubkeys = keys()
    if (known !== undefined && pubkeys === undefined) return known
    const holder = pubkeys?.join(' ') ?? addressOfScript(script, this.#network) ?? script
    const isShown = pubkeys !== undefined
    const id = this.#sql.setPlace.get(blob(script), holder, isShown ? 1 : 0)!.id
    return this.#remember({ id: Number(id), script: detached(script), isShown })
  }

  /** Forgets what is in memory, because it may not have been written. */
  forget(): void {
    this.#met.clear()
  }

  #stored(script: string): Place | undefined {
    const row = this.#sql.placeOf.get(blob(script))
    if (row === undefined) return undefined
    const isShown = row.shown === 1
    return this.#remember({ id: Number(row.id), script: detached(script), isShown })
  }

  #remember(place: Place): Place {
    if (this.#met.size >= metMax) this.#met.clear()
    this.#met.set(place.script, place)
    return place
  }
}

// Stores each locking script that holds tokens once, with the keys of its owner once a transaction
// reveals them.

import type { Network } from '../chain/network.ts'
import { detached } from '../primitives/cache.ts'
import { addressOfScript } from '../script/script.ts'
import { blob, type Statements } from './store.ts'

export interface Place {
  readonly id: number
  /** Hex. */
  readonly script: string
  /** False while only the hash of its condition is known, because no payload has named its keys. */
  readonly isShown: boolean
}

/** At most this many places are in the cache, which is emptied when it is full. */
const metMax = 10_000

export class Places {
  readonly #sql: Statements
  readonly #network: Network
  readonly #met = new Map<string, Place>()

  constructor(sql: Statements, network: Network) {
    this.#sql = sql
    this.#network = network
  }

  /**
   * Returns the place of a script, and stores it if it is new.
   *
   * @param keys - returns the keys that the transaction reveals, in the form of `holderOf` in
   *   src/token/read; called only while none are known
   */
  of(script: string, keys: () => string | undefined): Place {
    const known = this.#met.get(script) ?? this.#stored(script)
    if (known?.isShown === true) return known
    const shown = keys()
    if (known !== undefined && shown === undefined) return known
    const holder = shown ?? addressOfScript(script, this.#network) ?? script
    const isShown = shown !== undefined
    const id = this.#sql.setPlace.get(blob(script), holder, isShown ? 1 : 0)!.id
    return this.#remember({ id: Number(id), script: detached(script), isShown })
  }

  /** Clears the cache: a transaction of the database that was rolled back may have added to it. */
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

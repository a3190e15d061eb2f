// Two nodes that the calls of a lockstep run are made to again. One has the recorded chain and keys.
// The other is new, with the same keys, and is brought into the states that some calls depend on.

import { createDevNode, type DevNode } from '../../../src/node/index.ts'
import { blockAt } from '../../../src/node/state/view.ts'
import { readVectors } from '../../support/vectors.ts'
import { recordedNode } from './recorded-node.ts'

const keys =
  readVectors<Record<'A' | 'B', { wif: string; pubkey: string; address: string }>>(
    'komodod/keys.json',
  )
export const [addressA, addressB] = [keys.A.address, keys.B.address]
export const pubkeyB = keys.B.pubkey
/** No examples were recorded above this height. */
const heightMax = 90
/** Hashes and keys that both runs knew, or that nobody knows. */
const known = /^(?:ab){32}$/i

export interface Call {
  readonly method: string
  readonly caller: 0 | 1
  /** JSON text. */
  readonly params: string
}

export interface World {
  /** The answer of the node with the recorded chain; ids of the other chain become its own. */
  onRecorded(call: Call): Promise<string>
  readonly fresh: DevNode
  /** The answer of the new node. */
  onFresh(call: Call): Promise<string>
}

export async function createWorld(): Promise<World> {
  const recorded = recordedNode(208)
  recorded.advanceTo(heightMax)
  const { engine } = recorded
  const block = blockAt(engine, 5)!
  const own = (method: string) =>
    /block|since/.test(method) ? block.hash : block.transactions[0]!.txid
  const fresh = await createDevNode({
    identities: [{ wif: keys.A.wif }, { wif: keys.B.wif }],
    mine: 'manual',
    time: 1_800_000_000,
  })
  return {
    fresh,
    async onRecorded({ method, caller, params }) {
      const bound = params.replace(/"([0-9a-f]{64})"/g, (all, id: string) =>
        known.test(id) ? all : `"${own(method)}"`,
      )
      return (await recorded.answer(caller, requestOf(method, bound))).body.trim()
    },
    async onFresh({ method, caller, params }) {
      const { url } = fresh.identities[caller]
      const reply = await fresh.fetch(url, { method: 'POST', body: requestOf(method, params) })
      return (await reply.text()).trim()
    },
  }
}

function requestOf(method: string, params: string): string {
  return `{"id":7,"method":"${method}","params":${params}}`
}

export interface Example {
  readonly caller: 0 | 1
  readonly height: number
  /** JSON text. */
  readonly params: string
  /** The body of the daemon's answer; cut after 1,500 characters. */
  readonly komodod: string
}

export type Check = (world: World, method: string, example: Example) => Promise<boolean>

/** Members of answers, which checks read without a type. */
export type Json = ReturnType<typeof JSON.parse>

const once = new WeakMap<DevNode, Map<string, Promise<void>>>()

/** Prepares a node once for each kind of state. */
export function prepared(name: string, prepare: (world: World) => Promise<void>) {
  return (world: World): Promise<void> => {
    const done = once.get(world.fresh) ?? new Map<string, Promise<void>>()
    once.set(world.fresh, done)
    const promise = done.get(name) ?? prepare(world)
    done.set(name, promise)
    return promise
  }
}

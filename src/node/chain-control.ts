// Control of a node's chain from a test: blocks, clock, snapshots, reorganizations.

import { requireUint32 } from '../primitives/arguments.ts'
import { malformed } from '../primitives/json-fields.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { DevNode } from './dev-node-types.ts'
import { blocksOf, dumpText, type LoadedNode, readDump } from './dump.ts'
import type { Engine } from './engine.ts'
import { faucetScript, minerScript } from './faucet.ts'
import { requireNoFork } from './fork/require-no-fork.ts'
import { importInOrder } from './import.ts'
import type { NodeState } from './state/view.ts'

type ChainControl = Pick<
  DevNode,
  | 'mine'
  | 'setTime'
  | 'advance'
  | 'snapshot'
  | 'revert'
  | 'reorg'
  | 'fund'
  | 'importTransactions'
  | 'testMempoolAccept'
  | 'dump'
  | 'load'
>

/** Mines a block for an identity. @returns its hash */
export function mineBlock(engine: Engine, identity: number, time?: number): string {
  const script = minerScript(engine, identity)
  return engine.mine({ script, ...(time !== undefined && { time }) }).hash
}

export function chainControl(engine: Engine): ChainControl {
  const snapshots = new Map<string, NodeState>()
  /** All of it, or nothing. */
  const wholly = (change: () => void): void => {
    const before = engine.state
    try {
      change()
    } catch (error) {
      engine.state = before
      throw error
    }
  }

  const control: ChainControl = {
    mine(count = 1, mineOptions = {}) {
      requireKnownMembers(mineOptions, ['spacing', 'identity'], 'options')
      const { spacing, identity = 0 } = mineOptions
      requireUint32(count, 'count')
      return Array.from({ length: count }, () => {
        if (spacing === undefined) return mineBlock(engine, identity)
        const time = engine.state.chain.tip.time + spacing
        if (engine.state.time !== undefined) control.setTime(Math.max(engine.state.time, time))
        return mineBlock(engine, identity, time)
      })
    },
    setTime(seconds) {
      if (seconds >>> 0 !== seconds) {
        throw new TypeError(
          `seconds: expected seconds since 1970, an integer below 2**32, got ${String(seconds)}`,
        )
      }
      engine.state = { ...engine.state, time: seconds }
    },
    advance(seconds) {
      control.setTime(engine.now() + seconds)
    },
    snapshot() {
      const id = `snapshot-${snapshots.size + 1}`
      snapshots.set(id, engine.state)
      return id
    },
    revert(id) {
      const state = snapshots.get(id)
      if (state === undefined) throw new RangeError(`${id}: no snapshot of this node`)
      engine.state = state
    },
    reorg(depth, reorgOptions = {}) {
      requireKnownMembers(reorgOptions, ['drop'], 'options')
      const { drop = [] } = reorgOptions
      requireNoFork(engine, 'reorg')
      requireUint32(depth, 'depth')
      const { height } = engine.state.chain.tip
      if (depth > height) throw new RangeError(`depth: ${depth} blocks, but there are ${height}`)
      const dropped = new Set(drop)
      for (let taken = 0; taken < depth; taken += 1) engine.disconnect(dropped)
      return control.mine(depth)
    },
    fund(to, value) {
      const faucetOutputs = [faucetScript(engine, { to, value })]
      const [coinbase] = engine.mine({ script: minerScript(engine, 0), faucetOutputs }).transactions
      return coinbase!.txid
    },
    importTransactions(transactions) {
      requireNoFork(engine, 'importTransactions')
      const blocks = blocksOf(transactions.map((it) => (typeof it === 'string' ? { hex: it } : it)))
      wholly(() => {
        for (const block of blocks) importInOrder(engine, block)
      })
      return engine.state.chain.tip.hash
    },
    testMempoolAccept(hex) {
      requireNoFork(engine, 'testMempoolAccept', "request('testmempoolaccept', [hex])")
      const verdict = engine.admit(hex)
      return verdict.ok ? { ok: true, txid: verdict.transaction.txid, fee: verdict.fee } : verdict
    },
    dump() {
      requireNoFork(engine, 'dump')
      return dumpText(engine)
    },
    load(text) {
      requireNoFork(engine, 'load')
      const loaded = readDump(text)
      requireNetworkOf(engine, loaded)
      wholly(() => {
        engine.clear()
        restore(engine, loaded)
      })
    },
  }
  return control
}

/** Refuses a state whose addresses and tokens this chain would read differently. */
function requireNetworkOf({ rules }: Engine, { profile }: LoadedNode): void {
  const { network } = rules.profile
  if (profile === undefined || profile.network === network) return
  throw malformed('load.profile.network', network, profile.network)
}

export function restore(engine: Engine, { blocks, mempool, time, wallets }: LoadedNode): void {
  for (const block of blocks) importInOrder(engine, block)
  for (const hex of mempool) engine.broadcast(hex, { allowHighFees: true })
  engine.state = {
    ...engine.state,
    time: time ?? engine.state.time,
    wallets: engine.state.wallets.map((wallet, at) => wallets?.[at] ?? wallet),
  }
}

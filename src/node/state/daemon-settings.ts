import { emptyMap, type OrderedMap } from './ordered-map.ts'

/** The part of an identity's state that a daemon forgets when it ends. */
export interface DaemonSettings {
  /** Peers that the daemon is to look for, as `addnode` names them. */
  readonly addedNodes: readonly string[]
  /** By address and mask, in hex: seconds since 1970 at which the ban ends. */
  readonly bans: OrderedMap<number>
  /** The arguments of the last `setgenerate`. */
  readonly mining: { readonly isOn: boolean; readonly threads: number }
}

/** komodo src/miner.cpp, KOMODO_MININGTHREADS; src/rpc/mining.cpp, -genproclimit */
export const startSettings: DaemonSettings = {
  addedNodes: [],
  bans: emptyMap(),
  mining: { isOn: false, threads: -1 },
}

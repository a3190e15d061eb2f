// The methods about the peers that a daemon adds and bans, and about the daemon's own age.

import { nothing } from '../fields.ts'
import { flag, optional, text, uint32 } from './parameter.ts'
import type { NoParams } from './parameters.ts'
import type * as params from './peer-parameters.ts'
import * as results from './peer-results.ts'
import { type Rows, row } from './row.ts'
import { wordOf } from './text-parameter.ts'

export interface PeerMethods {
  /** Adds a peer to those that the daemon seeks, removes it, or tries it once. */
  addnode: { params: params.AddNodeParams; result: null }
  /** The peers that `addnode` added. */
  getaddednodeinfo: { params: params.GetAddedNodeInfoParams; result: readonly results.AddedNode[] }
  /** Ends the connection to a peer at once. */
  disconnectnode: { params: params.DisconnectNodeParams; result: null }
  /** Bans an address or a subnet, or ends its ban. */
  setban: { params: params.SetBanParams; result: null }
  listbanned: { params: NoParams; result: readonly results.Ban[] }
  /** Ends all bans. */
  clearbanned: { params: NoParams; result: null }
  /** The version of the daemon, and the height at which it stops because of its age. */
  getdeprecationinfo: { params: NoParams; result: results.DeprecationInfo }
}

export const peerMethods: Rows<PeerMethods> = {
  addnode: row('other', 'scalar', nothing, {
    node: text,
    command: wordOf('add', 'remove', 'onetry'),
  }),
  getaddednodeinfo: row('read', 'list', results.addedNodes, { dns: flag, node: optional(text) }),
  disconnectnode: row('other', 'scalar', nothing, { node: text }),
  setban: row('other', 'scalar', nothing, {
    ip: text,
    command: wordOf('add', 'remove'),
    bantime: optional(uint32, 0),
    absolute: optional(flag),
  }),
  listbanned: row('read', 'list', results.bans, {}),
  clearbanned: row('other', 'scalar', nothing, {}),
  getdeprecationinfo: row('read', 'scalar', results.deprecationInfo, {}),
}

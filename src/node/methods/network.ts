// This node has no peers. It keeps the lists of peers and bans that programs make.

import { pooledTransactions } from '../state/mempool.ts'
import { entriesFrom, lookUp, withEntry } from '../state/ordered-map.ts'
import { concerns } from '../wallet/history.ts'
import { type Answer, coins } from './answer.ts'
import {
  type Context,
  changeSettings,
  type Methods,
  method,
  methodsIn,
  p2pPortOf,
} from './context.ts'
import { versionsOf } from './daemon-versions.ts'
import { failure } from './failure.ts'
import { boolean, longInteger, type Params, text } from './params.ts'
import { keyOfSubnet, matches, serviceText, subnetOf, subnetOfKey, subnetText } from './subnet.ts'

/** komodo src/rpc/protocol.h, RPC_CLIENT_NODE_ALREADY_ADDED and what follows it */
const codes = { alreadyAdded: -23, notAdded: -24, notConnected: -29 } as const
/** komodo src/net.cpp, -bantime */
const banSeconds = 24 * 60 * 60

export const networkMethods: Methods = {
  ...methodsIn('Network', [
    method('getnetworkinfo', [0, 0], networkInfo),
    method('getconnectioncount', [0, 0], () => 0),
    method('getpeerinfo', [0, 0], () => []),
    method('ping', [0, 0], () => null),
    method('getnettotals', [0, 0], () => {
      return { totalbytesrecv: 0, totalbytessent: 0, timemillis: Date.now() }
    }),
    method('getdeprecationinfo', [0, 0], (context) => {
      const { version, subversion, deprecationHeight } = versionsOf(context)
      return { version, subversion, deprecationheight: deprecationHeight }
    }),
    {
      ...method('addnode "node" "add|remove|onetry"', [2, 2], addNode),
      accepts: ([, command]) => ['add', 'remove', 'onetry'].includes(text(command)),
    },
    method('getaddednodeinfo dns ( "node" )', [1, 2], addedNodes),
    method('disconnectnode "node" ', [1, 1], (_, [node]) => {
      text(node)
      throw failure(codes.notConnected, 'Node not found in connected nodes')
    }),
    {
      ...method('setban "ip(/netmask)" "add|remove" (bantime) (absolute)', [2, 4], setBan),
      accepts: ([, command]) => ['add', 'remove'].includes(text(command)),
      about: 'This node reads addresses of IPv4 only.',
    },
    method('listbanned', [0, 0], (context) =>
      [...entriesFrom(context.wallet.settings.bans)].map(([key, until]) => {
        return { address: subnetText(subnetOfKey(key)), banned_until: until }
      }),
    ),
    method('clearbanned', [0, 0], (context) => {
      for (const [key] of [...entriesFrom(context.wallet.settings.bans)])
        setBanned(context, key, undefined)
      return null
    }),
  ]),
  ...methodsIn('Wallet', [
    {
      ...method('resendwallettransactions', [0, 0], waitingOfWallet),
      about: 'This node has no peers to send them to.',
    },
  ]),
}

/** @see komodo src/wallet/wallet.cpp, ResendWalletTransactionsBefore */
function waitingOfWallet(context: Context): string[] {
  return pooledTransactions(context.state.mempool)
    .filter(({ time }) => time <= context.engine.now())
    .filter((pooled) => concerns(context, context.wallet, pooled))
    .map(({ txid }) => txid)
}

/** @see komodo src/rpc/net.cpp, getnetworkinfo */
function networkInfo(context: Context): Answer {
  const { version, protocol, subversion } = versionsOf(context)
  const network = (name: string, isReachable: boolean) => ({
    name,
    limited: !isReachable,
    reachable: isReachable,
    proxy: '',
    proxy_randomize_credentials: false,
  })
  return {
    version,
    subversion,
    protocolversion: protocol,
    localservices: '0000000030000005',
    timeoffset: 0,
    connections: 0,
    networks: [
      network('ipv4', true),
      network('ipv6', false),
      network('onion', false),
      network('', false),
    ],
    relayfee: coins(100n),
    localaddresses: [],
    warnings: '',
  }
}

/** @see komodo src/rpc/net.cpp, addnode */
function addNode(context: Context, [given, command]: Params): Answer {
  const node = text(given)
  const { addedNodes } = context.wallet.settings
  const isAdded = addedNodes.includes(node)
  switch (command) {
    case 'add':
      if (isAdded) throw failure(codes.alreadyAdded, 'Error: Node already added')
      changeSettings(context, { addedNodes: [...addedNodes, node] })
      return null
    case 'remove':
      if (!isAdded) throw failure(codes.notAdded, 'Error: Node has not been added.')
      changeSettings(context, { addedNodes: addedNodes.filter((added) => added !== node) })
      return null
    default:
      return null
  }
}

/** @see komodo src/rpc/net.cpp, getaddednodeinfo */
function addedNodes(context: Context, [dns, given]: Params): Answer {
  const hasAddresses = boolean(dns)
  let { addedNodes: nodes } = context.wallet.settings
  if (given !== undefined) {
    const node = text(given)
    nodes = nodes.filter((added) => added === node)
    if (nodes.length === 0) throw failure(codes.notAdded, 'Error: Node has not been added.')
  }
  if (!hasAddresses) return nodes.map((addednode) => ({ addednode }))
  // The daemon leaves out what it cannot resolve, and this node resolves no names.
  return nodes.flatMap((addednode) => {
    const address = serviceText(addednode, p2pPortOf(context))
    if (address === undefined) return []
    return [{ addednode, connected: false, addresses: [{ address, connected: 'false' }] }]
  })
}

function setBanned(context: Context, key: string, until: number | undefined): void {
  changeSettings(context, { bans: withEntry<number>(context.wallet.settings.bans, key, until) })
}

/** @see komodo src/rpc/net.cpp, setban; src/net.cpp, CNode::Ban */
function setBan(context: Context, [given, command, seconds, isAbsolute]: Params): Answer {
  const named = text(given)
  const subnet = subnetOf(named)
  if (subnet === undefined) throw failure(codes.alreadyAdded, 'Error: Invalid IP/Subnet')
  const { bans } = context.wallet.settings
  const now = context.engine.now()
  const key = keyOfSubnet(subnet)
  if (command === 'remove') {
    if (lookUp(bans, key) === undefined) throw failure('misc', 'Error: Unban failed')
    setBanned(context, key, undefined)
    return null
  }
  const existing = named.includes('/')
    ? [lookUp(bans, key) ?? 0]
    : [...entriesFrom(bans)]
        .filter(([other]) => matches(subnetOfKey(other), subnet.network))
        .map(([, until]) => until)
  if (existing.some((until) => now < until)) {
    throw failure(codes.alreadyAdded, 'Error: IP/Subnet already banned')
  }
  const span = seconds === undefined || seconds === null ? 0n : longInteger(seconds)
  const until = span > 0n ? Number(span) + (isAbsolute === true ? 0 : now) : now + banSeconds
  if ((lookUp(bans, key) ?? 0) < until) setBanned(context, key, until)
  return null
}

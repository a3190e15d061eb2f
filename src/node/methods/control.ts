import { zeroHex32 } from '../../primitives/hex-forms.ts'
import { type ServedNetwork, subsidyOf } from '../profile.ts'
import { inMapOrder } from '../state/keys.ts'
import { pooledTransactions } from '../state/mempool.ts'
import { type Answer, coins } from './answer.ts'
import { type Context, type Methods, methodOf, stateOf, walletOf } from './context.ts'
import { failure } from './failure.ts'
import { boolean, checkKinds, integer } from './params.ts'
import { keypoolSize, walletBalance } from './wallet-coins.ts'

interface DaemonVersions {
  readonly version: number
  readonly protocol: number
  readonly KMDversion: string
  readonly TokelVersion?: string
  readonly subversion: string
}

/** The recorded daemons' versions. komodo src/clientversion.h, src/version.h; tokel the same */
const versions: { readonly [Network in ServedNetwork]: DaemonVersions } = {
  assetChain: {
    version: 90000,
    protocol: 170013,
    KMDversion: '0.9.0',
    subversion: '/MagicBean:0.9.0-beta1/',
  },
  tokel: {
    version: 3000100,
    protocol: 170012,
    KMDversion: '0.6.0',
    TokelVersion: '0.3.4',
    subversion: '/komodod:3.0.1-beta1/',
  },
}

export const controlMethods: Methods = {
  getinfo: methodOf('Control', 'getinfo', [0, 0], info),
  uptime: methodOf(
    'Control',
    'uptime',
    [0, 0],
    ({ startedAt }) => Math.floor(Date.now() / 1000) - startedAt,
  ),
  stop: methodOf('Control', 'stop', [0, 0], (context) => {
    context.stop()
    return `Komodo ${context.engine.rules.profile.name} server stopping`
  }),
  getnetworkinfo: methodOf('Network', 'getnetworkinfo', [0, 0], networkInfo),
  getconnectioncount: methodOf('Network', 'getconnectioncount', [0, 0], () => 0),
  getpeerinfo: methodOf('Network', 'getpeerinfo', [0, 0], () => []),
  getmempoolinfo: methodOf('Blockchain', 'getmempoolinfo', [0, 0], (context) => {
    const pooled = pooledTransactions(stateOf(context).mempool)
    const bytes = pooled.reduce((sum, { size }) => sum + size, 0)
    return { size: pooled.length, bytes, usage: bytes }
  }),
  getrawmempool: methodOf(
    'Blockchain',
    'getrawmempool ( verbose )',
    [0, 1],
    (context, [verbose]) =>
      verbose !== undefined && boolean(verbose) ? verboseMempool(context) : mempoolIds(context),
  ),
  getmininginfo: methodOf('Mining', 'getmininginfo', [0, 0], miningInfo),
  estimatefee: methodOf('Util', 'estimatefee nblocks', [1, 1], (_, params) => {
    checkKinds(params, ['number'])
    integer(params[0])
    return -1
  }),
  generate: methodOf('Generating', 'generate numblocks', [1, 1], (context, [count]) =>
    Array.from({ length: Math.max(0, integer(count)) }, () => context.mineBlock()),
  ),
  getgenerate: methodOf('Generating', 'getgenerate', [0, 0], () => {
    // Mining has ended when setgenerate answers.
    return { generate: false, numthreads: -1 }
  }),
  getblocksubsidy: methodOf('Mining', 'getblocksubsidy ( height )', [0, 1], (context, [height]) => {
    const asked = height === undefined ? stateOf(context).chain.tip.height : integer(height)
    if (asked < 0) throw failure('parameter', 'Block height out of range')
    return { miner: coins(subsidyOf(context.engine.rules.profile, asked)) }
  }),
  getlocalsolps: methodOf('Mining', 'getlocalsolps', [0, 0], () => 0),
  getnetworksolps: methodOf('Mining', 'getnetworksolps ( blocks height )', [0, 2], () => 0),
  ping: methodOf('Network', 'ping', [0, 0], () => null),
  getnettotals: methodOf('Network', 'getnettotals', [0, 0], () => {
    return { totalbytesrecv: 0, totalbytessent: 0, timemillis: Date.now() }
  }),
  estimatepriority: methodOf('Util', 'estimatepriority nblocks', [1, 1], () => -1),
  setgenerate: methodOf(
    'Generating',
    'setgenerate generate ( genproclimit )',
    [1, 2],
    (context, [mines, count]) => {
      if (!boolean(mines)) return null
      const blocks = count === undefined ? 1 : integer(count)
      for (let mined = 0; mined < blocks; mined += 1) context.mineBlock()
      return null
    },
  ),
}

/** @see komodo src/rpc/misc.cpp, getinfo */
function info(context: Context): Answer {
  const { tip } = stateOf(context).chain
  const { profile, network } = context.engine.rules
  const wallet = walletOf(context)
  const { version, protocol, KMDversion, TokelVersion } = versions[profile.network]
  return {
    version,
    protocolversion: protocol,
    KMDversion,
    TokelVersion,
    synced: false,
    notarized: 0,
    prevMoMheight: 0,
    notarizedhash: zeroHex32,
    notarizedtxid: zeroHex32,
    notarizedtxid_height: 'mempool',
    KMDnotarized_height: 0,
    notarized_confirms: 0,
    walletversion: 60000,
    balance: coins(walletBalance(context)),
    blocks: tip.height,
    longestchain: 0,
    tiptime: tip.time,
    difficulty: 1,
    keypoololdest: context.startedAt,
    keypoolsize: keypoolSize,
    paytxfee: coins(wallet.feeRate),
    sapling: 1,
    timeoffset: 0,
    connections: 0,
    proxy: '',
    testnet: false,
    relayfee: coins(100n),
    errors: '',
    pubkey: wallet.pubkey,
    CCid: 2,
    name: network.name,
    p2pport: Math.max(0, context.rpcPort - 1),
    rpcport: context.rpcPort,
    magic: profile.magic,
    premine: profile.premine,
    reward: String(profile.reward),
    halving: '0',
    decay: '0',
    endsubsidy: '0',
    notarypay: '0',
  }
}

function networkInfo({ engine }: Context): Answer {
  const { version, protocol, subversion } = versions[engine.rules.profile.network]
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

function miningInfo(context: Context): Answer {
  const { tip } = stateOf(context).chain
  return {
    blocks: tip.height,
    currentblocksize: 1000 + tip.transactions.slice(1).reduce((sum, { size }) => sum + size, 0),
    currentblocktx: Math.max(0, tip.transactions.length - 1),
    difficulty: 1,
    errors: '',
    genproclimit: -1,
    localsolps: 0,
    networksolps: 0,
    networkhashps: 0,
    pooledtx: stateOf(context).mempool.transactions.size,
    testnet: false,
    chain: 'main',
    staking: false,
    generate: false,
    numthreads: -1,
  }
}

function mempoolIds(context: Context): string[] {
  return inMapOrder(pooledTransactions(stateOf(context).mempool)).map(({ txid }) => txid)
}

/** @see komodo src/rpc/blockchain.cpp, mempoolToJSON */
function verboseMempool(context: Context): Answer {
  const pooled = inMapOrder(pooledTransactions(stateOf(context).mempool))
  const ids = new Set(pooled.map(({ txid }) => txid))
  return Object.fromEntries(
    pooled.map(({ txid, size, fee, time, height, transaction }) => [
      txid,
      {
        size,
        fee: coins(fee),
        time,
        height,
        startingpriority: 0,
        currentpriority: 0,
        depends: [...new Set(transaction.inputs.map((input) => input.txid))].filter((id) =>
          ids.has(id),
        ),
      },
    ]),
  )
}

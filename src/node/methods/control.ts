// Methods about the daemon itself, its mempool and its estimates of fees.

import { zeroHex32 } from '../../primitives/hex-forms.ts'
import { inMapOrder } from '../state/keys.ts'
import { pooledTransactions } from '../state/mempool.ts'
import { type Answer, coins } from './answer.ts'
import { type Context, type Methods, method, methodsIn, p2pPortOf } from './context.ts'
import { versionsOf } from './daemon-versions.ts'
import { boolean, checkKinds, integer } from './params.ts'
import { balanceOf, keypoolSize } from './wallet-coins.ts'

export const controlMethods: Methods = {
  ...methodsIn('Control', [
    method('getinfo', [0, 0], info),
    method('uptime', [0, 0], ({ startedAt }) => Math.floor(Date.now() / 1000) - startedAt),
    method('stop', [0, 0], (context) => {
      context.stop()
      return `Komodo ${context.rules.profile.name} server stopping`
    }),
  ]),
  ...methodsIn('Blockchain', [
    method('getmempoolinfo', [0, 0], (context) => {
      const pooled = pooledTransactions(context.state.mempool)
      const bytes = pooled.reduce((sum, { size }) => sum + size, 0)
      return { size: pooled.length, bytes, usage: bytes }
    }),
    method('getrawmempool ( verbose )', [0, 1], (context, [verbose]) =>
      verbose !== undefined && boolean(verbose) ? verboseMempool(context) : mempoolIds(context),
    ),
  ]),
  ...methodsIn('Util', [
    method('estimatefee nblocks', [1, 1], (_, params) => {
      checkKinds(params, ['number'])
      integer(params[0])
      return -1
    }),
    method('estimatepriority nblocks', [1, 1], () => -1),
  ]),
}

/** @see komodo src/rpc/misc.cpp, getinfo */
function info(context: Context): Answer {
  const { tip } = context.state.chain
  const { profile, network } = context.rules
  const { wallet } = context
  const { version, protocol, KMDversion, TokelVersion } = versionsOf(context)
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
    balance: coins(balanceOf(context)),
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
    p2pport: p2pPortOf(context),
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

function mempoolIds(context: Context): string[] {
  return inMapOrder(pooledTransactions(context.state.mempool)).map(({ txid }) => txid)
}

/** @see komodo src/rpc/blockchain.cpp, mempoolToJSON */
function verboseMempool(context: Context): Answer {
  const pooled = inMapOrder(pooledTransactions(context.state.mempool))
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

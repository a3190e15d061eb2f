// A wallet's coins, and the locks on them (`lockunspent`).

import { zeroHex32 } from '../../primitives/hex-forms.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { outpointKey, outpointOf } from '../state/keys.ts'
import { entriesFrom, lookUp, withEntry } from '../state/ordered-map.ts'
import { findTransaction } from '../state/view.ts'
import { isLocked, redeemScriptOf } from '../state/wallet.ts'
import { isFromWallet, type WalletCoin, walletCoins } from '../wallet/coins.ts'
import { walletTransactions } from '../wallet/history.ts'
import { segidOf } from '../wallet/segid.ts'
import { type Answer, coins } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { boolean, checkKinds, hash, integer, list, members, type Params, text } from './params.ts'
import { requireScript } from './raw.ts'

export const walletCoinMethods: Methods = methodsIn('Wallet', [
  method('listunspent ( minconf maxconf  ["address",...] )', [0, 3], listUnspent),
  method('lockunspent unlock [{"txid":"id","vout":n},...]', [1, 2], lockUnspent),
  method('listlockunspent', [0, 0], (context) =>
    [...entriesFrom(context.wallet.locked)].map(([key]) => ({ ...outpointOf(key) })),
  ),
  method('getbalance ( "account" minconf includewatchonly )', [0, 3], accountBalance),
  method('getunconfirmedbalance', [0, 0], (context) => coins(unconfirmedOf(context))),
  method('getwalletinfo', [0, 0], walletInfo),
])

function coinsOf(context: Context): WalletCoin[] {
  return [...walletCoins(context, context.wallet)]
}

/** @see komodo src/wallet/rpcwallet.cpp, listunspent */
function listUnspent(context: Context, params: Params): Answer {
  checkKinds(params, ['number', 'number', 'array'])
  const [minimum, maximum, addresses] = params
  const least = minimum === undefined ? 1 : integer(minimum)
  const most = maximum === undefined ? 9_999_999 : integer(maximum)
  const wanted = wantedAddresses(context, addresses === undefined ? [] : list(addresses))
  const { wallet } = context
  const { scripts } = context.rules
  return coinsOf(context).flatMap((coin): Answer[] => {
    const { txid, vout, script, value, confirmations, coinbase, ownership } = coin
    if (confirmations < least || confirmations > most) return []
    if (isLocked(wallet, coin)) return []
    const { addresses: paid } = scripts.describe(script)
    const address = paid?.length === 1 ? paid[0]! : undefined
    if (wanted.size > 0 && (address === undefined || !wanted.has(address))) return []
    const redeemScript = redeemScriptOf(wallet, script, scripts)
    return [
      {
        txid,
        vout,
        generated: coinbase,
        address,
        segid: address === undefined ? undefined : segidOf(address),
        account: address === undefined ? undefined : lookUp(wallet.accounts, address),
        redeemScript,
        amount: coins(value),
        // The daemon shows it where there is a lock time, although asset chains pay none.
        interest:
          findTransaction(context, txid)?.transaction.lockTime === 0 ? undefined : coins(0n),
        scriptPubKey: script,
        rawconfirmations: confirmations,
        confirmations,
        spendable: ownership === 'spendable',
      },
    ]
  })
}

function wantedAddresses(context: Context, addresses: readonly JsonValue[]): Set<string> {
  const wanted = new Set<string>()
  for (const item of addresses) {
    const address = text(item)
    requireScript(context, address, `Invalid Komodo address: ${address}`)
    if (wanted.has(address))
      throw failure('parameter', `Invalid parameter, duplicated address: ${address}`)
    wanted.add(address)
  }
  return wanted
}

/** @see komodo src/wallet/rpcwallet.cpp, getbalance */
function accountBalance(context: Context, params: Params): Answer {
  const [account, minimum, watched] = params
  if (account === undefined) return coins(balanceOf(context))
  const least = minimum === undefined ? 1 : integer(minimum)
  if (watched !== undefined) boolean(watched)
  const name = text(account)
  // Accounts are names that an address was given; the wallet's own have none.
  const { accounts } = context.wallet
  const hasAccount = [...entriesFrom(accounts)].some(([, given]) => given === name)
  return coins(name === '*' || name === '' || hasAccount ? balanceOf(context, least) : 0n)
}

function lockUnspent(context: Context, params: Params): Answer {
  checkKinds(params, ['bool', 'array'])
  const [unlock, outpoints] = params
  const isUnlocking = boolean(unlock)
  const { wallet } = context
  let { locked } = wallet
  if (outpoints === undefined && isUnlocking) {
    for (const [key] of entriesFrom(locked)) locked = withEntry<true>(locked, key, undefined)
  }
  for (const item of outpoints === undefined ? [] : list(outpoints)) {
    const { txid, vout } = members(item)
    const key = outpointKey(hash(txid, 'txid'), integer(vout))
    locked = withEntry<true>(locked, key, isUnlocking ? undefined : true)
  }
  context.wallet = { ...wallet, locked }
  return true
}

export function balanceOf(context: Context, minimum = 1): bigint {
  return balanceCoins(context, minimum).reduce((sum, { value }) => sum + value, 0n)
}

/** Spendable coins that are trusted, or deep enough. */
export function balanceCoins(context: Context, minimum: number): WalletCoin[] {
  const { maturity } = context.rules.profile
  return coinsOf(context).filter(({ txid, ownership, confirmations, coinbase }) => {
    if (ownership !== 'spendable' || (coinbase && confirmations < maturity)) return false
    const isTrusted = confirmations > 0 || isFromWallet(context, context.wallet, txid)
    return confirmations >= minimum || (minimum <= 1 && isTrusted)
  })
}

function unconfirmedOf(context: Context): bigint {
  return coinsOf(context)
    .filter((it) => it.confirmations === 0 && it.ownership === 'spendable')
    .filter(({ txid }) => !isFromWallet(context, context.wallet, txid))
    .reduce((sum, { value }) => sum + value, 0n)
}

/** komodo src/wallet/wallet.h, DEFAULT_KEYPOOL_SIZE, and the one in use */
export const keypoolSize = 101

function walletInfo(context: Context): Answer {
  return {
    walletversion: 60000,
    balance: coins(balanceOf(context)),
    unconfirmed_balance: coins(unconfirmedOf(context)),
    immature_balance: coins(0n),
    txcount: walletTransactions(context, context.wallet).length,
    keypoololdest: context.startedAt,
    keypoolsize: keypoolSize,
    paytxfee: coins(context.wallet.feeRate),
    seedfp: zeroHex32,
  }
}

import { hash160 } from '../../engine/hash160.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { decodeAddress, encodeAddress } from '../../script/base58.ts'
import { pubkeyHashScript } from '../../script/key-script.ts'
import { valueOut } from '../consensus/check-transaction.ts'
import { newKey } from '../identities.ts'
import { outpointKey, outpointOf } from '../state/keys.ts'
import { entriesFrom, lookUp, withEntry } from '../state/ordered-map.ts'
import { isCoinbase, type StoredTransaction } from '../state/stored-transaction.ts'
import { blockAt, positionOf } from '../state/view.ts'
import { keyOf, keyOfWif, ownershipOf, type Wallet, withKey } from '../state/wallet.ts'
import { isFromWallet, type WalletCoin, walletCoins } from '../wallet/coins.ts'
import { concerns, depthOf, effectOf, timeOf, walletTransactions } from '../wallet/history.ts'
import { fundedPayment, signedPayment } from '../wallet/payment.ts'
import { segidOf } from '../wallet/segid.ts'
import { type Answer, coins } from './answer.ts'
import {
  type Context,
  type Method,
  type Methods,
  setWallet,
  stateOf,
  transactionIn,
  walletOf,
} from './context.ts'
import { failure } from './failure.ts'
import {
  amount,
  boolean,
  checkKinds,
  hash,
  integer,
  list,
  members,
  type Params,
  text,
} from './params.ts'
import { broadcast, multisigScript, scriptOf } from './raw.ts'

const category = 'Wallet'

export const walletMethods: Methods = {
  listunspent: method('listunspent ( minconf maxconf  ["address",...] )', [0, 3], listUnspent),
  lockunspent: method('lockunspent unlock [{"txid":"id","vout":n},...]', [1, 2], lockUnspent),
  listlockunspent: method('listlockunspent', [0, 0], (context) =>
    [...entriesFrom(walletOf(context).locked)].map(([key]) => ({ ...outpointOf(key) })),
  ),
  getbalance: method(
    'getbalance ( "account" minconf includewatchonly )',
    [0, 3],
    (context, [, minimum]) =>
      coins(balanceOf(context, minimum === undefined ? 1 : integer(minimum))),
  ),
  getunconfirmedbalance: method('getunconfirmedbalance', [0, 0], (context) =>
    coins(unconfirmedOf(context)),
  ),
  getwalletinfo: method('getwalletinfo', [0, 0], walletInfo),
  getnewaddress: method('getnewaddress ( "account" )', [0, 1], (context, [account]) => {
    const key = newKey(
      context.engine.rules.network,
      `${context.identity}/${walletOf(context).keys.size}`,
    )
    const address = addressOfKey(context, key.publicKey)
    const wallet = withKey(walletOf(context), key)
    setWallet(context, {
      ...wallet,
      accounts: withEntry(wallet.accounts, address, account === undefined ? '' : text(account)),
    })
    return address
  }),
  getaddressesbyaccount: method('getaddressesbyaccount "account"', [1, 1], (context, [account]) => {
    const wanted = text(account)
    return [...entriesFrom(walletOf(context).accounts)]
      .filter(([, name]) => name === wanted)
      .map(([address]) => address)
  }),
  validateaddress: method('validateaddress "komodoaddress"', [1, 1], validateAddress, 'Util'),
  importprivkey: method('importprivkey "komodoprivkey" ( "label" rescan )', [1, 5], importKey),
  importaddress: method('importaddress "address" ( "label" rescan )', [1, 3], importAddress),
  dumpprivkey: method('dumpprivkey "t-addr"', [1, 1], dumpKey),
  addmultisigaddress: method(
    'addmultisigaddress nrequired ["key",...] ( "account" )',
    [2, 3],
    (context, [required, keys]) => {
      const redeemScript = multisigScript(context, integer(required), list(keys))
      const wallet = walletOf(context)
      const scriptHash = hash160(redeemScript)
      setWallet(context, {
        ...wallet,
        redeemScripts: withEntry(wallet.redeemScripts, scriptHash, redeemScript),
      })
      return encodeAddress(context.engine.rules.network.scriptHashPrefix, scriptHash)
    },
  ),
  setpubkey: method('setpubkey [pubkey]', [0, 1], setPubkey),
  settxfee: method('settxfee amount', [1, 1], (context, [rate]) => {
    setWallet(context, {
      ...walletOf(context),
      feeRate: amount(rate, context.engine.rules.network.maxMoney),
    })
    return true
  }),
  sendtoaddress: method(
    'sendtoaddress "address" amount ( "comment" "comment-to" subtractfeefromamount )',
    [2, 5],
    sendToAddress,
  ),
  sendmany: method(
    'sendmany "fromaccount" {"address":amount,...} ( minconf "comment" ["address",...] )',
    [2, 5],
    sendMany,
  ),
  listtransactions: method(
    'listtransactions ( "account" count from includeWatchonly )',
    [0, 4],
    listTransactions,
  ),
  gettransaction: method('gettransaction "txid" ( includeWatchonly )', [1, 2], getTransaction),
}

function method(
  usage: string,
  params: readonly [number, number],
  answer: Method['answer'],
  group = category,
): Method {
  return { usage, category: group, params, answer }
}

function coinsOf(context: Context): WalletCoin[] {
  return [...walletCoins(stateOf(context), context.engine.rules, walletOf(context))]
}

function addressOfKey({ engine }: Context, publicKey: string): string {
  return encodeAddress(engine.rules.network.pubKeyHashPrefix, hash160(publicKey))
}

/** @see komodo src/wallet/rpcwallet.cpp, listunspent */
function listUnspent(context: Context, params: Params): Answer {
  checkKinds(params, ['number', 'number', 'array'])
  const [minimum, maximum, addresses] = params
  const least = minimum === undefined ? 1 : integer(minimum)
  const most = maximum === undefined ? 9_999_999 : integer(maximum)
  const wanted = addresses === undefined ? undefined : wantedAddresses(context, list(addresses))
  const wallet = walletOf(context)
  const { scripts } = context.engine.rules
  return coinsOf(context).flatMap((coin): Answer[] => {
    const { txid, vout, script, value, confirmations, coinbase, ownership } = coin
    if (confirmations < least || confirmations > most) return []
    if (lookUp(wallet.locked, outpointKey(txid, vout)) !== undefined) return []
    const { addresses: paid } = scripts.describe(script)
    const address = paid?.length === 1 ? paid[0]! : undefined
    if (wanted !== undefined && (address === undefined || !wanted.has(address))) return []
    const redeemScript = lookUp(wallet.redeemScripts, scripts.keysOf(script)[0]?.slice(1) ?? '')
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
        // shown, though no such chain pays any, where the transaction has a lock time
        interest: transactionIn(context, txid)?.transaction.lockTime === 0 ? undefined : coins(0n),
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
    if (scriptOf(context, address) === undefined) {
      throw failure('addressOrKey', `Invalid Komodo address: ${address}`)
    }
    if (wanted.has(address))
      throw failure('parameter', `Invalid parameter, duplicated address: ${address}`)
    wanted.add(address)
  }
  return wanted
}

function lockUnspent(context: Context, [unlock, outpoints]: Params): Answer {
  const isUnlocking = boolean(unlock)
  const wallet = walletOf(context)
  let { locked } = wallet
  if (outpoints === undefined && isUnlocking) {
    for (const [key] of entriesFrom(locked)) locked = withEntry<true>(locked, key, undefined)
  }
  for (const item of outpoints === undefined ? [] : list(outpoints)) {
    const { txid, vout } = members(item)
    const key = outpointKey(hash(txid, 'txid'), integer(vout))
    locked = withEntry<true>(locked, key, isUnlocking ? undefined : true)
  }
  setWallet(context, { ...wallet, locked })
  return true
}

/** Spendable coins that are trusted, or deep enough. */
function balanceOf(context: Context, minimum: number): bigint {
  const { state, rules } = context.engine
  return coinsOf(context).reduce((sum, { txid, value, ownership, confirmations, coinbase }) => {
    if (ownership !== 'spendable' || (coinbase && confirmations < rules.profile.maturity))
      return sum
    const isTrusted = confirmations > 0 || isFromWallet(txid, state, rules, walletOf(context))
    return confirmations >= minimum || (minimum <= 1 && isTrusted) ? sum + value : sum
  }, 0n)
}

function unconfirmedOf(context: Context): bigint {
  const { state, rules } = context.engine
  return coinsOf(context)
    .filter((it) => it.confirmations === 0 && it.ownership === 'spendable')
    .filter(({ txid }) => !isFromWallet(txid, state, rules, walletOf(context)))
    .reduce((sum, { value }) => sum + value, 0n)
}

/** komodo src/wallet/wallet.h, DEFAULT_KEYPOOL_SIZE, and the one in use */
export const keypoolSize = 101

function walletInfo(context: Context): Answer {
  const { state, rules } = context.engine
  return {
    walletversion: 60000,
    balance: coins(balanceOf(context, 1)),
    unconfirmed_balance: coins(unconfirmedOf(context)),
    immature_balance: coins(0n),
    txcount: walletTransactions(state, rules, walletOf(context)).length,
    keypoololdest: context.startedAt,
    keypoolsize: keypoolSize,
    paytxfee: coins(walletOf(context).feeRate),
    seedfp: '0'.repeat(64),
  }
}

export function walletBalance(context: Context): bigint {
  return balanceOf(context, 1)
}

/** @see komodo src/rpc/misc.cpp, validateaddress */
function validateAddress(context: Context, [given]: Params): Answer {
  const address = text(given)
  const script = scriptOf(context, address)
  if (script === undefined) return { isvalid: false }
  const wallet = walletOf(context)
  const { scripts } = context.engine.rules
  const decoded = decodeAddress(address)!
  const isScript = scripts.describe(script).type === 'scripthash'
  const key = isScript ? undefined : keyOf(wallet, decoded.hash160)
  return {
    isvalid: true,
    address,
    scriptPubKey: script,
    segid: segidOf(address),
    ismine: ownershipOf(wallet, script, scripts) === 'spendable',
    iswatchonly: ownershipOf(wallet, script, scripts) === 'watched',
    isscript: isScript,
    ...(key !== undefined && { pubkey: key.publicKey, iscompressed: key.publicKey.length === 66 }),
    account: lookUp(wallet.accounts, address),
  }
}

function importKey(context: Context, [wif, label]: Params): Answer {
  try {
    const key = keyOfWif(text(wif), context.engine.rules.network)
    const address = addressOfKey(context, key.publicKey)
    const wallet = withKey(walletOf(context), key)
    const name = label === undefined ? '' : text(label)
    setWallet(context, { ...wallet, accounts: withEntry(wallet.accounts, address, name) })
    return address
  } catch (error) {
    if (isAntaraError(error)) throw failure('addressOrKey', 'Invalid private key encoding')
    throw error
  }
}

function importAddress(context: Context, [address, label]: Params): Answer {
  const given = text(address)
  const script =
    scriptOf(context, given) ??
    (/^(?:[0-9a-f]{2})+$/i.test(given) ? given.toLowerCase() : undefined)
  if (script === undefined) throw failure('addressOrKey', 'Invalid Komodo address or script')
  const wallet = walletOf(context)
  if (ownershipOf(wallet, script, context.engine.rules.scripts) === 'spendable') {
    throw failure(
      'wallet',
      'The wallet already contains the private key for this address or script',
    )
  }
  setWallet(context, {
    ...wallet,
    watched: withEntry(wallet.watched, script, true as const),
    accounts: withEntry(wallet.accounts, given, label === undefined ? '' : text(label)),
  })
  return null
}

function dumpKey(context: Context, [address]: Params): Answer {
  const given = text(address)
  const decoded = decodeAddress(given)
  const { network } = context.engine.rules
  if (
    decoded?.prefix !== network.pubKeyHashPrefix &&
    decoded?.prefix !== network.scriptHashPrefix
  ) {
    throw failure('addressOrKey', 'Invalid transparent address')
  }
  if (decoded.prefix === network.scriptHashPrefix)
    throw failure('type', 'Address does not refer to a key')
  const key = keyOf(walletOf(context), decoded.hash160)
  if (key === undefined) throw failure('wallet', `Private key for address ${given} is not known`)
  return key.wif
}

/** @see komodo src/rpc/misc.cpp, setpubkey: once in a daemon's life */
function setPubkey(context: Context, [given]: Params): Answer {
  const wallet = walletOf(context)
  const { scripts } = context.engine.rules
  if (wallet.pubkey !== undefined) {
    const error = 'Can only set pubkey once, to change it you need to restart your daemon.'
    return { error, address: addressOfKey(context, wallet.pubkey), pubkey: wallet.pubkey }
  }
  const pubkey = text(given).toLowerCase()
  if (pubkey.length !== 66) return { error: 'pubkey is wrong length, must be 66 char hex string.' }
  if (!/^0[23][0-9a-f]{64}$/.test(pubkey)) return { error: 'pubkey entered is invalid.' }
  setWallet(context, { ...wallet, pubkey })
  const isMine = ownershipOf(wallet, pubkeyHashScript(pubkey), scripts) === 'spendable'
  return {
    ...(isMine
      ? { ismine: 'true' }
      : { WARNING: 'privkey for this pubkey is not imported to wallet!' }),
    address: addressOfKey(context, pubkey),
    pubkey,
  }
}

function sendToAddress(
  context: Context,
  [address, coinsGiven, comment, to, subtract]: Params,
): Answer {
  const script = scriptOf(context, text(address))
  if (script === undefined) throw failure('addressOrKey', 'Invalid Komodo address')
  const value = amount(coinsGiven, context.engine.rules.network.maxMoney)
  if (value === 0n) throw failure('type', 'Amount must be positive')
  const takesFee = subtract !== undefined && boolean(subtract)
  const note = {
    ...(isText(comment) && { comment }),
    ...(isText(to) && { to }),
  }
  return pay(
    context,
    [{ value, script }],
    { ...(takesFee && { feeFrom: 'outputs' as const }) },
    note,
  )
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function sendMany(context: Context, [, payments, minimum, comment, subtract]: Params): Answer {
  const seen = new Set<string>()
  const outputs = Object.entries(members(payments)).map(([address, value]) => {
    const script = scriptOf(context, address)
    if (script === undefined) throw failure('addressOrKey', `Invalid Komodo address: ${address}`)
    if (seen.has(address))
      throw failure('parameter', `Invalid parameter, duplicated address: ${address}`)
    seen.add(address)
    const sats = amount(value, context.engine.rules.network.maxMoney)
    if (sats === 0n) throw failure('type', 'Amount must be positive')
    return { value: sats, script }
  })
  const minConfirmations = minimum === undefined ? 1 : integer(minimum)
  const feeFrom =
    Array.isArray(subtract) && subtract.length > 0 ? { feeFrom: 'outputs' as const } : {}
  return pay(context, outputs, { minConfirmations, ...feeFrom }, isText(comment) ? { comment } : {})
}

type Paying = Omit<Parameters<typeof fundedPayment>[1], 'outputs'>

function pay(
  context: Context,
  outputs: readonly { readonly value: bigint; readonly script: string }[],
  options: Paying,
  note: { readonly comment?: string; readonly to?: string },
): string {
  const payer = { engine: context.engine, wallet: walletOf(context) }
  const made = fundedPayment(payer, { ...options, outputs })
  if (made === undefined) throw failure('insufficientFunds', 'Insufficient funds')
  const txid = broadcast(context, signedPayment(payer, made))
  const wallet = walletOf(context)
  setWallet(context, { ...wallet, notes: withEntry(wallet.notes, txid, note) })
  return txid
}

function listTransactions(context: Context, [, count, from]: Params): Answer {
  const most = count === undefined ? 10 : integer(count)
  const skip = from === undefined ? 0 : integer(from)
  if (most < 0) throw failure('parameter', 'Negative count')
  if (skip < 0) throw failure('parameter', 'Negative from')
  const { state, rules } = context.engine
  const entries = walletTransactions(state, rules, walletOf(context)).flatMap((stored) =>
    detailsOf(context, stored).map((detail) => ({ ...detail, ...walletMembers(context, stored) })),
  )
  const end = entries.length - skip
  return end <= 0 ? [] : entries.slice(Math.max(0, end - most), end)
}

/** @see komodo src/wallet/rpcwallet.cpp, gettransaction */
function getTransaction(context: Context, [id]: Params): Answer {
  const txid = hash(id, 'txid')
  const { state, rules } = context.engine
  const wallet = walletOf(context)
  const stored = transactionIn(context, txid)
  if (stored === undefined || !concerns(state, rules, wallet, stored)) {
    throw failure('addressOrKey', 'Invalid or non-wallet transaction id')
  }
  const { credit, debit } = effectOf(state, rules, wallet, stored)
  const fee = debit > 0n ? valueOut(stored.transaction) - debit : 0n
  return {
    amount: coins(credit - debit - fee),
    ...(debit > 0n && { fee: coins(fee) }),
    ...walletMembers(context, stored),
    details: detailsOf(context, stored),
    hex: stored.hex,
  }
}

/** @see komodo src/wallet/rpcwallet.cpp, WalletTxToJSON */
function walletMembers(
  context: Context,
  { txid, transaction }: StoredTransaction,
): { [member: string]: Answer | undefined } {
  const { state, rules } = context.engine
  const position = positionOf(state, txid)
  const block = position && blockAt(state, rules, position.height)!
  const depth = depthOf(state, txid)
  const time = timeOf(state, rules, txid)
  const note = lookUp(walletOf(context).notes, txid)
  return {
    rawconfirmations: depth,
    generated: isCoinbase(transaction) ? true : undefined,
    confirmations: depth,
    ...(block && {
      blockhash: block.hash,
      blockindex: position.index,
      blocktime: block.time,
      expiryheight: transaction.expiryHeight,
    }),
    txid,
    walletconflicts: [],
    time: isCoinbase(transaction) && block !== undefined ? block.time : time,
    timereceived: time,
    comment: note?.comment,
    to: note?.to,
    vjoinsplit: [],
  }
}

/** @see komodo src/wallet/rpcwallet.cpp, ListTransactions; src/wallet/wallet.cpp, GetAmounts */
function detailsOf(
  context: Context,
  stored: StoredTransaction,
): { readonly [member: string]: Answer | undefined }[] {
  const { state, rules } = context.engine
  const wallet: Wallet = walletOf(context)
  const { transaction, size } = stored
  const { debit } = effectOf(state, rules, wallet, stored)
  const fee = valueOut(transaction) - debit
  const outputs = [...transaction.outputs.entries()].map(([vout, { value, script }]) => {
    const { addresses } = rules.scripts.describe(script)
    const address = addresses?.length === 1 ? addresses[0] : undefined
    return {
      vout,
      value,
      address,
      isMine: ownershipOf(wallet, script, rules.scripts) !== undefined,
    }
  })
  const sent =
    debit === 0n
      ? []
      : outputs.map(({ vout, value, address }) => ({
          account: '',
          address,
          category: 'send',
          amount: coins(-value),
          vout,
          fee: coins(fee),
          size,
        }))
  const category = isCoinbase(transaction) ? coinbaseCategory(context, stored) : 'receive'
  const received = outputs
    .filter(({ isMine }) => isMine)
    .map(({ vout, value, address }) => ({
      account: (address !== undefined && lookUp(wallet.accounts, address)) || '',
      address,
      category,
      amount: coins(value),
      vout,
      size,
    }))
  return [...sent, ...received]
}

function coinbaseCategory(context: Context, { txid }: StoredTransaction): string {
  return depthOf(stateOf(context), txid) < context.engine.rules.profile.maturity
    ? 'immature'
    : 'generate'
}

// A wallet's keys and addresses.

import { hash160 } from '../../engine/calls.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import { compressedKeyDigits, isCompressedKey, isHex } from '../../primitives/hex-forms.ts'
import { encodeAddress } from '../../script/base58.ts'
import { pubkeyHashScript } from '../../script/key-script.ts'
import { decodeAddress } from '../../script/read-address.ts'
import { addressOf, newKey } from '../identities.ts'
import { lookUp, withEntry } from '../state/ordered-map.ts'
import { keyOf, keyOfWif, ownershipOf, type WalletKey, withKey } from '../state/wallet.ts'
import { segidOf } from '../wallet/segid.ts'
import type { Answer } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { boolean, integer, list, type Params, text } from './params.ts'
import { multisigScript, scriptOf } from './raw.ts'

export const walletKeyMethods: Methods = {
  ...methodsIn('Wallet', [
    method('getnewaddress ( "account" )', [0, 1], (context, [account]) =>
      newAddress(context, account === undefined ? '' : text(account)),
    ),
    method('getrawchangeaddress', [0, 0], (context) => {
      // The address stays out of the address book: the daemon takes an own address that is not listed
      // there for change.
      const key = freshKey(context)
      context.wallet = withKey(context.wallet, key)
      return addressOf(context.engine, key.publicKey)
    }),
    method('importprivkey "komodoprivkey" ( "label" rescan )', [1, 5], importKey),
    method('importaddress "address" ( "label" rescan )', [1, 3], importAddress),
    method('dumpprivkey "t-addr"', [1, 1], dumpKey),
    method(
      'addmultisigaddress nrequired ["key",...] ( "account" )',
      [2, 3],
      (context, [required, keys]) => {
        const redeemScript = multisigScript(context, integer(required), list(keys))
        const { wallet } = context
        const scriptHash = hash160(redeemScript)
        context.wallet = {
          ...wallet,
          redeemScripts: withEntry(wallet.redeemScripts, scriptHash, redeemScript),
        }
        return encodeAddress(context.rules.network.scriptHashPrefix, scriptHash)
      },
    ),
    method('keypoolrefill ( newsize )', [0, 1], (_, [size]) => {
      if (size !== undefined && integer(size) < 0) {
        throw failure('parameter', 'Invalid parameter, expected valid size.')
      }
      return null
    }),
    method('setpubkey [pubkey]', [0, 1], setPubkey),
  ]),
  ...methodsIn('Util', [method('validateaddress "komodoaddress"', [1, 1], validateAddress)]),
}

/** Returns a new key, which the wallet does not have yet. */
function freshKey(context: Context): WalletKey {
  const { keys } = context.wallet
  return newKey(context.rules.network, `${context.identity}/${keys.size}`)
}

/** Adds a new key to the wallet, names its address in the address book, and returns the address. */
export function newAddress(context: Context, account: string): string {
  return addKey(context, freshKey(context), account)
}

function addKey(context: Context, key: WalletKey, account: string): string {
  const address = addressOf(context.engine, key.publicKey)
  const wallet = withKey(context.wallet, key)
  context.wallet = { ...wallet, accounts: withEntry(wallet.accounts, address, account) }
  return address
}

/** @see komodo src/rpc/misc.cpp, validateaddress */
function validateAddress(context: Context, [given]: Params): Answer {
  const address = text(given)
  const script = scriptOf(context, address)
  if (script === undefined) return { isvalid: false }
  const { wallet } = context
  const { scripts } = context.rules
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
    ...(key !== undefined && {
      pubkey: key.publicKey,
      iscompressed: isCompressedKey(key.publicKey),
    }),
    account: lookUp(wallet.accounts, address),
  }
}

/** @see komodo src/wallet/rpcdump.cpp, importprivkey */
function importKey(context: Context, params: Params): Answer {
  const [given, label, rescan, from] = params
  const wif = text(given)
  const name = label === undefined ? '' : text(label)
  const isScan = rescan === undefined || boolean(rescan)
  // The daemon reads a height only if it is the last parameter.
  const height = isScan && params.length === 4 ? integer(from) : 0
  if (params.length > 4) throw failure('misc', 'this node imports no keys of other chains')
  if (height < 0 || height > context.state.chain.tip.height) {
    throw failure('wallet', 'Rescan height is out of range.')
  }
  const key = unlessMalformed(() => keyOfWif(wif, context.rules.network))
  if (key === undefined) throw failure('addressOrKey', 'Invalid private key encoding')
  return addKey(context, key, name)
}

/** @see komodo src/wallet/rpcdump.cpp, importaddress */
function importAddress(context: Context, [address, label, rescan]: Params): Answer {
  const given = text(address)
  const destination = scriptOf(context, given)
  const script = destination ?? (isHex(given) ? given.toLowerCase() : undefined)
  if (script === undefined) throw failure('addressOrKey', 'Invalid Komodo address or script')
  const name = label === undefined ? '' : text(label)
  if (rescan !== undefined) boolean(rescan)
  const { wallet } = context
  if (ownershipOf(wallet, script, context.rules.scripts) === 'spendable') {
    throw failure(
      'wallet',
      'The wallet already contains the private key for this address or script',
    )
  }
  context.wallet = {
    ...wallet,
    watched: withEntry(wallet.watched, script, true as const),
    ...(destination !== undefined && { accounts: withEntry(wallet.accounts, given, name) }),
  }
  return null
}

function dumpKey(context: Context, [address]: Params): Answer {
  const given = text(address)
  const decoded = decodeAddress(given)
  const { network } = context.rules
  if (decoded?.prefix === network.scriptHashPrefix) {
    throw failure('type', 'Address does not refer to a key')
  }
  if (decoded?.prefix !== network.pubKeyHashPrefix) {
    throw failure('addressOrKey', 'Invalid transparent address')
  }
  const key = keyOf(context.wallet, decoded.hash160)
  if (key === undefined) throw failure('wallet', `Private key for address ${given} is not known`)
  return key.wif
}

/** @see komodo src/rpc/misc.cpp, setpubkey: once in a daemon's life */
function setPubkey(context: Context, [given]: Params): Answer {
  const { wallet } = context
  const { scripts } = context.rules
  if (wallet.pubkey !== undefined) {
    const error = 'Can only set pubkey once, to change it you need to restart your daemon.'
    return { error, address: addressOf(context.engine, wallet.pubkey), pubkey: wallet.pubkey }
  }
  const pubkey = text(given).toLowerCase()
  if (pubkey.length !== compressedKeyDigits)
    return { error: 'pubkey is wrong length, must be 66 char hex string.' }
  if (!isCompressedKey(pubkey)) return { error: 'pubkey entered is invalid.' }
  context.wallet = { ...wallet, pubkey }
  const isMine = ownershipOf(wallet, pubkeyHashScript(pubkey), scripts) === 'spendable'
  return {
    ...(isMine
      ? { ismine: 'true' }
      : { WARNING: 'privkey for this pubkey is not imported to wallet!' }),
    address: addressOf(context.engine, pubkey),
    pubkey,
  }
}

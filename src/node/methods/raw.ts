// Transactions as hex: reading, sending, making and signing them.

import {
  expiryDelta,
  expiryHeightThreshold,
  finalSequence,
  lockedSequence,
  pushBytesMax,
  saplingVersionGroupId,
} from '../../chain/limits.ts'
import { hash160 } from '../../engine/calls.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { isPublicKey } from '../../primitives/hex-forms.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { isLosslessNumber } from '../../primitives/json.ts'
import { encodeAddress } from '../../script/base58.ts'
import { pushOf } from '../../script/push.ts'
import { decodeAddress } from '../../script/read-address.ts'
import { scriptOfAddress } from '../../script/script.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import type { TransactionInput, TransactionOutput } from '../../transaction/types.ts'
import { readTransaction } from '../consensus/accept.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'
import { findTransaction } from '../state/view.ts'
import { keyOf } from '../state/wallet.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { amount, checkKinds, hash, integer, list, members, text } from './params.ts'
import { decodedJson, expandedJson } from './transaction-json.ts'

export const rawMethods: Methods = {
  ...methodsIn('Rawtransactions', [
    method('decoderawtransaction "hexstring"', [1, 1], (context, params) => {
      checkKinds(params, ['string'])
      return decodedJson(context, transactionOf(text(params[0])).hex)
    }),
    method('getrawtransaction "txid" ( verbose )', [1, 2], (context, [id, verbose]) => {
      const txid = hash(id, 'parameter 1')
      const isVerbose = verbose !== undefined && integer(verbose) !== 0
      const stored = findTransaction(context, txid)
      if (stored === undefined) {
        throw failure('addressOrKey', 'No information available about transaction')
      }
      return isVerbose ? expandedJson(context, stored) : stored.hex
    }),
    method('sendrawtransaction "hexstring" ( allowhighfees )', [1, 2], (context, params) => {
      checkKinds(params, ['string', 'bool'])
      return broadcast(context, text(params[0]), params[1] === true)
    }),
    method(
      'createrawtransaction [{"txid":"id","vout":n},...] {"address":amount,...} ( locktime ) ( expiryheight )',
      [2, 4],
      (context, params) => {
        checkKinds(params, ['array', 'object', 'number', 'number'])
        return createRaw(context, params)
      },
    ),
    method('decodescript "hex"', [1, 1], (context, params) => {
      checkKinds(params, ['string'])
      const hex = text(params[0]).toLowerCase()
      if (!/^(?:[0-9a-f]{2})*$/.test(hex)) {
        throw failure('parameter', `argument must be hexadecimal string (not '${params[0]}')`)
      }
      const { scripts, network } = context.rules
      const { asm, type, reqSigs, addresses } = scripts.describe(hex)
      const p2sh = encodeAddress(network.scriptHashPrefix, hash160(hex))
      return { asm, reqSigs, type, addresses, p2sh }
    }),
  ]),
  ...methodsIn('Util', [
    method('createmultisig nrequired ["key",...]', [2, 2], (context, [required, keys]) => {
      const redeemScript = multisigScript(context, integer(required), list(keys))
      const address = encodeAddress(context.rules.network.scriptHashPrefix, hash160(redeemScript))
      return { address, redeemScript }
    }),
  ]),
}

/** @throws {RpcFailure} for hex that does not begin with a transaction */
export function transactionOf(hex: string): StoredTransaction {
  const stored = readTransaction(hex)
  if (stored === undefined) throw failure('deserialization', 'TX decode failed')
  return stored
}

/** @throws {RpcFailure} as the daemon refuses it */
export function broadcast(context: Context, hex: string, allowHighFees = false): string {
  const verdict = context.engine.broadcast(hex, { allowHighFees })
  if (!verdict.ok) {
    const refused = failure(verdict.code, verdict.message)
    if (verdict.reason !== undefined) refused.cause = verdict.reason
    throw refused
  }
  if (!verdict.isKnown) context.afterBroadcast()
  return verdict.transaction.txid
}

const lockTimeMax = 0xffffffff

function createRaw(
  context: Context,
  [outpoints, payments, lock, expiry]: readonly JsonValue[],
): string {
  const { tip } = context.state.chain
  const lockTime = lock === undefined ? 0 : Number((lock as { value: string }).value)
  if (lockTime < 0 || lockTime > lockTimeMax) {
    throw failure('parameter', 'Invalid parameter, locktime out of range')
  }
  const expiryHeight = expiry === undefined ? tip.height + 1 + expiryDelta : integer(expiry)
  if (expiryHeight < 0 || expiryHeight >= expiryHeightThreshold) {
    throw failure(
      'parameter',
      'Invalid parameter, expiryheight must be nonnegative and less than 500000000.',
    )
  }
  const inputs = list(outpoints).map((it) => rawInput(it, lockTime !== 0))
  const outputs = Object.entries(members(payments)).map(([name, value]) =>
    rawOutput(context, name, value),
  )
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: saplingVersionGroupId,
    inputs,
    outputs,
    lockTime,
    expiryHeight,
  })
}

function rawInput(value: JsonValue, isLocked: boolean): TransactionInput {
  const { txid, vout, sequence } = members(value)
  const id = hash(txid, 'txid')
  if (vout === undefined || !isLosslessNumber(vout)) {
    throw failure('parameter', 'Invalid parameter, missing vout key')
  }
  const index = integer(vout)
  if (index < 0) throw failure('parameter', 'Invalid parameter, vout must be positive')
  const given = isLosslessNumber(sequence) ? integer(sequence) : undefined
  return {
    txid: id,
    vout: index,
    scriptSig: '',
    sequence: given ?? (isLocked ? lockedSequence : finalSequence),
  }
}

function rawOutput(context: Context, name: string, value: JsonValue): TransactionOutput {
  const { network } = context.rules
  if (name === 'data') {
    const data = text(value).toLowerCase()
    if (!/^(?:[0-9a-f]{2})+$/.test(data)) {
      throw failure('parameter', `Data must be hexadecimal string (not '${value}')`)
    }
    return { value: 0n, script: `6a${pushOf(data)}` }
  }
  const script = requireScript(context, name, `Invalid Komodo address or script: ${name}`)
  return { value: amount(value, network.maxMoney), script }
}

/** Returns the script of an address; undefined for other text. */
export function scriptOf({ engine }: Pick<Context, 'engine'>, address: string): string | undefined {
  try {
    return scriptOfAddress(address, engine.rules.network)
  } catch (error) {
    if (isAntaraError(error, 'unknown_address')) return undefined
    throw error
  }
}

/** @throws {RpcFailure} for text that is no address */
export function requireScript(
  context: Context,
  address: string,
  words = 'Invalid Komodo address',
): string {
  const script = scriptOf(context, address)
  if (script === undefined) throw failure('addressOrKey', words)
  return script
}

/** @see komodo src/rpc/misc.cpp, _createmultisig_redeemScript */
export function multisigScript(
  context: Context,
  required: number,
  keys: readonly JsonValue[],
): string {
  if (required < 1) {
    throw failure('misc', 'a multisignature address must require at least one key to redeem')
  }
  if (keys.length < required) {
    throw failure(
      'misc',
      `not enough keys supplied (got ${keys.length} keys, but need at least ${required} to redeem)`,
    )
  }
  if (keys.length > 16)
    throw failure(
      'misc',
      'Number of addresses involved in the multisignature address creation > 16\nReduce the number',
    )
  const pushes = keys.map((key) => pushOf(publicKeyNamed(context, text(key))))
  const script = `${(0x50 + required).toString(16)}${pushes.join('')}${(0x50 + keys.length).toString(16)}ae`
  const bytes = script.length / 2
  if (bytes > pushBytesMax) {
    throw failure('misc', `redeemScript exceeds size limit: ${bytes} > ${pushBytesMax}`)
  }
  return script
}

function publicKeyNamed(context: Context, key: string): string {
  const decoded = scriptOf(context, key) === undefined ? undefined : decodeAddress(key)
  if (decoded !== undefined) {
    if (decoded.prefix !== context.rules.network.pubKeyHashPrefix) {
      throw failure('misc', `${key} does not refer to a key`)
    }
    const known = keyOf(context.wallet, decoded.hash160)
    if (known === undefined) throw failure('misc', `no full public key for address ${key}`)
    return known.publicKey
  }
  if (isPublicKey(key.toLowerCase())) return key.toLowerCase()
  throw failure('misc', ` Invalid public key: ${key}`)
}

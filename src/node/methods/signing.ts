// signrawtransaction, fundrawtransaction, and signatures of messages.

import { hash160 } from '../../engine/calls.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import { isHex } from '../../primitives/hex-forms.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { opReturn } from '../../script/nulldata.ts'
import { decodeAddress } from '../../script/read-address.ts'
import { signMessage, verifyMessage } from '../../signing/message.ts'
import { signTransaction } from '../../signing/sign.ts'
import type { PrevoutToSign } from '../../signing/task.ts'
import { verifyInputs } from '../../signing/verify.ts'
import { decodeTransaction } from '../../transaction/decode.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import { wordsOfScriptFault } from '../consensus/scripts.ts'
import { emptyMap, type OrderedMap, withEntry } from '../state/ordered-map.ts'
import { findCoin, outputAt } from '../state/view.ts'
import { keyOf, keyOfWif } from '../state/wallet.ts'
import { toSign, wifsOf } from '../wallet/coins.ts'
import { fundedPayment } from '../wallet/payment.ts'
import { type Answer, coins } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { amount, checkKind, checkKinds, hash, integer, list, members, text } from './params.ts'
import { transactionOf } from './raw.ts'

export const signingMethods: Methods = {
  ...methodsIn('Rawtransactions', [
    method(
      'signrawtransaction "hexstring" ( [{"txid":"id","vout":n,"scriptPubKey":"hex","redeemScript":"hex"},...] ["privatekey1",...] sighashtype )',
      [1, 5],
      (context, params) => {
        const kinds = ['string', 'array', 'array', 'string', 'string'] as const
        checkKinds(params, kinds, { mayBeNull: true })
        const [hex, prevouts, keys, hashType, branch] = params.map((it) => it ?? undefined)
        requireAll(hashType, branch)
        return signRaw(context, [hexOf(hex ?? '', 'argument 1'), prevouts, keys])
      },
    ),
    method('fundrawtransaction "hexstring"', [1, 1], (context, params) => {
      checkKinds(params, ['string'])
      const stored = transactionOf(text(params[0]))
      const payer = { engine: context.engine, wallet: context.wallet }
      const { inputs, outputs } = stored.transaction
      const made = fundedPayment(payer, { inputs, outputs })
      if (made === undefined) throw failure(-32603, 'Insufficient funds')
      const funded = { inputs: made.fields.inputs, outputs: made.fields.outputs }
      const hex = encodeTransaction({ ...stored.transaction, ...funded })
      return { hex, fee: coins(made.fee), changepos: made.changeAt }
    }),
  ]),
  ...methodsIn('Wallet', [
    method('signmessage "address" "message"', [2, 2], (context, params) => {
      const [address, message] = params.map(text)
      const key = keyOf(context.wallet, keyHashOf(context, address!))
      if (key === undefined) throw failure('wallet', 'Private key not available')
      return signMessage(message!, key.wif, context.rules.network)
    }),
  ]),
  ...methodsIn('Util', [
    method('verifymessage "address" "signature" "message"', [3, 3], (context, params) => {
      const [address, signature, message] = params.map(text)
      keyHashOf(context, address!)
      const bytes = base64Bytes(signature!)
      if (bytes === undefined) throw failure('addressOrKey', 'Malformed base64 encoding')
      const usual = usualSignature(bytes)
      const { network } = context.rules
      return usual !== undefined && verifyMessage(message!, usual, address!, network)
    }),
  ]),
}

/** @throws {RpcFailure} for any text but the address of a key */
function keyHashOf({ engine }: Context, address: string): string {
  const decoded = decodeAddress(address)
  if (decoded === undefined) throw failure('type', 'Invalid address')
  if (decoded.prefix === engine.rules.network.pubKeyHashPrefix) return decoded.hash160
  throw failure('type', 'Address does not refer to key')
}

/**
 * Undefined for text that the daemon does not read as Base64.
 *
 * @see komodo src/utilstrencodings.cpp, DecodeBase64
 */
function base64Bytes(signature: string): Buffer | undefined {
  if (signature.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,3}$/.test(signature)) return undefined
  const bytes = Buffer.from(signature, 'base64')
  // Bits that are left over have to be zero.
  const digits = signature.replace(/=+$/, '')
  return bytes.toString('base64').startsWith(digits) ? bytes : undefined
}

/**
 * The same signature with a header byte that everybody reads: the daemon takes it modulo 8.
 *
 * @see komodo src/pubkey.cpp, RecoverCompact
 */
function usualSignature(bytes: Buffer): string | undefined {
  if (bytes.length !== 65) return undefined
  return Buffer.concat([Buffer.of(27 + ((bytes[0]! - 27) & 7)), bytes.subarray(1)]).toString(
    'base64',
  )
}

const unknown: PrevoutToSign = { value: 0n, script: opReturn }

/** komodo src/rpc/rawtransaction.cpp, mapSigHashValues */
const hashTypes = ['ALL', 'NONE', 'SINGLE'].flatMap((it) => [it, `${it}|ANYONECANPAY`])
/** komodo src/consensus/upgrades.cpp: of Sapling, by which this chain signs */
const branchId = '76b809bb'

/** A signature of another kind than requested would be false. */
function requireAll(hashType: JsonValue | undefined, branch: JsonValue | undefined): void {
  if (hashType !== undefined && !hashTypes.includes(text(hashType))) {
    throw failure('parameter', 'Invalid sighash param')
  }
  if (hashType !== undefined && hashType !== 'ALL') {
    throw failure('misc', `this node signs with ALL alone, not with ${hashType}`)
  }
  if (branch !== undefined && text(branch) !== branchId) {
    throw failure('misc', `this node signs by the rules of ${branchId} alone, not of ${branch}`)
  }
}

type SigningParams = readonly [
  hex: string,
  prevouts: JsonValue | undefined,
  keys: JsonValue | undefined,
]

/** @see komodo src/rpc/rawtransaction.cpp, signrawtransaction; conditions are not signed by it */
function signRaw(context: Context, params: SigningParams): Answer {
  const { rules } = context
  const stored = transactionOf(params[0])
  const rest = params[0].slice(stored.hex.length)
  if (rest !== '') {
    transactionOf(rest)
    throw failure('misc', 'this node merges no variants of a transaction')
  }
  const { transaction } = stored
  const hasKeys = params[2] !== undefined
  const given = givenPrevouts(context, params[1], { hasKeys })
  const prevouts = transaction.inputs.map(
    ({ txid, vout }) =>
      given.prevouts.get(`${txid}:${vout}`) ?? findCoin(context.state, txid, vout),
  )
  // The daemon signs with the wallet, or with what was given: never with both.
  const spent = toSign(
    prevouts.map((prevout) => prevout ?? unknown),
    hasKeys ? given : context.wallet,
    rules.scripts,
  )
  const { hex } = signTransaction(stored.hex, keysOf(context, params[2]), spent, rules.network)
  const signed = decodeTransaction(hex)
  const inputs = signed.inputs.map((input, at) => {
    const { type } = rules.scripts.describe(spent[at]!.script)
    return type === 'cryptocondition' ? transaction.inputs[at]! : input
  })
  const result = encodeTransaction({ ...signed, inputs })
  const errors = verifyInputs(result, spent, rules.network).flatMap(
    ({ ok, code, type }, at): Answer[] => {
      if (ok) return []
      const { txid, vout, scriptSig, sequence } = inputs[at]!
      const isUnknown = prevouts[at] === undefined
      const error = isUnknown
        ? 'Input not found or already spent'
        : wordsOfScriptFault(type === 'cryptocondition', code!)
      return [{ txid, vout, scriptSig, sequence, error }]
    },
  )
  return {
    hex: result,
    complete: errors.length === 0,
    errors: errors.length === 0 ? undefined : errors,
  }
}

/** @param hasKeys - whether keys were given, without which given redeem scripts do not count */
function givenPrevouts(
  context: Context,
  value: JsonValue | undefined,
  { hasKeys }: { readonly hasKeys: boolean },
): { prevouts: Map<string, PrevoutToSign>; redeemScripts: OrderedMap<string> } {
  /** By outpoint. */
  const prevouts = new Map<string, PrevoutToSign>()
  /** By script hash. */
  let redeemScripts = emptyMap<string>()
  if (value === undefined) return { prevouts, redeemScripts }
  const { network, scripts } = context.rules
  for (const item of list(value)) {
    const { txid, vout, scriptPubKey, redeemScript, amount: coinsGiven } = members(item)
    const id = hash(txid, 'txid')
    const index = integer(vout)
    if (index < 0) throw failure('deserialization', 'vout must be positive')
    const script = hexOf(scriptPubKey, 'scriptPubKey')
    const known = outputAt(context, { txid: id, vout: index })
    if (known !== undefined && known.script !== script) {
      const words = [known.script, script].map((it) => scripts.describe(it).asm)
      throw failure(
        'deserialization',
        `Previous output scriptPubKey mismatch:\n${words[0]}\nvs:\n${words[1]}`,
      )
    }
    // The daemon signs over 0 where no amount is given, although it knows the output.
    const value = coinsGiven === undefined ? 0n : amount(coinsGiven, network.maxMoney)
    prevouts.set(`${id}:${index}`, { value, script })
    if (!hasKeys || scripts.describe(script).type !== 'scripthash') continue
    if (redeemScript === undefined || redeemScript === null) {
      throw failure('type', 'Missing redeemScript')
    }
    checkKind(redeemScript, 'string', 'redeemScript')
    const redeemed = hexOf(redeemScript, 'redeemScript')
    redeemScripts = withEntry(redeemScripts, hash160(redeemed), redeemed)
  }
  return { prevouts, redeemScripts }
}

function hexOf(value: JsonValue | undefined, name: string): string {
  const hex = text(value)
  if (isHex(hex)) return hex.toLowerCase()
  throw failure('parameter', `${name} must be hexadecimal string (not '${hex}')`)
}

function keysOf(context: Context, value: JsonValue | undefined): string[] {
  if (value === undefined) return wifsOf(context.wallet)
  return list(value).map((wif) => {
    const key = unlessMalformed(() => keyOfWif(text(wif), context.rules.network))
    if (key === undefined) throw failure('addressOrKey', 'Invalid private key')
    return key.wif
  })
}

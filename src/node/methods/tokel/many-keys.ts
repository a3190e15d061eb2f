// Methods for tokens v2 that several keys hold together.

import { defaultFee } from '../../../chain/limits.ts'
import { tokensV2EvalCode } from '../../../chain/modules.ts'
import { hash160 } from '../../../engine/calls.ts'
import { isJsonObject, type JsonValue, stringifyJson } from '../../../primitives/json.ts'
import { moduleCondition } from '../../../script/condition-script.ts'
import { decodeAddress } from '../../../script/read-address.ts'
import { passedCondition, signConditionPart } from '../../../signing/partial-signature.ts'
import { signTransaction } from '../../../signing/sign.ts'
import { readConditionScript } from '../../../token/rules/condition-script.ts'
import type { KeySet } from '../../../token/rules/key-set.ts'
import { decodeTransaction } from '../../../transaction/decode.ts'
import { encodeTransaction } from '../../../transaction/encode.ts'
import type { TransactionFields, TransactionOutput } from '../../../transaction/types.ts'
import { readTransaction } from '../../consensus/accept.ts'
import { indexTypes } from '../../state/script-index.ts'
import { findTransaction, outputAt } from '../../state/view.ts'
import { keyOf as keyOfHash } from '../../state/wallet.ts'
import { wifsOf } from '../../wallet/coins.ts'
import type { Builder } from '../../wallet/condition-builder.ts'
import {
  assembledTokel,
  ownInputs,
  type TokelAssembly,
  tokelInputs,
  tokenIndexKeys,
} from '../../wallet/tokel-builder.ts'
import { holderScript } from '../../wallet/tokel-scripts.ts'
import { type Answer, json } from '../answer.ts'
import { type Context, type Methods, methodsIn } from '../context.ts'
import { failure } from '../failure.ts'
import { hashOrZero, integer, leadingInteger, lenientHex, type Params, text } from '../params.ts'
import { jsonObject, keyOf, ModuleError, parsed, tokelMethod } from './method.ts'
import {
  changeOf,
  changeScript,
  requireHeld,
  success,
  transferPayload,
  transferred,
  wholeHash,
} from './transfer.ts'

const manyUsage = [
  'tokenv2transferMofN \'{ "tokenid":"<tokenid>", "ccaddressMofN":"<address>", "destpubkeys": [ "<pk1>", "<pk2>", ... ], "M": <value>, "amount": <amount> }\'',
  'To spend MofN token utxo and send to MofN destination pubkeys. Params:',
  '   tokenid - token creation id',
  '   ccaddressMofN - optional cc address of MofN utxos to spend, if not present spending is from mypk',
  '   destpubkey, destpubkey1 ... destpubkeyN - destination pubkeys (max = 128)',
  '   M - required min number of signatures',
  '   amount - token amount to send, in satoshi',
  'Note, that MofN supported only for tokens v2\n\n',
].join('\n')

const inputsUsage = [
  'tokenv2addccinputs tokenid pubkey amount\n',
  'Returns a new tx with added token inputs and the matching previous txns. Note that the caller must add the change output\n',
  'Arguments:',
  'amount (in satoshi) which will be added as normal inputs (equal or more)',
  'Result: json object with created tx and added vin txns\n\n',
].join('\n')

const signatureUsage =
  'addccv2signature hextx \'[ { "ccaddress": "address", "condition":"cond-in-json" },.. ]\' \n'

export const tokelManyKeysMethods: Methods = methodsIn('tokens', [
  tokelMethod(manyUsage, [1, 1], (_, builder, [given]) => {
    const { from, ...transfer } = manyKeysTransfer(given)
    if (from === undefined) return success(transferred(builder, { version: 2, ...transfer }))
    return spentFromMany(builder, { from, ...transfer })
  }),
  tokelMethod(signatureUsage, [2, 2], (context, builder, [hex, given]) =>
    withSignature(context, builder, { hex: lenientHex(text(hex)), given }),
  ),
  tokelMethod(inputsUsage, [3, 3], (context, builder, params) =>
    withInputs(context, builder, params),
  ),
])

interface ManyKeysTransfer {
  readonly tokenid: string
  /** The hash of the address that holds the tokens; absent for the own key's. */
  readonly from: string | undefined
  readonly holder: KeySet
  readonly amount: bigint
}

/** The most keys that one condition may name. */
const keysMax = 128

/** @see tokel src/rpc/tokensrpc.cpp, tokenv2transferMofN */
function manyKeysTransfer(given: JsonValue | undefined): ManyKeysTransfer {
  const query = jsonObject(given, 'parameter 1 must be a valid json object\n')
  if (query === undefined) throw new ModuleError('parameter 1 must be object\n')
  const tokenid = wholeHash(text(query.tokenid))
  const address = query.ccaddressMofN ?? null
  const from = address === null ? undefined : decodeAddress(text(address))
  if (address !== null && from === undefined) throw new ModuleError('invalid ccaddressMofN\n')
  const keys = query.destpubkeys
  if (!Array.isArray(keys)) throw new ModuleError('destpubkeys must be an array\n')
  if (keys.length > keysMax) throw new ModuleError('destpubkeys num is limited by 128\n')
  const pubkeys = keys.map((one: JsonValue, at: number) => {
    const key = keyOf(lenientHex(text(one)))
    if (key === undefined) throw new ModuleError(`invalid destpubkey #${at + 1}`)
    return key
  })
  const required = integer(query.M)
  if (required > keysMax) throw new ModuleError('M is limited by 128\n')
  if (required > pubkeys.length) throw new ModuleError('M could not be more than dest pubkeys\n')
  const amount = unitsOf(query.amount)
  if (amount <= 0n) throw new ModuleError('amount must be positive')
  if (pubkeys.length === 0) throw new ModuleError('no dest pubkeys')
  if (required < 1) throw failure('misc', 'this node makes no condition that nobody has to sign')
  return { tokenid, from: from?.hash160, holder: { required, pubkeys }, amount }
}

/** @see tokel src/univalue, get_int64 */
function unitsOf(value: JsonValue | undefined): bigint {
  const digits = stringifyJson(value ?? null)
  if (typeof value === 'string' || !/^-?\d+$/.test(digits)) {
    throw failure('misc', 'JSON value is not an integer as expected')
  }
  const units = BigInt(digits)
  if (BigInt.asIntN(64, units) !== units) throw failure('misc', 'JSON integer out of range')
  return units
}

/** @see tokel src/cc/CCtokens_impl.h, TokenTransferExtDest, for tokens of an address that is given */
function spentFromMany(
  builder: Builder,
  { tokenid, from, holder, amount }: ManyKeysTransfer & { readonly from: string },
): Answer {
  const { engine, pubkey } = builder
  const coins = ownInputs(builder, defaultFee)
  if (coins.length === 0) throw new ModuleError('insufficient normal inputs for tx fee')
  const indexKeys = [indexTypes.condition + from]
  const held = tokelInputs(engine, { version: 2, tokenid, indexKeys, total: amount })
  requireHeld(held.amount, amount)
  const scripts = held.inputs.map((input) => outputAt(engine, input)!.script)
  const owners = scripts.map(ownersIn).find((it) => it !== undefined)
  const script = owners === undefined ? changeScript(2, pubkey) : holderScript(2, owners)
  const assembly: TokelAssembly = {
    version: 2,
    coins,
    spends: held.inputs,
    outputs: [
      { value: amount, script: holderScript(2, holder) },
      ...changeOf(held.amount - amount, script),
    ],
    nulldata: transferPayload(2, tokenid, holder),
  }
  const { fields, prevouts } = assembledTokel(builder, assembly)
  return signedByOne(builder, { fields, prevouts, owners })
}

/** The keys that an output names beside its condition, if there are several. */
function ownersIn(script: string): KeySet | undefined {
  const params = readConditionScript(script)?.params
  if (params === undefined || params.pubkeys.length < 2) return undefined
  return { required: params.m, pubkeys: params.pubkeys }
}

interface ToSign {
  readonly fields: TransactionFields
  readonly prevouts: readonly TransactionOutput[]
  readonly owners: KeySet | undefined
}

/** Signs ordinary coins, and conditions with the own key alone. */
function signedByOne(builder: Builder, { fields, prevouts, owners }: ToSign): Answer {
  const { network, scripts } = builder.engine.rules
  const isCondition = prevouts.map(
    ({ script }) => scripts.describe(script).type === 'cryptocondition',
  )
  const { hex } = signTransaction(fields, wifsOf(builder.wallet), prevouts, network)
  const partial: Answer[] = []
  const inputs = decodeTransaction(hex).inputs.map((input, vin) => {
    if (!isCondition[vin] || owners === undefined) return input
    const tree = treeOf(owners)
    const signed = signedCondition(builder, { tree, hex, vin, value: prevouts[vin]!.value })
    if (signed === undefined) throw new ModuleError('could not finalize tx')
    const { scriptSig, condition } = signed
    const ccaddress = scripts.describe(prevouts[vin]!.script).addresses![0]!
    if (condition !== undefined) partial.push(unsigned(vin, ccaddress, condition))
    return { ...input, scriptSig }
  })
  if (inputs.some(({ scriptSig }) => scriptSig === ''))
    throw new ModuleError('could not finalize tx')
  return {
    hex: encodeTransaction({ ...decodeTransaction(hex), inputs }),
    ...(partial.length > 0 && { PartiallySigned: partial }),
  }
}

function treeOf({ pubkeys, required }: KeySet): ReturnType<typeof moduleCondition> {
  return moduleCondition(pubkeys, { evalCodes: [tokensV2EvalCode], required })
}

function unsigned(vin: number, ccaddress: string, condition: object): Answer {
  return { vin, ccaddress, condition: json(JSON.stringify(condition)) }
}

/**
 * Signs a condition. Returns `undefined` if the key of -pubkey has no part in it, or if the wallet
 * does not have the key.
 */
function signedCondition(
  { engine, wallet, pubkey }: Builder,
  condition: Parameters<typeof signConditionPart>[0],
): ReturnType<typeof signConditionPart> | undefined {
  const own = keyOfHash(wallet, hash160(pubkey))
  if (own === undefined || !JSON.stringify(condition.tree).includes(pubkey)) return undefined
  return signConditionPart(condition, own.wif, engine.rules.network)
}

/** @see tokel src/cc/CCtx.cpp, AddSignatureCCTxV2 */
function withSignature(
  context: Context,
  builder: Builder,
  { hex, given }: { readonly hex: string; readonly given: JsonValue | undefined },
): Answer {
  const read = typeof given === 'string' ? parsed(given) : given
  if (read === undefined) throw new ModuleError('parameter 2 must be a valid json object\n')
  if (!Array.isArray(read)) throw failure('misc', 'parameter 2 must be array\n')
  const stored = readTransaction(hex)
  if (stored === undefined || stored.transaction.inputs.length === 0) {
    throw new ModuleError('could not decode or no vins in tx')
  }
  const partial: Answer[] = []
  let signatures = 0
  const inputs = stored.transaction.inputs.map((input, vin) => {
    const spent = outputAt(context, input)
    if (spent === undefined) return input
    for (const item of read as readonly JsonValue[]) {
      const asked = isJsonObject(item) ? item : {}
      const ccaddress = text(asked.ccaddress)
      if (integer(asked.vin) !== vin) continue
      const tree = passedCondition(JSON.parse(stringifyJson(asked.condition ?? null)))
      const signed =
        tree && signedCondition(builder, { tree, hex: stored.hex, vin, value: spent.value })
      if (signed === undefined) continue
      signatures += 1
      if (signed.condition) partial.push(unsigned(vin, ccaddress, signed.condition))
      return { ...input, scriptSig: signed.scriptSig }
    }
    return input
  })
  if (signatures === 0) throw new ModuleError('no cc vin signed')
  return {
    result: 'success',
    hex: encodeTransaction({ ...stored.transaction, inputs }),
    ...(partial.length > 0 && { PartiallySigned: partial }),
  }
}

/** @see tokel src/rpc/tokensrpc.cpp, tokenv2addccinputs */
function withInputs(context: Context, builder: Builder, params: Params): Answer {
  const tokenid = hashOrZero(text(params[0]))
  const pubkey = keyOf(lenientHex(text(params[1])))
  const amount = leadingInteger(text(params[2]))
  if (amount <= 0n) throw failure('misc', 'amount invalid')
  const { engine } = builder
  const indexKeys = pubkey === undefined ? [] : tokenIndexKeys(engine, 2, pubkey)
  const held = tokelInputs(engine, { version: 2, tokenid, indexKeys, total: amount })
  if (held.amount < amount) throw failure('misc', 'could not find token cc inputs')
  const { fields } = assembledTokel(builder, {
    version: 2,
    coins: [],
    spends: held.inputs,
    outputs: [],
    nulldata: '',
  })
  return {
    txhex: encodeTransaction({ ...fields, outputs: [] }),
    previousTxns: held.inputs.map(({ txid }) => findTransaction(context, txid)!.hex),
  }
}

// Methods of komodod's tokens.

import {
  defaultFee,
  tokenDataBytesMax,
  tokenDescriptionBytesMax,
  tokenNameBytesMax,
} from '../../chain/limits.ts'
import { tokensEvalCode, tokensGlobalPubkey } from '../../chain/modules.ts'
import { compressedKeyDigits, zeroHex32 } from '../../primitives/hex-forms.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import { addressOfScript } from '../../script/script.ts'
import { encodeTokenPayload } from '../../token/payload/encode.ts'
import { slotScript, tokenEvalCodes } from '../../token/rules/slot-script.ts'
import { markerScript } from '../../token/rules/token-script.ts'
import { indexTypes } from '../state/script-index.ts'
import { coinsUnder, finderOf, findTransaction, positionOf } from '../state/view.ts'
import {
  type Builder,
  creationOf,
  finalized,
  indexKeyOf,
  pubkeyInputs,
  tokenInputs,
  tokenOutput,
  walletInputs,
} from '../wallet/condition-builder.ts'
import { keyBytes, noKey } from '../wallet/loose-key.ts'
import { feeInputsMax, tokenInputsMax } from '../wallet/orders.ts'
import { oldMarkers } from './address-index.ts'
import { type Answer, coins, moduleError, type Written } from './answer.ts'
import { type Context, type MethodRow, type Methods, method, methodsIn } from './context.ts'
import {
  assetsModule,
  type ModuleAnswer,
  type NamedModule,
  tokensModule,
  withPubkey,
} from './module-method.ts'
import {
  hashOrZero,
  leadingInteger,
  leadingNumber,
  lenientHex,
  type Params,
  text,
} from './params.ts'

const createInputsMax = 64

export const tokenMethods: Methods = methodsIn('Tokens', [
  addressMethod('tokenaddress', tokensModule),
  addressMethod('assetsaddress', assetsModule),
  tokenMethod('tokenlist', [0, 0], tokenList),
  tokenMethod('tokeninfo tokenid', [1, 1], tokenInfo),
  tokenMethod('tokenbalance tokenid [pubkey]', [0, 2], tokenBalance),
  tokenMethod('tokencreate name supply [description][data]', [2, 4], tokenCreate),
  tokenMethod('tokentransfer tokenid destpubkey amount', [3, 3], tokenTransfer),
])

/** A method of komodod's modules. Its usage is all its help. */
export function tokenMethod(
  usage: string,
  params: readonly [number, number],
  answer: ModuleAnswer,
): MethodRow {
  return method(`${usage}\n`, params, withPubkey(answer))
}

/** @see komodo src/wallet/rpcwallet.cpp, CCaddress */
function addressMethod(method: string, { name, evalCode, global }: NamedModule): MethodRow {
  const condition = (key: string) => slotScript([key], [evalCode])
  const dual = (key: string) => slotScript([key], tokenEvalCodes(evalCode))
  return tokenMethod(`${method} [pubkey]`, [0, 1], (context, { pubkey }, [given]) => {
    const other = given === undefined ? '' : lenientHex(text(given))
    // For bytes that are not a key the daemon gives the module's own address.
    const named = condition(keyBytes(other) || global)
    return {
      result: 'success',
      [`${name}CCAddress`]: addressOf(context, condition(global)),
      [`${name}CCBalance`]: balanceOf(context, condition(global)),
      [`${name}NormalAddress`]: addressOf(context, pubkeyScript(global)),
      [`${name}NormalBalance`]: balanceOf(context, pubkeyScript(global)),
      ...(name === 'Assets' && { AssetsCCTokensAddress: addressOf(context, dual(global)) }),
      ...(other.length === compressedKeyDigits && {
        [`PubkeyCCaddress(${name})`]: addressOf(context, named),
        // The daemon looks for ordinary coins at this address.
        [`PubkeyCCbalance(${name})`]: ordinaryBalanceOf(context, named),
      }),
      [`myCCAddress(${name})`]: addressOf(context, condition(pubkey)),
      [`myCCbalance(${name})`]: balanceOf(context, condition(pubkey)),
      myaddress: addressOf(context, pubkeyScript(pubkey)),
      mybalance: balanceOf(context, pubkeyScript(pubkey)),
    }
  })
}

export function addressOf({ engine }: Context, script: string): string {
  return addressOfScript(script, engine.rules.network)!
}

/** Confirmed coins at a script's address. */
export function balanceOf(context: Context, script: string): Written {
  const isCondition = context.rules.scripts.describe(script).type === 'cryptocondition'
  return indexedBalance(context, script, isCondition ? indexTypes.condition : indexTypes.key)
}

/** Coins that an ordinary payment to the address of a condition brought there. */
export function ordinaryBalanceOf(context: Context, script: string): Written {
  return indexedBalance(context, script, indexTypes.key)
}

function indexedBalance(context: Context, script: string, type: string): Written {
  const key = indexKeyOf(context.engine, script, type)
  let sum = 0n
  for (const { value } of coinsUnder(context, key)) sum += value
  return coins(sum)
}

/**
 * Returns the creations with an old marker, spent or not; then those whose marker is unspent.
 *
 * @see komodo src/cc/CCtokens.cpp, TokenList; src/cc/CCtx.cpp, SetCCtxids
 */
function tokenList(context: Context): Answer {
  const key = indexKeyOf(context.engine, markerScript, indexTypes.condition)
  const listed: string[] = []
  for (const { txid } of [...oldMarkers(context), ...coinsUnder(context, key)]) {
    if (creationOf(context.engine, txid) !== undefined) listed.push(txid)
  }
  return listed
}

function tokenInfo(context: Context, _: Builder, [id]: Params): Answer {
  const tokenid = hashOrZero(text(id))
  const stored = findTransaction(context, tokenid)
  if (stored === undefined) return moduleError('cant find tokenid')
  if (positionOf(context.state, tokenid) === undefined) {
    return moduleError('the transaction is still in mempool')
  }
  const { tokens } = context.rules.modules
  const find = finderOf(context)
  const created = tokens.creationOf(tokenid, find)
  if (created === undefined) return moduleError('tokenid isnt token creation txid')
  const data = created.extras.find(({ kind }) => kind === 'nonFungible')?.data
  return {
    result: 'success',
    tokenid,
    owner: created.owner,
    name: created.name,
    supply: tokens.supplyOf(tokenid, find),
    description: created.description,
    data,
  }
}

function tokenBalance(context: Context, { pubkey }: Builder, [id, given]: Params): Answer {
  const echoed = text(id)
  const tokenid = hashOrZero(echoed)
  const key = given === undefined ? pubkey : keyBytes(lenientHex(text(given)))
  if (findTransaction(context, tokenid) === undefined) return moduleError('cant find tokenid')
  // The daemon takes an invalid key for the module's own here.
  const shown = key === '' ? tokensGlobalPubkey : key
  const { amount } =
    key === '' ? { amount: 0n } : tokenInputs(context.engine, { tokenid, pubkey: key })
  return {
    result: 'success',
    CCaddress: addressOf(context, slotScript([shown], [tokensEvalCode])),
    tokenid: echoed,
    balance: amount,
  }
}

/**
 * Coins in double arithmetic, with the daemon's own idea of rounding.
 *
 * @see komodo src/wallet/rpcwallet.cpp, tokencreate
 */
function supplyOf(digits: string): bigint {
  const units = Math.trunc(leadingNumber(digits) * 100_000_000 + 0.00000000499999)
  return Number.isFinite(units) && Math.abs(units) < 2 ** 63 ? BigInt(units) : -(1n << 63n)
}

function tokenCreate(_: Context, builder: Builder, params: Params): Answer {
  const name = text(params[0])
  if (name === '' || bytesOf(name) > tokenNameBytesMax) {
    return moduleError('Token name must not be empty and up to 32 characters')
  }
  const supply = supplyOf(text(params[1]))
  if (supply <= 0n) return moduleError('Token supply must be positive')
  const description = params.length > 2 ? text(params[2]) : ''
  if (bytesOf(description) > tokenDescriptionBytesMax) {
    return moduleError('Token description must be <= 4096 characters')
  }
  const data = params.length > 3 ? lenientHex(text(params[3])) : undefined
  if (data === '') return moduleError('Non-fungible data incorrect')
  if (data !== undefined && data.length > 2 * tokenDataBytesMax) {
    return moduleError('Non-fungible data size must be <= 10001')
  }
  if (data !== undefined && supply !== 1n) {
    return moduleError('for non-fungible tokens tokensupply should be equal to 1')
  }
  const { pubkey } = builder
  const inputs = pubkeyInputs(builder, {
    total: supply + 2n * defaultFee,
    inputsMax: createInputsMax,
  })
  if (inputs.length === 0) return moduleError('cant find normal inputs')
  const evalCode = data === undefined ? undefined : Number.parseInt(data.slice(0, 2), 16)
  const nulldata = encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'create',
    owner: pubkey,
    name,
    description,
    ...(data !== undefined && { extras: [{ kind: 'nonFungible', id: 0x11, data }] }),
  })
  const outputs = [
    { value: defaultFee, script: markerScript },
    tokenOutput(evalCode, supply, pubkey),
  ]
  const hex = finalized(builder, { inputs, outputs, nulldata })
  return hex === '' ? moduleError('') : { result: 'success', hex }
}

function bytesOf(words: string): number {
  return Buffer.byteLength(words)
}

/** @see komodo src/cc/CCtokens.cpp, TokenTransfer */
function tokenTransfer(context: Context, builder: Builder, params: Params): Answer {
  const tokenid = hashOrZero(text(params[0]))
  const destination = lenientHex(text(params[1]))
  const amount = leadingInteger(text(params[2]))
  if (tokenid === zeroHex32) return moduleError('invalid tokenid')
  if (amount <= 0n) return moduleError('amount must be positive')
  const fee = walletInputs(builder, { total: defaultFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return moduleError('insufficient normal inputs for tx fee')
  const { pubkey } = builder
  const choice = { tokenid, pubkey, total: amount, inputsMax: tokenInputsMax }
  const held = tokenInputs(context.engine, choice)
  if (held.amount === 0n) return moduleError('no token inputs')
  if (held.amount < amount) return moduleError('insufficient token inputs')
  const change = held.amount - amount
  const outputs = [
    tokenOutput(held.evalCode, amount, keyBytes(destination) || noKey),
    ...(change > 0n ? [tokenOutput(held.evalCode, change, pubkey)] : []),
  ]
  const nulldata = encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'transfer',
    tokenid,
    pubkeys: [keyBytes(destination) === '' ? '' : destination],
  })
  const hex = finalized(builder, { inputs: [...fee, ...held.inputs], outputs, nulldata })
  return { result: 'success', hex }
}

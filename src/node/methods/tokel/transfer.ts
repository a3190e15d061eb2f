// Methods that move tokeld's tokens.

import { defaultFee, markerSats } from '../../../chain/limits.ts'
import {
  burnPublicKeys,
  moduleOfEvalCode,
  tokensEvalCode,
  tokensV2EvalCode,
} from '../../../chain/modules.ts'
import { append } from '../../../primitives/append.ts'
import { isCompressedKey, zeroHex32 } from '../../../primitives/hex-forms.ts'
import { hashOfKey } from '../../../script/public-key.ts'
import { decodeAddress } from '../../../script/read-address.ts'
import { encodeTokenPayload } from '../../../token/payload/encode.ts'
import type { Holder } from '../../../token/rules/rules.ts'
import type { TokenVersion } from '../../../token/rules/tokel-output.ts'
import type { TransactionOutput } from '../../../transaction/types.ts'
import type { Builder, Selected } from '../../wallet/condition-builder.ts'
import {
  anyInputs,
  finalizedTokel,
  ownInputs,
  tokelInputs,
  tokenIndexKeys,
} from '../../wallet/tokel-builder.ts'
import { holderScript } from '../../wallet/tokel-scripts.ts'
import type { Answer } from '../answer.ts'
import { type Context, type Methods, methodsIn } from '../context.ts'
import { hashOrZero, leadingInteger, lenientHex, type Params, text } from '../params.ts'
import { bothVersions, keyOf, ModuleError, tokelMethod } from './method.ts'

export const tokelTransferMethods: Methods = methodsIn('tokens', [
  ...bothVersions('transfer', (name, version) =>
    tokelMethod(transferUsage(name), [3, 3], (context, builder, params) => {
      const tokenid = wholeHash(text(params[0]))
      const holder = destinationOf(context, text(params[1]), version)
      const amount = wholeUnits(text(params[2]))
      return success(transferred(builder, { version, tokenid, holder, amount }))
    }),
  ),
  ...bothVersions('burn', (name, version) =>
    tokelMethod(burnUsage(name), [3, 3], (_, builder, params) => {
      const tokenid = wholeHash(text(params[0]))
      const amount = wholeUnits(text(params[1]))
      const takesMarker = text(params[2]).toLowerCase() === 'true'
      const holder = burnPublicKeys.tokel
      return success(transferred(builder, { version, tokenid, holder, amount, takesMarker }))
    }),
  ),
  tokelMethod(
    'tokenv2transfermany tokenid1 tokenid2 ... destpubkey amount \n',
    [3, Number.POSITIVE_INFINITY],
    (_, builder, params) => transferredMany(builder, params),
  ),
])

function transferUsage(name: string): string {
  return [
    `${name} tokenid destination amount`,
    'To spend 1of1 token utxo and send to 1of1 destination. Params:',
    '   tokenid - token creation id',
    '   destination - destination pubkey or R-address',
    '   amount - token amount to send, in satoshi\n\n',
  ].join('\n')
}

function burnUsage(name: string): string {
  return [
    `${name} tokenid amount remove`,
    'to burn token amount by sending to a burn pubkey:',
    '   tokenid - token creation id',
    '   amount - token amount to burn, in satoshi',
    '   remove - remove from tokenlist by burning the marker utxo (true|false)\n\n',
  ].join('\n')
}

export function success(hex: string): Answer {
  return { result: 'success', hex }
}

/** @throws {ModuleError} for a text that is not a hash, and for a hash of zeros */
export function wholeHash(digits: string): string {
  const tokenid = hashOrZero(digits)
  if (tokenid === zeroHex32) throw new ModuleError('invalid tokenid')
  return tokenid
}

/** @throws {ModuleError} for zero and less */
function wholeUnits(digits: string): bigint {
  const amount = leadingInteger(digits)
  if (amount <= 0n) throw new ModuleError('amount must be positive')
  return amount
}

/**
 * A key, or in version 2 always the hash of one, whether the call gives the key or its address.
 *
 * @see tokel src/rpc/tokensrpc.cpp, tokentransfer
 */
function destinationOf({ engine }: Context, given: string, version: TokenVersion): string {
  const bytes = lenientHex(given)
  const isKey = isCompressedKey(bytes)
  const address = decodeAddress(given)
  const isAddress = !isKey && address?.prefix === engine.rules.network.pubKeyHashPrefix
  if (!isKey && !isAddress) throw new ModuleError('invalid destination pubkey or address')
  if (version === 2) return isKey ? hashOfKey(bytes) : address!.hash160
  if (isAddress) throw new ModuleError('invalid destination pubkey')
  return bytes
}

interface Transfer {
  readonly version: TokenVersion
  readonly tokenid: string
  readonly holder: Holder
  readonly amount: bigint
  /** True to spend the token's marker too, so that wallets list it no more. */
  readonly takesMarker?: boolean
}

/** @see tokel src/cc/CCtokens_impl.h, TokenTransferExtDest */
export function transferred(builder: Builder, transfer: Transfer): string {
  const { version, tokenid, holder, amount, takesMarker = false } = transfer
  const { engine, pubkey } = builder
  const coins = ownInputs(builder, defaultFee)
  if (coins.length === 0) throw new ModuleError('insufficient normal inputs for tx fee')
  const indexKeys = tokenIndexKeys(engine, version, pubkey)
  const held = tokelInputs(engine, { version, tokenid, indexKeys, total: amount })
  requireHeld(held.amount, amount)
  const hex = finalizedTokel(builder, {
    version,
    coins,
    spends: [...held.inputs, ...(takesMarker ? [markerOf(tokenid)] : [])],
    outputs: [
      { value: amount, script: holderScript(version, holder) },
      ...changeOf(held.amount - amount, changeScript(version, pubkey)),
    ],
    nulldata: transferPayload(version, tokenid, holder),
    ...(takesMarker && { moduleKeys: [moduleKey(version)] }),
  })
  if (hex === undefined) throw new ModuleError('could not finalize tx')
  return hex
}

export function requireHeld(held: bigint, amount: bigint): void {
  if (held === 0n) throw new ModuleError('no token inputs')
  if (held < amount) throw new ModuleError('insufficient token inputs')
}

/** Change goes to the key's hash in version 2. */
export function changeScript(version: TokenVersion, pubkey: string): string {
  return holderScript(version, version === 2 ? hashOfKey(pubkey) : pubkey)
}

export function changeOf(value: bigint, script: string): TransactionOutput[] {
  return value > 0n ? [{ value, script }] : []
}

export function transferPayload(version: TokenVersion, tokenid: string, holder: Holder): string {
  const pubkeys = version === 1 && typeof holder === 'string' ? [holder] : []
  const layout = version === 1 ? 'tokel-v1' : 'tokens-v2'
  return encodeTokenPayload({ layout, kind: 'transfer', tokenid, pubkeys })
}

function markerOf(tokenid: string): Selected {
  return { txid: tokenid, vout: 0, value: markerSats }
}

/** Published with the module; it signs for the marker. */
function moduleKey(version: TokenVersion): string {
  return moduleOfEvalCode(version === 1 ? tokensEvalCode : tokensV2EvalCode)!.key!.privateKey
}

/** @see tokel src/rpc/tokensrpc.cpp, tokentransfermany */
function transferredMany(builder: Builder, params: Params): Answer {
  const { engine, pubkey } = builder
  const tokenids = params.slice(0, -2).map((id) => wholeHash(text(id)))
  const destination = keyOf(lenientHex(text(params.at(-2))))
  if (destination === undefined || !isCompressedKey(destination)) {
    throw new ModuleError('invalid destpubkey')
  }
  const amount = wholeUnits(text(params.at(-1)))
  const coins = anyInputs(builder, defaultFee)
  const indexKeys = tokenIndexKeys(engine, 2, pubkey)
  const spends: Selected[] = []
  const outputs: TransactionOutput[] = []
  for (const tokenid of tokenids) {
    const wanted = { version: 2, tokenid, indexKeys, total: amount, taken: spends } as const
    const held = tokelInputs(engine, wanted)
    if (held.amount < amount) throw new ModuleError(`insufficient token inputs ${tokenid}`)
    append(spends, held.inputs)
    outputs.push(
      { value: amount, script: holderScript(2, destination, tokenid) },
      ...changeOf(held.amount - amount, holderScript(2, pubkey, tokenid)),
    )
  }
  const assembly = { version: 2, coins, spends, outputs, nulldata: '' } as const
  const hex = finalizedTokel(builder, assembly)
  if (hex === undefined) throw new ModuleError('cannot finalize tx')
  return { hex }
}

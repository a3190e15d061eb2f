import { sha256 } from '@noble/hashes/sha2.js'
import {
  tokenDataBytesMax,
  tokenDescriptionBytesMax,
  tokenNameBytesMax,
} from '../../chain/limits.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { bytesFromHex, hexFromBytes, normalizeHex } from '../../primitives/hex.ts'
import {
  misuse,
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../../primitives/misuse.ts'
import { isPoint } from '../../primitives/secp256k1.ts'
import { tellableKey } from '../../primitives/tellable-key.ts'
import { amountMax, coinsOfSats } from '../amounts.ts'

// The daemon cuts, pads and guesses where it should refuse: an id that is no hex makes it read past
// a buffer, a key that is none makes a transaction nobody can spend, "1.5" tokens are 1. So what it
// does not check is checked here, before anything is sent.
// src: komodo rpc/tokensrpc.cpp, cc/CCtokens.cpp; seen in the recordings

/** Parameters of `tokenaddress`. */
export interface TokenAddressParams {
  readonly pubkey?: string
}

export interface TokenBalanceParams {
  readonly tokenid: string
  /** Compressed key, hex; the node's own if absent. May be the burn key, which is no point. */
  readonly pubkey?: string
}

export interface TokenCreateParams {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string
  /** Token units: one unit is one satoshi. Sent as a decimal string of coins. */
  readonly supply: bigint
  /** Up to 4096 bytes of UTF-8. */
  readonly description?: string
  /** Data of a non-fungible token, hex, 1 to 10001 bytes; the supply must then be 1n. */
  readonly data?: string
}

export interface TokenInfoParams {
  readonly tokenid: string
}

export interface TokenTransferParams {
  readonly tokenid: string
  /** Compressed key of the receiver, hex: never an address, to which tokens would be lost. */
  readonly destpubkey: string
  /** Token units, sent as a string of an integer. */
  readonly amount: bigint
}

/** The daemon's help calls the text `hexstring`, its documentation `hex`: one of the two. */
export type HexParams =
  | { readonly hex: string; readonly hexstring?: never }
  | { readonly hexstring: string; readonly hex?: never }

export type SendRawTransactionParams = HexParams & { readonly allowhighfees?: boolean }

export interface GetRawTransactionParams {
  readonly txid: string
  /** 0 for the hex (default), 1 for the decoded transaction. */
  readonly verbose?: 0 | 1
}

export interface GetTxOutParams {
  readonly txid: string
  readonly n: number
  /** Default true. */
  readonly includemempool?: boolean
}

export interface GetAddressUtxosParams {
  readonly addresses: readonly string[]
  /** Answers with the best block as well. */
  readonly chainInfo?: boolean
  /** Asks the index of crypto-condition outputs instead of the one of normal outputs. */
  readonly ccvout?: boolean
}

export interface ListUnspentParams {
  readonly minconf?: number
  readonly maxconf?: number
  readonly addresses?: readonly string[]
}

export interface ValidateAddressParams {
  readonly address: string
}

export interface GetRawMempoolParams {
  readonly verbose?: boolean
}

export interface HelpParams {
  readonly command?: string
}

export type NoParams = Readonly<Record<string, never>>

/** 32 bytes in display order, lower case. */
function hashText(value: unknown, name: string): string {
  requireString(value, name)
  if (value.length !== 64) {
    throw new AntaraError('wrong_length', {
      path: name,
      expected: '64 digits',
      actual: value.length,
    })
  }
  return normalizeHex(value, name)
}

/** The form of a compressed public key, lower case. To ask about one it need be no more than that. */
function keyText(value: unknown, name: string): string {
  requireString(value, name)
  if (!/^0[23][0-9a-f]{64}$/i.test(value)) {
    throw new AntaraError('malformed_public_key', { path: name, actual: tellableKey(value) })
  }
  return value.toLowerCase()
}

/** A compressed public key that is a point of the curve, lower case: to pay to another is to burn. */
function pubkeyText(value: unknown, name: string): string {
  const digits = keyText(value, name)
  if (!isPoint(digits)) {
    throw new AntaraError('public_key_off_curve', { path: name, actual: digits })
  }
  return digits
}

/** Bytes as hex, at least one. */
function hexText(value: unknown, name: string): string {
  requireString(value, name)
  if (value === '') throw new AntaraError('empty_input', { path: name })
  return normalizeHex(value, name)
}

function amountOf(value: unknown, name: string): bigint {
  requireBigint(value, name)
  if (value < 1n || value > amountMax) {
    throw new AntaraError('amount_out_of_range', {
      path: name,
      expected: 'at least 1',
      actual: value,
    })
  }
  return value
}

function textOf(value: unknown, name: string, bytesMin: number, bytesMax: number): string {
  requireString(value, name)
  if (/\p{Surrogate}/u.test(value)) throw new AntaraError('text_mismatch', { path: name })
  const bytes = new TextEncoder().encode(value).length
  if (bytes < bytesMin || bytes > bytesMax) {
    const expected = `${bytesMin} to ${bytesMax} bytes`
    throw new AntaraError('size_out_of_range', { path: name, expected, actual: bytes })
  }
  return value
}

function flagOf(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw misuse(name, 'a boolean', value)
  return value
}

function addressesOf(value: unknown): readonly string[] {
  requireArray(value, 'addresses')
  return value.map((address, index) => {
    requireString(address, `addresses[${index}]`)
    return address
  })
}

/** Positional parameters without the absent ones at the end. */
function positional(...values: readonly unknown[]): readonly unknown[] {
  return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1)
}

export function noParams(): readonly unknown[] {
  return []
}

export function tokenAddressParams({ pubkey }: TokenAddressParams): readonly unknown[] {
  return positional(pubkey === undefined ? undefined : keyText(pubkey, 'pubkey'))
}

export function tokenBalanceParams({ tokenid, pubkey }: TokenBalanceParams): readonly unknown[] {
  return positional(
    hashText(tokenid, 'tokenid'),
    pubkey === undefined ? undefined : keyText(pubkey, 'pubkey'),
  )
}

export function tokenCreateParams(params: TokenCreateParams): readonly unknown[] {
  const supply = amountOf(params.supply, 'supply')
  const name = textOf(params.name, 'name', 1, tokenNameBytesMax)
  const description = textOf(params.description ?? '', 'description', 0, tokenDescriptionBytesMax)
  const coins = coinsOfSats(supply)
  if (params.data === undefined) {
    return positional(name, coins, params.description === undefined ? undefined : description)
  }
  const data = hexText(params.data, 'data')
  if (data.length > 2 * tokenDataBytesMax) {
    const expected = `1 to ${tokenDataBytesMax} bytes`
    throw new AntaraError('size_out_of_range', { path: 'data', expected, actual: data.length / 2 })
  }
  if (supply !== 1n) {
    throw new AntaraError('amount_out_of_range', { path: 'supply', expected: 1n, actual: supply })
  }
  return [name, coins, description, data]
}

export function tokenInfoParams({ tokenid }: TokenInfoParams): readonly unknown[] {
  return [hashText(tokenid, 'tokenid')]
}

export function tokenTransferParams(params: TokenTransferParams): readonly unknown[] {
  return [
    hashText(params.tokenid, 'tokenid'),
    pubkeyText(params.destpubkey, 'destpubkey'),
    amountOf(params.amount, 'amount').toString(),
  ]
}

export function rawHexOf(params: HexParams): string {
  return hexText(params.hex ?? params.hexstring, 'hex')
}

export function sendRawTransactionParams(params: SendRawTransactionParams): readonly unknown[] {
  const { allowhighfees } = params
  return positional(
    rawHexOf(params),
    allowhighfees === undefined ? undefined : flagOf(allowhighfees, 'allowhighfees'),
  )
}

export function decodeRawTransactionParams(params: HexParams): readonly unknown[] {
  return [rawHexOf(params)]
}

export function getRawTransactionParams(params: GetRawTransactionParams): readonly unknown[] {
  const { verbose } = params
  if (verbose !== undefined && verbose !== 0 && verbose !== 1) {
    throw misuse('verbose', '0 or 1', verbose)
  }
  return positional(hashText(params.txid, 'txid'), verbose)
}

export function getTxOutParams({ txid, n, includemempool }: GetTxOutParams): readonly unknown[] {
  requireUint32(n, 'n')
  return positional(
    hashText(txid, 'txid'),
    n,
    includemempool === undefined ? undefined : flagOf(includemempool, 'includemempool'),
  )
}

export function getAddressUtxosParams(params: GetAddressUtxosParams): readonly unknown[] {
  const { chainInfo, ccvout = false } = params
  const query = {
    addresses: addressesOf(params.addresses),
    ...(chainInfo !== undefined && { chainInfo: flagOf(chainInfo, 'chainInfo') }),
  }
  // Any second parameter, even 0 or false, switches the index: komodo rpc/misc.cpp.
  return flagOf(ccvout, 'ccvout') ? [query, 1] : [query]
}

const minconfDefault = 1
const maxconfDefault = 9_999_999

export function listUnspentParams(params: ListUnspentParams): readonly unknown[] {
  const { minconf, maxconf } = params
  const addresses = params.addresses === undefined ? undefined : addressesOf(params.addresses)
  if (minconf !== undefined) requireUint32(minconf, 'minconf')
  if (maxconf !== undefined) requireUint32(maxconf, 'maxconf')
  if (addresses !== undefined) {
    return [minconf ?? minconfDefault, maxconf ?? maxconfDefault, addresses]
  }
  return maxconf === undefined ? positional(minconf) : [minconf ?? minconfDefault, maxconf]
}

export function validateAddressParams({ address }: ValidateAddressParams): readonly unknown[] {
  requireString(address, 'address')
  return [address]
}

export function getRawMempoolParams({ verbose }: GetRawMempoolParams): readonly unknown[] {
  return positional(verbose === undefined ? undefined : flagOf(verbose, 'verbose'))
}

export function helpParams({ command }: HelpParams): readonly unknown[] {
  if (command !== undefined) requireString(command, 'command')
  return positional(command)
}

/** What a method's parameters must at least be. */
export function paramsObject(value: unknown): object {
  requireObject(value, 'params')
  return value
}

/**
 * Id of a raw transaction of any version: the double SHA-256 of all its bytes, display order.
 *
 * Reads nothing out of the bytes, so it needs no engine and works in a browser.
 */
export function txidOfHex(hex: string): string {
  return hexFromBytes(sha256(sha256(bytesFromHex(hex))).reverse())
}

// Readers of the parameters of token methods. A text that the daemon could read differently is
// refused. Sources: komodo src/wallet/rpcwallet.cpp, tokel src/rpc/tokensrpc.cpp (atoll, atof,
// Parseuint256, ParseHex).

import { parseCoins, satsMax } from '../primitives/amount.ts'
import { isCompressedKey, isHex32 } from '../primitives/hex-forms.ts'
import { isJsonObject, JsonFaultError, type JsonValue, parseJson } from '../primitives/json.ts'
import { refusedParameter } from './refusals.ts'

/**
 * Reads the parameter at a place; the parameter is there, because its method counts them.
 *
 * @param path - names it in a refusal; default: `params[AT]`
 */
export type Read<Value> = (params: readonly JsonValue[], at: number, path?: string) => Value

/** Reads a text. komodo: get_str() refuses everything else, too. */
const given: Read<string> = (params, at, path = `params[${at}]`) => {
  const value = params[at]
  if (typeof value === 'string') return value
  throw refusedParameter(path, 'a text')
}

/** Reads a text, empty if the parameter is absent. */
export const text: Read<string> = (params, at, path) =>
  params[at] === undefined ? '' : given(params, at, path)

export const matching =
  (pattern: RegExp, expected: string): Read<string> =>
  (params, at, path = `params[${at}]`) => {
    const read = given(params, at, path)
    if (pattern.test(read)) return read
    throw refusedParameter(path, expected)
  }

/** Reads hex of one form, in lower case. */
const hexOf =
  (isOfForm: (text: string) => boolean, expected: string): Read<string> =>
  (params, at, path = `params[${at}]`) => {
    const read = given(params, at, path).toLowerCase()
    if (isOfForm(read)) return read
    throw refusedParameter(path, expected)
  }

export const txid: Read<string> = hexOf(isHex32, 'a txid of 64 hex digits')
export const key: Read<string> = hexOf(isCompressedKey, 'a compressed public key')
export const hex: Read<string> = matching(/^(?:[0-9a-fA-F]{2})+$/, 'hex')

/** Matches units without a sign. atoll would also take `1e3`, ` 5`, `1.5` and `0x10`. */
export const unitDigits: RegExp = /^[1-9]\d{0,18}$/

export const units: Read<bigint> = (params, at, path = `params[${at}]`) => {
  const amount = BigInt(matching(unitDigits, 'whole units in digits')(params, at, path))
  if (amount <= satsMax) return amount
  throw refusedParameter(path, `at most ${satsMax} units`)
}

/**
 * The daemon reads coins as a double; the verifier compares its transaction with the exact value.
 */
export const coins: Read<bigint> = (params, at) => {
  const read = matching(/^(?:0|[1-9]\d{0,9})(?:\.\d{1,8})?$/, 'coins in decimal digits')(params, at)
  return parseCoins(read)
}

/** The address of a key, or a key. The verifier checks it further. */
export const holder: Read<string> = matching(/^[0-9a-zA-Z]{26,66}$/, 'a public key or its address')

/**
 * Reads an object, or a text that holds one, as tokeld does.
 *
 * @param members - the members that the guard reads; any other one is refused
 */
export const objectOf =
  (members: readonly string[]): Read<Readonly<Record<string, JsonValue>>> =>
  (params, at) => {
    const value = parsed(params[at])
    if (!isJsonObject(value)) throw refusedParameter(`params[${at}]`, 'an object of JSON')
    if (Object.keys(value).every((name) => members.includes(name))) return value
    throw refusedParameter(`params[${at}]`, `the members ${members.join(', ')} only`)
  }

/** Returns `undefined` for a text that is not JSON, or that has a member twice. */
function parsed(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value
  try {
    return parseJson(value, 'none')
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    return undefined
  }
}

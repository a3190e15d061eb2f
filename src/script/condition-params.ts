// Reads and writes the data that an output with a condition pushes and drops to describe itself.

import { AntaraError } from '../errors/antara-error.ts'
import { requireArray, requireString } from '../primitives/arguments.ts'
import { bytesFromHex, normalizeHex } from '../primitives/hex.ts'
import { byteHex, hexText } from '../primitives/wire.ts'
import { hasKeyForm } from './key-script.ts'
import { pushedData, pushOf } from './push.ts'
import { stepsOf } from './template.ts'

/**
 * Data that an output with a condition pushes and drops, to describe itself. No rule of the chain
 * enforces that they agree with the condition.
 *
 * @see komodo src/script/standard.h, COptCCParams
 */
export interface ConditionParams {
  /** 1 on komodod; 2 on tokeld for outputs that name their keys. */
  readonly version: number
  readonly evalCode: number
  /** The number of keys that must sign. */
  readonly m: number
  readonly n: number
  /** Hex. Empty in version 1 on tokeld. */
  readonly pubkeys: readonly string[]
  /** Hex of each further element. */
  readonly data: readonly string[]
}

const keysMax = 128

/**
 * Reads parameters as a daemon does; `undefined` if the daemon would not accept them.
 *
 * @param blob - hex, the data of the push
 * @param daemon - the daemon whose rules count; default `komodo`
 * @returns keys and data in hex
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 * @see komodo src/script/standard.cpp, COptCCParams::COptCCParams; tokel the same, for other
 *   versions
 * @example
 * decodeConditionParams('0402f5010121' + pubkey, 'tokel')?.pubkeys // [pubkey]
 */
export function decodeConditionParams(
  blob: string,
  daemon: 'komodo' | 'tokel' = 'komodo',
): ConditionParams | undefined {
  requireString(blob, 'blob')
  const elements = (stepsOf(normalizeHex(blob)) ?? []).map(pushedData)
  // A step that pushes nothing is no element.
  return elements.includes(undefined) ? undefined : paramsOfElements(elements as string[], daemon)
}

/** Reads parameters from their elements: the data of the push is itself a script of pushes. */
export function paramsOfElements(
  [header, ...elements]: readonly string[],
  daemon: 'komodo' | 'tokel',
): ConditionParams | undefined {
  if (header?.length !== 8) return undefined
  const [version = 0, evalCode = 0, m = 0, n = 0] = bytesFromHex(header)
  const keys = countedKeys(daemon, { version, m, n }, elements.length)
  if (keys === undefined) return undefined
  const pubkeys = elements.slice(0, keys)
  if (!pubkeys.every(hasKeyForm)) return undefined
  return { version, evalCode, m, n, pubkeys, data: elements.slice(keys) }
}

/** Returns the number of keys before the data; `undefined` if the header is not valid. */
function countedKeys(
  daemon: 'komodo' | 'tokel',
  { version, m, n }: { version: number; m: number; n: number },
  elements: number,
): number | undefined {
  const isOneOfOneOrTwo = m === 1 && (n === 1 || n === 2) && elements >= n
  if (daemon === 'komodo') return version === 1 && isOneOfOneOrTwo ? n : undefined
  if (version === 0) return undefined
  if (version === 1) return isOneOfOneOrTwo ? 0 : undefined
  if (version !== 2) return 0
  const isCounted = m >= 1 && m <= keysMax && n >= 1 && n <= keysMax && elements >= n
  return isCounted ? n : undefined
}

/**
 * Writes parameters as `COptCCParams::AsVector` does.
 *
 * @param params - keys and data in hex; four numbers of one byte
 * @returns hex, the data of the push
 * @throws {AntaraError} `size_out_of_range` for an element of no bytes, `malformed_hex`,
 *   `odd_length_hex`
 * @throws {TypeError} for a number that is not a byte
 * @see komodo src/script/standard.h, COptCCParams::AsVector
 * @example
 * encodeConditionParams({ version: 2, evalCode: 0xf5, m: 1, n: 0, pubkeys: [], data: [] })
 * // '0402f50100'
 */
export function encodeConditionParams(params: ConditionParams): string {
  const { version, evalCode, m, n, pubkeys, data } = params
  requireArray(pubkeys, 'params.pubkeys')
  requireArray(data, 'params.data')
  const header = Object.entries({ version, evalCode, m, n }).map(([name, value]) => {
    if (Number.isInteger(value) && value >= 0 && value <= 0xff) return byteHex(value)
    throw new TypeError(`params.${name}: expected an integer from 0 to 255, got ${String(value)}`)
  })
  const elements = [...pubkeys, ...data].map((element, index) => {
    const path = index < pubkeys.length ? `pubkeys[${index}]` : `data[${index - pubkeys.length}]`
    const hex = hexText(element, `params.${path}`)
    // An empty element would be pushed as OP_0, which reads back as a zero byte.
    if (hex === '') throw new AntaraError('size_out_of_range', { path: `params.${path}` })
    return pushOf(hex)
  })
  return pushOf(header.join('')) + elements.join('')
}

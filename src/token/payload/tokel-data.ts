// Properties of Tokel's non-fungible tokens as bytes.

import { tokelDataEvalCode } from '../../chain/modules.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { requireObject, requireString } from '../../primitives/arguments.ts'
import { requireKnownMembers } from '../../primitives/known-members.ts'
import { utf8Hex } from '../../primitives/utf8.ts'
import {
  byteHex,
  type Cursor,
  compactSizeHex,
  compactSizeMax,
  cursorOver,
  hexText,
  readByte,
  readCompactSize,
  readVector,
  remaining,
  textOfHex,
  vectorHex,
} from '../../primitives/wire.ts'

/**
 * Properties of a Tokel non-fungible token. The order of the members is the order on the wire.
 *
 * `royalty` counts thousandths, 0 to 999. `arbitrary` is hex. `urlHex` is present only if the url
 * is not valid UTF-8; `url` then shows U+FFFD for invalid sequences.
 */
export interface TokelData {
  readonly id?: number
  readonly url?: string
  readonly urlHex?: string
  readonly royalty?: number
  readonly arbitrary?: string
}

const version = 1
const royaltyMax = 999
// tokel src/cc/CCTokelData.h, tklPropId
const property = { id: 1, url: 2, royalty: 3, arbitrary: 4 } as const

/**
 * Decodes the properties of a Tokel non-fungible token.
 *
 * @param data - hex of the token's data, `f701…`
 * @returns the properties; `royalty` in thousandths, `arbitrary` in hex
 * @throws {AntaraError} `truncated`, `unknown_data_version`, `unknown_property`,
 * `duplicate_property`, `royalty_over_limit`, with the byte offset
 * @see tokel src/cc/CCTokelData.cpp, UnmarshalTokelVData
 * @example
 * decodeTokelData('f70101010319040200ff') // { id: 1, royalty: 25, arbitrary: '00ff' }
 */
export function decodeTokelData(data: string): TokelData {
  return readTokelData(cursorOver(data))
}

export function readTokelData(cursor: Cursor): TokelData {
  const start = cursor.offset
  const evalCode = readByte(cursor, 'evalCode')
  if (evalCode !== tokelDataEvalCode) {
    throw new AntaraError('unknown_eval_code', { offset: start, actual: byteHex(evalCode) })
  }
  const versionAt = cursor.offset
  const actual = readByte(cursor, 'version')
  if (actual !== version) {
    throw new AntaraError('unknown_data_version', { offset: versionAt, expected: version, actual })
  }
  const data: { -readonly [Name in keyof TokelData]: TokelData[Name] } = {}
  const seen = new Set<number>()
  while (remaining(cursor) > 0) {
    const at = cursor.offset
    const id = readByte(cursor, 'property')
    if (seen.has(id)) throw new AntaraError('duplicate_property', { offset: at, actual: id })
    seen.add(id)
    readProperty(cursor, data, id, at)
  }
  return data
}

function readProperty(
  cursor: Cursor,
  data: { -readonly [Name in keyof TokelData]: TokelData[Name] },
  id: number,
  at: number,
): void {
  switch (id) {
    case property.id:
      data.id = readCompactSize(cursor, 'id')
      return
    case property.url: {
      const bytes = readVector(cursor, 'url')
      data.url = textOfHex(bytes)
      if (utf8Hex(data.url, 'url') !== bytes) data.urlHex = bytes
      return
    }
    case property.royalty: {
      const royaltyAt = cursor.offset
      data.royalty = readCompactSize(cursor, 'royalty')
      if (data.royalty > royaltyMax) {
        throw new AntaraError('royalty_over_limit', {
          offset: royaltyAt,
          expected: royaltyMax,
          actual: data.royalty,
        })
      }
      return
    }
    case property.arbitrary:
      data.arbitrary = readVector(cursor, 'arbitrary')
      return
    default:
      throw new AntaraError('unknown_property', { offset: at, actual: id })
  }
}

/**
 * Encodes the properties of a Tokel non-fungible token, in the order of the object's members.
 *
 * @param data - each property at most once; `urlHex` for a URL that is not UTF-8
 * @returns hex, for a token's `data`
 * @throws {AntaraError} `royalty_over_limit`, `number_out_of_range`, `text_mismatch`, `malformed_hex`
 * @example
 * encodeTokelData({ id: 1, url: 'https://a.b/c', royalty: 25, arbitrary: '00ff' })
 * // 'f7010101020d68747470733a2f2f612e622f630319040200ff'
 */
export function encodeTokelData(data: TokelData): string {
  requireObject(data, 'data')
  requireKnownMembers(data, [...Object.keys(property), 'urlHex'], 'data')
  let hex = byteHex(tokelDataEvalCode) + byteHex(version)
  for (const name of Object.keys(data) as (keyof TokelData)[]) {
    if (data[name] === undefined) continue
    if (name === 'urlHex') {
      requireString(data.url, 'url')
      continue
    }
    hex += byteHex(property[name]) + propertyHex(data, name)
  }
  return hex
}

function propertyHex(data: TokelData, name: keyof typeof property): string {
  switch (name) {
    case 'id':
      return numberHex(data.id, name)
    case 'royalty':
      if (data.royalty! > royaltyMax) {
        throw new AntaraError('royalty_over_limit', { expected: royaltyMax, actual: data.royalty })
      }
      return numberHex(data.royalty, name)
    case 'url':
      return vectorHex(textBytes(data.url!, data.urlHex, name))
    case 'arbitrary':
      return vectorHex(hexText(data.arbitrary!, name))
  }
}

function numberHex(value: unknown, path: string): string {
  if (typeof value !== 'number') throw new TypeError(`${path} must be a number`)
  if (!Number.isInteger(value) || value < 0 || value > compactSizeMax) {
    throw new AntaraError('number_out_of_range', { path, actual: value })
  }
  return compactSizeHex(value)
}

/**
 * Returns the bytes of a text in hex: `exact`, if that is given.
 *
 * @throws {AntaraError} `text_mismatch` if `exact` is not the text
 */
export function textBytes(text: string, exact: string | undefined, path: string): string {
  if (typeof text !== 'string') throw new TypeError(`${path} must be a string`)
  const bytes = exact === undefined ? utf8Hex(text, path) : hexText(exact, `${path}Hex`)
  if (textOfHex(bytes) !== text) throw new AntaraError('text_mismatch', { path, actual: bytes })
  return bytes
}

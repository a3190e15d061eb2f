// Orders of the assets module as bytes.

import { assetsEvalCode, assetsV2EvalCode } from '../../chain/modules.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { argumentError, requireBigint, requireObject } from '../../primitives/arguments.ts'
import {
  byteHex,
  type Cursor,
  cursorOver,
  fixedHex,
  hexText,
  integerHex,
  readByte,
  readHex,
  readUnsigned,
  readVector,
  remaining,
  vectorHex,
} from '../../primitives/wire.ts'

/** The action of an order. The wire's letters are b, s, B, S, x, o, e, E, in this order. */
export type AssetAction =
  | 'bid'
  | 'ask'
  | 'fillBid'
  | 'fillAsk'
  | 'cancelAsk'
  | 'cancelBid'
  | 'swap'
  | 'fillSwap'

/**
 * An order of the assets module, carried in a token transfer.
 *
 * In komodod's form, `price` counts coins in satoshis or tokens in units, by action; in tokeld's it
 * is the price of one unit. `origin` is the public key that made the order. Cancellations carry
 * nothing else. Only tokeld has `expiryHeight` and version 1.
 */
export type AssetOrder =
  | {
      readonly form: AssetForm
      readonly evalCode: string
      readonly action: 'cancelAsk' | 'cancelBid'
    }
  | {
      readonly form: 'komodo'
      readonly evalCode: string
      readonly action: 'bid' | 'ask' | 'fillBid' | 'fillAsk'
      readonly price: bigint
      readonly origin: string
    }
  | {
      readonly form: 'tokel'
      readonly evalCode: string
      readonly action: 'bid' | 'ask' | 'fillBid' | 'fillAsk'
      readonly price: bigint
      readonly origin: string
      readonly expiryHeight: number
    }
  | {
      readonly form: 'komodo'
      readonly evalCode: string
      readonly action: 'swap' | 'fillSwap'
      readonly otherTokenid: string
      readonly price: bigint
      readonly origin: string
    }

export type AssetForm = 'komodo' | 'tokel'

/** Komodod knows one module of orders, tokeld two; both use e3 for their own layout. */
const evalCodesOf: { readonly [Form in AssetForm]: readonly number[] } = {
  komodo: [assetsEvalCode],
  tokel: [assetsEvalCode, assetsV2EvalCode],
}
const version = 1
const letters: ReadonlyMap<string, AssetAction> = new Map([
  ['b', 'bid'],
  ['s', 'ask'],
  ['B', 'fillBid'],
  ['S', 'fillAsk'],
  ['x', 'cancelAsk'],
  ['o', 'cancelBid'],
  ['e', 'swap'],
  ['E', 'fillSwap'],
])

/**
 * Decodes an order of the assets module.
 *
 * @param data - hex of the order, `e3…` or `f6…`
 * @param form - which daemon wrote it; both use e3 for their own layout
 * @returns the order; amounts in satoshis, txids in display order
 * @throws {AntaraError} `unknown_eval_code`, `unknown_order_action`, `unknown_payload_version`,
 * `truncated`, `trailing_bytes`, `non_canonical_length`, `length_over_limit`, with the byte offset;
 * `malformed_hex`, `odd_length_hex`
 * @see komodo src/cc/CCassetsCore.cpp, DecodeAssetTokenOpRet
 * @example
 * decodeAssetOrder('e378', 'komodo') // { form: 'komodo', evalCode: 'e3', action: 'cancelAsk' }
 */
export function decodeAssetOrder(data: string, form: AssetForm): AssetOrder {
  requireForm(form)
  return readAssetOrder(cursorOver(data, 'data'), form)
}

function requireForm(form: unknown): asserts form is AssetForm {
  if (form !== 'komodo' && form !== 'tokel')
    throw argumentError('form', "'komodo' or 'tokel'", form)
}

export function readAssetOrder(cursor: Cursor, form: AssetForm): AssetOrder {
  const order = readOrder(cursor, form)
  if (remaining(cursor) > 0) throw new AntaraError('trailing_bytes', { offset: cursor.offset })
  return order
}

function readOrder(cursor: Cursor, form: AssetForm): AssetOrder {
  const start = cursor.offset
  const code = readByte(cursor, 'evalCode')
  const evalCode = byteHex(code)
  if (!evalCodesOf[form].includes(code))
    throw new AntaraError('unknown_eval_code', { offset: start, actual: evalCode })
  const actionAt = cursor.offset
  const letter = String.fromCharCode(readByte(cursor, 'action'))
  const action = letters.get(letter)
  if (action === undefined || (form === 'tokel' && (action === 'swap' || action === 'fillSwap'))) {
    throw new AntaraError('unknown_order_action', { offset: actionAt, actual: letter })
  }
  if (form === 'tokel') readVersion(cursor)
  switch (action) {
    case 'cancelAsk':
    case 'cancelBid':
      return { form, evalCode, action }
    case 'swap':
    case 'fillSwap': {
      const otherTokenid = readHex(cursor, 32, 'otherTokenid')
      return { form: 'komodo', evalCode, action, otherTokenid, ...readPrice(cursor) }
    }
    default: {
      const terms = readPrice(cursor)
      if (form === 'komodo') return { form, evalCode, action, ...terms }
      const expiryHeight = Number(BigInt.asIntN(32, readUnsigned(cursor, 4, 'expiryHeight')))
      return { form, evalCode, action, ...terms, expiryHeight }
    }
  }
}

function readVersion(cursor: Cursor): void {
  const offset = cursor.offset
  const actual = readByte(cursor, 'version')
  if (actual !== version) {
    throw new AntaraError('unknown_payload_version', { offset, expected: version, actual })
  }
}

function readPrice(cursor: Cursor): { price: bigint; origin: string } {
  const price = BigInt.asIntN(64, readUnsigned(cursor, 8, 'price'))
  return { price, origin: readVector(cursor, 'origin') }
}

/**
 * Encodes an order of the assets module.
 *
 * @param order - amounts in satoshis, txids in display order, keys in hex
 * @returns hex
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`, `number_out_of_range`, `wrong_length`,
 *   `unknown_eval_code`
 * @see komodo src/cc/CCassetsCore.cpp, EncodeAssetOpRet
 * @example
 * encodeAssetOrder({ form: 'tokel', evalCode: 'f6', action: 'cancelAsk' }) // 'f67801'
 */
export function encodeAssetOrder(order: AssetOrder): string {
  requireObject(order, 'order')
  requireForm(order.form)
  const evalCode = fixedHex(order.evalCode, 1, 'evalCode')
  if (!evalCodesOf[order.form].includes(Number.parseInt(evalCode, 16))) {
    throw new AntaraError('unknown_eval_code', { path: 'evalCode', actual: evalCode })
  }
  const head = evalCode + letterHex(order.action) + versionHex(order.form)
  switch (order.action) {
    case 'cancelAsk':
    case 'cancelBid':
      return head
    case 'swap':
    case 'fillSwap':
      if (order.form !== 'komodo') throw new TypeError('form: tokeld has no swaps')
      return head + fixedHex(order.otherTokenid, 32, 'otherTokenid') + termsHex(order)
    default:
      if (order.form === 'komodo') return head + termsHex(order)
      return head + termsHex(order) + heightHex(order.expiryHeight)
  }
}

function letterHex(action: AssetAction): string {
  for (const [letter, name] of letters) if (name === action) return byteHex(letter.charCodeAt(0))
  throw new TypeError(`unknown order action ${String(action)}`)
}

function versionHex(form: AssetForm): string {
  return form === 'tokel' ? byteHex(version) : ''
}

function termsHex(order: { price: bigint; origin: string }): string {
  requireBigint(order.price, 'price')
  if (BigInt.asIntN(64, order.price) !== order.price) {
    throw new AntaraError('number_out_of_range', { path: 'price', actual: order.price })
  }
  return integerHex(order.price, 8) + vectorHex(hexText(order.origin, 'origin'))
}

function heightHex(height: number): string {
  if ((height | 0) !== height) {
    throw new AntaraError('number_out_of_range', { path: 'expiryHeight', actual: height })
  }
  return integerHex(BigInt(height), 4)
}

// The request in a line of the record, without what may be a secret and without transactions.

import { hex32 } from '../../primitives/hex-forms.ts'
import {
  isJsonObject,
  isLosslessNumber,
  JsonFaultError,
  type JsonValue,
  parseJson,
} from '../../primitives/json.ts'
import { mayHoldPrivateKey } from '../../primitives/redact-key.ts'

/** Digits of the longest script that is shown. Transactions have more. */
const hexDigitsMax = 300
const charactersMax = 300

/** Returns the request as a value of JSON, for a line of the record. */
export function publicRequest(text: string): unknown {
  try {
    return publicValue(parseJson(text), '')
  } catch (error) {
    if (error instanceof JsonFaultError) return '(unreadable)'
    throw error
  }
}

function publicValue(value: JsonValue, member: string): unknown {
  if (typeof value === 'string') return publicText(value, member)
  // As text, because readers of the record may read numbers inexactly.
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return value.map((item: JsonValue) => publicValue(item, member))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [publicText(name, 'id'), publicValue(item, name)]),
  )
}

/** A private key has the form of a txid, so only members for ids and hashes show such text. */
function publicText(text: string, member: string): string {
  const hex = text.toLowerCase()
  const isHex = /^(?:[0-9a-f]{2})+$/.test(hex)
  if (hex32.test(hex)) return /id$|ids$|hash$/i.test(member) ? text : '(hidden)'
  if (isHex) return hex.length <= hexDigitsMax ? text : `(${hex.length / 2} bytes)`
  return mayHoldPrivateKey(text) ? '(hidden)' : text.slice(0, charactersMax)
}

// The answers of a server that are joined with those of the guard in one batch.

import {
  isJsonObject,
  JsonFaultError,
  type JsonValue,
  memberOf,
  parseJson,
  parsePlainJson,
  stringifyJson,
} from '../primitives/json.ts'

/**
 * Returns whether a text is one JSON object that answers a call, or that names no call. A server
 * could otherwise answer the other calls of a batch too, and say that a payment was sent, or was not.
 *
 * @param id - JSON text of the id of the call
 */
export function isAnswerTo(id: string, text: string): boolean {
  // The faster reader rounds numbers, and could take one long id for another. A number of 15 digits
  // is never the rounded form of a longer whole number.
  const isExact = !/\d{16}/.test(id) && JSON.stringify(JSON.parse(id)) === id
  const read = isExact ? parsePlainJson : parseJson
  const write = isExact ? JSON.stringify : stringifyJson
  try {
    const answer = read(text) as JsonValue
    const given = memberOf(answer, 'id') ?? null
    return isJsonObject(answer) && (given === null || write(given) === write(read(id)))
  } catch (error) {
    if (error instanceof JsonFaultError) return false
    throw error
  }
}

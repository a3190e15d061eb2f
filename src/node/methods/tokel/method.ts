// How tokeld's modules read a call: their keys, their JSON in texts, and their errors.

import { unlessMalformed } from '../../../errors/malformed.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../../primitives/json.ts'
import type { TokenVersion } from '../../../token/rules/tokel-output.ts'
import { keyScriptV2 } from '../../../token/rules/tokens-v2.ts'
import { keyBytes } from '../../wallet/loose-key.ts'
import { moduleError } from '../answer.ts'
import { type MethodRow, method } from '../context.ts'
import { failure } from '../failure.ts'
import { type ModuleAnswer, withPubkey } from '../module-method.ts'
import { list } from '../params.ts'

/** An error that the module answers in place of a result. */
export class ModuleError extends Error {}

/**
 * A method of tokeld's modules. Its usage is all its help.
 *
 * @param params - least and most parameters
 */
export function tokelMethod(
  usage: string,
  params: readonly [number, number],
  answer: ModuleAnswer,
): MethodRow {
  const answerOrError: ModuleAnswer = (...call) => {
    try {
      return answer(...call)
    } catch (error) {
      if (error instanceof ModuleError) return moduleError(error.message)
      throw error
    }
  }
  return method(usage, params, withPubkey(answerOrError))
}

/** Makes one method for each of both modules, such as `tokeninfo` and `tokenv2info`. */
export function bothVersions(
  rest: string,
  make: (name: string, version: TokenVersion) => MethodRow,
): MethodRow[] {
  return [make(`token${rest}`, 1), make(`tokenv2${rest}`, 2)]
}

/**
 * Reads a key of a call, in hex. Returns `undefined` for bytes that are not a key.
 *
 * @throws {RpcFailure} for a key that no condition can hold
 */
export function keyOf(hex: string): string | undefined {
  const key = keyBytes(hex)
  if (key === '') return undefined
  if (unlessMalformed(() => keyScriptV2(key)) !== undefined) return key
  throw failure('misc', 'this node makes no condition of a key that is not compressed')
}

/**
 * Reads an object from a text of JSON, as `jsonObject` does. It refuses an object that is no text,
 * because tokeld expects a list there.
 *
 * @throws {RpcFailure} for an object that is no text
 */
export function quotedObject(
  value: JsonValue | undefined,
  wrong: string,
): { readonly [member: string]: JsonValue } | undefined {
  if (isJsonObject(value)) list(value)
  return jsonObject(value, wrong)
}

/**
 * Reads an object that a call gives as JSON, or as a text that holds JSON. Returns `undefined` for
 * any other JSON.
 *
 * @param wrong - the module's words for a text that is not JSON
 */
export function jsonObject(
  value: JsonValue | undefined,
  wrong: string,
): { readonly [member: string]: JsonValue } | undefined {
  const read = typeof value === 'string' ? parsed(value) : value
  if (read === undefined) throw new ModuleError(wrong)
  return isJsonObject(read) ? read : undefined
}

/** Returns `undefined` for a text that is not JSON. */
export function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

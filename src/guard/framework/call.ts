// A call of the framework's protocol: read strictly, and written anew for the server.

import {
  isJsonObject,
  isLosslessNumber,
  type JsonValue,
  memberOf,
  stringifyJson,
} from '../../primitives/json.ts'
import { classOfFrameworkMethod, isLegacyMethod } from '../../rpc/framework/method-classes.ts'
import type { Dispatcher } from '../../rpc/framework/protocol.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import type { ReadCall } from '../call.ts'

export interface FrameworkCall extends ReadCall {
  readonly dispatcher: Dispatcher
  /** The parameters of either dispatcher. A legacy call has them beside `method`. */
  readonly params: Readonly<Record<string, JsonValue>>
  /** False if an mmrpc call has none: older servers refuse even empty ones for some methods. */
  readonly hasParams: boolean
  /** The id as JSON text; `undefined` if there is none. */
  readonly id: string | undefined
}

const invalidRequest = -32600

function fault(expected: string): RpcFailure {
  return new RpcFailure(invalidRequest, `guard: expected ${expected}`)
}

const mmrpcMembers: ReadonlySet<string> = new Set(['userpass', 'mmrpc', 'method', 'params', 'id'])

/**
 * Reads one call. The two dispatchers of the server find parameters in two places, so a call must
 * have the form of exactly one of them.
 *
 * @param about - the user, and facts of the HTTP request
 * @throws {RpcFailure}
 */
export function readFrameworkCall(
  value: JsonValue,
  about: Pick<FrameworkCall, 'user' | 'key' | 'signal'>,
): FrameworkCall {
  if (!isJsonObject(value)) throw fault('an object')
  const { userpass: _, ...given } = value
  const { mmrpc, method, params, id, ...others } = given
  if (typeof method !== 'string') throw fault('method: a text')
  const named = { ...about, method, methodClass: classOfFrameworkMethod(method) }
  if (!('mmrpc' in given)) {
    // The server may know an older form, yet the guard does not know how the server reads it. So a
    // policy that names the method does not change this.
    if (!isLegacyMethod(method)) {
      throw fault('mmrpc: "2.0", since the guard knows no older form of this method')
    }
    // The older dispatcher would ignore both, so the program meant the other one.
    if ('params' in given || 'id' in given) {
      throw fault('mmrpc: "2.0", since the older form has neither params nor an id')
    }
    return { ...named, dispatcher: 'legacy', params: others, hasParams: true, id: undefined }
  }
  if (mmrpc !== '2.0') throw fault('mmrpc: "2.0"')
  const [unknown] = Object.keys(given).filter((name) => !mmrpcMembers.has(name))
  if (unknown !== undefined) throw fault('userpass, mmrpc, method, params and id alone')
  if (params !== undefined && !isJsonObject(params)) throw fault('params: an object')
  return {
    ...named,
    dispatcher: 'mmrpc',
    params: params ?? {},
    hasParams: params !== undefined,
    id: idText(id),
  }
}

/** The first number that has no room in the 64 bits of the server's ids. */
const idEnd = 1n << 64n

function idText(id: JsonValue | undefined): string | undefined {
  if (id === undefined) return undefined
  if (id === null) return 'null'
  // At most 20 digits, so that a long number costs nothing.
  const isId = isLosslessNumber(id) && /^(?:0|[1-9]\d{0,19})$/.test(id.value)
  if (isId && BigInt(id.value) < idEnd) return id.value
  throw fault('id: a whole number from 0 to 2^64 - 1')
}

/** Returns the text of the id, for a failure before the call is read. */
export function idOf(value: JsonValue): string | undefined {
  try {
    return idText(memberOf(value, 'id'))
  } catch {
    return undefined
  }
}

/** Writes the call for the server, with its own password. */
export function textOfFrameworkCall(call: FrameworkCall, userpass: string): string {
  const { method, dispatcher, params, hasParams, id } = call
  if (dispatcher === 'legacy') return stringifyJson({ ...params, userpass, method })
  const text = stringifyJson({
    userpass,
    mmrpc: '2.0',
    method,
    ...(hasParams && { params }),
  })
  return id === undefined ? text : `${text.slice(0, -1)},"id":${id}}`
}

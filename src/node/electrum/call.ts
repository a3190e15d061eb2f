// Calls of the Electrum protocol, over the chain of an engine.

import { isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import { headerMethods } from './header-methods.ts'
import {
  type Arguments,
  type ElectrumContext,
  type Method,
  type Methods,
  type Protocol,
  protocols,
} from './method.ts'
import { scriptMethods } from './script-methods.ts'
import { serverMethods } from './server-methods.ts'
import { transactionMethods } from './transaction-methods.ts'
import { textOf } from './values.ts'

const methodNotFound = -32_601
const invalidArguments = -32_602

const methods: Methods = {
  ...serverMethods,
  ...headerMethods,
  ...scriptMethods,
  ...transactionMethods,
}

/**
 * Carries out a call.
 *
 * @param params - by position or by name
 * @throws {RpcFailure} the errors of ElectrumX
 * @see spesmilo/electrum-protocol, Protocol Methods
 */
export function callElectrum(
  context: ElectrumContext,
  name: string,
  params: JsonValue | undefined,
): unknown {
  const found = Object.hasOwn(methods, name) ? methods[name]! : undefined
  if (found === undefined || !isServed(found, context.session.protocol)) {
    throw new RpcFailure(methodNotFound, `unknown method "${name}"`)
  }
  return found.answer(context, argumentsOf(name, found, params ?? []))
}

function isServed({ since, until }: Method, protocol: Protocol | undefined): boolean {
  const version = protocols.indexOf(protocol ?? '1.4')
  if (since !== undefined && version < protocols.indexOf(since)) return false
  return until === undefined || version < protocols.indexOf(until)
}

function argumentsOf(
  name: string,
  { required, optional = [] }: Method,
  params: JsonValue,
): Arguments {
  const fail = (message: string) => new RpcFailure(invalidArguments, message)
  const names = [...required, ...optional]
  if (Array.isArray(params)) {
    const passed = `${params.length} argument${params.length === 1 ? '' : 's'} passed to method`
    if (params.length < required.length) {
      throw fail(`${passed} "${name}" but it requires ${required.length}`)
    }
    if (params.length > names.length && name !== 'server.version') {
      throw fail(`${passed} ${name} taking at most ${names.length}`)
    }
    return params
  }
  if (typeof params !== 'object' || params === null || isLosslessNumber(params)) {
    throw fail(`invalid request arguments: ${textOf(params)}`)
  }
  const given = params as Record<string, JsonValue>
  const list = (some: readonly string[]) =>
    `parameter${some.length === 1 ? '' : 's'} ${[...some]
      .sort()
      .map((it) => `"${it}"`)
      .join(', ')}`
  const missing = required.filter((it) => !Object.hasOwn(given, it))
  if (missing.length > 0) throw fail(`method "${name}" requires ${list(missing)}`)
  const excess = Object.keys(given).filter((it) => !names.includes(it))
  if (excess.length > 0) throw fail(`method "${name}" does not take ${list(excess)}`)
  return names.map((it) => (Object.hasOwn(given, it) ? given[it] : undefined))
}

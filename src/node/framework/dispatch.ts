// From a request's text to an answer's: who may ask, which of the two dispatchers is meant,
// batches.

import {
  isJsonObject,
  isLosslessNumber,
  JsonFaultError,
  type JsonValue,
  memberOf,
  parseJson,
  stringifyJson,
} from '../../primitives/json.ts'
import { isLoopback } from '../../server/addresses.ts'
import { batchFault, sizeFault } from '../../server/bounds.ts'
import type { Reply } from '../../server/http-server.ts'
import {
  bannedError,
  internalError,
  invalidRequestError,
  invalidUserpassError,
  invalidVersionError,
  localHostOnlyError,
  MmError,
  noHardwareContext,
  noSuchMethodError,
  notScriptedError,
  scriptedError,
  userpassNotSetError,
  wordsOf,
} from './errors.ts'
import { frameworkMethods, legacyMethods } from './methods.ts'
import { oneOf, readParams, struct, text, unexpected, usizeAsSent } from './read.ts'
import type { ScriptedAnswer, ScriptedAnswers } from './script.ts'
import type { FrameworkState } from './state.ts'
import { Panic } from './tendermint.ts'

/** One call and its outcome, with the reason if it failed. */
export interface CallRecord {
  readonly method: string
  readonly status: number
  readonly errorType?: string
  readonly reason?: string
}

/** The fault of a task that failed: the answer to its status has HTTP status 200. */
function taskFailure(result: unknown): Pick<CallRecord, 'errorType' | 'reason'> {
  const { status, details } = Object(result) as { status?: unknown; details?: unknown }
  if (status !== 'Error') return {}
  const { error, error_type: type } = Object(details) as { error?: unknown; error_type?: unknown }
  const remedy = String(error).endsWith(noHardwareContext) ? '; call task::init_trezor first' : ''
  return { errorType: String(type), reason: `${error}${remedy}` }
}

type Dispatch = (body: string | null, remoteAddress: string) => Promise<Reply>

/** Methods that need no password. src: mm2_main/src/rpc.rs PUBLIC_METHODS */
const publicMethods = new Set([
  'fundvalue',
  'getprice',
  'getpeers',
  'getcoins',
  'help',
  'metrics',
  'notify',
  'orderbook',
  'passphrase',
  'pricearray',
  'psock',
  'statsdisp',
  'stats_swap_status',
  'tradesarray',
  'ticker',
  'version',
])

/** Methods that the legacy dispatcher has and the other one has not. */
const onlyLegacy = new Set([
  'version',
  'my_balance',
  'disable_coin',
  'send_raw_transaction',
  'validateaddress',
  'electrum',
  'enable',
  'stop',
  'help',
])

const attemptsMax = 10

function isLocal(address: string): boolean {
  return isLoopback(address.replace(/^::ffff:/, ''))
}

export function createDispatch(
  state: FrameworkState,
  userpass: string,
  onCall: (record: CallRecord) => void,
): Dispatch {
  const methods = frameworkMethods(state)
  const legacy = legacyMethods(state)
  const failures = new Map<string, number>()
  const answersGiven = new Map<ScriptedAnswers, number>()

  const isBanned = (address: string): boolean => (failures.get(address) ?? 0) >= attemptsMax
  const countFailure = (address: string): number => {
    const count = (failures.get(address) ?? 0) + 1
    failures.set(address, count)
    return attemptsMax - count
  }
  /** The next answer that the script has for a method. */
  const scripted = (
    answers: Readonly<Record<string, ScriptedAnswers>> = {},
    method: string,
  ): ScriptedAnswer | undefined => {
    const found = Object.hasOwn(answers, method) ? answers[method] : undefined
    if (found === undefined || !Array.isArray(found)) return found as ScriptedAnswer | undefined
    const count = answersGiven.get(found) ?? 0
    answersGiven.set(found, count + 1)
    return found[Math.min(count, found.length - 1)]
  }
  const authorize = (method: string, given: JsonValue, address: string): void => {
    const isPublic = publicMethods.has(method)
    if (!isLocal(address) && !isPublic) throw localHostOnlyError()
    if (isBanned(address)) throw bannedError()
    if (isPublic) return
    if (given === null) throw userpassNotSetError()
    if (given !== userpass) throw invalidUserpassError(countFailure(address))
  }

  const callMethod = async (method: string, params: JsonValue): Promise<unknown> => {
    const answer = scripted(state.script.methods, method)
    if (answer !== undefined) {
      if (answer.delayMs !== undefined) await state.clock.sleep(answer.delayMs)
      if (answer.error !== undefined) throw scriptedError(answer.error)
      return answer.result ?? null
    }
    const known = methods.get(method)
    if (known !== undefined) return known(params)
    if (
      onlyLegacy.has(method) ||
      /^task::(?:enable_(?:bch|utxo|tendermint)|init_trezor)::/.test(method)
    ) {
      throw noSuchMethodError()
    }
    throw notScriptedError(`the method ${method}`, 'answer it in script.methods')
  }

  const answerMmrpc = async (request: JsonValue, address: string): Promise<Reply> => {
    const given = memberOf(request, 'id') ?? null
    let id: JsonValue = isLosslessNumber(given) && /^\d{1,20}$/.test(given.value) ? given : null
    const name = memberOf(request, 'method')
    const method = typeof name === 'string' ? name : ''
    try {
      const version = memberOf(request, 'mmrpc') ?? null
      if (version !== '2.0') throw invalidVersionError(versionFault(version))
      const call = readParams(readRequest, request)
      id = call.id
      authorize(call.method, call.userpass, address)
      const result = await callMethod(call.method, call.params)
      onCall({ method, status: 200, ...taskFailure(result) })
      return json(200, { mmrpc: '2.0', result, id })
    } catch (error) {
      if (error instanceof Panic) {
        onCall({ method, status: 500, reason: `the framework panics here: ${error.message}` })
        return panicked
      }
      const failure = error instanceof MmError ? error : internalError(error, 'dev_framework:0]')
      const { status, type } = failure.details
      onCall({ method, status, errorType: type, reason: failure.message })
      return json(status, { mmrpc: '2.0', ...failure.members(state.preset.errorTypes), id })
    }
  }

  /** Tried first where no version is named; nothing if it has no such method. */
  const answerLegacy = async (
    request: JsonValue,
    method: string,
    address: string,
  ): Promise<Reply | undefined> => {
    const fail = (reason: string, prefix = 'RPC call failed'): Reply => {
      onCall({ method, status: 500, reason })
      return json(500, { error: `rpc:0] ${prefix}: ${reason}` })
    }
    const refuse = (reason: string): Reply => fail(reason, 'Selected method is not allowed')
    if (!isLocal(address) && !publicMethods.has(method)) {
      return refuse('Selected method can only be called from localhost.')
    }
    if (isBanned(address)) return refuse('Your IP is banned.')
    if (!publicMethods.has(method)) {
      const given = memberOf(request, 'userpass')
      if (typeof given !== 'string') return fail('Userpass is not set!')
      if (given !== userpass) return fail(invalidUserpassError(countFailure(address)).message)
    }
    const answer = scripted(state.script.legacy, method)
    if (answer !== undefined) {
      if (answer.delayMs !== undefined) await state.clock.sleep(answer.delayMs)
      if (answer.error !== undefined) return fail(answer.error.error)
      onCall({ method, status: 200 })
      return json(200, answer.body ?? answer.result ?? null)
    }
    const known = legacy.get(method)
    if (known === undefined) {
      if (!onlyLegacy.has(method)) return undefined
      return fail(notScriptedError(`the method ${method}`, 'answer it in script.legacy').message)
    }
    try {
      const body = known(request)
      onCall({ method, status: 200 })
      return json(200, body)
    } catch (error) {
      return fail(wordsOf(error))
    }
  }

  const answerOne = async (request: JsonValue, address: string): Promise<Reply> => {
    if ((memberOf(request, 'mmrpc') ?? null) !== null) return answerMmrpc(request, address)
    const method = memberOf(request, 'method')
    const name = typeof method === 'string' ? method : ''
    const answer = await answerLegacy(request, name, address)
    if (answer !== undefined) return answer
    const members = isJsonObject(request) ? request : {}
    return answerMmrpc({ ...members, mmrpc: '2.0' }, address)
  }

  const refuse = (reason: string): Reply => {
    onCall({ method: '', status: 500, reason })
    return json(500, { error: `rpc:0] ${reason}` })
  }

  return async (body, address) => {
    let request: JsonValue
    try {
      if (body === null) throw new JsonFaultError('malformed_text', 'invalid unicode code point')
      const fault = sizeFault(body)
      if (fault !== undefined) return refuse(fault)
      request = parseJson(body)
    } catch (error) {
      return refuse(serdeText(body ?? '', error))
    }
    const fault = Array.isArray(request) ? batchFault(request.length) : undefined
    if (fault !== undefined) return refuse(fault)
    if (!Array.isArray(request)) return answerOne(request, address)
    // The server runs them at the same time.
    const replies = await Promise.all(request.map((one) => answerOne(one, address)))
    const texts = replies.map((reply) => (reply === panicked ? 'null' : reply.body))
    return { status: 200, body: `[${texts.join(',')}]` }
  }
}

const members = ['mmrpc', 'userpass', 'method', 'params', 'id']

/** @see komodo-defi-framework mm2_rpc/src/mm_protocol.rs MmRpcRequest */
const readRequest = (request: JsonValue) => {
  const unknown = isJsonObject(request)
    ? Object.keys(request).find((name) => !members.includes(name))
    : undefined
  if (unknown !== undefined) {
    const known = members.map((name) => `\`${name}\``).join(', ')
    throw invalidRequestError(`unknown field \`${unknown}\`, expected one of ${known}`)
  }
  return struct('MmRpcRequest', ({ required, optional }) => {
    required('mmrpc', oneOf('2.0'))
    return {
      userpass: optional('userpass', text, null),
      method: required('method', text),
      params: optional('params', (value) => value, null),
      id: optional('id', usizeAsSent, null),
    }
  })(request)
}

function versionFault(version: JsonValue): string {
  return typeof version === 'string'
    ? `unknown variant \`${version}\`, expected \`2.0\``
    : `invalid type: ${unexpected(version)}, expected variant identifier`
}

/** As serde_json puts it, as far as the place can be told. */
function serdeText(body: string, error: unknown): string {
  const position = Number(/position (\d+)/.exec(wordsOf(error))?.[1] ?? body.length)
  const before = body.slice(0, position)
  const line = before.split('\n').length
  const column = position - (before.lastIndexOf('\n') + 1)
  if (body.trim() === '') return `EOF while parsing a value at line ${line} column 0`
  const what = position >= body.length ? 'EOF while parsing a value' : 'expected value'
  return `${what} at line ${line} column ${position >= body.length ? column : column + 1}`
}

// The server sends no content type with these.
const panicked: Reply = { status: 500, body: 'The RPC service aborted without responding.' }

function json(status: number, value: unknown): Reply {
  return { status, body: stringifyJson(value) }
}

// From a request of the framework's protocol to its answer. Every call of a batch is read, admitted
// and answered by itself, after the passwords of all of them.

import { isJsonObject, type JsonValue, memberOf } from '../../primitives/json.ts'
import { answerEach, batchFault } from '../../server/bounds.ts'
import type { Answer, HttpRequest, Reply } from '../../server/http-server.ts'
import { readRequest } from '../../server/json-rpc.ts'
import { type AdmissionParts, answered } from '../admit.ts'
import { isAnswerTo } from '../answer-of.ts'
import { reportedFailure } from '../failures.ts'
import { headFault, idempotencyKey } from '../heads.ts'
import { guardFailure, refusedKey } from '../refusals.ts'
import { elementBytesMax, type Upstream } from '../upstream.ts'
import { type Envelope, errorOf, errorReply, textReply, wrongPassword } from './answers.ts'
import { type FrameworkCall, idOf, readFrameworkCall, textOfFrameworkCall } from './call.ts'
import { ServerReply } from './withdrawals.ts'

interface DispatchParts extends AdmissionParts<FrameworkCall, Reply> {
  readonly upstream: Upstream
  readonly userpass: () => string | Promise<string>
  /** Returns the user of a `userpass`; `undefined` for a wrong one. */
  readonly authenticate: (userpass: string) => Promise<string | undefined>
  readonly onFailure: (error: unknown) => void
}

const wrongPasswordMs = 250

/** Returns the handler of requests. */
export function frameworkDispatcher(
  parts: DispatchParts,
): (request: HttpRequest) => Promise<Answer> {
  return async (request) => {
    const fault = headFault(request)
    if (fault !== undefined) return fault
    let value: JsonValue
    try {
      value = readRequest(request.body, 'none')
      const tooMany = Array.isArray(value) ? batchFault(value.length) : undefined
      if (tooMany !== undefined) throw guardFailure(tooMany)
    } catch (error) {
      return failureReply(parts, error, { dispatcher: 'mmrpc', id: undefined })
    }
    const elements: readonly JsonValue[] = Array.isArray(value) ? value : [value]
    const envelope = envelopeOf(Array.isArray(value) ? null : value)
    let users: readonly string[] | undefined
    try {
      users = await usersOf(parts, elements)
    } catch (error) {
      return failureReply(parts, error, envelope)
    }
    if (users === undefined) {
      const reply = errorReply(wrongPassword, envelope)
      return { fault: 'delay', delayMs: wrongPasswordMs, reply }
    }
    return Array.isArray(value)
      ? answerBatch(parts, request, elements, users)
      : answerAlone(parts, request, value, users[0]!)
  }
}

/** Returns the user of each call; `undefined` if a password is missing or wrong. */
async function usersOf(
  { authenticate }: DispatchParts,
  elements: readonly JsonValue[],
): Promise<readonly string[] | undefined> {
  const users: string[] = []
  for (const element of elements) {
    const userpass = memberOf(element, 'userpass')
    const user = typeof userpass === 'string' ? await authenticate(userpass) : undefined
    if (user === undefined) return undefined
    users.push(user)
  }
  return users
}

function envelopeOf(value: JsonValue): Envelope {
  const isLegacy = isJsonObject(value) && !('mmrpc' in value)
  return { dispatcher: isLegacy ? 'legacy' : 'mmrpc', id: idOf(value) }
}

async function answerAlone(
  parts: DispatchParts,
  request: HttpRequest,
  value: JsonValue,
  user: string,
): Promise<Answer> {
  const { signal } = request
  const key = idempotencyKey(request)
  return explained(parts, value, async () => {
    const call = readFrameworkCall(value, { user, signal, ...(key !== undefined && { key }) })
    return answered(parts, call, async () => {
      const body = textOfFrameworkCall(call, await parts.userpass())
      const { status, type, body: stream } = await parts.upstream.post(body, call)
      return { status, ...(type !== undefined && { headers: { 'content-type': type } }), stream }
    })
  })
}

/** Does the work, and returns its failure as a reply. */
async function explained<T>(
  parts: DispatchParts,
  value: JsonValue,
  work: () => Promise<T>,
): Promise<T | Reply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServerReply) return error.reply
    return failureReply(parts, error, envelopeOf(value))
  }
}

async function answerBatch(
  parts: DispatchParts,
  request: HttpRequest,
  elements: readonly JsonValue[],
  users: readonly string[],
): Promise<Answer> {
  if (idempotencyKey(request) !== undefined) {
    const failure = refusedKey('it only with a single call, not with a batch')
    return errorReply(errorOf(failure), { dispatcher: 'mmrpc', id: undefined })
  }
  const answers = await answerEach(elements, async (element, hasRoom, at) => {
    const { body } = await explained(parts, element, async () => {
      if (!hasRoom) throw guardFailure('the answers to this batch are too large')
      const call = readFrameworkCall(element, { user: users[at]!, signal: request.signal })
      return answered(parts, call, () => passedElement(parts, call))
    })
    return body
  })
  return textReply(200, answers)
}

async function passedElement(parts: DispatchParts, call: FrameworkCall): Promise<Reply> {
  const body = textOfFrameworkCall(call, await parts.userpass())
  const { status, text } = await parts.upstream.ask(body, call, elementBytesMax)
  const answer = text?.trim()
  if (answer !== undefined && isAnswerTo(call.id ?? 'null', answer)) {
    return textReply(status, answer)
  }
  throw guardFailure(`the framework answered with HTTP status ${status} and no answer to this call`)
}

function failureReply({ onFailure }: DispatchParts, error: unknown, envelope: Envelope): Reply {
  return errorReply(errorOf(reportedFailure(error, 'framework', onFailure)), envelope)
}

// From a request to its answer. Every call of a batch is read, admitted and answered by itself.

import { isJsonObject, type JsonValue } from '../primitives/json.ts'
import { classOfMethod } from '../rpc/daemon/method-classes.ts'
import { batchFault, turnTaker } from '../server/bounds.ts'
import type { Answer, HttpRequest, Reply } from '../server/http-server.ts'
import {
  failureReply,
  failureText,
  jsonReply,
  noObject,
  type RpcFailure,
  readCall,
  readRequest,
} from '../server/json-rpc.ts'
import { type AdmissionParts, admitted, timed } from './admit.ts'
import { isAnswerTo } from './answer-of.ts'
import { type ClientCall, textOfCall } from './call.ts'
import { failureOf } from './failures.ts'
import { headFault, idempotencyKey } from './heads.ts'
import { guardFailure, refusedKey } from './refusals.ts'
import { ClientLeftError, type Upstream } from './upstream.ts'

interface DispatchParts extends AdmissionParts<ClientCall> {
  readonly upstream: Upstream
  /** Told of errors that no answer explains. */
  readonly onFailure: (error: unknown) => void
}

/** Bytes of one answer inside a batch; alone, an answer may be larger. */
const elementBytesMax = 1 << 24
/** Characters of all answers to a batch. */
const answersMax = 1 << 26

/** Returns the handler of requests that were admitted. */
export function dispatcher(parts: DispatchParts): (request: HttpRequest) => Promise<Answer> {
  return async (request) => {
    const fault = headFault(request)
    if (fault !== undefined) return fault
    const id = { text: 'null' }
    try {
      const value = readRequest(request.body, 'none')
      if (Array.isArray(value)) return await answerBatch(parts, request, value)
      if (!isJsonObject(value)) throw noObject()
      const call = clientCall(request, value, id)
      return await timed(parts, call, () => answerOne(parts, call))
    } catch (error) {
      return failureReply(failureFor(parts, error), id.text)
    }
  }
}

function clientCall(request: HttpRequest, value: JsonValue, id: { text: string }): ClientCall {
  const { method, params } = readCall(value, id)
  const key = idempotencyKey(request)
  return {
    user: request.user ?? '',
    method,
    methodClass: classOfMethod(method),
    params,
    id: id.text,
    signal: request.signal,
    ...(key !== undefined && { key }),
  }
}

async function answerOne(parts: DispatchParts, call: ClientCall): Promise<Answer> {
  const carryOut = await admitted(parts, call)
  if (carryOut !== undefined) return jsonReply(200, await carryOut(call))
  const { status, type, length, body } = await parts.upstream.post(textOfCall(call), call)
  const headers = {
    ...(type !== undefined && { 'content-type': type }),
    // Without a length, the end of the answer is a packet of its own, for which the client waits.
    ...(length !== undefined && { 'content-length': length }),
  }
  return { status, headers, stream: body }
}

async function answerBatch(
  parts: DispatchParts,
  request: HttpRequest,
  elements: readonly JsonValue[],
): Promise<Reply> {
  const fault = batchFault(elements.length)
  if (fault !== undefined) throw guardFailure(fault)
  if (idempotencyKey(request) !== undefined) {
    throw refusedKey('it only with a single call, not with a batch')
  }
  const takeTurns = turnTaker()
  const answers: string[] = []
  let length = 0
  for (const element of elements) {
    const answer = await answerElement(parts, request, element, length < answersMax)
    length += answer.length
    answers.push(answer)
    await takeTurns()
  }
  return jsonReply(200, `[${answers.join(',')}]`)
}

/** Answers one call of a batch. A failure of it does not touch the others. */
async function answerElement(
  parts: DispatchParts,
  request: HttpRequest,
  element: JsonValue,
  hasRoom: boolean,
): Promise<string> {
  const id = { text: 'null' }
  try {
    const call = clientCall(request, element, id)
    if (!hasRoom) throw guardFailure('the answers to this batch are too large, send it in parts')
    return await timed(parts, call, async () => {
      const carryOut = await admitted(parts, call)
      return carryOut === undefined ? await passedElement(parts, call) : await carryOut(call)
    })
  } catch (error) {
    return failureText(failureFor(parts, error), id.text)
  }
}

async function passedElement({ upstream }: DispatchParts, call: ClientCall): Promise<string> {
  const { status, text } = await upstream.ask(textOfCall(call), call, elementBytesMax)
  const answer = text?.trimEnd()
  if (answer !== undefined && isAnswerTo(call.id, answer)) return answer
  throw guardFailure(`the daemon answered with HTTP status ${status} and no answer to this call`)
}

function failureFor({ onFailure }: DispatchParts, error: unknown): RpcFailure {
  const failure = failureOf(error, 'daemon')
  if (failure !== error && !(error instanceof ClientLeftError)) onFailure(error)
  return failure
}

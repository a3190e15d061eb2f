// From a request to its answer. Every call of a batch is read, admitted and answered by itself.

import { isJsonObject, type JsonValue } from '../primitives/json.ts'
import { classOfMethod } from '../rpc/daemon/method-classes.ts'
import { answerEach, batchFault } from '../server/bounds.ts'
import type { Answer, HttpRequest, Reply } from '../server/http-server.ts'
import {
  failureReply,
  failureText,
  jsonReply,
  noObject,
  readCall,
  readRequest,
} from '../server/json-rpc.ts'
import { type AdmissionParts, answered } from './admit.ts'
import { isAnswerTo } from './answer-of.ts'
import { type ClientCall, textOfCall } from './call.ts'
import { reportedFailure } from './failures.ts'
import { headFault, idempotencyKey } from './heads.ts'
import { guardFailure, refusedKey } from './refusals.ts'
import { elementBytesMax, type Upstream } from './upstream.ts'

interface DispatchParts extends AdmissionParts<ClientCall> {
  readonly upstream: Upstream
  /** Told of errors that no answer explains. */
  readonly onFailure: (error: unknown) => void
}

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
      return await answerOne(parts, call)
    } catch (error) {
      return failureReply(reportedFailure(error, 'daemon', parts.onFailure), id.text)
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
  const answer = await answered(parts, call, async (): Promise<Answer> => {
    const { status, type, length, body } = await parts.upstream.post(textOfCall(call), call)
    const headers = {
      ...(type !== undefined && { 'content-type': type }),
      // Without a length, the end of the answer is a packet of its own, for which the client waits.
      ...(length !== undefined && { 'content-length': length }),
    }
    return { status, headers, stream: body }
  })
  return typeof answer === 'string' ? jsonReply(200, answer) : answer
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
  const answers = await answerEach(elements, (element, hasRoom) =>
    answerElement(parts, request, element, hasRoom),
  )
  return jsonReply(200, answers)
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
    return await answered(parts, call, () => passedElement(parts, call))
  } catch (error) {
    return failureText(reportedFailure(error, 'daemon', parts.onFailure), id.text)
  }
}

async function passedElement({ upstream }: DispatchParts, call: ClientCall): Promise<string> {
  const { status, text } = await upstream.ask(textOfCall(call), call, elementBytesMax)
  const answer = text?.trimEnd()
  if (answer !== undefined && isAnswerTo(call.id, answer)) return answer
  throw guardFailure(`the daemon answered with HTTP status ${status} and no answer to this call`)
}

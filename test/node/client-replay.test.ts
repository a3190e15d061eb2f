// The typed client makes every recorded call of a komodod to the node. Its results must equal those
// of a second reader. Where the node answers byte for byte as the daemon did (replay.test.ts), that
// holds for the daemon's answers too.

import { expect, test } from 'vitest'
import { isAntaraError } from '../../src/errors/antara-error.ts'
import { isTypedMethod } from '../../src/rpc/daemon/methods.ts'
import { createDaemonClient, type DaemonClient } from '../../src/rpc/index.ts'
import { check, expectationOf, outcomeOf } from '../contract/support/expectation.ts'
import { namedParams } from '../contract/support/named-params.ts'
import { type Ask, replay } from './support/recorded-node.ts'

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Calls that a client can make at all: a method by its name, positional parameters. */
function callOf(request: string): Call | undefined {
  if (!request.startsWith('{')) return undefined
  const { method, params = [] } = JSON.parse(request)
  return typeof method === 'string' && Array.isArray(params) ? { method, params } : undefined
}

type Made = (client: DaemonClient, call: Call) => Promise<unknown> | undefined

/** Lets a client make the calls, and holds what it gives against a reading of the node's answer. */
async function replayThrough(make: Made) {
  const counts = { checked: 0, asRecorded: 0, refused: 0 }
  const ask: Ask = async (exchange, request, server) => {
    const call = callOf(request)
    let answer: { status: number; body: string } | undefined
    const client = createDaemonClient({
      url: 'http://127.0.0.1:1/',
      user: 'user',
      password: 'password',
      retry: false,
      fetch: async (_, { body = '' }) => {
        const { status, body: text } = await server(body)
        answer = { status, body: text }
        return new Response(text, { status, headers: { 'content-type': 'application/json' } })
      },
    })
    const made = call && make(client, call)
    if (call === undefined || made === undefined) return server(request)
    const outcome = await outcomeOf(made)
    if (answer === undefined) {
      expect('error' in outcome && isAntaraError(outcome.error), request).toBe(true)
      counts.refused += 1
      return server(request)
    }
    const ours = { status: answer.status, type: 'application/json', response: answer.body }
    const method = isTypedMethod(call.method) ? call.method : undefined
    check(outcome, expectationOf(ours), method, `${exchange.at}: ${request}`)
    counts.checked += 1
    const isSame = withoutId(answer.body) === withoutId(exchange.response)
    if (isSame && answer.status === exchange.status) counts.asRecorded += 1
    return answer
  }
  await replay(ask)
  return counts
}

const withoutId = (text: string) => text.replace(/"id":(?:"[^"]*"|[\d.]+|null)\}\n$/, '')

test('called by name', { timeout: 60_000 }, async () => {
  const counts = await replayThrough((client, { method, params }) => client.call(method, params))
  expect(counts).toEqual({ checked: 777, asRecorded: 635, refused: 0 })
})

test('called with named parameters, where a method has a type', { timeout: 60_000 }, async () => {
  const counts = await replayThrough((client, call) => {
    if (!isTypedMethod(call.method)) return undefined
    const named = namedParams(call)
    return named && (client[call.method] as (params: object) => Promise<unknown>)(named)
  })
  expect(counts).toEqual({ checked: 696, asRecorded: 562, refused: 41 })
})

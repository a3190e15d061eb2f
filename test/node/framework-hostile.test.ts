// Whatever is sent, it is answered: no request ends a server of this machine, or waits for ever.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDevFramework, type DevFramework } from '../../src/node/index.ts'
import { jsonRpc, methodNotFound, RpcFailure } from '../../src/server/json-rpc.ts'
import { anyText } from '../support/any-text.ts'

let framework: DevFramework
const start = async () => {
  framework = await createDevFramework({ preset: 'docs' })
}
beforeAll(start)
afterAll(() => framework.close())

const value = fc.jsonValue()
const request = (methods: readonly string[], members: readonly string[]) =>
  fc.record(
    {
      method: fc.oneof(fc.constantFrom(...methods), value),
      params: fc.oneof(fc.dictionary(fc.constantFrom(...members), value), fc.array(value), value),
      id: fc.oneof(fc.nat(), value),
      userpass: fc.constant('RPC_UserP@SSW0RD'),
      mmrpc: fc.constantFrom('2.0', '1.0', null, 2),
    },
    { requiredKeys: ['method'] },
  )

/** Text of requests that are nearly right, of any JSON, of nearly JSON, and of anything. */
function bodies(one: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const written = fc.oneof(one, fc.array(one), value).map((given) => JSON.stringify(given))
  const cut = fc.tuple(written, fc.nat(), fc.string()).map(([text, at, more]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + more + text.slice(place + 1)
  })
  return fc.oneof(written, cut, anyText())
}

const activation = {
  ticker: 'BCH',
  activation_params: { bchd_urls: ['https://bchd.example'], mode: { rpc: 'Native' } },
}

test('the framework answers anything, with a status of its own', async () => {
  const tasks = ['enable_bch', 'enable_utxo', 'init_trezor'].flatMap((family) =>
    ['init', 'status', 'user_action', 'cancel'].map((verb) => `task::${family}::${verb}`),
  )
  const methods = [...tasks, 'enable_tendermint_with_assets', 'get_enabled_coins', 'my_balance']
  const members = ['ticker', 'nodes', 'tokens_params', 'activation_params', 'task_id', 'coin']
  let answered = 0
  await fc.assert(
    fc.asyncProperty(bodies(request(methods, members)), async (body) => {
      const { status, body: text } = await framework.request(body)
      expect([200, 400, 403, 404, 409, 500, 501, 502]).toContain(status)
      expect(() => JSON.parse(text)).not.toThrow()
      answered++
      // A password with a letter changed counts as one, and ten are too many.
      if (/ip is banned/i.test(text)) {
        await framework.close()
        await start()
      }
    }),
    { numRuns: 3_000 },
  )
  expect(answered).toBeGreaterThan(2_999)
  // Still as able as before.
  const call = { userpass: 'RPC_UserP@SSW0RD', mmrpc: '2.0', method: 'task::enable_bch::init' }
  const { body } = await framework.request(JSON.stringify({ ...call, params: activation }))
  expect(JSON.parse(body)).toMatchObject({ result: { task_id: expect.any(Number) } })
})

test('JSON-RPC answers anything, each element of a batch by itself', async () => {
  const handle = jsonRpc(({ method, params }) => {
    if (method === 'fail') throw new RpcFailure(-8, String(params[0]))
    if (method === 'crash') return String((params as never as { x: { y: string } }).x.y)
    if (method !== 'echo') throw methodNotFound()
    return 'null'
  })
  const calls = request(['fail', 'crash', 'echo'], ['a'])
  await fc.assert(
    fc.asyncProperty(bodies(calls), async (body) => {
      const { status, body: text } = await handle({ body })
      expect([200, 400, 404, 500]).toContain(status)
      const answer = JSON.parse(text)
      for (const one of Array.isArray(answer) ? answer : [answer]) {
        expect(Object.keys(one)).toEqual(['result', 'error', 'id'])
        expect(one.result === null || one.error === null).toBe(true)
      }
    }),
    { numRuns: 3_000 },
  )
})

test('JSON-RPC gives an id back as it was, and answers as many as were asked', async () => {
  const handle = jsonRpc(() => 'true')
  const id = value.filter((given) => !JSON.stringify(given).includes('__proto__'))
  await fc.assert(
    fc.asyncProperty(fc.array(id, { maxLength: 5 }), async (ids) => {
      const calls = ids.map((given) => ({ id: given, method: 'any' }))
      const { body } = await handle({ body: JSON.stringify(calls) })
      expect(JSON.parse(body).map((answer: { id: unknown }) => answer.id)).toEqual(
        JSON.parse(JSON.stringify(ids)),
      )
    }),
  )
})

// Answers of a daemon to a build that are not those of the method.

import { afterEach, expect, test } from 'vitest'
import type { Guard } from '../../src/guard/index.ts'
import { reply, startServer, type TestServer } from '../contract/support/server.ts'
import { readCase } from '../support/guard-case.ts'
import { callText, guardOf, post } from './support/guarded.ts'

const { hex, intent } = readCase()
const firstBlock = '11'.repeat(32)
const info = { version: 90000, protocolversion: 170013, blocks: 5, name: 'TOKTEST' }
let daemon: TestServer
let guard: Guard

afterEach(async () => {
  await guard.close()
  await daemon.close()
})

async function answerOf(answer: string): Promise<{ body: string; methods: string[] }> {
  daemon = await startServer(({ body }, response) => {
    const { method, id } = JSON.parse(body)
    const results: Record<string, unknown> = {
      getinfo: info,
      getblockhash: firstBlock,
      getblockcount: 5,
    }
    const other = JSON.stringify({ result: results[method] ?? null, error: null, id })
    reply(response, 200, method === 'tokentransfer' ? answer : other)
  })
  guard = await guardOf(daemon.url, { pubkey: intent.from })
  const params = [intent.tokenid, intent.destination, String(intent.amount)]
  const { body } = await post(guard, callText('tokentransfer', params))
  return { body, methods: daemon.received.map((it) => JSON.parse(it.body).method) }
}

const escapes = [...hex].map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join('')

const answered = (result: string) => `{"result":${result},"error":null,"id":1}`

test.each([
  ['hex beside an error', answered(`{"result":"error","error":"no","hex":"${hex}"}`)],
  ['hex in an error text', answered(`{"result":"error","error":"${hex}"}`)],
  ['hex in escapes in an error text', answered(`{"result":"error","error":"${escapes}"}`)],
  ['a second hex', answered(`{"result":"success","hex":"${hex}","other":"${hex}"}`)],
  ['a second hex after the answer', `${answered(`{"result":"success","hex":"${hex}"}`)} "${hex}"`],
  ['hex twice', answered(`{"result":"success","hex":"${hex}","hex":"${hex.replace('0', '1')}"}`)],
  ['a hex in a list', answered(`{"result":"success","hex":["${hex}"]}`)],
  ['another member', answered(`{"result":"success","hex":"${hex}","note":"a"}`)],
  ['a bare hex', answered(`"${hex}"`)],
  ['hex of a failure without words', answered(`{"result":"error","hex":"${hex}"}`)],
  [
    'a second hex beside the result',
    `{"result":{"result":"success","hex":"${hex}"},"error":null,"id":1,"note":"${hex}"}`,
  ],
  [
    'hex in a result beside an error',
    `{"result":{"result":"success","hex":"${hex}"},"error":{"code":-4,"message":"no"},"id":1}`,
  ],
  ['no JSON', `<html>${hex}</html>`],
  ['hex in an error of JSON-RPC', `{"result":null,"error":{"code":-1,"message":"${hex}"},"id":1}`],
])('%s is not handed over', async (_, answer) => {
  const { body } = await answerOf(answer)
  expect(JSON.parse(body).result.error).toMatch(/^guard: the daemon answered/)
  expect(body.toLowerCase()).not.toContain(hex.slice(0, 200))
})

test.each([
  ['a failure', answered('{"result":"error","error":"not enough tokens"}')],
  ['an error', '{"result":null,"error":{"code":-1,"message":"no"},"id":1}'],
])('%s without hex comes back unchanged', async (_, answer) => {
  expect((await answerOf(answer)).body).toBe(`${answer}\n`)
})

test('hex whose evidence the daemon withholds is not handed over', async () => {
  const { body } = await answerOf(answered(`{"result":"success","hex":"${hex}"}`))
  expect(body).toContain('guard: ')
  expect(body).not.toContain(hex.slice(0, 200))
})

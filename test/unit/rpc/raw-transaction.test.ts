// A raw transaction has the form that was asked for, whatever form the daemon answers in.

import { expect, test } from 'vitest'

import { createDaemonClient, type DaemonClient } from '../../../src/rpc/index.ts'
import { createFetched, daemonSource } from '../../../src/rpc/safe-flow/evidence.ts'

const txid = 'ab'.repeat(32)
const object = { reason: 'harmless', hex: '0400', txid, version: 4, locktime: 0, vin: [], vout: [] }

function answering(result: unknown): DaemonClient {
  return createDaemonClient({
    url: 'http://127.0.0.1/',
    user: 'user',
    password: 'pass',
    retry: false,
    async fetch(_, init) {
      const { id } = JSON.parse(String(init.body))
      return Response.json({ result, error: null, id }) as never
    },
  })
}

test.each<[string, unknown, (client: DaemonClient) => Promise<unknown>, unknown]>([
  ['hex', '0400', (it) => it.getrawtransaction({ txid }), '0400'],
  ['hex', '0400', (it) => it.getrawtransaction({ txid, verbose: 0 }), '0400'],
  ['hex', '0400', (it) => it.call('getrawtransaction', [txid]), '0400'],
  ['hex', '0400', (it) => it.call('getrawtransaction', [txid, 0]), '0400'],
  ['an object', object, (it) => it.getrawtransaction({ txid, verbose: 1 }), object],
  ['an object', object, (it) => it.call('getrawtransaction', [txid, 1]), object],
])('%s is the result if it was asked for', async (_, reply, ask, result) => {
  expect(await ask(answering(reply))).toMatchObject(result as object)
})

test.each<[string, unknown, (client: DaemonClient) => Promise<unknown>]>([
  ['an object', object, (it) => it.getrawtransaction({ txid })],
  ['an object', object, (it) => it.getrawtransaction({ txid, verbose: 0 })],
  ['an object', object, (it) => it.call('getrawtransaction', [txid])],
  ['hex', '0400', (it) => it.getrawtransaction({ txid, verbose: 1 })],
  ['hex', '0400', (it) => it.call('getrawtransaction', [txid, 1])],
])('%s is an error of shape if the other form was asked for', async (_, reply, ask) => {
  await expect(ask(answering(reply))).rejects.toMatchObject({ kind: 'shape', path: 'result' })
})

test.each([object, { hex: '0400' }])('evidence that is no hex is refused: %o', async (reply) => {
  const client = { getrawtransaction: async () => reply } as unknown as DaemonClient
  for (const asked of [client, answering(reply)]) {
    const fetched = createFetched(daemonSource(asked, {}), {} as never)
    await fetched.fetch([txid])
    expect(fetched.refused).toEqual([{ txid, reason: 'other-transaction' }])
  }
})

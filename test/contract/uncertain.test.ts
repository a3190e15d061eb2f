// A call that may have been carried out is reported as uncertain, whatever its repetition returned.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { transactionId } from '../../src/index.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  type DaemonClient,
  type DaemonClientOptions,
  type RpcError,
  transferToken,
} from '../../src/rpc/index.ts'
import { chainTransaction } from '../support/komodod.ts'
import { transferHex, transferIntent } from '../support/resigned.ts'
import { type Behaviour, startDaemon } from './support/daemon.ts'
import {
  type Answer,
  answerText,
  errorText,
  reply,
  startServer,
  type TestServer,
} from './support/server.ts'

const txid = transactionId(transferHex)
const quick = { attempts: 3, baseMs: 1, maxMs: 2, jitter: false }
const lose: Answer = (_, response) => void response.socket?.resetAndDestroy()
const refuse =
  (code: number): Answer =>
  (request, response) =>
    reply(response, 500, errorText(request, code, 'refused'))
const page =
  (status: number, text = ''): Answer =>
  (_, response) =>
    reply(response, status, text)

let server: TestServer

beforeEach(async () => {
  server = await startServer(lose)
})
afterEach(() => server.close())

/** Answers the first request so, the second so, and all others as the last. */
function answers(...all: readonly Answer[]): void {
  server.answer((request, response, number) => {
    const answer = all[Math.min(number, all.length) - 1]!
    return answer(request, response, number)
  })
}

function daemon(options: Partial<DaemonClientOptions> = {}): DaemonClient {
  const own = { url: server.url, user: 'user', password: 'pass', retry: quick }
  return createDaemonClient({ ...own, ...options } as DaemonClientOptions)
}

function failureOf(call: PromiseLike<unknown>): Promise<RpcError> {
  return Promise.resolve(call).then(
    (value) => Promise.reject(new Error(`succeeded: ${String(value)}`)),
    (error) => error,
  )
}

const send = (client = daemon()): Promise<RpcError> =>
  failureOf(client.sendrawtransaction({ hex: transferHex }))

describe('a broadcast', () => {
  test.each<[string, Answer]>([
    ...[-28, -25, -26, -22, -1, -32601].map((code): [string, Answer] => [`${code}`, refuse(code)]),
    ['401', page(401)],
    ['403', page(403)],
    ['a full queue', page(500, 'Work queue depth exceeded')],
    ['an HTML page', page(500, '<html>')],
  ])(
    'a broadcast whose first answer was lost is uncertain if the repetition is answered %s',
    async (_, how) => {
      answers(lose, how)
      const error = await send()
      expect(error).toMatchObject({ uncertain: true, txid, attempts: 2 })
      expect(error.message).toContain(`${txid} may have been broadcast`)
      expect(error.earlierErrors).toMatchObject([
        { kind: 'transport', reason: 'connection_lost', attempts: 1 },
      ])
      expect(error.kind).not.toBe('transport')
      expect(server.received).toHaveLength(2)
    },
  )

  test.each<[string, Answer]>([
    ['nothing, twice', lose],
    ['503', page(503)],
    ['another status', page(502)],
    ['half an answer', page(200, '{"result":"')],
    ['that it is in the chain', refuse(-27)],
  ])('a broadcast that is answered %s is uncertain', async (_, how) => {
    answers(how)
    const call = daemon().sendrawtransaction({ hex: transferHex }, { retry: false })
    expect(await failureOf(call)).toMatchObject({ uncertain: true, txid })
  })

  test('a broadcast that is answered with a txid and an error is uncertain', async () => {
    answers((request, response) => {
      const error = '{"code":-26,"message":"no"}'
      const answer = answerText(request, `"${txid}"`).replace('"error":null', `"error":${error}`)
      return reply(response, 500, answer)
    })
    const expected = { kind: 'shape', reason: 'wrong_envelope', uncertain: true, txid }
    expect(await send()).toMatchObject(expected)
  })

  test('a broadcast that is answered with the id of another transaction is uncertain', async () => {
    answers((request, response) =>
      reply(response, 200, answerText(request, `"${'00'.repeat(32)}"`)),
    )
    const call = daemon().sendrawtransaction({ hex: transferHex }, { expectedTxid: txid })
    expect(await failureOf(call)).toMatchObject({ reason: 'wrong_txid', uncertain: true, txid })
  })

  test.each([-25, -26, -22, -28, -1])(
    'a broadcast that is refused with %i at once is not uncertain',
    async (code) => {
      answers(refuse(code))
      const error = await send()
      expect(error).toMatchObject({ kind: 'daemon', code, txid })
      expect(error).not.toHaveProperty('uncertain')
    },
  )

  test('a broadcast that is in the chain already, sent by somebody, is not known as refused', async () => {
    answers(refuse(-27))
    expect(await send()).toMatchObject({ code: -27, uncertain: true, txid })
  })

  test('a broadcast that never left is not uncertain', async () => {
    await server.close()
    expect(await send()).not.toHaveProperty('uncertain')
    const signal = AbortSignal.abort()
    const aborted = failureOf(daemon().sendrawtransaction({ hex: transferHex }, { signal }))
    expect(await aborted).not.toHaveProperty('uncertain')
    const controller = new AbortController()
    const onRequest = () => controller.abort()
    const hooked = daemon({ onRequest }).sendrawtransaction(
      { hex: transferHex },
      { signal: controller.signal },
    )
    const error = await failureOf(hooked)
    expect(error.kind).toBe('aborted')
    expect(error).not.toHaveProperty('uncertain')
    server = await startServer(lose)
  })

  test('a broadcast that is aborted or takes too long is uncertain once it left', async () => {
    answers(() => undefined)
    const late = failureOf(daemon().sendrawtransaction({ hex: transferHex }, { timeoutMs: 40 }))
    expect(await late).toMatchObject({ kind: 'timeout', uncertain: true, txid })
    const controller = new AbortController()
    const { signal } = controller
    const call = failureOf(daemon().sendrawtransaction({ hex: transferHex }, { signal }))
    await expect.poll(() => server.received.length).toBe(2)
    controller.abort()
    expect(await call).toMatchObject({ kind: 'aborted', uncertain: true, txid })
  })

  test('stays uncertain when it is aborted between two attempts', async () => {
    const controller = new AbortController()
    const client = daemon({
      onRetry: () => controller.abort(),
      retry: { ...quick, baseMs: 60_000, maxMs: 60_000 },
    })
    const { signal } = controller
    const error = await failureOf(client.sendrawtransaction({ hex: transferHex }, { signal }))
    expect(error).toMatchObject({ kind: 'aborted', uncertain: true, txid })
    expect(error.earlierErrors).toMatchObject([{ kind: 'transport' }])
  })

  test('stays uncertain when the credentials for its repetition cannot be had', async () => {
    let asked = 0
    const gone = new Error('the conf file is gone')
    const credentials = () => {
      asked += 1
      if (asked > 1) throw gone
      return { user: 'user', password: 'pass' }
    }
    const client = daemon({ credentials, user: undefined, password: undefined } as never)
    expect(await send(client)).toMatchObject({
      kind: 'transport',
      uncertain: true,
      txid,
      cause: gone,
    })
  })

  test('a broadcast without credentials for its first attempt fails with their error', async () => {
    const gone = new Error('the conf file is gone')
    const credentials = () => Promise.reject(gone)
    const client = daemon({ credentials, user: undefined, password: undefined } as never)
    expect(await send(client)).toBe(gone)
  })
})

describe('any other call', () => {
  test('a lost call of an unknown method is uncertain, and a look-up or a builder never', async () => {
    const client = daemon()
    expect(await failureOf(client.call('sendtoaddress', ['R', 1]))).toMatchObject({
      uncertain: true,
    })
    const { tokenid, destination: destpubkey } = transferIntent
    for (const call of [
      () => client.getblockcount(),
      () => client.call('getblockhash', [1]),
      () => client.tokentransfer({ tokenid, destpubkey, amount: 1n }),
      () => client.tokencreate({ name: 'T', supply: 1n }),
    ]) {
      expect(await failureOf(call())).not.toHaveProperty('uncertain')
    }
  })

  test('a call that a contract module refused is not uncertain', async () => {
    answers((request, response) =>
      reply(response, 200, answerText(request, '{"result":"error","error":"no funds"}')),
    )
    const error = await failureOf(daemon().call('faucetget', []))
    expect(error).toMatchObject({ kind: 'module' })
    expect(error).not.toHaveProperty('uncertain')
  })

  test('keeps the errors of all attempts', async () => {
    answers(refuse(-28), page(500, 'Work queue depth exceeded'), lose)
    const error = await failureOf(daemon().getblockcount())
    expect(error).toMatchObject({ kind: 'transport', attempts: 3 })
    expect(error.earlierErrors).toMatchObject([
      { kind: 'daemon', code: -28, attempts: 1 },
      { kind: 'http', reason: 'queue_full', attempts: 2 },
    ])
    server.received.length = 0
    answers(refuse(-5))
    expect(await failureOf(daemon().getblockcount())).not.toHaveProperty('earlierErrors')
  })

  test('each call of a batch is uncertain for itself', async () => {
    let request = 0
    server.answer((received, response) => {
      request += 1
      if (request === 1) return void response.socket?.resetAndDestroy()
      const ids = JSON.parse(received.body).map(({ id }: { id: string }) => id)
      const error = { code: -28, message: 'Loading' }
      const result = [
        { result: 7, error: null, id: ids[0] },
        { result: null, error, id: ids[1] },
      ]
      reply(response, 200, JSON.stringify(result))
    })
    const [height, sent] = await daemon().batch([
      { method: 'getblockcount', params: {} },
      { method: 'sendrawtransaction', params: { hex: transferHex } },
    ])
    expect(height).toEqual({ status: 'fulfilled', value: 7 })
    expect(sent).toMatchObject({
      status: 'rejected',
      reason: { code: -28, uncertain: true, txid, earlierErrors: [{ kind: 'transport' }] },
    })
  })

  test('a batch that is lost as a whole is uncertain if any call of it is', async () => {
    const lost = failureOf(
      daemon().batch([
        { method: 'getblockcount', params: {} },
        { method: 'sendrawtransaction', params: { hex: transferHex } },
      ]),
    )
    expect(await lost).toMatchObject({ kind: 'transport', uncertain: true })
    const read = failureOf(daemon().batch([{ method: 'getblockcount', params: {} }]))
    expect(await read).not.toHaveProperty('uncertain')
  })
})

describe('the framework', () => {
  const client = () => createFrameworkClient({ url: server.url, userpass: 'pass', retry: quick })
  const withdraw = { coin: 'KMD', to: 'R', amount: '1' }
  const failed = page(
    500,
    '{"error":"timeout of an electrum","error_type":"Transport","mmrpc":"2.0"}',
  )

  test('passes broadcasts on, so that its error says nothing about them', async () => {
    answers(failed)
    const sent = client().sendRawTransaction({ coin: 'KMD', tx_hex: transferHex })
    expect(await failureOf(sent)).toMatchObject({ kind: 'framework', uncertain: true })
    const call = client().call('send_raw_transaction', { coin: 'KMD', tx_hex: transferHex })
    expect(await failureOf(call)).toMatchObject({ uncertain: true })
    const paid = client().withdraw({ ...withdraw, broadcast: true })
    expect(await failureOf(paid)).toMatchObject({ kind: 'framework', uncertain: true })
  })

  test('only builds a withdrawal that it is not told to broadcast', async () => {
    for (const how of [failed, lose]) {
      answers(how)
      expect(await failureOf(client().withdraw(withdraw))).not.toHaveProperty('uncertain')
    }
    expect(await failureOf(client().withdraw({ ...withdraw, broadcast: true }))).toMatchObject({
      uncertain: true,
    })
    expect(server.received).toHaveLength(3)
  })
})

describe('a safe flow', () => {
  const start = async (behaviour: Partial<Behaviour>) => {
    const started = await startDaemon({ hex: [transferHex], ...behaviour })
    const { url } = started
    const retry = { attempts: 2, baseMs: 1 }
    const flow = createDaemonClient({ url, user: 'user', password: 'pass', retry })
    return { daemon: started, pay: (options = {}) => transferToken(flow, transferIntent, options) }
  }
  const unsettled = [{ txid, hex: transferHex }]

  test('names what may have been broadcast, until it is settled', async () => {
    const { daemon: busy, pay } = await start({
      onBroadcast: (_, count) => (count === 1 ? 'lose' : -28),
      transaction: () => undefined,
    })
    expect(await pay()).toMatchObject({ held: 'rejected' })
    await busy.close()
    const { daemon: other, pay: again } = await start({
      onBroadcast: (_, count) => (count === 1 ? 'lose' : -28),
    })
    const error = await failureOf(again())
    expect(error).toMatchObject({ kind: 'daemon', code: -28, uncertain: true, txid, unsettled })
    expect(error.earlierErrors).toMatchObject([{ kind: 'transport' }])
    // Whatever fails now, that one is still uncertain.
    await other.close()
    expect(await failureOf(again())).toMatchObject({
      reason: 'not_connected',
      uncertain: true,
      txid,
      unsettled,
    })
  })

  test('says of a refusal at once that it was one', async () => {
    const { daemon: own, pay } = await start({ onBroadcast: () => -26 })
    const error = await failureOf(pay())
    expect(error).toMatchObject({ code: -26, txid })
    expect(error).not.toHaveProperty('uncertain')
    expect(error).not.toHaveProperty('unsettled')
    await own.close()
    // Refused once, it was not sent since: no failure of today makes it uncertain.
    expect(await failureOf(pay())).not.toHaveProperty('uncertain')
  })

  test('names them in what it holds, too', async () => {
    const { daemon: own, pay } = await start({
      transaction: (id) => (id === txid ? undefined : chainTransaction(id)),
    })
    const held = await pay({ earlier: transferHex, dryRun: true })
    expect(held).toMatchObject({ held: 'dry-run', unsettled })
    const sent = await pay()
    expect(sent).toMatchObject({ txid })
    expect(sent).not.toHaveProperty('unsettled')
    expect(await pay({ dryRun: true })).not.toHaveProperty('unsettled')
    await own.close()
  })
})

describe('an error that says that the call may have been carried out', () => {
  /** A guard answers so. */
  const answerWith =
    (data: string): Answer =>
    (request, response) => {
      const text = errorText(request, -32603, 'guard: nobody knows')
      reply(response, 500, text.replace(/("message":"[^"]*")/, `$1,"data":${data}`))
    }

  test('is uncertain for a payment, which is not repeated', async () => {
    answers(answerWith('{"uncertain":true}'))
    const error = await failureOf(daemon().call('sendtoaddress', ['R', 1]))
    expect(error).toMatchObject({ kind: 'transport', uncertain: true, code: -32603 })
    expect(server.received).toHaveLength(1)
  })

  test('is not uncertain for a call that reads', async () => {
    answers(answerWith('{"uncertain":true}'))
    const error = await failureOf(daemon().call('getblockcount', []))
    expect(error.uncertain).not.toBe(true)
  })

  test.each(['{"uncertain":"true"}', '{"uncertain":1}', '{}', 'null', '"uncertain"'])(
    'is a refusal with other data: %s',
    async (data) => {
      answers(answerWith(data))
      const error = await failureOf(daemon().call('sendtoaddress', ['R', 1]))
      expect(error).toMatchObject({ kind: 'daemon', code: -32603 })
      expect(error.uncertain).not.toBe(true)
    },
  )
})

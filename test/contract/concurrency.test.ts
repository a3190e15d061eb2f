import { expect, test, vi } from 'vitest'
import { createDaemonClient, isRpcError, type RpcErrorKind } from '../../src/rpc/index.ts'
import { answerText, reply, startServer } from './support/server.ts'

/** A small generator, so that a run can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length

test('a thousand parallel calls with aborts and resets leave nothing behind', async () => {
  const random = seeded(16)
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)

  const server = await startServer((request, response) => {
    response.setHeader('connection', 'close')
    const dice = random()
    if (dice < 0.2) return void response.socket?.resetAndDestroy()
    if (dice < 0.3) return reply(response, 503, 'busy')
    if (dice < 0.4) {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"result":')
      return void setTimeout(() => response.socket?.resetAndDestroy(), 20 * random())
    }
    const answer = (): void => reply(response, 200, answerText(request, '42'))
    if (dice < 0.8) setTimeout(answer, 50 * random())
    else answer()
  })
  const timersBefore = timers()
  const client = createDaemonClient({
    url: server.url,
    user: 'user',
    password: 'pass',
    attemptTimeoutMs: 20_000,
    retry: { attempts: 3, baseMs: 2, maxMs: 10 },
  })
  const warnings: unknown[] = []
  const onWarning = (warning: unknown): void => void warnings.push(warning)
  process.on('warning', onWarning)
  const shared = new AbortController()
  const calls = Array.from({ length: 1_000 }, (_, at) => {
    // Some share one signal, which lives on; some have their own; some have none.
    if (at % 3 === 0) return client.getblockcount({}, { signal: shared.signal })
    if (at % 3 === 1) return client.getblockcount()
    const own = new AbortController()
    setTimeout(() => own.abort(new Error('enough')), 100 * random())
    return client.getblockcount({}, { signal: own.signal })
  })
  const settled = await Promise.allSettled(calls)

  const ends = { value: 0 } as Record<RpcErrorKind | 'value', number>
  for (const one of settled) {
    if (one.status === 'fulfilled') {
      expect(one.value).toBe(42)
      ends.value++
    } else {
      if (!isRpcError(one.reason)) throw one.reason
      ends[one.reason.kind] = (ends[one.reason.kind] ?? 0) + 1
    }
  }
  const allowed = ['value', 'aborted', 'transport', 'http']
  expect(Object.keys(ends).filter((kind) => !allowed.includes(kind))).toEqual([])
  expect(ends.value).toBeGreaterThan(300)
  expect(ends.aborted).toBeGreaterThan(30)

  await vi.waitFor(() => expect(server.openSockets()).toBe(0), { timeout: 20_000 })
  await vi.waitFor(() => expect(timers()).toBeLessThanOrEqual(timersBefore), { timeout: 20_000 })
  expect([unhandled, warnings]).toEqual([[], []])
  process.off('warning', onWarning)
  process.off('unhandledRejection', onUnhandled)
  await server.close()
}, 120_000)

test('a signal that outlives many calls gathers no listeners', async () => {
  const server = await startServer((request, response) =>
    reply(response, 200, answerText(request, '1')),
  )
  const client = createDaemonClient({ url: server.url, user: 'user', password: 'pass' })
  const controller = new AbortController()
  const added = vi.spyOn(controller.signal, 'addEventListener')
  const removed = vi.spyOn(controller.signal, 'removeEventListener')
  for (let call = 0; call < 50; call++) {
    await client.getblockcount({}, { signal: controller.signal })
  }
  expect(added).toHaveBeenCalledTimes(50)
  expect(removed).toHaveBeenCalledTimes(50)
  await server.close()
})

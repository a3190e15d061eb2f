// An observer that throws or rejects changes nothing: no call fails, no process ends.

import { afterEach, describe, expect, test } from 'vitest'
import { transactionId } from '../../src/index.ts'
import { createDevFramework, createDevNode } from '../../src/node/index.ts'
import { notified, notify } from '../../src/primitives/observers.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  type SafeFlowProgress,
  transferToken,
} from '../../src/rpc/index.ts'
import { transferHex, transferIntent } from '../support/resigned.ts'
import { type Daemon, startDaemon } from './support/daemon.ts'
import { activated, startFramework } from './support/framework.ts'

let daemon: Daemon
afterEach(() => daemon?.close())

const txid = transactionId(transferHex)
const start = async () => {
  daemon = await startDaemon({ hex: [transferHex] })
  return { url: daemon.url, user: 'user', password: 'pass' }
}

/** Ways in which an observer can fail; a rejection that nobody handles ends a process. */
const failing: [string, () => unknown][] = [
  ['throws', () => raise()],
  ['rejects at once', () => Promise.reject(new Error('observer'))],
  ['rejects later', () => new Promise((_, reject) => setTimeout(reject, 5, new Error('observer')))],
  [
    'answers a thenable that throws',
    () => Object.defineProperty({}, 'then', { get: () => raise() }),
  ],
]

function raise(): never {
  throw new Error('observer')
}

/** Lets rejections show that nobody handles: the test runner fails on each. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

describe.each(failing)('an observer that %s', (_, fail) => {
  test('does not disturb a call, nor its repetition', async () => {
    const server = await start()
    let asked = 0
    daemon.answer((_request, response) => {
      asked += 1
      response.writeHead(503).end()
    })
    const retry = { attempts: 2, baseMs: 1 }
    const hooks = { onRequest: fail, onResponse: fail, onRetry: fail }
    const client = createDaemonClient({ ...server, ...hooks, retry })
    await expect(client.getblockcount()).rejects.toMatchObject({ reason: 'unavailable' })
    await settled()
    expect(asked).toBe(2)
  })

  test('does not disturb a safe flow, between broadcast and reply either', async () => {
    const server = await start()
    const steps: string[] = []
    const onProgress = ({ step }: SafeFlowProgress) => {
      steps.push(step)
      return fail()
    }
    const client = createDaemonClient(server)
    expect((await transferToken(client, transferIntent, { onProgress })).txid).toBe(txid)
    await settled()
    expect(steps.at(-1)).toBe('broadcasting')
  })

  test('does not disturb a task', async () => {
    const server = await startFramework({ statuses: [{ status: 'Ok', details: activated }] })
    const client = createFrameworkClient({ url: server.url, userpass: 'pass' })
    const task = client.startTask('enable_bch', { ticker: 'BCH' }, { onStatus: fail })
    expect(await task).toMatchObject({ ticker: 'BCH' })
    await settled()
    await server.close()
  })

  test('does not disturb a development node or framework', async () => {
    const node = await createDevNode({ onCall: fail })
    const client = createDaemonClient(node.identities[0]!)
    expect(await client.getblockcount()).toBeGreaterThan(0)
    await node.close()
    const framework = await createDevFramework({ onCall: fail })
    const { url, userpass } = framework
    expect(await createFrameworkClient({ url, userpass }).version()).toHaveProperty('result')
    await settled()
    await framework.close()
  })

  test('is not heard', async () => {
    notify(fail, 'event')
    expect(await notified(fail, 'event')).toBeUndefined()
    await settled()
  })
})

describe('the observer of a broadcast', () => {
  test('is done before anything is sent, so it can record the transaction durably', async () => {
    const client = createDaemonClient(await start())
    const order: string[] = []
    const onProgress = async (progress: SafeFlowProgress) => {
      if (progress.step !== 'broadcasting') return
      await settled()
      order.push(`recorded ${progress.report.txid}, sent ${daemon.broadcasts.length}`)
    }
    expect((await transferToken(client, transferIntent, { onProgress })).txid).toBe(txid)
    expect(order).toEqual([`recorded ${txid}, sent 0`])
  })

  test('the observer of a broadcast that does not come to an end can be aborted, and nothing is sent', async () => {
    const client = createDaemonClient(await start())
    const controller = new AbortController()
    const onProgress = ({ step }: SafeFlowProgress) => {
      if (step !== 'broadcasting') return
      setTimeout(() => controller.abort(), 10)
      return new Promise(() => undefined)
    }
    const { signal } = controller
    const call = transferToken(client, transferIntent, { onProgress, signal })
    const error = await call.then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ kind: 'aborted' })
    expect(error).not.toHaveProperty('uncertain')
    expect(daemon.broadcasts).toEqual([])
  })

  test('is not waited for at any other step', async () => {
    const client = createDaemonClient(await start())
    const onProgress = ({ step }: SafeFlowProgress) =>
      step === 'broadcasting' ? undefined : new Promise(() => undefined)
    expect((await transferToken(client, transferIntent, { onProgress })).txid).toBe(txid)
  })
})

test('observers hear of an event at once, with the event itself', () => {
  const heard: unknown[] = []
  const event = { step: 'asking' }
  notify((it) => heard.push(it), event)
  notify(undefined, event)
  expect(heard).toEqual([event])
})

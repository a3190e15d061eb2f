import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createFrameworkClient,
  type EnableBchParams,
  type FrameworkClient,
  isFrameworkError,
  isRpcError,
  type TaskOptions,
  type TaskStatus,
  type UtxoActivation,
} from '../../src/rpc/index.ts'
import {
  activated,
  type FrameworkServer,
  type Script,
  startFramework,
} from './support/framework.ts'
import { reply } from './support/server.ts'

const params: EnableBchParams = {
  ticker: 'BCH',
  activation_params: {
    bchd_urls: ['https://bchd.example'],
    mode: { rpc: 'Electrum', rpc_data: { servers: [{ url: 'electrum.example:20055' }] } },
  },
}
const init = 'task::enable_bch::init'
const status = 'task::enable_bch::status'
const userAction = 'task::enable_bch::user_action'
const cancel = 'task::enable_bch::cancel'

const inProgress = (details: unknown) => ({ status: 'InProgress', details })
const ok = { status: 'Ok', details: activated }
const failed = {
  status: 'Error',
  details: {
    error: 'Error on platform coin BCH creation: Failed to connect',
    error_path: 'lib.utxo_coin_builder',
    error_trace: 'lib:103] utxo_coin_builder:234]',
    error_type: 'CoinCreationError',
    error_data: { ticker: 'BCH', error: 'Failed to connect' },
  },
}

let server: FrameworkServer
let client: FrameworkClient

async function start(script: Script): Promise<void> {
  server = await startFramework(script)
  client = createFrameworkClient({
    url: server.url,
    userpass: 'secret',
    retry: { attempts: 2, baseMs: 1, jitter: false },
  })
}
afterEach(() => server.close())

const enable = (options: TaskOptions<UtxoActivation> = {}) =>
  client.enableBch(params, { pollMs: 1, ...options })

test.each([Number.NaN, '5', null])('a task is not polled every %s', async (pollMs) => {
  await start({ statuses: [inProgress('ActivatingCoin'), ok] })
  const options = { pollMs } as never
  expect(() => enable(options)).toThrow(TypeError)
  expect(() => client.followTask('enable_bch', 1, options)).toThrow(TypeError)
})

test('a task without a name is neither started nor followed', async () => {
  await start({ statuses: [ok] })
  const task = undefined as unknown as string
  expect(() => client.startTask(task, {})).toThrow(/^task: expected a string/)
  expect(() => client.followTask(task, 7)).toThrow(/^task: expected a string/)
  expect(server.methods()).toEqual([])
})

test('a task is awaited for its result', async () => {
  await start({ statuses: [inProgress('ActivatingCoin'), ok] })
  const task = enable()
  expect(await task).toEqual(activated)
  expect(await task.id).toBe(7)
  expect(server.methods()).toEqual([init, status, status, status])
  // The client asks without forgetting, and lets the server forget only after it has the result.
  expect(server.bodies(status).map((body) => body.params)).toEqual([
    { task_id: 7, forget_if_finished: false },
    { task_id: 7, forget_if_finished: false },
    { task_id: 7, forget_if_finished: true },
  ])
})

test('a task can be iterated several times, each time over all different statuses', async () => {
  const scan = (block: number) =>
    inProgress({ SyncingBlockHeaders: { current_scanned_block: block, last_block: 90 } })
  await start({
    statuses: [
      inProgress('ActivatingCoin'),
      inProgress('ActivatingCoin'),
      scan(1),
      scan(2),
      inProgress({ TemporaryError: 'retrying' }),
      inProgress('SomethingNew'),
      ok,
    ],
  })
  const reported: TaskStatus[] = []
  const task = enable({ onStatus: (one) => reported.push(one) })
  const collect = async () => {
    const seen: TaskStatus[] = []
    for await (const one of task) seen.push(one)
    return seen
  }
  const both = await Promise.all([collect(), collect()])
  const late = await collect()
  const wanted = [
    inProgress('ActivatingCoin'),
    scan(1),
    scan(2),
    inProgress({ TemporaryError: 'retrying' }),
    inProgress('SomethingNew'),
    ok,
  ]
  expect([...both, late, reported]).toEqual([wanted, wanted, wanted, wanted])
})

test('the result survives answers that get lost', async () => {
  await start({ statuses: [inProgress('ActivatingCoin'), ok], lost: [1, 3, 4] })
  expect(await enable()).toEqual(activated)
})

test('a lost request to forget the task does no harm', async () => {
  await start({ statuses: [ok], lost: [2] })
  expect(await enable()).toEqual(activated)
})

test('a task that fails rejects with type, data and number, and its last status is seen', async () => {
  await start({ statuses: [inProgress('ActivatingCoin'), failed] })
  const task = enable()
  const seen: string[] = []
  for await (const one of task) seen.push(one.status)
  expect(seen).toEqual(['InProgress', 'Error'])
  const error = await Promise.resolve(task).catch((cause) => cause)
  expect(isRpcError(error, 'task')).toBe(true)
  expect(error).toMatchObject({
    taskId: 7,
    errorType: 'CoinCreationError',
    errorData: { ticker: 'BCH', error: 'Failed to connect' },
    errorPath: 'lib.utxo_coin_builder',
  })
  expect(isFrameworkError(error, 'CoinCreationError')).toBe(true)
  expect(server.bodies(status).at(-1)?.params.forget_if_finished).toBe(true)
})

test('a start that is refused rejects the handle, its id and its iteration', async () => {
  const initError = {
    error: 'Coin BCH is activated already',
    error_type: 'CoinIsAlreadyActivated',
    error_data: { ticker: 'BCH' },
  }
  await start({ statuses: [ok], initError })
  const task = enable()
  const error = await Promise.resolve(task).catch((cause) => cause)
  expect(error).toMatchObject({ kind: 'framework', errorData: { ticker: 'BCH' }, status: 400 })
  await expect(task.id).rejects.toBe(error)
  await expect(task[Symbol.asyncIterator]().next()).rejects.toBe(error)
  await expect(task.cancel()).rejects.toBe(error)
  expect(server.methods()).toEqual([init])
})

test('an activation is started once, even if its answer is lost', async () => {
  await start({
    statuses: [ok],
    before: (_, method) => {
      if (method === init) server.close()
      return false
    },
  })
  await expect(Promise.resolve(enable())).rejects.toMatchObject({ kind: 'transport', attempts: 1 })
  expect(server.methods()).toEqual([init])
})

describe('a device that asks the user', () => {
  const pin = { status: 'UserActionRequired', details: 'EnterTrezorPin' }
  const passphrase = { status: 'UserActionRequired', details: 'EnterTrezorPassphrase' }

  test('is answered through the callback, each question once', async () => {
    await start({
      statuses: [
        inProgress('WaitingForTrezorToConnect'),
        pin,
        inProgress('FollowHwDeviceInstructions'),
        passphrase,
        pin,
        ok,
      ],
    })
    const asked: string[] = []
    const result = await enable({
      onUserAction: async (need) => {
        asked.push(need)
        await new Promise((resolve) => setTimeout(resolve, 30))
        return need === 'EnterTrezorPin'
          ? { action_type: 'TrezorPin', pin: '862743' }
          : { action_type: 'TrezorPassphrase', passphrase: '' }
      },
    })
    expect(result).toEqual(activated)
    expect(asked).toEqual(['EnterTrezorPin', 'EnterTrezorPassphrase', 'EnterTrezorPin'])
    expect(server.bodies(userAction).map((body) => body.params)).toEqual([
      { task_id: 7, user_action: { action_type: 'TrezorPin', pin: '862743' } },
      { task_id: 7, user_action: { action_type: 'TrezorPassphrase', passphrase: '' } },
      { task_id: 7, user_action: { action_type: 'TrezorPin', pin: '862743' } },
    ])
  })

  test('is answered by `act`', async () => {
    await start({ statuses: [pin, ok] })
    const task = enable()
    for await (const one of task) {
      if (one.status === 'UserActionRequired') {
        await task.act({ action_type: 'TrezorPin', pin: '1' })
      }
    }
    expect(await task).toEqual(activated)
    // The server has no question left to answer. It reports so in an error without the PIN.
    await expect(task.act({ action_type: 'TrezorPin', pin: '99' })).rejects.toMatchObject({
      kind: 'framework',
      errorType: 'NoSuchTask',
    })
  })

  test('is not left waiting when the user refuses', async () => {
    await start({ statuses: [pin] })
    const refusal = new Error('no device')
    const error = await Promise.resolve(
      enable({
        onUserAction: () => {
          throw refusal
        },
      }),
    ).catch((cause) => cause)
    expect(error).toMatchObject({ kind: 'aborted', cause: refusal, taskId: 7 })
    await vi.waitFor(() => expect(server.methods()).toContain(cancel))
  })

  test('is asked again when the answer was lost', async () => {
    let lost = 0
    await start({
      statuses: [pin, ok],
      before: (_, method, response) => {
        if (method !== userAction || lost++ > 0) return false
        response.socket?.resetAndDestroy()
        return true
      },
    })
    const asked = vi.fn(() => ({ action_type: 'TrezorPin', pin: '1' }) as const)
    expect(await enable({ onUserAction: asked })).toEqual(activated)
    expect(asked).toHaveBeenCalledTimes(2)
  })
})

describe('stopping', () => {
  test('cancel reports `cancelled`, and the handle rejects', async () => {
    await start({ statuses: [inProgress('ActivatingCoin')] })
    const task = enable()
    expect(await task.cancel()).toBe('cancelled')
    expect(await task.cancel()).toBe('cancelled')
    await expect(Promise.resolve(task)).rejects.toMatchObject({ kind: 'aborted' })
    expect(server.methods().filter((method) => method === cancel)).toHaveLength(1)
    await expect(
      (async () => {
        for await (const _ of task);
      })(),
    ).rejects.toMatchObject({ kind: 'aborted' })
  })

  test('cancel asks again after a request that was lost', async () => {
    let cancels = 0
    await start({
      statuses: [inProgress('ActivatingCoin')],
      before: (_, method, response) => {
        if (method !== cancel || ++cancels > 1) return false
        response.socket?.resetAndDestroy()
        return true
      },
    })
    const task = enable()
    await expect(task.cancel()).rejects.toMatchObject({ kind: 'transport' })
    expect(await task.cancel()).toBe('cancelled')
    await expect(Promise.resolve(task)).rejects.toMatchObject({ kind: 'aborted' })
    expect(cancels).toBe(2)
  })

  test('cancel of a finished task leaves its result', async () => {
    await start({
      statuses: [ok],
      before: async (_, method) => {
        if (method === status) await new Promise((resolve) => setTimeout(resolve, 40))
        return false
      },
    })
    const task = enable()
    expect(await task.cancel()).toBe('already-finished')
    expect(await task).toEqual(activated)
  })

  test('cancel of a task the server does not know', async () => {
    await start({ statuses: [ok] })
    const task = client.followTask('enable_bch', 99)
    expect(await task.cancel()).toBe('unknown')
    await expect(Promise.resolve(task)).rejects.toMatchObject({
      kind: 'framework',
      errorType: 'NoSuchTask',
      errorData: 99,
      taskId: 99,
    })
  })

  test('cancel of a task that another cancel is tearing down', async () => {
    const text = "RPC '7' task is in unexpected status. Actual: 'Cancelled', expected: 'InProgress'"
    await start({
      statuses: [inProgress('ActivatingCoin')],
      before: () => false,
    })
    const task = enable()
    await task.id
    server.answer((request, response) => {
      const { method, id } = JSON.parse(request.body)
      const answer =
        method === cancel
          ? { error: text, error_type: 'Internal', error_data: text }
          : { result: inProgress('ActivatingCoin') }
      reply(
        response,
        method === cancel ? 500 : 200,
        JSON.stringify({ mmrpc: '2.0', ...answer, id }),
      )
    })
    expect(await task.cancel()).toBe('cancelled')
    await expect(Promise.resolve(task)).rejects.toMatchObject({ kind: 'aborted' })
  })

  test('an abort rejects when the task is cancelled at the server', async () => {
    await start({ statuses: [inProgress('ActivatingCoin')] })
    const controller = new AbortController()
    const task = enable({ signal: controller.signal, pollMs: 60_000 })
    await task.id
    controller.abort(new Error('user left'))
    await expect(Promise.resolve(task)).rejects.toMatchObject({
      kind: 'aborted',
      cause: { message: 'user left' },
      cancellation: 'cancelled',
      taskId: 7,
    })
    expect(server.methods()).toContain(cancel)
  })

  test('an abort reports that the task could not be cancelled', async () => {
    await start({
      statuses: [inProgress('ActivatingCoin')],
      before: (_, method, response) => {
        if (method === cancel) response.socket?.resetAndDestroy()
        return method === cancel
      },
    })
    const controller = new AbortController()
    const task = enable({ signal: controller.signal, pollMs: 60_000 })
    await task.id
    controller.abort()
    await expect(Promise.resolve(task)).rejects.toMatchObject({
      kind: 'aborted',
      message: 'aborted by the caller; the task could not be cancelled',
      cancellation: 'failed',
      taskId: 7,
    })
  })

  test('an abort waits at most five seconds for a silent server', async () => {
    await start({
      statuses: [inProgress('ActivatingCoin')],
      before: (_, method) => method === cancel,
    })
    const controller = new AbortController()
    const task = enable({ signal: controller.signal, pollMs: 60_000 })
    await task.id
    vi.useFakeTimers()
    try {
      controller.abort()
      const outcome = expect(Promise.resolve(task)).rejects.toMatchObject({
        kind: 'aborted',
        cancellation: 'failed',
      })
      await vi.advanceTimersByTimeAsync(5_000)
      await outcome
    } finally {
      vi.useRealTimers()
    }
  })

  test('an abort during the start cancels as soon as the id is known', async () => {
    const controller = new AbortController()
    await start({
      statuses: [inProgress('ActivatingCoin')],
      before: async (_, method) => {
        if (method === init) {
          controller.abort()
          await new Promise((resolve) => setTimeout(resolve, 30))
        }
        return false
      },
    })
    await expect(Promise.resolve(enable({ signal: controller.signal }))).rejects.toMatchObject({
      kind: 'aborted',
      cancellation: 'cancelled',
    })
    expect(server.methods()).toEqual([init, cancel])
  })

  test('an abort sends nothing while the password is still awaited', async () => {
    await start({ statuses: [ok] })
    const controller = new AbortController()
    const slow = createFrameworkClient({
      url: server.url,
      userpass: async () => {
        await new Promise((resolve) => setTimeout(resolve))
        controller.abort(new Error('user left'))
        return 'secret'
      },
    })
    const error = await slow.enableBch(params, { signal: controller.signal }).then(
      () => undefined,
      (cause) => cause,
    )
    expect(error).toMatchObject({ kind: 'aborted', message: 'aborted by the caller' })
    expect(error).toMatchObject({ cause: { message: 'user left' } })
    // There is no task that could be cancelled.
    expect(error.cancellation).toBeUndefined()
    expect(server.methods()).toEqual([])
  })

  test('an abort does not wait for a password that never comes', async () => {
    await start({ statuses: [ok] })
    const controller = new AbortController()
    const slow = createFrameworkClient({
      url: server.url,
      userpass: () => new Promise(() => setTimeout(() => controller.abort())),
    })
    const task = slow.enableBch(params, { signal: controller.signal })
    const error = await Promise.resolve(task).catch((cause) => cause)
    expect(error).toMatchObject({ kind: 'aborted', message: 'aborted by the caller' })
    expect(error.cancellation).toBeUndefined()
    expect(server.methods()).toEqual([])
  })

  test('an abort may leave the task running', async () => {
    await start({ statuses: [inProgress('ActivatingCoin')] })
    const controller = new AbortController()
    const task = enable({ signal: controller.signal, cancelOnAbort: false })
    await task.id
    controller.abort()
    await expect(Promise.resolve(task)).rejects.toMatchObject({ kind: 'aborted' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.methods()).not.toContain(cancel)
    expect(await client.followTask('enable_bch', 7).cancel()).toBe('cancelled')
  })

  test('an abort before the start sends nothing', async () => {
    await start({ statuses: [ok] })
    const task = enable({ signal: AbortSignal.abort() })
    await expect(Promise.resolve(task)).rejects.toMatchObject({ kind: 'aborted' })
    expect(server.methods()).toEqual([])
  })

  test('a server that stays away ends the task with its id, with which it can be followed later', async () => {
    await start({
      statuses: [inProgress('ActivatingCoin')],
      before: async (_, method) => {
        if (method === status) await server.close()
        return false
      },
    })
    await expect(Promise.resolve(enable())).rejects.toMatchObject({ kind: 'transport', taskId: 7 })
  })
})

describe('the event stream', () => {
  test('shortens the wait: after an event of the task the client asks for its status', async () => {
    await start({ statuses: [inProgress('ActivatingCoin'), ok], events: true })
    const task = enable({ events: true, pollMs: 60_000 })
    await vi.waitFor(() => expect(server.methods()).toEqual([init, status]))
    const client_id = server.bodies(init)[0]?.params.client_id
    expect(server.received[0]?.path).toBe(`/event-stream?id=${client_id}`)
    expect(JSON.stringify(server.received[0]?.headers)).not.toContain('secret')
    server.emit('data: {"_type":"HEARTBEAT","message":{}}\n\n')
    server.emit('data: {"_type":"TASK:70","message":{}}\n\ndata: {"_ty')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(server.methods()).toEqual([init, status])
    server.emit('pe":"TASK:7","message":{"status":"Ok"}}\n\n')
    expect(await task).toEqual(activated)
    await vi.waitFor(() => expect(server.openStreams()).toBe(0))
  })

  test('does not start a task that is aborted while the stream is being opened', async () => {
    await start({ statuses: [ok], events: true })
    const controller = new AbortController()
    const silent = createFrameworkClient({
      url: server.url,
      userpass: 'secret',
      fetch: (url, init) =>
        init.method === 'POST'
          ? (fetch(url, init as RequestInit) as never)
          : new Promise((_, reject) => {
              init.signal.addEventListener('abort', () => reject(init.signal.reason))
              setTimeout(() => {
                controller.abort()
                isEndedByAbort = init.signal.aborted
              })
            }),
    })
    let isEndedByAbort = false
    const task = silent.enableBch(params, { events: true, signal: controller.signal })
    await expect(Promise.resolve(task)).rejects.toMatchObject({
      kind: 'aborted',
      message: 'aborted by the caller',
    })
    // The opening would also end by itself, after two seconds.
    expect(isEndedByAbort).toBe(true)
    expect(server.methods()).toEqual([])
  })

  test('ends with a task that was aborted before it had an id', async () => {
    const controller = new AbortController()
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await start({
      statuses: [inProgress('ActivatingCoin')],
      events: true,
      before: async (_, method) => {
        if (method === init) {
          controller.abort()
          await held
        }
        return false
      },
    })
    const task = enable({ events: true, signal: controller.signal })
    const ended = expect(Promise.resolve(task)).rejects.toMatchObject({ cancellation: 'cancelled' })
    await vi.waitFor(() => expect(server.methods()).toEqual([init]))
    expect(server.openStreams()).toBe(1)
    goOn()
    await ended
    await vi.waitFor(() => expect(server.openStreams()).toBe(0))
  })

  test('an event stream that does not exist changes nothing', async () => {
    await start({ statuses: [inProgress('ActivatingCoin'), ok] })
    expect(await enable({ events: true })).toEqual(activated)
  })

  test('an event stream that breaks off changes nothing', async () => {
    await start({ statuses: [inProgress('ActivatingCoin'), ok], events: true })
    const task = enable({ events: true, pollMs: 100 })
    await task.id
    server.emit(`data: ${'a'.repeat(2 ** 21)}`)
    expect(await task).toEqual(activated)
  })
})

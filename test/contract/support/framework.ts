import type { ServerResponse } from 'node:http'
import { createDevFramework } from '../../../src/node/framework/dev-framework.ts'
import { documentedCoins } from '../../../src/node/framework/samples.ts'
import type { CoinScript, StepScript } from '../../../src/node/framework/script.ts'
import { type Received, reply, startServer, type TestServer } from './server.ts'

/** The answer of the status method to one request. */
export type Status = { readonly status: string; readonly details: unknown }

/**
 * A small framework server with one BCH task, after the state machine of the real one. It accepts
 * user actions only while it waits for one, and keeps finished tasks until a call forgets them.
 */
export interface FrameworkServer extends TestServer {
  /** Method names in the order of arrival. */
  methods(): string[]
  /** Bodies of the requests of one method. */
  bodies(method: string): { readonly params: Record<string, unknown> }[]
  /** Writes to every open event stream. */
  emit(text: string): void
  openStreams(): number
}

export interface Script {
  /** One entry for each look at the status; the last one stays. */
  readonly statuses: readonly Status[]
  /** Looks that get no answer: the socket is reset. */
  readonly lost?: readonly number[]
  /** Called for each request before it is answered; true if it was answered there. */
  readonly before?: (
    request: Received,
    method: string,
    response: ServerResponse,
  ) => boolean | Promise<boolean>
  readonly initError?: object
  /** True if the server has an event stream. */
  readonly events?: boolean
}

export const activated = {
  ticker: 'BCH',
  current_block: 895348,
  wallet_balance: {
    wallet_type: 'Iguana',
    address: 'bitcoincash:q',
    balance: { BCH: { spendable: '0.11398301', unspendable: '0' } },
  },
}

const taskId = 7

/** The server that answers behind the front, which counts, delays and drops requests. */
type Answerer = 'a stub' | 'the development framework'

let answerer: Answerer = 'a stub'

/** For the file of tests that asks for it. */
export function answerBy(next: Answerer): void {
  answerer = next
}

interface Backend {
  answer(body: string): { status: number; body: string } | Promise<{ status: number; body: string }>
  close(): Promise<void>
}

export async function startFramework(script: Script): Promise<FrameworkServer> {
  let looks = 0
  const streams: ServerResponse[] = []
  const backend = answerer === 'a stub' ? stub(script) : await developmentFramework(script)
  const server = await startServer(async (request, response) => {
    if (request.path.startsWith('/event-stream')) {
      response.writeHead(script.events ? 200 : 404, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      if (script.events) streams.push(response)
      else response.end()
      return
    }
    const { method } = JSON.parse(request.body)
    if (await script.before?.(request, method, response)) return
    const { status, body } = await backend.answer(request.body)
    if (method === 'task::enable_bch::status' && script.lost?.includes(++looks)) {
      return void response.socket?.resetAndDestroy()
    }
    reply(response, status, body)
  })
  const requests = () =>
    server.received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
  return {
    ...server,
    methods: () => requests().map(({ method }) => method),
    bodies: (method) => requests().filter((body) => body.method === method),
    emit: (text) => {
      for (const stream of streams) stream.write(text)
    },
    openStreams: () => streams.filter((stream) => !stream.destroyed).length,
    close: async () => {
      await server.close()
      await backend.close()
    },
  }
}

function stub(script: Script): Backend {
  let step = 0
  let isGone = false
  const answer: Backend['answer'] = (text) => {
    const { method, params = {}, id } = JSON.parse(text)
    const ok = (result: unknown) => ({
      status: 200,
      body: JSON.stringify({ mmrpc: '2.0', result, id }),
    })
    const fail = (status: number, error: string, error_type: string, error_data?: unknown) => ({
      status,
      body: JSON.stringify({
        mmrpc: '2.0',
        error,
        error_path: 'init_standalone_coin',
        error_trace: 'init_standalone_coin:119]',
        error_type,
        ...(error_data !== undefined && { error_data }),
        id,
      }),
    })
    const current = script.statuses[Math.min(step, script.statuses.length - 1)] as Status
    const isFinished = current.status === 'Ok' || current.status === 'Error'
    if (method === 'task::enable_bch::init') {
      return script.initError
        ? { status: 400, body: JSON.stringify({ mmrpc: '2.0', ...script.initError, id }) }
        : ok({ task_id: taskId })
    }
    if (isGone || params.task_id !== taskId) {
      const status = method.endsWith('::cancel') ? 404 : 400
      return fail(status, `No such task '${params.task_id}'`, 'NoSuchTask', params.task_id)
    }
    if (method === 'task::enable_bch::status') {
      if (isFinished && params.forget_if_finished !== false) isGone = true
      if (current.status !== 'UserActionRequired') step++
      return ok(current)
    }
    if (method === 'task::enable_bch::user_action') {
      if (current.status !== 'UserActionRequired') {
        const text = `RPC '7' task is in unexpected status. Actual: '${current.status}', expected: 'AwaitingUserAction'`
        return fail(500, text, 'Internal', text)
      }
      step++
      return ok('success')
    }
    if (method === 'task::enable_bch::cancel') {
      if (isFinished) return fail(409, 'Task is finished already', 'TaskFinished', taskId)
      isGone = true
      return ok('success')
    }
    return fail(400, 'No such method', 'NoSuchMethod')
  }
  return { answer, close: async () => undefined }
}

/** The same task, as a script of the development framework. */
async function developmentFramework({ statuses, initError }: Script): Promise<Backend> {
  const fails = statuses.find(({ status }) => status === 'Error')?.details as CoinScript['fails']
  const { error_path: _, ...failure } = (fails ?? {}) as { error_path?: string }
  const { wallet_balance, current_block } = activated
  const server = await createDevFramework({
    coins: documentedCoins,
    script: {
      userpass: 'secret',
      coins: {
        BCH: {
          address: wallet_balance.address,
          current_block,
          balance: wallet_balance.balance.BCH,
          steps: statuses.flatMap((status, at) => stepOf(status, at === statuses.length - 1)),
          ...(fails && { fails: failure as CoinScript['fails'] }),
        },
      },
      methods: initError
        ? { 'task::enable_bch::init': { error: { status: 400, ...initError } as never } }
        : {},
    },
  })
  // The stub's number, so that both tell the same.
  const task = { userpass: 'secret', mmrpc: '2.0', method: 'task::init_trezor::init', params: {} }
  for (let id = 0; id < taskId; id++) await server.request(JSON.stringify(task))
  return { answer: server.request, close: server.close }
}

function stepOf({ status, details }: Status, isLast: boolean): StepScript[] {
  if (status === 'UserActionRequired') return [{ asks: details } as StepScript]
  if (status !== 'InProgress') return []
  // The last status stays.
  return [{ progress: details as string, ...(!isLast && { ms: 1 }) }]
}

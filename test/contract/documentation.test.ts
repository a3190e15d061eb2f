import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTypedMethod } from '../../src/rpc/daemon/methods.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  type DaemonClient,
  type EnableTendermintWithAssetsParams,
  type FrameworkClient,
  isRpcError,
} from '../../src/rpc/index.ts'
import { exactJson, plain, typedValue } from './support/oracle.ts'
import {
  type DocumentedFramework,
  documentedDaemon,
  documentedFramework,
  withId,
} from './support/recordings.ts'
import { idTextOf, reply, startServer, type TestServer } from './support/server.ts'

// The examples of the public documentation of both interfaces, answered by the server as printed.

let server: TestServer
let daemon: DaemonClient
let framework: FrameworkClient

beforeAll(async () => {
  server = await startServer(() => undefined)
  daemon = createDaemonClient({ url: server.url, user: 'user', password: 'pass', retry: false })
  framework = createFrameworkClient({ url: server.url, userpass: 'secret', retry: false })
})
afterAll(() => server.close())

test('every documented answer of the daemon gives its result', async () => {
  const counts = { typed: 0, untyped: 0, module: 0, daemon: 0, noEnvelope: 0 }
  const misprints: string[] = []
  for (const { at, request, response } of documentedDaemon()) {
    server.answer((received, out) => reply(out, 200, withId(response, idTextOf(received.body))))
    const { method, params } = JSON.parse(request)
    const isTyped = isTypedMethod(method)
    const { result, error } = exactJson(response) as { result?: never; error?: unknown }
    const outcome = await daemon.call(method, params).then(
      (value) => ({ value }),
      (cause) => ({ cause }),
    )
    const failure = result as { result?: unknown; error?: string } | null | undefined
    if (result === undefined || error === undefined) {
      // A page that prints something else than an answer of the daemon.
      expect((outcome as { cause: unknown }).cause, at).toMatchObject({ reason: 'wrong_envelope' })
      counts.noEnvelope++
    } else if (error !== null) {
      expect(isRpcError((outcome as { cause: unknown }).cause, 'daemon'), at).toBe(true)
      counts.daemon++
    } else if (failure?.result === 'error') {
      expect(isRpcError((outcome as { cause: unknown }).cause, 'module'), at).toBe(true)
      counts.module++
    } else if ('cause' in outcome) {
      if (!isRpcError(outcome.cause, 'shape')) throw new Error(at, { cause: outcome.cause })
      misprints.push(outcome.cause.message.slice(0, 160))
    } else {
      const exact = typedValue(isTyped ? method : undefined, documentedForm(method, result))
      expect(plain(outcome.value), at).toEqual(exact)
      counts[isTyped ? 'typed' : 'untyped']++
    }
  }
  expect(counts).toMatchInlineSnapshot(`
    {
      "daemon": 0,
      "module": 0,
      "noEnvelope": 2,
      "typed": 265,
      "untyped": 84,
    }
  `)
  expect(misprints).toMatchInlineSnapshot(`
    [
      "tokenbid: result: expected Object, received "0100000001484256677a6417030dd99716a47b8c9cb06fba6e57ff4617e9932a6cde2972830100000049483045022100fc1926401b27ba044bb",
      "tokencancelask: result: expected Object, received "010000000234c335a46dadea8e42420b0e284f5577cfbcb7764a8d5c3b61312b71c5b14d0800000000494830450221009f365d429d03d",
      "tokencancelbid: result: expected Object, received "010000000234c335a46dadea8e42420b0e284f5577cfbcb7764a8d5c3b61312b71c5b14d0800000000494830450221009f365d429d03d",
      "tokenfillask: result: expected Object, received "01000000031a47a2fa94f27f7e98645a6827f9382991d76fcfd2d84b96065763d1cfed78fc02000000494830450221008be941e56b10fb5",
      "tokenfillbid: result: expected Object, received "01000000031a47a2fa94f27f7e98645a6827f9382991d76fcfd2d84b96065763d1cfed78fc02000000494830450221008be941e56b10fb5",
      "tokenorders: result.0.totalrequired: expected "totalrequired", received nothing",
      "tokenorders: result.0.totalrequired: expected "totalrequired", received nothing",
      "sendrawtransaction: result: expected 64 hex digits, received "e7b8f58539e2554a51d8438e5e58b0a12896f076e2a2850a503f372e402521b"; e7b8f58539e2554a51d8438e5e58b0a1",
      "decoderawtransaction: result.vout.3.scriptPubKey.hex: expected hex, received "6a4c4cec5203921d76b33363fb05b0fe68e2cf179f73584517bbd4ab08ba8df044d8c4f70d2103810d",
    ]
  `)
})

/** A supply is printed in coins by the documentation, in units by the daemon. */
function documentedForm(method: string, result: never): never {
  const info = result as { supply?: unknown }
  if (method !== 'tokeninfo' || typeof info.supply !== 'string') return result
  return { ...info, supply: { '#': String(BigInt(info.supply.replace('.', ''))) } } as never
}

/** Which client call a documented example stands for. */
function callOf({
  method,
  request,
}: DocumentedFramework): (() => PromiseLike<unknown>) | undefined {
  // Placeholders such as TASK_ID stand where a number belongs.
  const text = (request ?? '{}').replace(/: *[A-Z][A-Z_]+\b/g, ': 3')
  let body: { mmrpc?: string; params?: Record<string, unknown>; [member: string]: unknown }
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  if (method === null) return undefined
  const { userpass: _, mmrpc, method: __, params, id: ___, ...members } = body
  const [, task = '', verb = ''] = /^task::(\w+)::(\w+)$/.exec(method) ?? []
  const given = params as never
  if (request === null) return () => framework.call(method, {})
  if (mmrpc === undefined) return legacyCall(method, members)
  if (verb === 'status') return () => framework.taskStatus(task, given)
  if (verb === 'user_action') return () => framework.taskUserAction(task, given)
  if (verb === 'cancel') return () => framework.taskCancel(task, given)
  if (verb === 'init') return () => startOnly(task, given)
  if (method === 'enable_tendermint_with_assets' && params?.nodes !== undefined) {
    // One example leaves out the list that the page itself calls required.
    const complete = { tokens_params: [], ...params } as object as EnableTendermintWithAssetsParams
    return () => framework.enableTendermintWithAssets(complete)
  }
  const typed = {
    enable_bch_with_tokens: () => framework.enableBchWithTokens(given),
    enable_slp: () => framework.enableSlp(given),
    enable_tendermint_token: () => framework.enableTendermintToken(given),
    my_tx_history: () => framework.myTxHistory(given),
  }
  return typed[method as keyof typeof typed] ?? (() => framework.call(method, params))
}

/** Starts a task and watches it no further. */
async function startOnly(task: string, params: object): Promise<number> {
  const controller = new AbortController()
  const { signal } = controller
  const handle = framework.startTask(task, params, { signal, cancelOnAbort: false })
  return handle.id.finally(() => controller.abort())
}

function legacyCall(method: string, members: object): () => PromiseLike<unknown> {
  if (method === 'version') return () => framework.version()
  if (method === 'my_balance') return () => framework.myBalance(members as never)
  return () => framework.callLegacy(method, members)
}

test('every documented example of the framework gives its result or its error', async () => {
  const counts: Record<string, number> = {}
  const seen = new Set<string>()
  for (const example of documentedFramework()) {
    const { at, response, status } = example
    const call = callOf(example)
    let kind = 'without a request or an answer'
    if (response?.startsWith('{') && example.structure !== true && call !== undefined) {
      const answer = exactJson(response) as object as Record<string, never>
      const isError = typeof answer.error === 'string'
      // The framework echoes the id it was sent; the pages show requests without one.
      server.answer((received, out) => {
        const { id = null } = JSON.parse(received.body)
        const echoed = answer.mmrpc === undefined ? {} : { id }
        const body = JSON.stringify({ ...JSON.parse(response), ...echoed })
        reply(out, status ?? (isError ? 500 : 200), body)
      })
      const outcome = await call().then(
        (value) => ({ value }),
        (cause) => ({ cause }),
      )
      kind = check(answer, outcome, example)
      if ('cause' in outcome && isRpcError(outcome.cause)) seen.add(outcome.cause.errorType ?? '')
    } else if (call !== undefined) {
      server.answer((_, out) => reply(out, 200, '{"mmrpc":"2.0","result":{},"id":null}'))
      await call().then(
        () => undefined,
        () => undefined,
      )
    }
    const sent = server.received.findLast(({ body }) => body.includes(`"${example.method}"`))
    if (call !== undefined) checkSent(example, sent?.body ?? '', at)
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  expect(counts).toMatchInlineSnapshot(`
    {
      "error": 46,
      "legacy error": 5,
      "legacy result": 14,
      "result": 45,
      "shape: task::enable_qtum::user_action": 1,
      "shape: task::init_trezor::cancel": 1,
      "shape: task::withdraw::status": 1,
      "without a request or an answer": 22,
    }
  `)
  expect([...seen].sort()).toMatchInlineSnapshot(`
    [
      "",
      "CoinIsNotActive",
      "CoinProtocolParseError",
      "NoSuchTask",
      "NotSupportedFor",
      "PlatformCoinCreationError",
      "PlatformCoinIsNotActivated",
      "PlatformConfigIsNotFound",
      "PlatformIsAlreadyActivated",
      "StorageError",
      "StorageIsNotInitialized",
      "TaskFinished",
      "TokenConfigIsNotFound",
      "TokenIsAlreadyActivated",
      "TokenProtocolParseError",
      "UnexpectedPlatformProtocol",
      "UnexpectedTokenProtocol",
      "Unspecified",
    ]
  `)
})

/** Holds an outcome against the printed answer; what it turned out to be. */
function check(
  answer: Record<string, never>,
  outcome: { value: unknown } | { cause: unknown },
  { at, method }: DocumentedFramework,
): string {
  if (typeof answer.error === 'string') {
    const { cause } = outcome as { cause: unknown }
    if (!isRpcError(cause, 'framework')) throw new Error(at, { cause })
    expect(cause.errorType, at).toBe(answer.error_type ?? 'Unspecified')
    expect(cause.message, at).toContain(answer.error)
    expect(plain(cause.errorData), at).toEqual(
      typedValue(undefined, answer.error_data ?? null) ?? undefined,
    )
    expect(cause.errorPath, at).toBe(answer.error_path)
    return answer.mmrpc ? 'error' : 'legacy error'
  }
  if ('cause' in outcome) {
    // Two status examples print the answer of another method.
    expect(isRpcError(outcome.cause, 'shape'), `${at}: ${outcome.cause}`).toBe(true)
    return `shape: ${method}`
  }
  const wanted = answer.mmrpc === undefined ? answer : answer.result
  expect(plain(outcome.value), at).toEqual(
    typedValue(undefined, resultForm(method, wanted as never)),
  )
  return answer.mmrpc ? 'result' : 'legacy result'
}

/** The documentation puts the details of a finished task under one more `result`. */
function resultForm(method: string | null, result: never): never {
  if (method?.endsWith('::init')) return (result as { task_id: never }).task_id
  const { status, details } = (result ?? {}) as { status?: string; details?: { result?: never } }
  return status !== undefined && details?.result
    ? ({ status, details: details.result } as never)
    : result
}

/** Checks that the request sent is what the page shows, in the source's form. */
function checkSent({ request }: DocumentedFramework, sent: string, at: string): void {
  const body = JSON.parse(sent)
  expect(body.userpass, at).toBe('secret')
  const isLegacy = body.mmrpc === undefined
  const allowed = ['userpass', 'mmrpc', 'method', 'params', 'id']
  if (request === null || !request.startsWith('{') || isLegacy) return
  expect(
    Object.keys(body).filter((name) => !allowed.includes(name)),
    at,
  ).toEqual([])
  expect(Number.isSafeInteger(body.id) && body.id >= 0, at).toBe(true)
  let documented: { params?: Record<string, unknown> }
  try {
    documented = JSON.parse(request)
  } catch {
    return
  }
  const { activation_params: sentPolicy, tokens_params: _, ...sentRest } = body.params ?? {}
  const { activation_params: policy, tokens_params: __, ...rest } = documented.params ?? {}
  expect(sentRest, at).toEqual(rest)
  const { priv_key_policy: wrapped } = (policy ?? {}) as {
    priv_key_policy?: { type: string; data: string }
  }
  if (typeof wrapped === 'object' && at.includes('walletconnect')) {
    expect(sentPolicy).toEqual({ type: wrapped.type, params: { session_topic: wrapped.data } })
  } else if (policy !== undefined) {
    expect(sentPolicy, at).toEqual(policy)
  }
}

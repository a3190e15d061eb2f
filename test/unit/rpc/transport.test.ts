// These tests cover the transport against a `fetch` that behaves as servers, proxies and test
// doubles can.

import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'

import { isRpcError } from '../../../src/rpc/errors.ts'
import { checkedUrl, type FetchResponse, httpTransport } from '../../../src/rpc/transport.ts'

const url = 'http://127.0.0.1:7771/'
const text = (value: string) => new TextEncoder().encode(value)

interface Reply extends Partial<Omit<FetchResponse, 'body'>> {
  /** Chunks of the body; an error ends it. */
  readonly chunks?: readonly unknown[]
  readonly length?: string
  readonly onRead?: () => void
}

/** A reply with a stream, and what was done to it. */
function streamed({ chunks = [], length, onRead, ...more }: Reply) {
  const cancelled = vi.fn(() => Promise.resolve())
  const left = [...chunks]
  const reader = {
    read: () => {
      onRead?.()
      const value = left.shift()
      if (value instanceof Error) return Promise.reject(value)
      return Promise.resolve(value === undefined ? { done: true } : { done: false, value })
    },
    cancel: cancelled,
  }
  const headers = { get: (name: string) => (name === 'content-length' ? (length ?? null) : null) }
  const body = { getReader: () => reader, cancel: cancelled }
  return { response: { status: 200, headers, body, ...more }, cancelled }
}

/** Posts once, and returns the reply or the error. */
function post(
  response: unknown,
  {
    signal = new AbortController().signal,
    max,
    own = 100,
  }: {
    signal?: AbortSignal
    max?: number
    own?: number
  } = {},
) {
  const transport = httpTransport({
    url,
    maxResponseBytes: own,
    fetch: () =>
      response instanceof Error ? Promise.reject(response) : Promise.resolve(response as never),
  })
  return transport({ body: '{}', headers: {}, signal, maxResponseBytes: max })
}

/** An error of `fetch` in Node, whose cause has the code. */
const failed = (cause?: unknown) => new TypeError('fetch failed', { cause })
const socketError = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more })

test('a request goes to the url as it is, follows nothing and sends no cookie', async () => {
  const fetch = vi.fn(() => Promise.resolve(streamed({ chunks: [text('ok')] }).response as never))
  const { signal } = new AbortController()
  const transport = httpTransport({ url: `${url}#part`, fetch })
  await transport({ body: '{"id":1}', headers: { a: 'b' }, signal })
  expect(fetch).toHaveBeenCalledExactlyOnceWith(url, {
    method: 'POST',
    headers: { a: 'b' },
    body: '{"id":1}',
    signal,
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
  })
})

describe('a url', () => {
  test.each([
    ['http://localhost/', []],
    ['http://127.9.8.7/', []],
    ['http://127.10.20.30/', []],
    ['http://[::1]:1/', []],
    ['https://node.example/', ['NODE.example']],
  ])('%s is taken', (source, hosts) => {
    expect(checkedUrl(source, hosts)).toBe(source)
    expect(checkedUrl(new URL(source), hosts)).toBe(source)
  })

  test.each<[string, string[], RegExp]>([
    ['node', [], /^url is not an absolute URL$/],
    ['ftp://localhost/', [], /must begin with http: or https:/],
    ['http://user@localhost/', [], /credentials do not belong in the url/],
    ['http://:secret@localhost/', [], /credentials do not belong in the url/],
    ['http://node.example/', [], /^node\.example is not this machine: name it in allowedHosts$/],
    ['http://node.example/', ['other.example'], /is not this machine/],
    ['http://x127.0.0.1.example/', [], /is not this machine/],
    ['http://127.0.0.1.example/', [], /is not this machine/],
    ['http://localhost.example/', [], /is not this machine/],
    ['http://128.0.0.1/', [], /is not this machine/],
  ])('%s is refused', (source, hosts, message) => {
    expect(() => checkedUrl(source, hosts)).toThrow(TypeError)
    expect(() => checkedUrl(source, hosts)).toThrow(message)
  })
})

describe('a connection that fails', () => {
  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'a connection that fails with %s sent nothing',
    async (code) => {
      await expect(post(failed(socketError(code)))).rejects.toMatchObject({
        kind: 'transport',
        reason: 'not_connected',
        message: `no connection (${code})`,
      })
    },
  )

  test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])(
    'a connection that fails with %s may have sent',
    async (code) => {
      await expect(post(failed(socketError(code)))).rejects.toMatchObject({
        kind: 'transport',
        reason: 'connection_lost',
        message: `the connection broke (${code})`,
      })
    },
  )

  test.each(['ENETUNREACH', 'EHOSTUNREACH'])(
    'a failure with %s is reported by its call',
    async (code) => {
      const reasonOf = (cause: unknown) =>
        post(failed(cause)).catch((error: unknown) => (isRpcError(error) ? error.reason : error))
      expect(await reasonOf(socketError(code))).toBe('connection_lost')
      expect(await reasonOf(socketError(code, { syscall: 'read' }))).toBe('connection_lost')
      expect(await reasonOf(socketError(code, { syscall: 'connect' }))).toBe('not_connected')
      const several = Object.assign(new AggregateError([], 'all'), { code })
      expect(await reasonOf(several)).toBe('not_connected')
    },
  )

  test('a failure other than one of the connection is reported unchanged', async () => {
    const cause = socketError('ECONNRESET', { syscall: 'connect' })
    await expect(post(failed(cause))).rejects.toMatchObject({ reason: 'connection_lost' })
  })

  test('a failure without a code is reported without one', async () => {
    const error = failed()
    await expect(post(error)).rejects.toMatchObject({
      reason: 'connection_lost',
      message: 'the connection broke',
      cause: error,
    })
    await expect(post(failed('bad port'))).rejects.toMatchObject({ reason: 'connection_lost' })
  })

  test('a connection to a port that fetch refuses says so', async () => {
    const error = failed(new Error('bad port'))
    await expect(post(error)).rejects.toMatchObject({
      reason: 'not_connected',
      message: 'no connection: fetch refuses this port; the server has to listen on another',
      cause: error,
    })
  })
})

describe('a redirect', () => {
  test.each<[string, Reply]>([
    ['300', { status: 300 }],
    ['399', { status: 399 }],
    ['an opaque one', { status: 0, type: 'opaqueredirect' }],
    ['one that was followed', { status: 200, redirected: true }],
  ])('is refused and its body discarded: %s', async (_, reply) => {
    const { response, cancelled } = streamed({ ...reply, chunks: [text('{}')] })
    await expect(post(response)).rejects.toMatchObject({
      kind: 'http',
      reason: 'redirected',
      status: response.status,
    })
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test.each([299, 400])('is not a reply of status %i', async (status) => {
    const { response } = streamed({ status, type: 'basic', redirected: false })
    expect(await post(response)).toEqual({ status, text: '' })
  })

  test('a redirect without a body is refused as well', async () => {
    const { response } = streamed({ status: 301 })
    await expect(post({ ...response, body: null })).rejects.toMatchObject({ reason: 'redirected' })
  })
})

describe('a reply', () => {
  test('is read to its end, in characters that chunks divide', async () => {
    const bytes = text('{"a":"ä€"}')
    const chunks = [bytes.slice(0, 7), bytes.slice(7, 9), bytes.slice(9)]
    expect(await post(streamed({ chunks }).response)).toEqual({ status: 200, text: '{"a":"ä€"}' })
  })

  test('may have bytes of another realm, as under jsdom and in vm contexts', async () => {
    const chunk = runInNewContext('Uint8Array.of(0x7b, 0x7d)') as Uint8Array
    expect(chunk).not.toBeInstanceOf(Uint8Array)
    expect(await post(streamed({ chunks: [chunk] }).response)).toEqual({ status: 200, text: '{}' })
  })

  test('keeps its byte order mark, which is not JSON', async () => {
    const { response } = streamed({ chunks: [text('\ufeff{}')] })
    expect((await post(response)).text).toBe('\ufeff{}')
  })

  test.each<[string, Uint8Array[]]>([
    ['in a chunk', [Uint8Array.of(0x22, 0xff, 0x22)]],
    ['at its end', [Uint8Array.of(0x22, 0xe2, 0x82)]],
  ])('a reply that is not UTF-8 %s is refused', async (_, chunks) => {
    const { response, cancelled } = streamed({ status: 500, chunks })
    await expect(post(response)).rejects.toMatchObject({
      kind: 'shape',
      reason: 'malformed_text',
      status: 500,
      message: 'the reply is not UTF-8',
    })
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test('may be as large as the limit, over several chunks', async () => {
    const chunks = [text('x'.repeat(60)), text('y'.repeat(40))]
    expect((await post(streamed({ chunks, length: '100' }).response)).text).toHaveLength(100)
    const more = streamed({ chunks: [...chunks, text('z')] })
    await expect(post(more.response)).rejects.toMatchObject({
      kind: 'shape',
      reason: 'reply_too_large',
      status: 200,
      message: 'the reply is larger than 100 bytes',
    })
    expect(more.cancelled).toHaveBeenCalledOnce()
  })

  test('a reply that says it is larger is not read', async () => {
    const onRead = vi.fn()
    const { response, cancelled } = streamed({ status: 503, length: '101', onRead })
    await expect(post(response)).rejects.toMatchObject({ reason: 'reply_too_large', status: 503 })
    expect(onRead).not.toHaveBeenCalled()
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test('is bounded by the lower of two limits', async () => {
    const ten = () => streamed({ chunks: [text('0123456789')] }).response
    expect((await post(ten(), { max: 10 })).text).toBe('0123456789')
    await expect(post(ten(), { max: 9 })).rejects.toMatchObject({ reason: 'reply_too_large' })
    await expect(post(ten(), { max: 20, own: 9 })).rejects.toMatchObject({
      reason: 'reply_too_large',
    })
  })

  test('a reply that breaks is a lost connection, and its stream is closed', async () => {
    const error = socketError('ECONNRESET')
    const { response, cancelled } = streamed({ chunks: [text('{'), error] })
    await expect(post(response)).rejects.toMatchObject({
      kind: 'transport',
      reason: 'connection_lost',
      cause: error,
    })
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test('a reply of something other than bytes is not a reply', async () => {
    const { response } = streamed({ chunks: ['{}'] })
    await expect(post(response)).rejects.toMatchObject({
      reason: 'connection_lost',
      cause: expect.objectContaining({ message: 'the body is not a byte stream' }),
    })
  })

  test('is not hurt by a stream that cannot be closed', async () => {
    const { response } = streamed({ status: 302 })
    const cancel = () => Promise.reject(new Error('closed'))
    await expect(post({ ...response, body: { ...response.body, cancel } })).rejects.toMatchObject({
      reason: 'redirected',
    })
    const broken = { read: () => Promise.reject(new Error('broken')), cancel }
    const body = { cancel, getReader: () => broken }
    await expect(post({ ...response, status: 200, body })).rejects.toMatchObject({
      reason: 'connection_lost',
    })
    await new Promise((resolve) => setTimeout(resolve))
  })
})

describe('a reply of a test double, without a stream', () => {
  const headers = { get: () => null }
  const double = (value: string, more = {}) => ({
    status: 200,
    headers,
    text: () => Promise.resolve(value),
    ...more,
  })

  test('is its text', async () => {
    expect(await post(double('{}'))).toEqual({ status: 200, text: '{}' })
  })

  test('is empty where there is no body, or no text', async () => {
    expect(await post(double('{}', { body: null }))).toEqual({ status: 200, text: '' })
    expect(await post({ status: 204, headers })).toEqual({ status: 204, text: '' })
  })

  test('may be as large as the limit', async () => {
    expect((await post(double('x'.repeat(100)))).text).toHaveLength(100)
    await expect(post(double('x'.repeat(101)))).rejects.toMatchObject({
      reason: 'reply_too_large',
      status: 200,
    })
  })

  test('a reply that arrives after the call was aborted is not used', async () => {
    const stop = new AbortController()
    const late = () => {
      stop.abort(new Error('stopped'))
      return Promise.resolve('{}')
    }
    await expect(post(double('', { text: late }), { signal: stop.signal })).rejects.toThrow(
      'stopped',
    )
  })
})

describe('an aborted call', () => {
  const stopped = new Error('stopped')
  const aborted = () => {
    const stop = new AbortController()
    stop.abort(stopped)
    return stop.signal
  }

  test('ends in the reason of its signal, whatever fetch says', async () => {
    await expect(post(failed(socketError('ECONNRESET')), { signal: aborted() })).rejects.toBe(
      stopped,
    )
  })

  test('discards a reply that comes nevertheless', async () => {
    const { response, cancelled } = streamed({ chunks: [text('{}')] })
    await expect(post(response, { signal: aborted() })).rejects.toBe(stopped)
    expect(cancelled).toHaveBeenCalledOnce()
    await expect(post({ ...response, body: null }, { signal: aborted() })).rejects.toBe(stopped)
  })

  test('stops to read, and closes the stream', async () => {
    const stop = new AbortController()
    const { response, cancelled } = streamed({
      chunks: [text('{'), text('}')],
      onRead: () => stop.abort(stopped),
    })
    await expect(post(response, { signal: stop.signal })).rejects.toBe(stopped)
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test('ends in the reason of its signal where the stream breaks for it', async () => {
    const stop = new AbortController()
    const { response } = streamed({
      chunks: [socketError('ECONNRESET')],
      onRead: () => stop.abort(stopped),
    })
    await expect(post(response, { signal: stop.signal })).rejects.toBe(stopped)
  })
})

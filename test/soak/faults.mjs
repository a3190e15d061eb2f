// The faults that a server can make with one answer, by name. Each is from the families of
// malformed replies that the contract tests go through one by one; here they come at random.

import { gzipSync } from 'node:zlib'

/** Ends an exchange in its own way; `right` is the answer that would have been right. */
export const wireFaults = {
  'reset before anything': ({ response }) => response.socket.resetAndDestroy(),
  'reset in the middle': ({ response, right }) => {
    response.writeHead(200, { 'content-length': right.length })
    response.write(right.slice(0, right.length >> 1), () => response.socket?.resetAndDestroy())
  },
  'no answer': () => undefined,
  'a late answer': ({ response, right, later }) => later(150, () => send(response, 200, right)),
  'an answer in drips': ({ response, right, later }) => {
    response.writeHead(200)
    const parts = right.match(new RegExp(`.{1,${Math.ceil(right.length / 5)}}`, 'gs')) ?? []
    const drip = (at) => {
      if (at >= parts.length) return response.end()
      response.write(parts[at])
      later(10, () => drip(at + 1))
    }
    drip(0)
  },
  'an answer without end': ({ response, later }) => {
    response.writeHead(200)
    const chunk = 'a'.repeat(65_536)
    const more = (left) => {
      if (response.destroyed || left === 0) return response.end()
      response.write(chunk)
      later(1, () => more(left - 1))
    }
    more(200)
  },
  'a length it does not keep': ({ response, right }) => {
    response.writeHead(200, { 'content-length': right.length + 10 })
    response.write(right)
    response.socket?.destroySoon()
  },
  'a large body': ({ response }) => send(response, 200, `{"result":"${'0'.repeat(3_000_000)}"}`),
  'an empty body': ({ response }) => send(response, 200, ''),
  'a page': ({ response }) => send(response, 500, '<html><body>oops</body></html>'),
  'a page for success': ({ response }) => send(response, 200, '<html></html>'),
  'a redirect': ({ response }) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/' })
    response.end()
  },
  'status 401': ({ response }) => send(response, 401, ''),
  'status 403': ({ response }) => send(response, 403, ''),
  'status 404': ({ response }) => send(response, 404, ''),
  'status 413': ({ response }) => send(response, 413, 'too large'),
  'status 503': ({ response }) => send(response, 503, '<html>'),
  'a full queue': ({ response }) => send(response, 500, 'Work queue depth exceeded'),
  'half an answer': ({ response, right }) => send(response, 200, right.slice(0, -9)),
  'two answers': ({ response, right }) => send(response, 200, right + right),
  'a byte order mark': ({ response, right }) => send(response, 200, `\ufeff${right}`),
  'no UTF-8': ({ response, right }) =>
    send(response, 200, Buffer.concat([Buffer.from(right), Buffer.of(0xc3, 0x28)])),
  'compressed unasked': ({ response, right }) => send(response, 200, gzipSync(right)),
  'another id': ({ response, right }) =>
    send(response, 200, right.replace(/"id":"\d+"/, '"id":"999999"')),
  'no envelope': ({ response }) => send(response, 200, '"0"'),
  'null for a result': ({ response, id }) => send(response, 200, envelope('null', id)),
  'a member twice': ({ response, right }) =>
    send(response, 200, right.replace('{', '{"result":null,')),
  'a member __proto__': ({ response, right }) =>
    send(response, 200, right.replace('{', '{"__proto__":{"ok":true},')),
  'deep nesting': ({ response, id }) =>
    send(response, 200, envelope('['.repeat(50_000) + ']'.repeat(50_000), id)),
  'a huge number': ({ response, id }) => send(response, 200, envelope('1e400', id)),
  'no number': ({ response, id }) => send(response, 200, envelope('NaN', id)),
  'a negative height': ({ response, id }) => send(response, 200, envelope('-1', id)),
  'a module failure': ({ response, id }) =>
    send(response, 200, envelope('{"result":"error","error":"cant find normal inputs"}', id)),
  'hex 0': ({ response, id }) =>
    send(response, 200, envelope('{"result":"success","hex":"0"}', id)),
  'a start-up': ({ response, id }) => fail(response, id, -28, 'Loading block index...'),
  'an error': ({ response, id }) => fail(response, id, -5, 'No information available'),
}

export function send(response, status, body) {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}

export function envelope(result, id) {
  return `{"result":${result},"error":null,"id":${JSON.stringify(id)}}\n`
}

export function fail(response, id, code, message) {
  const error = JSON.stringify({ code, message })
  send(response, 500, `{"result":null,"error":${error},"id":${JSON.stringify(id)}}\n`)
}

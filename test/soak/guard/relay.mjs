// A daemon between a guard and a development node. It answers reads as a real komodod answered them
// when it was recorded, passes the other calls on, and hangs, restarts or answers garbage in between.
// It keeps a log of what it did, which explains a wrong answer.

import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'

const vectors = new URL('../../vectors/rpc/komodod.json', import.meta.url)

/** The id with which a program of the soak asks for a recorded answer. */
const recordedId = /"id":("r\d+")/

/** Recorded answers of up to 2,000 bytes to methods that a guard passes on. */
export function recordedReads(isRead) {
  const { exchanges } = JSON.parse(readFileSync(vectors, 'utf8'))
  const reads = new Map()
  for (const { request: asked, status, response } of exchanges) {
    const call = callIn(asked)
    if (call === undefined) continue
    const { method, params } = call
    const tail = /"id":\d+\}\n$/.exec(response)
    const isUsable = status === 200 && tail !== null && isRead(method) && response.length < 2_000
    if (!isUsable) continue
    reads.set(keyOf(method, params), { method, params, start: response.slice(0, tail.index) })
  }
  return [...reads.values()]
}

/** Some recorded requests are malformed, or batches. */
function callIn(text) {
  try {
    const call = JSON.parse(text)
    return typeof call?.method === 'string' && Array.isArray(call.params) ? call : undefined
  } catch {
    return undefined
  }
}

const keyOf = (method, params) => JSON.stringify([method, params])

/** The answer to a recorded read, byte for byte. */
export const answerTo = ({ start }, id) => `${start}"id":${JSON.stringify(id)}}\n`

export const garbage = [
  '<html><body>502 Bad Gateway</body></html>',
  '{"result":',
  '\u0000\u0001\u0002',
  '{"result":{"hex":"00"},"error":null,"id":999}\n',
  '[]',
  'null',
]

/** Entries of the log: some seconds. */
const logMax = 2_000

export async function startRelay(nodeUrl, reads) {
  const known = new Map(reads.map((read) => [keyOf(read.method, read.params), read]))
  const agent = new Agent({ keepAlive: true })
  const counts = { restarts: 0, hangs: 0, garbage: 0, neverAnswered: 0 }
  let mode = 'serves'
  /** Calls that hang next, until the end of the episode. */
  let hangsLeft = 0
  let hangsOnce = false
  const log = []
  const note = (what) => {
    log.push({ at: Date.now(), what })
    if (log.length > logMax) log.shift()
  }
  /** Changes whenever a fault begins or ends, so that a call knows whether one touched it. */
  let epoch = 0
  const hanging = []
  let turn = 0
  let port = 0
  let server

  function answer(incoming, response) {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (mode === 'hangs' && hangsLeft > 0) {
        hangsLeft -= 1
        note(`hangs: ${body.slice(0, 200)}`)
        hanging.push(response)
        return
      }
      if (hangsOnce) {
        // The guard gives this one up by itself, after two minutes.
        hangsOnce = false
        epoch += 1
        counts.neverAnswered += 1
        note(`never answers: ${body.slice(0, 200)}`)
        return
      }
      if (mode === 'garbage') {
        turn += 1
        note(`garbage: ${body.slice(0, 200)}`)
        response.writeHead(turn % 3 === 0 ? 503 : 200, { 'content-type': 'text/html' })
        response.end(garbage[turn % garbage.length])
        return
      }
      const id = recordedId.exec(body)?.[1]
      if (id === undefined) pass(incoming, body, response)
      else {
        const { method, params } = JSON.parse(body)
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(answerTo(known.get(keyOf(method, params)), JSON.parse(id)))
      }
    })
  }

  function pass({ headers: { host: _, ...headers } }, body, response) {
    const sent = request(nodeUrl, { method: 'POST', agent, headers }, (reply) => {
      const text = []
      reply.on('data', (chunk) => text.push(chunk))
      reply.on('end', () =>
        note(`${body.slice(0, 400)} => ${Buffer.concat(text).toString().slice(0, 400)}`),
      )
      response.writeHead(reply.statusCode, reply.headers)
      reply.pipe(response)
      reply.on('error', () => response.destroy())
    })
    sent.on('error', (error) => {
      note(`${body.slice(0, 200)} => ${error.message}`)
      response.destroy()
    })
    sent.end(body)
  }

  async function listen() {
    // An idle connection that ends just as the guard uses it would be a fault without an episode.
    server = createServer({ keepAliveTimeout: 600_000 }, answer)
    await new Promise((done) => server.listen(port, '127.0.0.1', done))
    port = server.address().port
  }
  await listen()

  const during = async (name, milliseconds, end) => {
    mode = name
    epoch += 1
    note(`begins: ${name}`)
    await new Promise((done) => setTimeout(done, milliseconds))
    await end?.()
    mode = 'serves'
    epoch += 1
    note('serves')
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    counts,
    get epoch() {
      return epoch
    },
    /** Returns what it did from some time on. */
    logSince: (at) => log.filter((entry) => entry.at >= at),
    get isFaulty() {
      return mode !== 'serves'
    },
    async restart() {
      counts.restarts += 1
      const ended = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await ended
      await during('restarts', 1_000, listen)
    },
    /** Every second time all calls hang, otherwise four, as if a daemon's threads were stuck. */
    async hang() {
      counts.hangs += 1
      const isWhole = counts.hangs % 2 === 0
      hangsLeft = isWhole ? Number.POSITIVE_INFINITY : 4
      await during('hangs', isWhole ? 1_000 : 5_000, () => {
        for (const response of hanging.splice(0)) response.destroy()
      })
    },
    async answerGarbage() {
      counts.garbage += 1
      await during('garbage', 1_000)
    },
    hangOnce() {
      hangsOnce = true
    },
    close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

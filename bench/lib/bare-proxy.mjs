/** A proxy that passes requests on as they are. */
import { Agent, createServer, request } from 'node:http'

/** @param {string} target */
export async function bareProxy(target) {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, response) => {
    const { host: _, ...headers } = incoming.headers
    const sent = request(target, { method: 'POST', agent, headers }, (reply) => {
      response.writeHead(reply.statusCode, reply.headers)
      reply.pipe(response)
    })
    incoming.pipe(sent)
  })
  server.keepAliveTimeout = 600_000
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)))
  server.unref()
  return {
    url: `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/`,
    close: () => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}

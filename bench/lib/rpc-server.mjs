/**
 * A daemon that knows one method, decoderawtransaction, and the transactions of `shapes.mjs`. Run as
 * a process of its own it prints its port; it ends with the process that started it.
 */
import { createServer } from 'node:http'
import { shapeOf } from '../shapes.mjs'

const resultOf = new Map(shapeOf('payment').specimens.map(({ hex, decoded }) => [hex, decoded]))

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const { id, params } = JSON.parse(body)
    const answer = `{"result":${resultOf.get(params[0])},"error":null,"id":${JSON.stringify(id)}}\n`
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    })
    response.end(answer)
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.on('end', () => process.exit())
process.stdin.resume()

/**
 * As `rpc-server.mjs`, behind the HTTP server of a development node: address, path, method, credentials,
 * limits, and numbers read digit by digit.
 */
import { jsonRpc, methodNotFound } from '../../dist/inside/server/json-rpc.js'
import { serve } from '../../dist/inside/server/serve.js'
import { shapeOf } from '../shapes.mjs'

const resultOf = new Map(shapeOf('payment').specimens.map(({ hex, decoded }) => [hex, decoded]))

const { port } = await serve({
  user: 'user',
  password: 'password',
  handle: jsonRpc(({ method, params }) => {
    if (method !== 'decoderawtransaction') throw methodNotFound()
    return resultOf.get(params[0])
  }),
})
process.stdout.write(`${port}\n`)
process.stdin.on('end', () => process.exit())
process.stdin.resume()

/** Calls of a daemon through what stands before it. */
import { Agent, request } from 'node:http'
import { startServerProcess } from './server-process.mjs'

export const daemon = await startServerProcess('token-node.mjs')
const authorization = `Basic ${Buffer.from(`${daemon.user}:${daemon.password}`).toString('base64')}`

/** A peer that calls `url` for each item, over a connection of its own. @param {string} url */
export function callerOf(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    /** @param {{ method: string, params: (tokenid: string) => unknown[] }} item */
    prepare: ({ method, params }) =>
      JSON.stringify({ id: '1', method, params: params(daemon.tokenid) }),
    /** @param {string} body @returns {Promise<string>} */
    run: (body) =>
      new Promise((resolve, reject) => {
        const options = { method: 'POST', agent, headers: { authorization } }
        const sent = request(url, options, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (piece) => {
            text += piece
          })
          response.on('end', () => {
            // A server in the background keeps no benchmark alive.
            sent.socket?.unref()
            resolve(text)
          })
        })
        sent.on('error', reject)
        sent.end(body)
      }),
    /** @param {string} text */
    answer: (text) => {
      const { result, error } = JSON.parse(text)
      return { error, name: result?.name, tokenid: result?.tokenid, supply: result?.supply }
    },
  }
}

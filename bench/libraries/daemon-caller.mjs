import { credentials, roundedAnswer } from './rpc-answer.mjs'

const { user, password } = credentials
const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** A peer that calls the server at `port` by fetch and takes the text as it comes. @param {number} port */
export const daemonCaller = (port) => ({
  prepare: (/** @type {{ hex: string }} */ { hex }) =>
    JSON.stringify({ id: '1', method: 'decoderawtransaction', params: [hex] }),
  run: async (/** @type {string} */ body) => {
    const headers = { authorization }
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
    return response.text()
  },
  answer: (/** @type {string} */ text) => roundedAnswer(JSON.parse(text).result),
})

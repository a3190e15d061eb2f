// The first request to a development node that was started as a process.

import { request } from 'node:http'

/** Calls the node as soon as its first line gives the address. The process ends with its answer. */
export function sendFirstRequest(child) {
  child.stdout.once('data', (line) => {
    const { url, user, password } = JSON.parse(line.toString().split('\n')[0])
    const call = request(url, { method: 'POST', auth: `${user}:${password}` })
    call.on('response', (response) => response.resume())
    // The end of the process ends the connection.
    call.on('error', () => undefined)
    call.end('{"method":"getinfo"}')
  })
}

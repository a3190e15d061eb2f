import { definePeer } from '../../lib/define.mjs'
import { credentials, port, roundedAnswer } from '../../libraries/rpc-server.mjs'

const { user, password } = credentials
const headers = {
  authorization: `Basic ${btoa(`${user}:${password}`)}`,
  'content-type': 'text/plain;',
}

export const peer = definePeer({
  name: 'fetch',
  package: 'node:fetch',
  note: 'fetch and JSON.parse, nothing checked, amounts as doubles',
  prepare: ({ hex }) => hex,
  run: async (hex) => {
    const body = JSON.stringify({
      jsonrpc: '1.0',
      id: '1',
      method: 'decoderawtransaction',
      params: [hex],
    })
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
    return JSON.parse(await response.text()).result
  },
  answer: roundedAnswer,
})

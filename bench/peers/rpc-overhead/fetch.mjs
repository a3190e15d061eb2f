import { definePeer } from '../../lib/define.mjs'
import { memoryFetch } from '../../libraries/rpc-memory.mjs'

export const peer = definePeer({
  name: 'plain fetch',
  package: 'node:fetch',
  note: 'the same stand-in and JSON.parse, nothing checked, amounts as doubles',
  prepare: ({ hex }) => hex,
  run: async (hex) => {
    const body = JSON.stringify({ id: '1', method: 'decoderawtransaction', params: [hex] })
    const response = await memoryFetch('http://127.0.0.1/', { body })
    return JSON.parse(await response.text()).result
  },
  answer: ({ txid, vout }) => ({
    txid,
    sats: vout.map(({ value }) => BigInt(Math.round(value * 1e8))),
  }),
})

import { definePeer } from '../../lib/define.mjs'
import { address, daemonWith } from '../../lib/wallets.mjs'

export const peer = definePeer({
  name: 'fetch and JSON.parse',
  package: 'node:http',
  note: 'getaddressutxos, whose amounts it believes',
  run: async ({ coins }) => {
    const { url, user, password } = await daemonWith(coins)
    const headers = {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    }
    const body = JSON.stringify({
      id: '1',
      method: 'getaddressutxos',
      params: [{ addresses: [address] }],
    })
    const response = await fetch(url, { method: 'POST', headers, body })
    const { result } = JSON.parse(await response.text())
    return result.reduce((sum, { satoshis }) => sum + satoshis, 0)
  },
  answer: (sum) => BigInt(sum),
})

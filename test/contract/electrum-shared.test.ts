// Calls and subscriptions of one Electrum client, which share a connection, must not harm each other.

import { expect, test, vi } from 'vitest'

import { createElectrumClient } from '../../src/electrum/index.ts'
import { electrumServer } from './support/electrum-server.ts'

const script = 'cd'.repeat(32)

test.each(['read', 'subscription'] as const)(
  'a %s that is refused under a broadcast leaves the broadcast uncertain',
  async (other) => {
    const relayed: unknown[] = []
    await using server = await electrumServer((request, peer) => {
      if (request.method === 'blockchain.transaction.broadcast') relayed.push(request.params[0])
      else peer.refuse(request, -101, 'excessive resource usage')
    })
    using client = createElectrumClient({ servers: [server.url] })
    const sent = client.call('blockchain.transaction.broadcast', ['00']).catch((error) => error)
    await vi.waitFor(() => expect(relayed).toEqual(['00']))
    if (other === 'read') {
      const read = client.call('blockchain.scripthash.get_history', [script])
      await expect(read).rejects.toMatchObject({ kind: 'daemon', code: -101 })
    } else client.subscribeScript(script, () => undefined)
    expect(await sent).toMatchObject({
      kind: 'transport',
      reason: 'connection_lost',
      method: 'blockchain.transaction.broadcast',
      uncertain: true,
      cause: { kind: 'daemon', code: -101 },
    })
  },
)

test('a server that refuses the greeting refuses no call', async () => {
  await using server = await electrumServer(() => undefined, {
    handshake: (request, peer) => peer.refuse(request, 1, 'unsupported protocol version'),
  })
  using client = createElectrumClient({ servers: [server.url] })
  const error = await client
    .call('blockchain.transaction.broadcast', ['00'])
    .catch((failure) => failure)
  expect(error).toMatchObject({
    kind: 'transport',
    reason: 'connection_lost',
    method: 'blockchain.transaction.broadcast',
    cause: { kind: 'daemon', method: 'server.version' },
  })
  expect(error.uncertain).toBeUndefined()
})

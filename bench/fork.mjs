// How long does a fork of a daemon take to start, and to answer the first question about a
// transaction? The daemon is a development node in another process, on loopback. Prints milliseconds
// by the clock; docs/performance.md quotes them.
//
//   node bench/fork.mjs [BLOCKS]     default 200

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createDevNode } from '../dist/node/index.js'
import { createDaemonClient } from '../dist/rpc/index.js'

const [first, second] = process.argv.slice(2)
if (first === 'serve') await serve(Number(second))
else await measure(Number(first ?? 200))

/** Sends the credentials of a node with a chain, and a transaction that waits in its mempool. */
async function serve(blocks) {
  const node = await createDevNode({ mine: 'manual' })
  node.mine(blocks)
  const [alice, bob] = node.identities
  const txid = await node.request('sendtoaddress', [bob.address, 1])
  const hex = await node.request('getrawtransaction', [txid])
  const { url, user, password } = alice
  process.send({ daemon: { url, user, password }, hex })
  process.on('disconnect', () => process.exit())
}

async function measure(blocks) {
  const server = fork(new URL(import.meta.url), ['serve', `${blocks}`])
  const [{ daemon, hex }] = await once(server, 'message')
  for (const title of ['first', 'second', 'third']) {
    const start = performance.now()
    const node = await createDevNode({ fork: createDaemonClient(daemon), listen: false })
    const started = performance.now()
    const [answer] = await node.request('testmempoolaccept', [[hex]])
    const answered = performance.now()
    await node.close()
    const [startMs, answerMs] = [started - start, answered - started].map(Math.round)
    console.log(`${title}: start ${startMs} ms, answer ${answerMs} ms, ${JSON.stringify(answer)}`)
  }
  server.disconnect()
}

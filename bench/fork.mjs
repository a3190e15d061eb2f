// How long does a forked node take to start, and then to answer its first request, a
// testmempoolaccept? The daemon that it forks is a development node in another process, on loopback.
// Starts three forks one after another, and prints milliseconds by the clock; docs/performance.md
// quotes them.
//
//   node bench/fork.mjs [BLOCKS]     length of the daemon's chain, default 200

import { fork } from 'node:child_process'
import { createDevNode } from '../dist/node/index.js'
import { createDaemonClient } from '../dist/rpc/index.js'
import { readCount } from './lib/arguments.mjs'
import { nextMessage } from './lib/child.mjs'

// The child process runs this file too, with an argument before its own.
const [argument, childBlocks] = process.argv.slice(2)
if (argument === 'serve') await serve(Number(childBlocks))
else await measure(readCount(import.meta.url, 'BLOCKS', 200))

/** Sends the parent the credentials of a node, and a transaction that waits in its mempool. */
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
  const child = fork(new URL(import.meta.url), ['serve', `${blocks}`])
  try {
    const { daemon, hex } = await nextMessage(child)
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
  } finally {
    if (child.connected) child.disconnect()
  }
}

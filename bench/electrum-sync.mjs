// How long does a wallet take to read a key with many transactions from an Electrum server? The
// server is a development node in another process, on loopback. It prints what docs/electrum.md
// quotes; times, so never a test.
//
//   node bench/electrum-sync.mjs [TRANSACTIONS]     default 1000

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { addressOf, networks, publicKeyOf } from '../dist/index.js'
import { createDevNode } from '../dist/node/index.js'
import { createWallet, electrumChain, privateKeySigner } from '../dist/wallet/index.js'
import { readCount } from './lib/arguments.mjs'

const runs = 5
const key = '7'.padStart(64, '0')
// The child process runs this file too, with an argument before its own.
const [first, second] = process.argv.slice(2)
if (first === 'serve') await serve(Number(second))
else await measure(readCount(import.meta.url, 'TRANSACTIONS', 1000))

/** Pays the key in a block for each transaction, and says where the server is. */
async function serve(transactions) {
  const node = await createDevNode({ mine: 'manual', listen: false, electrum: true })
  const address = addressOf(publicKeyOf(key), networks.assetChain)
  for (let at = 0; at < transactions; at += 1) node.fund(address, 1_000_000n)
  process.send(node.electrumUrl)
  process.on('message', (wanted) => {
    if (wanted === 'cpu') return process.send(process.cpuUsage())
    node.fund(address, 1_000_000n)
    process.send('paid')
  })
  process.on('disconnect', () => process.exit())
}

async function measure(transactions) {
  const server = fork(new URL(import.meta.url), ['serve', `${transactions}`])
  const [url] = await once(server, 'message')
  const rows = []
  for (let run = 0; run < runs; run += 1) {
    const chain = electrumChain([url])
    const wallet = await createWallet({ signers: [privateKeySigner(key)], chain })
    const read = async () => {
      await wallet.balance()
      await wallet.history({ limit: 2 * transactions })
    }
    const row = { first: await timed(server, read), second: await timed(server, read) }
    await ask(server, 'pay')
    rows.push({ ...row, 'after a payment': await timed(server, read) })
    chain.close()
  }
  server.disconnect()
  for (const name of Object.keys(rows[0])) {
    const of = (part) => median(rows.map((row) => row[name][part])).toFixed(0)
    const cpu = `of the processor ${of('wallet')} ms by the wallet, ${of('server')} ms by the server`
    console.log(`${name.padEnd(16)} ${of('clock')} ms, ${cpu}`)
  }
}

async function ask(server, wanted) {
  server.send(wanted)
  const [answer] = await once(server, 'message')
  return answer
}

async function timed(server, action) {
  const before = await ask(server, 'cpu')
  const [started, spent] = [performance.now(), process.cpuUsage()]
  await action()
  const clock = performance.now() - started
  const wallet = milliseconds(process.cpuUsage(spent))
  return { clock, wallet, server: milliseconds(await ask(server, 'cpu')) - milliseconds(before) }
}

function milliseconds({ user, system }) {
  return (user + system) / 1000
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1]
}

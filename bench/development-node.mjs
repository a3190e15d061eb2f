// How fast is the development node? Prints what docs/performance.md, docs/benchmarks.md and
// docs/node.md quote; times, so never a test.
//
//   node bench/development-node.mjs
//
// bench/node-builds.mjs compares two builds.

import { createServer } from 'node:http'
import { encodeTransaction } from '../dist/index.js'
import { createDevNode } from '../dist/node/index.js'
import { readArguments } from './lib/arguments.mjs'
import { measured, time, transfers, transfersOf } from './lib/node-transfers.mjs'

readArguments(import.meta.url)

/** The first is measured by itself: V8 compiles what is called often. */
const rounds = 25
const wallet = 100_000

function report(name, { clock, cpu }, note = '') {
  console.log(
    `${name.padEnd(46)} ${clock.toFixed(3)} ms, of the processor ${cpu.toFixed(3)} ms ${note}`,
  )
}

function medianOf(samples) {
  return samples.toSorted((one, next) => one.cpu - next.cpu)[samples.length >> 1]
}

async function broadcasts() {
  const again = await transfersOf(createDevNode)
  const samples = []
  for (let round = 0; round < rounds; round += 1) samples.push(await again())
  const [first, ...others] = samples
  const aSecond = ({ cpu }) => `(${Math.round(1000 / cpu)} a second and core)`
  report('transfer broadcast, validated, mined', first, `the first ${transfers} ${aSecond(first)}`)
  const usual = medianOf(others)
  report('', usual, `median of ${others.length} further rounds ${aSecond(usual)}`)
}

async function largeWallet() {
  const node = await createDevNode({ listen: false, mine: 'manual', identities: 1, time })
  const [{ pubkey }] = node.identities
  const { hex } = await node.request('tokencreate', ['GOLD', '0.1'])
  const tokenid = await node.request('sendrawtransaction', [hex])
  node.mine()
  const script = `21${pubkey}ac`
  for (let block = 1; block <= wallet / 1000; block += 1) {
    const outputs = Array.from({ length: 1000 }, (_, at) => ({
      value: 100_000n + BigInt(at),
      script,
    }))
    const txid = block.toString(16).padStart(64, '1')
    const inputs = [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }]
    const fields = { version: 4, overwintered: true, versionGroupId: 0x892f2085, lockTime: 0 }
    node.importTransactions([encodeTransaction({ ...fields, inputs, outputs })])
  }
  const repeat = 20
  report(
    `tokentransfer among ${wallet} coins`,
    await measured(repeat, async () => {
      for (let at = 0; at < repeat; at += 1) {
        await node.request('tokentransfer', [tokenid, pubkey, '1'])
      }
    }),
  )
  let kept
  report(
    'snapshot',
    await measured(1000, () => {
      for (let at = 0; at < 1000; at += 1) kept = node.snapshot()
    }),
  )
  report(
    'revert',
    await measured(1000, () => {
      for (let at = 0; at < 1000; at += 1) node.revert(kept)
    }),
  )
}

/** Blocks without transactions, first as they are mined by default, then with a solution. */
async function solvedBlocks() {
  const blocks = 500
  for (const proofOfWork of [false, true]) {
    const node = await createDevNode({ listen: false, mine: 'manual', time, proofOfWork })
    report(
      proofOfWork ? 'the same with a proof of work' : 'block without transactions',
      await measured(blocks, () => node.mine(blocks)),
    )
  }
}

/** The same request to the node and to a server that answers the same bytes at once. */
async function overHttp() {
  const node = await createDevNode()
  const [{ url, user, password }] = node.identities
  const mock = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end('{"result":1,"error":null,"id":1}\n'))
  })
  await new Promise((resolve) => mock.listen(0, '127.0.0.1', resolve))
  const call = (to) =>
    measured(1000, async () => {
      for (let at = 0; at < 1000; at += 1) {
        const response = await fetch(to, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
          body: '{"jsonrpc":"1.0","id":1,"method":"getblockcount","params":[]}',
        })
        await response.text()
      }
    })
  report('getblockcount over HTTP, client in this process', await call(url))
  report(
    'the same to a server that only answers',
    await call(`http://127.0.0.1:${mock.address().port}/`),
  )
  await node.close()
  mock.close()
}

await broadcasts()
await largeWallet()
await solvedBlocks()
await overHttp()

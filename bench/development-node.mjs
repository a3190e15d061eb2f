// How fast is the development node? Prints what docs/performance.md, docs/benchmarks.md and
// docs/node.md quote; times, so never a test.
//
//   node bench/development-node.mjs
//   node bench/development-node.mjs --beside ../other/dist    the transfers of two builds in turns

import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { encodeTransaction } from '../dist/index.js'
import { createDevNode } from '../dist/node/index.js'

const time = 1_800_000_000
const transfers = 300
/** The first is measured by itself: V8 compiles what is called often. */
const rounds = 25
const wallet = 100_000

/** Milliseconds of the clock and of this process, for each of `count`. */
async function measured(count, action) {
  const [started, spent] = [performance.now(), process.cpuUsage()]
  await action()
  const { user, system } = process.cpuUsage(spent)
  return { clock: (performance.now() - started) / count, cpu: (user + system) / 1000 / count }
}

function report(name, { clock, cpu }, note = '') {
  console.log(
    `${name.padEnd(46)} ${clock.toFixed(3)} ms, of the processor ${cpu.toFixed(3)} ms ${note}`,
  )
}

/** Makes transfers in a node of a build. @returns a function that broadcasts and mines them again */
async function transfersOf(build) {
  const node = await build({ listen: false, mine: 'manual', time })
  const [, other] = node.identities
  const { hex } = await node.request('tokencreate', ['GOLD', '0.1'])
  const tokenid = await node.request('sendrawtransaction', [hex])
  node.mine()
  const start = node.snapshot()
  const made = []
  const mine = () => node.mine(1, { identity: 1 })
  for (let at = 0; at < transfers; at += 1) {
    const built = await node.request('tokentransfer', [tokenid, other.pubkey, '1'])
    made.push(built.hex)
    await node.request('sendrawtransaction', [built.hex])
    mine()
  }
  return () => {
    node.revert(start)
    return measured(transfers, async () => {
      for (const one of made) {
        await node.request('sendrawtransaction', [one])
        mine()
      }
    })
  }
}

function medianOf(samples) {
  return samples.toSorted((one, next) => one.cpu - next.cpu)[samples.length >> 1]
}

async function broadcasts(builds) {
  const subjects = []
  for (const [name, build] of builds) {
    subjects.push({ name, again: await transfersOf(build), samples: [] })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { again, samples } of subjects) samples.push(await again())
  }
  for (const { name, samples } of subjects) {
    const [first, ...others] = samples
    const aSecond = ({ cpu }) => `(${Math.round(1000 / cpu)} a second and core)`
    report(
      `transfer broadcast, validated, mined${name}`,
      first,
      `the first ${transfers} ${aSecond(first)}`,
    )
    const usual = medianOf(others)
    report('', usual, `median of ${others.length} further rounds ${aSecond(usual)}`)
  }
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

const beside = process.argv[2] === '--beside' ? process.argv[3] : undefined
if (beside !== undefined) {
  const other = await import(pathToFileURL(`${beside}/node/index.js`).href)
  await broadcasts([
    [', this build', createDevNode],
    [', the other', other.createDevNode],
  ])
  process.exit()
}
await broadcasts([['', createDevNode]])
await largeWallet()
await solvedBlocks()
await overHttp()

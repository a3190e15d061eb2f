// How long does a wallet take for the first balance of a key with many coins or tokens, and for a
// payment and a transfer after that? The daemon is a development node in another process, on
// loopback. It prints what docs/wallet.md quotes; times, so never a test.
//
//   node bench/wallet.mjs [COINS] [TOKENS]     default 10000 1000

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import {
  addressOf,
  buildTokenCreate,
  buildTokenTransfer,
  decodeTransaction,
  networks,
  publicKeyOf,
  signCase,
} from '../dist/index.js'
import { createDevNode } from '../dist/node/index.js'
import { createDaemonClient } from '../dist/rpc/index.js'
import { createWallet, daemonChain, privateKeySigner } from '../dist/wallet/index.js'
import { readArguments, wholeNumber } from './lib/arguments.mjs'

const runs = 5
const payments = 25
const network = networks.assetChain
const key = '7'.padStart(64, '0')
const own = publicKeyOf(key)
const makerKey = '9'.padStart(64, '0')
const maker = publicKeyOf(makerKey)
const coinsAtOnce = 1000
/** The calls of the chain source in one measurement, and their processor time. */
const source = { calls: 0, spent: 0 }
// The child process runs this file too, with an argument before its own.
const [first, ...more] = process.argv.slice(2)
if (first === 'serve') await serve(...more.map(Number))
else {
  const counts = readArguments(
    import.meta.url,
    ([coins, tokens]) => [
      wholeNumber('COINS', coins, { least: 1, otherwise: 10_000 }),
      wholeNumber('TOKENS', tokens, { least: 0, otherwise: 1000 }),
    ],
    { most: 2 },
  )
  await measure(...counts)
}

/** Pays coins and tokens to the key, and says where the daemon is. */
async function serve(coins, tokens) {
  const node = await createDevNode({ mine: 'manual' })
  const address = addressOf(own, network)
  for (let at = 0; at < coins; at += 1) {
    node.fund(address, 1_000_000n)
    if (at % coinsAtOnce === 0) node.mine()
  }
  if (tokens > 0) await giveTokens(node, tokens)
  node.mine(101)
  const [{ url, user, password }] = node.identities
  process.send({ url, user, password })
  process.on('message', (wanted) => {
    if (wanted === 'cpu') process.send(process.cpuUsage())
    else {
      node.mine()
      process.send('mined')
    }
  })
  process.on('disconnect', () => process.exit())
}

/** Creates tokens with the key of a maker, and moves some units of each to the key. */
async function giveTokens(node, tokens) {
  const send = (hex) => node.request('sendrawtransaction', [hex])
  for (let at = 0; at < tokens; at += 1) {
    const paying = await fundingOf(node, addressOf(maker, network))
    const terms = { network, tipHeight: node.height, previousTransactions: [paying.hex] }
    const creation = signCase(
      buildTokenCreate({
        ...terms,
        name: `T${at}`,
        supply: 5n,
        owner: maker,
        coins: [paying.outpoint],
      }),
      [makerKey],
    )
    const { txid: tokenid, outputs } = decodeTransaction(creation.hex)
    const script = `21${maker}ac`
    const change = outputs.findIndex((output) => output.script === script && output.value > 0n)
    const moved = signCase(
      buildTokenTransfer({
        ...terms,
        tokenid,
        from: maker,
        recipients: [{ pubkey: own, amount: 5n }],
        tokenCoins: [{ txid: tokenid, vout: 1 }],
        coins: [{ txid: tokenid, vout: change }],
        previousTransactions: [creation.hex],
      }),
      [makerKey],
    )
    await send(creation.hex)
    await send(moved.hex)
    if (at % 100 === 99) node.mine()
  }
  node.mine()
}

async function fundingOf(node, address) {
  const txid = node.fund(address, 1_000_000n)
  const hex = await node.request('getrawtransaction', [txid])
  const vout = decodeTransaction(hex).outputs.findIndex(({ value }) => value === 1_000_000n)
  return { hex, outpoint: { txid, vout } }
}

async function measure(coins, tokens) {
  const server = fork(new URL(import.meta.url), ['serve', `${coins}`, `${tokens}`])
  const [daemon] = await once(server, 'message')
  const firsts = []
  const seconds = []
  const lists = []
  let wallet
  for (let run = 0; run < runs; run += 1) {
    const chain = metered(daemonChain(createDaemonClient(daemon)))
    wallet = await createWallet({ signers: [privateKeySigner(key)], chain })
    firsts.push(await timed(server, () => wallet.balance()))
    seconds.push(await timed(server, () => wallet.balance()))
    if (tokens > 0) lists.push(await timed(server, () => wallet.tokens()))
  }
  print(`first balance of ${coins} coins`, firsts)
  print('second balance', seconds)
  if (tokens > 0) print(`${tokens} tokens with proofs`, lists)
  const to = addressOf(maker, network)
  await repeat(server, 'pay', (id) => wallet.pay({ to, amount: 1000n, id }))
  if (tokens > 0) {
    const held = await wallet.tokens()
    await repeat(server, 'transfer', (id, at) =>
      wallet.transfer({ tokenid: held[at % held.length].tokenid, to: maker, amount: 1n, id }),
    )
  }
  server.disconnect()
}

/** Sends one payment after the other, each in a block. */
async function repeat(server, name, send) {
  const rows = []
  for (let at = 0; at < payments; at += 1) {
    rows.push(
      await timed(server, async () => {
        const { status } = await send(`${name} ${at}`, at)
        if (status !== 'accepted') throw new Error(`${name}: ${status}`)
      }),
    )
    await ask(server, 'mine')
  }
  print(name, rows)
}

function print(name, rows) {
  const of = (part) => `${median(rows.map((row) => row[part])).toFixed(1)} ms`
  const cpu = `${of('own')} by the wallet, ${of('source')} by its requests, ${of('server')} by the daemon`
  const calls = median(rows.map((row) => row.calls))
  console.log(`${name.padEnd(30)} ${of('clock')}; of the processor ${cpu}; ${calls} calls`)
}

/** Counts the calls of a chain source, and the processor time until each is answered. */
function metered(chain) {
  const methods = ['tip', 'unspent', 'history', 'transactions', 'broadcast', 'chain']
  const wrapped = methods.map((method) => {
    const call = async (...given) => {
      const before = process.cpuUsage()
      source.calls += 1
      try {
        return await chain[method](...given)
      } finally {
        source.spent += milliseconds(process.cpuUsage(before))
      }
    }
    return [method, call]
  })
  return { ...chain, ...Object.fromEntries(wrapped) }
}

async function ask(server, wanted) {
  server.send(wanted)
  const [answer] = await once(server, 'message')
  return answer
}

async function timed(server, action) {
  const before = await ask(server, 'cpu')
  Object.assign(source, { calls: 0, spent: 0 })
  const [started, spent] = [performance.now(), process.cpuUsage()]
  await action()
  const clock = performance.now() - started
  const all = milliseconds(process.cpuUsage(spent))
  const daemon = milliseconds(await ask(server, 'cpu')) - milliseconds(before)
  return {
    clock,
    own: all - source.spent,
    source: source.spent,
    server: daemon,
    calls: source.calls,
  }
}

function milliseconds({ user, system }) {
  return (user + system) / 1000
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1]
}

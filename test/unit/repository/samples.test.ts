// Every code sample in a docstring of the offline library, in the README and in the pages runs, and
// gives what it says it gives.

import { sha256 } from '@noble/hashes/sha2.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { describe, expect, test } from 'vitest'

import * as library from '../../../src/index.ts'
import { journalConformance } from '../../../src/journal/conformance.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { createDevFramework, createDevNode } from '../../../src/node/index.ts'
import { formatCoins } from '../../../src/primitives/amount.ts'
import { isLosslessNumber } from '../../../src/primitives/json.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  createToken,
  transferToken,
} from '../../../src/rpc/index.ts'
import { isCompressedPoint } from '../../../src/script/public-key.ts'
import { scripthashOf } from '../../../src/script/scripthash.ts'
import { filesBelow, textOf } from '../../support/files.ts'
import { chainTransaction } from '../../support/komodod.ts'
import { docstringSamples, pageSamples, runSample, type Sample } from '../../support/samples.ts'

const exampleFile = (name: string) => JSON.parse(textOf(`examples/${name}.json`))
const given = exampleFile('transfer')
const request = exampleFile('transfer-request')
const creation = exampleFile('create')
const wif = textOf('examples/throw-away-key.txt').trim()
const { hex, previousTransactions, tokenCreate, tipHeight } = given
const { note: _, ...asked } = request
const unsigned = library.buildTokenTransfer(asked)
const prevouts = unsigned.coins
const { destination, from, tokenid } = given.intent
const [first] = library.decodeTransaction(hex).inputs
const tenCoins = library.encodeTransaction({
  version: 1,
  overwintered: false,
  inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
  outputs: [{ value: 10_00000000n, script: `21${from}ac` }],
  lockTime: 0,
})
// the generator point and its key: the specification's examples
const pubkey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/** Orders that somebody made of the same token. */
const { recipients: __, tokenCoins, ...common } = asked
const orderRequest = {
  ...common,
  coins: [{ txid: library.transactionId(tenCoins), vout: 0 }],
  previousTransactions: [...previousTransactions, ...asked.previousTransactions, tenCoins],
  tokenCreate,
  units: 100n,
  price: 1_000_000n,
}
const offers = [
  library.buildTokenAsk({ ...orderRequest, tokenCoins }),
  library.buildTokenBid({ ...orderRequest, allowUnenforcedPrice: true }),
].map((built) => library.signTransaction(built.hex, [wif], built.coins).hex)
const [ask, bid] = offers.map((offer) => library.transactionId(offer))

const broadcasts: string[] = []

/** Names that the samples leave to the reader: a transfer of komodod, and the key that made it. */
const scope = {
  ...library,
  HDKey,
  scripthashOf,
  sha256,
  mnemonicToSeedSync,
  mnemonic: 'tank abandon bind salon remove wisdom net size aspect direct source fossil',
  pubkeyHashScripts: new Set<string>(),
  isCompressedPoint,
  createDevFramework,
  createDevNode,
  createFrameworkClient,
  formatCoins,
  hex,
  source: hex,
  txid: library.transactionId(hex),
  vout: 0,
  tokenid,
  destination,
  from,
  owner: from,
  ownPubkey: from,
  pubkey,
  privateKey: '1'.padStart(64, '0'),
  tree: library.tokenConditionTree(pubkey),
  wif,
  intent: { ...given.intent, amount: BigInt(given.intent.amount) },
  evidence: given,
  previousTransactions: [
    ...previousTransactions,
    ...creation.previousTransactions,
    tenCoins,
    ...offers,
  ],
  ask,
  bid,
  tokenCreate,
  tipHeight,
  request: asked,
  coins: [{ txid: library.transactionId(tenCoins), vout: 0 }],
  tokenCoins: asked.tokenCoins,
  text: library.formatCase(unsigned),
  unsigned: unsigned.hex,
  prevouts,
  scriptCode: prevouts[0]!.script,
  value: prevouts[0]!.value,
  hash: library.signatureHashes(hex, prevouts)[0],
  publicKey: from,
  // a push and the hash type around it
  signature: first!.scriptSig.slice(2, -2),
  transfer: hex,
  create: tokenCreate,
  funding: creation.previousTransactions[0],
  transactions: [hex, tokenCreate, ...previousTransactions, ...creation.previousTransactions],
  broadcast: async (sent: string) => void broadcasts.push(sent),
  askTheUser: async () => undefined,
  cases: [library.parseCase(textOf('examples/transfer.json'))],
  given: library.parseCase(textOf('examples/transfer.json')),
  console: { error: () => undefined, log: () => undefined },
  isLosslessNumber,
  journalConformance,
  memoryJournal,
  // The samples name files and servers that are not on this machine.
  fileJournal: () => memoryJournal(),
  transferToken: async () => undefined,
  daemon: {},
  test: () => undefined,
  myJournal: memoryJournal,
  freshTable: () => undefined,
}

const sources = filesBelow('src').filter(
  (path) =>
    /\.ts$/.test(path) &&
    !/^src\/(?:rpc|node|guard|wallet|chain-source|block|electrum)\//.test(path),
)
const pages = ['README.md', 'docs/tokens.md', 'docs/signing.md', 'docs/framework-node.md']
const samples: Sample[] = [
  ...sources.flatMap((path) => docstringSamples(path, textOf(path))),
  ...pages.flatMap((path) => pageSamples(path, textOf(path))).filter(isRunHere),
]

/**
 * Returns true if this file runs the sample. The tests in test/contract run samples of clients
 * against servers, and the cookbook runs one on Tokel's coins.
 */
function isRunHere({ from, code }: Sample): boolean {
  if (from === 'docs/tokens.md') return !code.includes('networks.tokel')
  return from === 'docs/framework-node.md' || !/'antara-tx\/(?:rpc|wallet)'/.test(code)
}

describe('docs/node.md', () => {
  const nodePage = pageSamples('docs/node.md', textOf('docs/node.md'))

  test('has at least one sample', () => expect(nodePage.length).toBeGreaterThan(1))

  test.each(nodePage)('$code', async (sample) => {
    await using node = await createDevNode()
    const address = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
    const balanceOf = async (): Promise<bigint> => {
      const answer = await node.request('getaddressbalance', [{ addresses: [address] }])
      return BigInt((answer as { balance: number }).balance)
    }
    const nodeScope: Record<string, unknown> = {
      createDevNode,
      createDaemonClient,
      createToken,
      networks: library.networks,
      transferToken,
      // in a file of its own vitest starts and ends the node
      useDevNode: () => () => node,
      test: (_: string, run: () => Promise<void>) => run(),
      expect,
      wallet: { address, balance: balanceOf },
      live: { ...node.identities[0], fetch: node.fetch },
      hex,
    }
    await expect(runSample(sample, nodeScope)).resolves.toBeDefined()
  })
})

test('there are samples to run', () => {
  expect(samples.length).toBeGreaterThan(60)
})

test.each(Object.keys(library))('docs/api.md tells of %s', (name) => {
  expect(textOf('docs/api.md')).toMatch(new RegExp(`\\b${name}\\b`))
})

describe('a sample that broadcasts', () => {
  const senders = samples.filter(({ code }) => code.includes('broadcast('))
  // The page's samples build on coins that nobody signed, so they are never proven.
  const verifiers = senders.filter(({ from }) => from !== 'docs/tokens.md')
  const funding = library.decodeTransaction(tokenCreate).inputs
  const wholeHistory = [
    ...previousTransactions,
    ...funding.map((input) => chainTransaction(input.txid)),
  ]

  test('is in the README, a docstring and a page', () => {
    const files = ['README.md', 'docs/tokens.md', 'src/verification/verify-transfer.ts']
    expect(senders.map(({ from }) => from)).toEqual(expect.arrayContaining(files))
  })

  test.each(senders)('$from does not send what is the decision of the user: $code', async (one) => {
    broadcasts.length = 0
    await runSample(one, scope)
    expect(library.verifyCase(scope.given).broadcast).toBe('your-decision')
    expect(broadcasts).toEqual([])
  })

  test.each(verifiers)('$from sends what is proven: $code', async (one) => {
    broadcasts.length = 0
    const evidence = { ...given, previousTransactions: wholeHistory }
    await runSample(one, { ...scope, previousTransactions: wholeHistory, evidence })
    expect(broadcasts).toEqual([hex])
  })
})

let compared = 0

test.each(samples)('$from: $code', async (sample) => {
  const results = await runSample(sample, scope)
  // One that tells no result runs without an error.
  expect(results.map(({ actual }) => actual)).toEqual(results.map(({ reported }) => reported))
  compared += results.length
})

test('most of them told what they give', () => {
  expect(compared).toBeGreaterThan(45)
})

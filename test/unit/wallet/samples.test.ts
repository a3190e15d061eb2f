// The code of the wallet's page and docstrings runs, on a development node.

import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { expect, test } from 'vitest'

import * as library from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import * as rpc from '../../../src/rpc/index.ts'
import * as wallets from '../../../src/wallet/index.ts'
import { filesBelow, textOf } from '../../support/files.ts'
import { docstringSamples, pageSamples, runSample } from '../../support/samples.ts'
import { shareOf } from '../../support/share.ts'
import { fundedNode } from './support.ts'

const sources = [...filesBelow('src/wallet'), ...filesBelow('src/chain-source')]
const samples = [
  ...sources.flatMap((path) => docstringSamples(path, textOf(path))),
  ...pageSamples('docs/wallet.md', textOf('docs/wallet.md')),
  ...pageSamples('README.md', textOf('README.md')).filter(({ code }) =>
    code.includes("'antara-tx/wallet'"),
  ),
]

test('there are samples', () => expect(samples.length).toBeGreaterThan(5))

test.each(shareOf(samples, 0, 4))('$from: $code', async (sample) => {
  const { node, alice, bob, chain } = await fundedNode()
  const before = node.snapshot()
  const [hex] = await chain.transactions([node.fund(bob.address, 1_000_000n)])
  node.revert(before)
  const firstBlock = await chain.chain?.()
  const daemon = { ...alice, url: 'http://127.0.0.1', fetch: node.fetch }
  const scope = {
    ...library,
    ...rpc,
    ...wallets,
    createDevNode,
    // The samples name a daemon and a file that are not on this machine.
    createDaemonClient: () => rpc.createDaemonClient(daemon),
    daemon: rpc.createDaemonClient(daemon),
    hex,
    fileJournal: () => wallets.memoryJournal(),
    configured: ['mine', 'other'].map((name) => ({ name, url: 'ssl://127.0.0.1:1', firstBlock })),
    node,
    alice,
    bob,
    chain,
    signers: [wallets.privateKeySigner(alice.wif)],
    wif: alice.wif,
    device: wallets.privateKeySigner(alice.wif),
    to: bob.address,
    HDKey,
    mnemonicToSeedSync,
    mnemonic: 'tank abandon bind salon remove wisdom net size aspect direct source fossil',
    url: 'http://127.0.0.1',
    user: 'user',
    password: 'password',
  }
  const results = await runSample(sample, scope)
  expect(results.map(({ actual }) => actual)).toEqual(results.map(({ reported }) => reported))
  await node.close()
})

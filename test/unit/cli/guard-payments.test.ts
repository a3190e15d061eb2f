// The network of a guard that the command line starts.

import { expect, test } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { networkOf } from '../../../src/cli/guard-payments.ts'

const { komodo, assetChain, tokel } = networks

test.each([
  ['no option, because the daemon is that of KMD', {}, komodo],
  ['the chain KMD', { chain: 'KMD' }, komodo],
  ['the chain TOKEL', { chain: 'TOKEL' }, tokel],
  ['another chain', { chain: 'TOKTEST' }, assetChain],
  ['a conf file of an unnamed chain', { conf: 'a file' }, assetChain],
  ['a URL of an unnamed chain', { daemon: 'http://127.0.0.1:1' }, assetChain],
  ['a named network, whatever the chain', { chain: 'KMD', network: 'assetChain' }, assetChain],
] as const)('the network follows from %s', (_, options, network) => {
  expect(networkOf(new Map(Object.entries(options)))).toBe(network)
})

test('an unknown network is refused', () => {
  expect(() => networkOf(new Map([['network', 'KMD']]))).toThrow(/--network/)
})

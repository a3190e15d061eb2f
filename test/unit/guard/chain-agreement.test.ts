import { expect, test } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { chainAgreement } from '../../../src/guard/chain-agreement.ts'
import type { DaemonClient } from '../../../src/rpc/daemon/client.ts'

const hashes = ['11', '22'].map((byte) => byte.repeat(32))

test('another daemon that answers during the first payments is paid by none of them', async () => {
  const blocks = [...hashes]
  const client = {
    getinfo: async () => ({ name: 'TOKTEST' }),
    call: async () => blocks.shift(),
  } as unknown as DaemonClient
  const { require: requireChain } = chainAgreement(client, networks.assetChain)
  const ends = await Promise.allSettled([requireChain(), requireChain()])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('a chain without block 1 is asked for its kind before each payment', async () => {
  const names = ['TOKTEST', 'KMD']
  const client = {
    getinfo: async () => ({ name: names.shift() }),
    call: async () => undefined,
  } as unknown as DaemonClient
  const { require: requireChain } = chainAgreement(client, networks.assetChain)
  await requireChain()
  await expect(requireChain()).rejects.toThrow('the coins of the daemon earn a reward')
})

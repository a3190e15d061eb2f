import { expect, test } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { chainAgreement } from '../../../src/guard/chain-agreement.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import type { JournalRecord } from '../../../src/journal/records.ts'
import type { DaemonClient } from '../../../src/rpc/daemon/client.ts'

const hashes = ['11', '22'].map((byte) => byte.repeat(32))

test('another daemon that answers during the first payments is paid by none of them', async () => {
  const blocks = [...hashes]
  const client = {
    getinfo: async () => ({ name: 'TOKTEST' }),
    call: async () => blocks.shift(),
  } as unknown as DaemonClient
  const { require: requireChain } = chainAgreement(client, networks.assetChain, memoryJournal())
  const ends = await Promise.allSettled([requireChain(), requireChain()])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('a chain without block 1 is asked for its kind before each payment', async () => {
  const names = ['TOKTEST', 'KMD']
  const client = {
    getinfo: async () => ({ name: names.shift() }),
    call: async () => undefined,
  } as unknown as DaemonClient
  const { require: requireChain } = chainAgreement(client, networks.assetChain, memoryJournal())
  await requireChain()
  await expect(requireChain()).rejects.toThrow('the coins of the daemon earn a reward')
})

const [here, elsewhere] = hashes as [string, string]
const at = new Date(0).toISOString()
const paid = (payment: string, chain?: string): JournalRecord => ({
  ...{ kind: 'attempt', payment, terms: payment, request: '{}', txid: payment, hex: '00', at },
  ...(chain !== undefined && { chain }),
})
const dropped: JournalRecord = { kind: 'forgotten', payment: '', at, height: 7, chain: here }

test.each<[string, readonly JournalRecord[], boolean]>([
  ['nothing', [], true],
  ['payments of another chain', [paid('a', elsewhere), paid('b', elsewhere)], false],
  ['a payment of this chain too', [paid('a', elsewhere), paid('b', here)], true],
  ['dropped payments of this chain too', [paid('a', elsewhere), dropped], true],
  ['payments whose chain is unknown', [paid('a')], true],
])('a guard pays only on a chain of its journal, which has %s', async (_, records, isPaying) => {
  const journal = memoryJournal()
  for (const [index, record] of records.entries()) {
    await journal.append(index + 1, JSON.stringify(record))
  }
  const client = {
    getinfo: async () => ({ name: 'TOKTEST' }),
    call: async () => here,
    getrawtransaction: async () => '00',
  } as unknown as DaemonClient
  const agreement = chainAgreement(client, networks.assetChain, journal)
  for (const _ of ['first', 'next']) {
    const message = await agreement.require().catch((error: Error) => error.message)
    const held = expect.stringContaining('the journal has payments of another chain only')
    expect(message).toEqual(isPaying ? undefined : held)
  }
  expect(agreement.known()).toBe(isPaying ? here : undefined)
})

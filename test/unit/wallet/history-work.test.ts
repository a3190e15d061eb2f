// Anyone can send a wallet units of made-up tokens, a few satoshis for each.

import { expect, test, vi } from 'vitest'

import {
  encodeTokenPayload,
  encodeTransaction,
  publicKeyOf,
  tokenScript,
} from '../../../src/index.ts'
import { createWallet } from '../../../src/wallet/index.ts'
import { recordedSource } from './recorded-source.ts'

const pubkey = publicKeyOf('7'.padStart(64, '0'))
const script = tokenScript(pubkey)
const numbered = (at: number, letter: string) => letter + at.toString(16).padStart(63, '0')

/** The methods by which a list is searched. */
const searches = ['filter', 'find', 'flatMap', 'includes', 'map', 'some'] as const

/**
 * Returns how often a list is searched while the history is read.
 *
 * @param tokenidOf - the token that a transaction claims to move
 */
async function searchesFor(count: number, tokenidOf: (at: number) => string): Promise<number> {
  const made = Array.from({ length: count }, (_, at) => {
    const payload = { layout: 'komodo-v1', kind: 'transfer', tokenid: tokenidOf(at) } as const
    return encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      lockTime: 0,
      expiryHeight: 0,
      inputs: [{ txid: numbered(at, 'b'), vout: 0, scriptSig: '51', sequence: 0 }],
      outputs: [
        { value: 5n, script },
        { value: 0n, script: encodeTokenPayload({ ...payload, pubkeys: [pubkey], extras: [] }) },
      ],
    })
  })
  const chain = recordedSource(
    made.map((hex) => ({ hex })),
    1000,
  )
  const wallet = await createWallet({ publicKeys: [pubkey], chain })
  const spies = searches.map((name) => vi.spyOn(Array.prototype, name))
  const entries = await wallet.history({ limit: count })
  const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  vi.restoreAllMocks()
  expect(entries).toHaveLength(count)
  const verdicts = entries.flatMap(({ proofs }) => Object.entries(proofs))
  expect(verdicts.every(([tokenid, verdict]) => tokenid.length === 64 && verdict === 'open')).toBe(
    true,
  )
  expect(verdicts).toHaveLength(count)
  return calls
}

test('a history of many tokens takes little more work than one of as many coins of one', async () => {
  const one = await searchesFor(300, () => 'aa'.repeat(32))
  const many = await searchesFor(300, (at) => numbered(at, 'a'))
  expect(one).toBeGreaterThan(300)
  // Were all tokens searched for each entry, there would be 90,000 more at least.
  expect(many - one).toBeLessThan(30_000)
})

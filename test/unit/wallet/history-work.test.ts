// Anyone can send a wallet units of made-up tokens, a few satoshis for each.

import { expect, test } from 'vitest'

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

/** @param tokenidOf - the token that a transaction claims to move */
async function millisecondsFor(count: number, tokenidOf: (at: number) => string): Promise<number> {
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
  const before = process.cpuUsage()
  const entries = await wallet.history({ limit: count })
  const { user, system } = process.cpuUsage(before)
  expect(entries).toHaveLength(count)
  const verdicts = entries.flatMap(({ proofs }) => Object.entries(proofs))
  expect(verdicts.every(([tokenid, verdict]) => tokenid.length === 64 && verdict === 'open')).toBe(
    true,
  )
  expect(verdicts).toHaveLength(count)
  return (user + system) / 1000
}

test('a history of many tokens takes little longer than one of as many coins of one', async () => {
  const ofOne = () => 'aa'.repeat(32)
  const ofMany = (at: number) => numbered(at, 'a')
  // The first call of a function takes longer than later ones.
  await millisecondsFor(500, ofMany)
  const one = await millisecondsFor(3000, ofOne)
  const many = await millisecondsFor(3000, ofMany)
  // It took three times as long where each entry looked through all tokens.
  expect(many, `${many} ms, and ${one}`).toBeLessThan(1.8 * one)
}, 60_000)

// Repeats every recorded call of a tokeld, in order, to a node that has its chain. Applies the rules
// to every recorded transaction, at its height.

import { expect, test } from 'vitest'
import { createEngine } from '../../src/node/engine.ts'
import { isCoinbase, storedTransaction } from '../../src/node/state/stored-transaction.ts'
import { replayTokeld } from './support/recorded-tokeld.ts'
import { recordedBlock, tokeld } from './timeline.ts'

/** Leaves out the hashes of blocks, because the recorded ones follow from their proof of work. */
const withoutBlocks = (text: string) =>
  text.replace(/"(blockhash|bestblock)":"[0-9a-f]+"/g, '"$1":""')

/** Differences from the recordings, and the reason for each. */
const knownDifferences: readonly (readonly [what: RegExp, count: number])[] = [
  // no peers
  [/^00.*\|getinfo\|/, 1],
  // the two daemons' clocks, a second apart
  [/^07.*\|gettransaction\|wallet view 2of2 spend/, 1],
]

test('answers as the recorded tokeld did', { timeout: 60_000 }, async () => {
  const results = await replayTokeld()
  const names = results
    .filter(
      ({ ours, status, response }) =>
        ours.status !== status || withoutBlocks(ours.body) !== withoutBlocks(response),
    )
    .map(({ at, note, request }) => `${at}|${JSON.parse(request).method}|${note}`)
  console.log(`${results.length - names.length} of ${results.length} calls byte-equal`)
  expect(names.filter((name) => !knownDifferences.some(([what]) => what.test(name)))).toEqual([])
  const found = knownDifferences.map(([what]) => names.filter((name) => what.test(name)).length)
  expect(found).toEqual(knownDifferences.map(([, count]) => count))
  expect(results.length).toBe(403)
})

test('accepts every transaction that the recorded tokeld mined, at its height', () => {
  const engine = createEngine({
    time: 1795244743,
    profile: { network: 'tokel', nulldataBytesMax: 8192 },
  })
  const last = Math.max(...tokeld.heightOf.values())
  const refused: string[] = []
  let checked = 0
  for (let height = 1; height <= last; height += 1) {
    const transactions = recordedBlock(height, tokeld).map(storedTransaction)
    const coinbase = transactions.find(({ transaction }) => isCoinbase(transaction))!
    engine.state = { ...engine.state, time: coinbase.transaction.lockTime }
    for (const one of transactions.filter((it) => it !== coinbase)) {
      const verdict = engine.broadcast(one.hex)
      checked += 1
      if (!verdict.ok) refused.push(`${height} ${one.txid}: ${verdict.message}`)
    }
    engine.importBlock({ transactions })
  }
  expect(refused).toEqual([])
  expect(checked).toBe(43)
})

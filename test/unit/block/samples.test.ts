// The code of the page on headers and of the docstrings runs, on real headers.

import { expect, test } from 'vitest'

import * as electrum from '../../../src/electrum/index.ts'
import { filesBelow, textOf } from '../../support/files.ts'
import { headersOf, publicBlocks } from '../../support/headers.ts'
import { docstringSamples, pageSamples, runSample } from '../../support/samples.ts'
import { leadingTransactions } from '../../support/transactions.ts'

const samples = [
  ...[...filesBelow('src/block'), ...filesBelow('src/electrum')].flatMap((path) =>
    docstringSamples(path, textOf(path)),
  ),
  ...pageSamples('docs/headers.md', textOf('docs/headers.md')),
]
const [kmd] = publicBlocks
const headers = headersOf('komodod-headers.txt')
const scope = {
  ...electrum,
  hex: headers[0],
  headers,
  header: kmd!.header,
  txid: kmd!.txids[0],
  transaction: leadingTransactions(kmd!.body)[0],
  servers: ['tcp://127.0.0.1:50001'],
  chainRules: { equihash: { n: 48, k: 5 }, checkpoints: [] },
}

let compared = 0

test.each(samples)('$from: $code', async (sample) => {
  const results = await runSample(sample, scope)
  compared += results.length
  expect(results.map(({ actual }) => actual)).toEqual(results.map(({ reported }) => reported))
})

test('most of them told what they give', () => {
  expect(compared).toBeGreaterThan(9)
})

test.each(Object.keys(electrum))('docs/api.md names %s', (name) => {
  expect(textOf('docs/api.md')).toMatch(new RegExp(`\\b${name}\\b`))
})

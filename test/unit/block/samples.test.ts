// The code of the page on headers and of the docstrings runs, on real headers.

import { expect, test } from 'vitest'

import * as electrum from '../../../src/electrum/index.ts'
import { filesBelow, textOf } from '../../support/files.ts'
import { headersOf, publicBlocks } from '../../support/headers.ts'
import { docstringSamples, pageSamples, runSample } from '../../support/samples.ts'
import { leadingTransactions } from '../../support/transactions.ts'

const samples = [
  ...filesBelow('src/block').flatMap((path) => docstringSamples(path, textOf(path))),
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
  chainRules: { equihash: { n: 48, k: 5 }, checkpoints: [] },
}

test.each(samples)('$from: $code', async (sample) => {
  const results = await runSample(sample, scope)
  expect(results.length).toBeGreaterThan(0)
  expect(results.map(({ actual }) => actual)).toEqual(results.map(({ reported }) => reported))
})

test.each(Object.keys(electrum))('docs/api.md names %s', (name) => {
  expect(textOf('docs/api.md')).toMatch(new RegExp(`\\b${name}\\b`))
})

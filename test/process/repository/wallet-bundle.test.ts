// A page with a wallet: what it downloads, and that what it downloads pays.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { decodeTransaction } from '../../../src/index.ts'
import type * as wallets from '../../../src/wallet/index.ts'
import { root } from '../../support/built.ts'
import { daemonMade, readVectors } from '../../support/komodod.ts'
import { chain } from '../../support/vectors.ts'
import { recordedSource } from '../../unit/wallet/recorded-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-wallet-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exported = ['createWallet', 'daemonChain', 'privateKeySigner', 'memoryJournal', 'fileJournal']
/** Files of the bundle, by name. */
const files = new Map<string, Uint8Array>()
/** Files that a page loads at once. */
const initial = new Set<string>()
let page: typeof wallets

beforeAll(async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${exported.join()} } from 'antara-tx/wallet'`, resolveDir: root },
    ...{ bundle: true, minify: true, write: false, metafile: true, format: 'esm' },
    ...{ platform: 'browser', splitting: true, outdir: folder, outExtension: { '.js': '.mjs' } },
  })
  for (const { path, contents } of outputFiles) {
    writeFileSync(path, contents)
    files.set(path.slice(folder.length + 1), contents)
  }
  const nameOf = (path: string) => path.split('/').at(-1)!
  const imports = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [
      nameOf(path),
      output.imports
        .filter(({ kind }) => kind === 'import-statement')
        .map(({ path: it }) => nameOf(it)),
    ]),
  )
  initial.add('stdin.mjs')
  for (const name of initial) for (const needed of imports.get(name)!) initial.add(needed)
  page = (await import(pathToFileURL(join(folder, 'stdin.mjs')).href)) as typeof wallets
})

// The engine is 110 kB of it, verification about 77. The aim is 240 kB; parts of the wallet that are
// loaded later save nothing, because what they share stays.
test('is at most 262 kB with gzip, engine included', () => {
  const sizes = [...initial].map((name) => gzipSync(files.get(name)!, { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(262_000)
})

test('loads orders when they are needed', () => {
  const orders = [...files.keys()].filter((name) => name.startsWith('trade'))
  expect(orders).toHaveLength(1)
  expect(initial.has(orders[0]!)).toBe(false)
})

test('needs nothing of Node', () => {
  const texts = [...files.values()].map((contents) => Buffer.from(contents).toString())
  expect(texts.filter((text) => /(?:from|import\()\s*["']node:/.test(text))).toEqual([])
  expect(() => page.fileJournal('journal')).toThrow(/needs Node/)
})

test('sends a token transfer as a komodod did', async () => {
  const { hex, params } = daemonMade.find(({ note }) => note.startsWith('partial transfer'))!
  const { A } = readVectors<{ A: { wif: string } }>('komodod/keys.json')
  const { txid, inputs, expiryHeight } = decodeTransaction(hex)
  const source = recordedSource(
    chain.filter((made) => made.txid !== txid),
    expiryHeight - 201,
  )
  const wallet = await page.createWallet({
    signers: [page.privateKeySigner(A.wif)],
    chain: { ...source, unspent: async () => inputs.map((input) => ({ ...input, height: 1 })) },
    journal: page.memoryJournal(),
    coinbaseMaturity: 1,
  })
  const [tokenid = '', to = '', amount = ''] = params
  const sent = await wallet.transfer({ tokenid, to, amount: BigInt(amount) })
  expect(sent.status).toBe('accepted')
  expect(source.sent).toEqual([hex])
})

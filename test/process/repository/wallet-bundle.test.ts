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
import { textOf } from '../../support/files.ts'
import { daemonMade, readVectors } from '../../support/komodod.ts'
import { chain } from '../../support/vectors.ts'
import { recordedSource } from '../../unit/wallet/recorded-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-wallet-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exported = ['createWallet', 'daemonChain', 'privateKeySigner', 'memoryJournal', 'fileJournal']
/** Files of the bundle, by name. */
const files = new Map<string, Uint8Array>()
/** Files that were run, in their order. */
const loaded: string[] = []
/** Files that were run before the first transfer was accepted. */
let forTransfer: readonly string[] = []
let page: typeof wallets
let sent: wallets.Sent
let received: readonly string[]
const { hex, params } = daemonMade.find(({ note }) => note.startsWith('partial transfer'))!

beforeAll(async () => {
  const { outputFiles, warnings } = await build({
    stdin: { contents: `export { ${exported.join()} } from 'antara-tx/wallet'`, resolveDir: root },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
    ...{ splitting: true, outdir: folder, outExtension: { '.js': '.mjs' } },
  })
  expect(warnings).toEqual([])
  Object.assign(globalThis, { antaraLoaded: loaded })
  for (const { path, contents } of outputFiles) {
    const name = path.slice(folder.length + 1)
    files.set(name, contents)
    const marked = `globalThis.antaraLoaded.push(${JSON.stringify(name)});`
    writeFileSync(path, `${marked}${Buffer.from(contents)}`)
  }
  page = (await import(pathToFileURL(join(folder, 'stdin.mjs')).href)) as typeof wallets
  await transfer()
  forTransfer = [...loaded]
})

async function transfer(): Promise<void> {
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
  sent = await wallet.transfer({ tokenid, to, amount: BigInt(amount) })
  received = source.sent
}

test('sends a token transfer as a komodod did', () => {
  expect(sent.status).toBe('accepted')
  expect(received).toEqual([hex])
})

test('downloads at most 243 kB with gzip for a transfer, engine included', () => {
  const sizes = forTransfer.map((name) => gzipSync(files.get(name)!, { level: 9 }).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(total).toBeLessThan(243_000)
  const [, documented] = /downloads (\d+) kB with gzip/.exec(textOf('docs/browsers.md'))!
  expect(total / 1000 / Number(documented)).toBeCloseTo(1, 1)
  expect(Math.max(...sizes)).toBeGreaterThan(80_000)
})

test.each(['pay-plans', 'create-plan', 'trade', 'merge-all', 'submitted-plan'])(
  'loads %s only when it is needed',
  (part) => {
    const named = [...files.keys()].filter((name) => name.startsWith(part))
    expect(named).toHaveLength(1)
    expect(forTransfer).not.toContain(named[0])
  },
)

test('needs nothing of Node', () => {
  const texts = [...files.values()].map((contents) => Buffer.from(contents).toString())
  expect(texts.filter((text) => /(?:from|import\()\s*["']node:/.test(text))).toEqual([])
  expect(() => page.fileJournal('journal')).toThrow(/needs Node/)
})

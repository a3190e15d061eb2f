// Wrong arguments of `antara-tx wallet`, which are refused before anything is sent.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { encodeWif } from '../../../src/signing/wif.ts'
import { runCommand } from '../../support/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-wallet-arguments-'))
beforeAll(() => {
  vi.stubEnv('ANTARA_RPC_USER', 'user')
  vi.stubEnv('ANTARA_RPC_PASSWORD', 'password')
  vi.stubEnv('ANTARA_TX_KEY', encodeWif('07'.repeat(32), networks.assetChain))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

// This port has no server.
const run = (line: string) =>
  runCommand(['wallet', ...line.split(' '), '--url', 'http://127.0.0.1:9', '--timeout', '1'])
const tokenid = 'ab'.repeat(32)
const journal = `--journal ${join(folder, 'journal')}`

test.each([
  ['coins --token zz', '--token needs 64 hex digits, got zz'],
  ['history --limit 99999999999999999999', '--limit needs a number below 2^32'],
  [`receive --watch 02${'ff'.repeat(32)}`, '--watch needs a compressed public key'],
  [`history --token ${tokenid}`, '--token cannot be combined with history'],
  ['receive --to x', '--to cannot be combined with receive'],
  ['balance --dry-run', '--dry-run cannot be combined with balance'],
  ['resume --no-journal', '--no-journal cannot be combined with resume'],
  ['merge --all --dry-run', '--dry-run cannot be combined with a merge in several transactions'],
])('wallet %s is a usage error: %s', async (line, message) => {
  expect(await run(line)).toMatchObject({ status: 64, errors: expect.stringContaining(message) })
})

test('names only the remedies that an action can have where nobody can be asked', async () => {
  const several = await run(`merge --all ${journal}`)
  expect(several.errors).toContain('no terminal for your consent: give --yes\n')
  const single = await run(`merge ${journal}`)
  expect(single.errors).toContain('no terminal for your consent: give --yes or --dry-run\n')
})

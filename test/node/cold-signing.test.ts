// The commands of docs/cold-signing.md run as they stand, on a port that is free. The wait by the clock
// becomes a wait for the server.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'

import { textOf } from '../support/files.ts'
import { freePort } from '../support/free-port.ts'
import { commandsOf, runCommands } from '../support/pages.ts'
import { testUnless } from '../support/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-cold-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const noBash = spawnSync('bash', ['--version']).error !== undefined && 'bash is not installed'

function jsonOf(name: string) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

testUnless(noBash)(
  'the steps build, sign twice without a network, and send what was asked for',
  async () => {
    const port = await freePort()
    const script = commandsOf(textOf('docs/cold-signing.md'))
      .replaceAll('17772', String(port))
      .replace(/^sleep 2$/m, 'until [ -s node.json ]; do kill -0 $chain || exit 8; sleep 0.1; done')
    const { stdout, status, errors } = runCommands(script, folder, '$chain')
    expect([status, errors]).toEqual([0, expect.stringContaining('Partly signed')])
    expect(stdout.match(/^Safe to broadcast\.$/gm)).toHaveLength(2)
    const { hex, intent } = jsonOf('online/signed.json')
    expect(hex).toBe(jsonOf('second/signed.json').hex)
    expect(intent).toEqual(jsonOf('online/unsigned.json').intent)
    const txid = /^ {2}txid ([0-9a-f]{64})$/m.exec(stdout)![1]
    expect(stdout.trim().split('\n').at(-1)).toBe(txid)
  },
  120_000,
)

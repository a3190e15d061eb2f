// The commands of docs/cold-signing.md run as they stand, on a port that is free. The wait by the clock
// becomes a wait for the server.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'

import { root } from '../support/built.ts'
import { textOf } from '../support/files.ts'
import { testUnless } from '../support/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-cold-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const noBash = spawnSync('bash', ['--version']).error !== undefined && 'bash is not installed'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

function jsonOf(name: string) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

testUnless(noBash)(
  'the steps build, sign twice without a network, and send what was asked for',
  async () => {
    const port = await freePort()
    const blocks = [...textOf('docs/cold-signing.md').matchAll(/^```sh\n(.*?)^```/gms)]
    const script = blocks
      .map(([, text]) => text)
      .join('')
      .replace(/^main=.*$/m, `main=${join(root, 'dist/cli/main.js')}`)
      .replaceAll('17772', String(port))
      .replace(/^sleep 2$/m, 'until [ -s node.json ]; do sleep 0.1; done')
    // Whatever fails, no server stays behind.
    const whole = `trap 'kill $chain 2> ended' EXIT; exec 2> errors\n${script}`
    const { stdout, status } = spawnSync('timeout', ['100', 'bash', '-c', whole], {
      cwd: folder,
      encoding: 'utf8',
    })
    const errors = readFileSync(join(folder, 'errors'), 'utf8')
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

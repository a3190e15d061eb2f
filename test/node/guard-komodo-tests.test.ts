// Runs komodo's own test of tokens, from a copy that somebody fetched, against the node and through
// guards. Both runs must end alike.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { createGuard, type Guard } from '../../src/guard/index.ts'
import { createDevNode, type DevIdentity } from '../../src/node/index.ts'
import { testUnless } from '../support/skip.ts'

/** The folder qa/pytest_komodo of komodo's sources, and one that has the module slickrpc. */
const { ANTARA_KOMODO_TESTS: given, ANTARA_SLICKRPC: shim = '' } = process.env
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Runs test_token.py. @returns the last line of pytest */
async function run(urlOf: (identity: DevIdentity) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'komodo-tests-'))
  const node = await createDevNode()
  const mining = setInterval(() => node.mine(), 100)
  try {
    cpSync(given!, folder, { recursive: true })
    const entries = node.identities.slice(0, 2).map(async (identity, at) => {
      const { hostname, port } = new URL(await urlOf(identity))
      const { user, password, pubkey } = identity
      const server = { rpc_ip: hostname, rpc_port: Number(port) }
      return [`node${at + 1}`, { rpc_user: user, rpc_password: password, ...server, pubkey }]
    })
    const config = { ...Object.fromEntries(await Promise.all(entries)), is_fresh_chain: true }
    const modules = join(folder, 'cc_modules')
    writeFileSync(join(folder, 'nodesconfig.json'), JSON.stringify(config))
    return await pytest(folder, { CLIENTS: '2', PYTHONPATH: `${shim}:${modules}:${folder}` })
  } finally {
    clearInterval(mining)
    await node.close()
    rmSync(folder, { recursive: true })
  }
}

function pytest(cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'cc_modules/test_token.py']
    execFile('python3', args, { cwd, env: { ...process.env, ...env } }, (_, output, errors) => {
      const lines = `${output}${errors}`.trim().split('\n')
      const failures = lines.filter((line) => /^E {2}|^test_token.py:\d+/.test(line))
      resolve([...failures, lines.at(-1)!.replace(/ in [\d.]+s.*/, '')].join('\n'))
    })
  })
}

async function guardBefore({ url, user, password, pubkey }: DevIdentity): Promise<string> {
  const guard: Guard = await createGuard({
    daemon: { url, credentials: () => ({ user, password }) },
    pubkey,
    allowUnenforcedPrices: true,
    // The test makes the same offer twice within seconds, and names none.
    repeatMs: 0,
    policy: {
      // The test stops its daemons when it ends.
      admit: ({ method }) => (method === 'stop' ? 'allow' : undefined),
      decide: () => ({ verdict: 'allow' }),
    },
  })
  open.push(guard)
  return guard.url
}

testUnless(given === undefined && 'ANTARA_KOMODO_TESTS names no folder')(
  "komodo's test of tokens ends through guards as without them",
  { timeout: 600_000 },
  async () => {
    const direct = await run(async ({ url }) => url)
    expect(direct).toBe('1 passed')
    expect(await run(guardBefore)).toBe(direct)
  },
)

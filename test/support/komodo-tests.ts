// Runs komodo's own tests, from a copy that somebody names, against the daemons of a node.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDevNode, type DevIdentity } from '../../src/node/index.ts'
import { root } from './built.ts'

/** The folder qa/pytest_komodo of komodo's sources. */
export const komodoTests = process.env.ANTARA_KOMODO_TESTS

interface KomodoRun {
  /** Names of tests, such as `test_getblock`. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** The text of pytest. */
  readonly output: string
}

/**
 * Runs some of the files against two daemons. Only their URLs and credentials are not those of the
 * copy.
 *
 * @param urlOf - the URL by which the tests call a daemon
 */
export async function runKomodoTests(
  files: readonly string[],
  urlOf: (identity: DevIdentity) => Promise<string> = async ({ url }) => url,
): Promise<KomodoRun> {
  const folder = mkdtempSync(join(tmpdir(), 'komodo-tests-'))
  const node = await createDevNode()
  try {
    cpSync(komodoTests!, folder, { recursive: true })
    const entries = node.identities.slice(0, 2).map(async (identity, at) => {
      const { hostname, port } = new URL(await urlOf(identity))
      const { user, password, pubkey, address } = identity
      const server = { rpc_ip: hostname, rpc_port: Number(port), net_port: 6000 + at }
      return [
        `node${at + 1}`,
        { rpc_user: user, rpc_password: password, ...server, pubkey, address },
      ]
    })
    const config = { ...Object.fromEntries(await Promise.all(entries)), is_fresh_chain: true }
    writeFileSync(join(folder, 'nodesconfig.json'), JSON.stringify(config))
    // Komodo's chainstart.py loads a chain of many blocks, and starts its daemons with -addnode.
    node.mine(20)
    await node.request('addnode', ['127.0.0.1:6000', 'add'], { identity: 1 })
    const { url, user, password } = node.identities[0]!
    return await pytest(folder, files, {
      CLIENTS: '2',
      ANTARA_MINER: url.replace('//', `//${user}:${password}@`),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: [
        join(root, 'test/support/komodo-tests'),
        ...['basic', 'cc_modules', '.'].map((name) => join(folder, name)),
      ].join(':'),
    })
  } finally {
    await node.close()
    rmSync(folder, { recursive: true })
  }
}

function pytest(
  cwd: string,
  files: readonly string[],
  env: Record<string, string>,
): Promise<KomodoRun> {
  return new Promise((resolve) => {
    const args = ['-m', 'pytest', '-q', '-rA', '-p', 'no:cacheprovider', ...files]
    execFile('python3', args, { cwd, env: { ...process.env, ...env } }, (_, output, errors) => {
      const named = (outcome: string) =>
        [...output.matchAll(new RegExp(`^${outcome} \\S+::(test_\\w+)`, 'gm'))].map(([, it]) => it!)
      resolve({
        passed: named('PASSED').sort(),
        failed: [...named('FAILED'), ...named('ERROR')].sort(),
        output: output + errors,
      })
    })
  })
}

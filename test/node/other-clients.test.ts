// Runs the tests of npm's bitcoin-core against the node, and each method of npm's bitcoind-rpc, from
// copies that somebody names. docs/node-tests.md counts what does not pass, with the reasons.

import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createDevNode, type DevIdentity } from '../../src/node/index.ts'
import { classOfMethod } from '../../src/rpc/daemon/method-classes.ts'
import { root } from '../support/built.ts'
import { testUnless } from '../support/skip.ts'

/** Folders of the clients' sources, with their dependencies installed. */
const { ANTARA_BITCOIN_CORE: bitcoinCore, ANTARA_BITCOIND_RPC: bitcoindRpc } = process.env

function section(heading: string): string {
  const page = readFileSync(join(root, 'docs/node-tests.md'), 'utf8')
  return page.split(`## ${heading}\n`)[1]!.split(/^#/m)[0]!
}

/** Titles of tests. */
interface Outcome {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

function configOf(version: string, [first, second]: readonly DevIdentity[]): string {
  const server = ({ url, user, password }: DevIdentity) => {
    const { hostname, port } = new URL(url)
    const host = version.startsWith('1.') ? { host: hostname, port } : { host: new URL(url).origin }
    return { ...host, username: user, password }
  }
  const [one, other] = [server(first!), server(second!)]
  return version.startsWith('1.')
    ? `export default ${JSON.stringify({ bitcoind: one, bitcoindSsl: other, bitcoindUsernameOnly: other })}`
    : `module.exports = ${JSON.stringify({ bitcoin: one, bitcoinMultiWallet: other })}`
}

/** Runs the tests in a copy, with the node's daemons as their servers. */
async function mocha(version: string, identities: readonly DevIdentity[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'bitcoin-core-'))
  const modules = join(bitcoinCore!, 'node_modules')
  try {
    await cp(bitcoinCore!, folder, { recursive: true, filter: (from) => from !== modules })
    symlinkSync(modules, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'test/config/index.js'), configOf(version, identities))
    const compiler = version.startsWith('1.') ? ['--compilers', 'js:babel-register'] : ['--exit']
    const options = ['--timeout', '20000', '--recursive', '--require', 'should', ...compiler]
    const args = ['node_modules/mocha/bin/_mocha', ...options, '--reporter', 'json-stream']
    const env = { ...process.env, NODE_ENV: 'test' }
    // The report goes to a file, because the reporter ends the process before a pipe takes all of it.
    const report = openSync(join(folder, 'report.json'), 'w+')
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env,
      stdio: ['ignore', report, 'ignore'],
    })
    await new Promise((resolve) => child.on('close', resolve))
    const output = readFileSync(join(folder, 'report.json'), 'utf8')
    closeSync(report)
    const titles = (outcome: string) =>
      [...output.matchAll(/^\["(pass|fail)",(.*)\]$/gm)]
        .filter(([, kind]) => kind === outcome)
        .map(([, , test]) => (JSON.parse(test!) as { fullTitle: string }).fullTitle)
    return { passed: titles('pass'), failed: titles('fail') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Rows of a table: the beginnings of titles, and how many such tests do not pass. */
function rowsOf(text: string): { readonly titles: readonly string[]; readonly count: number }[] {
  return [...text.matchAll(/^\| (`.+`) \| (\d+) \|/gm)].map(([, titles, count]) => ({
    titles: [...titles!.matchAll(/`([^`]+)`/g)].map(([, title]) => title!),
    count: Number(count),
  }))
}

testUnless(bitcoinCore === undefined && 'ANTARA_BITCOIN_CORE names no folder')(
  "bitcoin-core's own tests pass, except those that the documentation counts",
  { timeout: 600_000 },
  async () => {
    const { version } = JSON.parse(readFileSync(join(bitcoinCore!, 'package.json'), 'utf8'))
    const node = await createDevNode()
    // Below this height, the tests of newer versions create wallets, which a komodod cannot.
    node.mine(432)
    const { passed, failed } = await mocha(version, node.identities)
    await node.close()
    const text = section(`bitcoin-core ${version}`)
    const rows = rowsOf(text)
    const titles = failed.map((title) => title.replaceAll('`', "'"))
    const counted = rows.map(({ titles: beginnings }) => ({
      titles: beginnings,
      count: titles.filter((title) => beginnings.some((it) => title.startsWith(it))).length,
    }))
    expect(counted, titles.join('\n')).toEqual(rows)
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(titles.length)
    expect(text).toContain(`Of ${passed.length + failed.length} tests, ${passed.length} pass`)
  },
)

testUnless(bitcoindRpc === undefined && 'ANTARA_BITCOIND_RPC names no folder')(
  'the node serves each method of bitcoind-rpc that a komodod has, except those that the documentation names',
  { timeout: 60_000 },
  async () => {
    expect(existsSync(join(bitcoindRpc!, 'lib/index.js'))).toBe(true)
    const Client = createRequire(import.meta.url)(join(bitcoindRpc!, 'lib/index.js'))
    const node = await createDevNode()
    const { url, user, password } = node.identities[0]!
    const client = new Client(url.replace('//', `//${user}:${password}@`))
    const names = Object.keys(Client.callspec).filter((name) => name !== 'stop')
    const lacks: string[] = []
    let served = 0
    for (const name of names) {
      const { code } = await new Promise<{ code?: number }>((resolve) => {
        client[name]((error: { code?: number } | null) => resolve(error ?? {}))
      })
      if (code !== -32601) served += 1
      else if (classOfMethod(name.toLowerCase()) !== 'unknown') lacks.push(name.toLowerCase())
    }
    await node.close()
    const text = section('bitcoind-rpc')
    const cells = [...text.matchAll(/^\|.*?\|/gm)].join('')
    const named = [...cells.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
    expect(lacks.sort()).toEqual(named.sort())
    expect(text).toContain(
      `Of its ${names.length + 1} methods, a komodod has ${served + lacks.length + 1}, and the node ${served + 1}`,
    )
  },
)

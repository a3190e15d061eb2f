// Programs in other languages that use a development node, by the standard library alone.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import { root } from '../support/built.ts'
import { testUnless } from '../support/skip.ts'

let node: DevNode

beforeAll(async () => {
  node = await createDevNode()
})
afterAll(() => node.close())

function isInstalled(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

interface Ended {
  readonly status: unknown
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program with the first line of `antara-tx node --json` as its input. */
function run(program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd: root }, (error, output) =>
      error === null ? resolve(output) : reject(error),
    )
    child.stdin!.end(`${JSON.stringify({ identities: node.identities })}\n`)
  })
}

const received = async () =>
  String(await node.request('getreceivedbyaddress', [node.identities[1]!.address], { identity: 1 }))

describe('a development node', () => {
  const hasPython = isInstalled('python3', '--version')
  testUnless(!hasPython && 'python3 is not installed')(
    'is paid and read from Python',
    { timeout: 120_000 },
    async () => {
      const before = Number(await received())
      const output = await run('python3', 'examples/clients/balance.py')
      expect(output).toMatch(/^sent [0-9a-f]{64}\n/)
      expect(output).toContain(`bob received ${(before + 0.5).toFixed(8)}`)
    },
  )

  testUnless(!hasPython && 'python3 is not installed')(
    'gives Python nothing to send but what was verified',
    { timeout: 120_000 },
    async () => {
      const [alice, bob] = node.identities as [DevIdentity, DevIdentity]
      const ask = async (method: string, ...params: string[]) => {
        const answer = await node.request(method, params)
        return (answer as { readonly hex: string }).hex
      }
      const hex = await ask('tokencreate', 'GOLD', '0.00001')
      const tokenid = (await node.request('sendrawtransaction', [hex])) as string
      const moved = await ask('tokentransfer', tokenid, bob.pubkey, '100')
      const intent = { tokenid, destination: bob.pubkey, amount: '100', from: alice.pubkey }
      const given = { operation: 'tokentransfer', network: 'assetChain', intent, hex: moved }
      const other = { ...given, intent: { ...intent, amount: '99' } }
      const folder = mkdtempSync(`${tmpdir()}/antara-tx-other-languages-`)
      const file = `${folder}/cases.ndjson`
      // The last line has no end.
      const lines = [JSON.stringify(given), JSON.stringify(other), '{', JSON.stringify(given)]
      writeFileSync(file, lines.join('\n'))
      const credentials = { ANTARA_RPC_USER: alice.user, ANTARA_RPC_PASSWORD: alice.password }
      const command = [process.execPath, 'dist/cli/main.js', 'verify', '--lines', '--daemon']
      const args = ['examples/clients/verify.py', file, ...command, '--url', alice.url]
      const options = { cwd: root, env: { ...process.env, ...credentials } }
      const { status, stdout, stderr } = await new Promise<Ended>((resolve) => {
        execFile('python3', args, options, (error, stdout, stderr) =>
          resolve({ status: error?.code ?? 0, stdout, stderr }),
        )
      })
      rmSync(folder, { recursive: true })
      expect([status, stdout]).toEqual([1, `${moved}\n${moved}\n`])
      expect(stderr).toMatch(/case 2 is held: .*\bamount\b/)
      expect(stderr).toContain('case 3 is held: malformed_case')
    },
  )

  const hasGo = isInstalled('go', 'version')
  testUnless(!hasGo && 'go is not installed')(
    'is paid and read from Go',
    { timeout: 300_000 },
    async () => {
      const before = Number(await received())
      const output = await run('go', 'run', 'examples/clients/balance.go')
      expect(output).toMatch(/^sent "[0-9a-f]{64}"\n/)
      expect(output).toContain(`bob received ${(before + 0.5).toFixed(8)}`)
    },
  )
})

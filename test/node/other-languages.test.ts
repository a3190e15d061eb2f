// Programs in other languages that use a development node, by the standard library alone.

import { execFile, execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
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

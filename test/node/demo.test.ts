import { afterEach, expect, test, vi } from 'vitest'
import { createDevNode } from '../../src/node/dev-node.ts'
import { runCommand } from '../support/cli.ts'

vi.mock('../../src/node/dev-node.ts', async (original) => {
  const module = await original<typeof import('../../src/node/dev-node.ts')>()
  return { ...module, createDevNode: vi.fn(module.createDevNode) }
})

const real = vi.mocked(createDevNode).getMockImplementation()!
afterEach(() => {
  vi.mocked(createDevNode).mockImplementation(real)
})

test('the demo shows a transfer, and refuses every lie about it', async () => {
  const { status, output } = await runCommand(['demo'])
  expect(status).toBe(0)
  expect(output.match(/broadcast and mined {3}[0-9a-f]{64}/g)).toHaveLength(2)
  expect(output.match(/: not broadcast\n {4}[a-z_]+: /g)).toHaveLength(4)
  expect(output).not.toContain('BROADCAST')
  expect(output.match(/A 600, B 400/g)).toHaveLength(2)
  expect(output.split('\n').length).toBeLessThan(25)
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test.each(['assetChain', 'tokel'])('the demo aligns its results on %s', async (network) => {
  const { output } = await runCommand(['demo', '--network', network])
  const results = output.match(/^(token\S+|balances)( \S+)* {2,}(?=\S)/gm)
  expect(results).toHaveLength(5)
  expect(new Set(results!.map(({ length }) => length)).size).toBe(1)
})

test('the demo ends with status 1 where a tampered transfer is broadcast', async () => {
  vi.mocked(createDevNode).mockImplementation(async (options) => {
    const node = await real(options)
    const faults = { ...node.faults, add: () => () => undefined }
    return Object.assign(Object.create(node), { faults })
  })
  const { status, output } = await runCommand(['demo'])
  expect(output.match(/: BROADCAST\n/g)).toHaveLength(1)
  expect(status).toBe(1)
})

test.each(['tokencreate', 'tokentransfer'])(
  'the demo stops with status 1 if the answer to %s is refused',
  async (method) => {
    vi.mocked(createDevNode).mockImplementation(async (options) => {
      const node = await real(options)
      node.faults.add({ kind: 'tampered_hex', method, tamper: 'raised_fee' })
      return node
    })
    const { status, output } = await runCommand(['demo'])
    expect(output).toMatch(/REFUSED, fee \d+ satoshis.*\n {2}not broadcast: fee_too_high: /)
    expect(output).not.toContain('undefined')
    expect(output).not.toContain('The same transfer')
    expect(status).toBe(1)
  },
)

test.each(['komodo', 'foo'])('the demo names the networks it runs on, not %s', async (network) => {
  const { status, errors } = await runCommand(['demo', '--network', network])
  expect(status).toBe(64)
  expect(errors).toContain('assetChain or tokel expected')
  expect(errors).not.toContain('komodoTestnet')
})

// The node for tests in Node's own runner and in Jest, as vitest-helper.test.ts has it for vitest.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { nodeOptions } from '../../src/cli/node-options.ts'
import { createDevNode } from '../../src/node/index.ts'
import { useDevNode } from '../../src/node/jest.ts'
import { root } from '../support/built.ts'
import { textOf } from '../support/files.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-runners-`)
afterAll(() => rmSync(folder, { recursive: true }))

test("each test of Node's own runner finds the node as it was started", {
  timeout: 120_000,
}, async () => {
  const path = `${folder}/node.test.mjs`
  writeFileSync(
    path,
    `import assert from 'node:assert'
import { test } from 'node:test'
import { useDevNode } from ${JSON.stringify(`${root}dist/node/node-test.js`)}
const node = useDevNode({ listen: false })
for (const name of ['one', 'other']) {
  test(name, async () => {
    assert.equal(await node().request('getblockcount'), 1)
    node().mine(3)
  })
}
`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', path])
  expect(stdout).toMatch(/pass 2\n(?:.*\n)*.*fail 0\n/)
})

test('each test of Jest finds the node as it was started, and the node ends after them', async () => {
  const hooks: Record<string, () => Promise<void> | void> = {}
  const names = ['beforeAll', 'beforeEach', 'afterAll']
  const globals = globalThis as unknown as Record<string, unknown>
  for (const name of names) globals[name] = (work: () => void) => (hooks[name] = work)
  try {
    const node = useDevNode()
    expect(() => node()).toThrow('the node runs only while tests run')
    await hooks.beforeAll!()
    for (let run = 0; run < 2; run += 1) {
      await hooks.beforeEach!()
      expect(await node().request('getblockcount')).toBe(1)
      node().mine(3)
    }
    const { url } = node().identities[0]
    await hooks.afterAll!()
    await expect(fetch(url)).rejects.toThrow()
  } finally {
    for (const name of names) delete globals[name]
  }
})

test('Jest without its globals is an error that says where to call', () => {
  expect(() => useDevNode()).toThrow('call useDevNode in a test file')
})

test('keys follow from the seed, and differ from the published ones', async () => {
  const options = { listen: false } as const
  const nodes = await Promise.all(
    [{}, { seed: 'a' }, { seed: 'a' }, { seed: 'b' }].map((it) =>
      createDevNode({ ...options, ...it }),
    ),
  )
  const [published, one, again, other] = nodes.map(({ identities }) =>
    identities.map(({ wif }) => wif),
  )
  expect(again).toEqual(one)
  expect(new Set([...published!, ...one!, ...other!]).size).toBe(6)
  for (const node of nodes) await node.close()
})

test('the page of options names every option, with its default', () => {
  const page = textOf('docs/dev-node-options.md')
  const source = textOf('src/node/dev-node-options.ts')
  const members = [...source.matchAll(/^ {2}(\w+): true,$/gm)].map(([, name]) => name!)
  expect(members.length).toBeGreaterThan(14)
  const identity = ['wif', 'pubkey']
  const missing = members.filter(
    (name) => !identity.includes(name) && !page.includes(`\n| \`${name}\` |`),
  )
  expect(missing).toEqual([])
})

test('the page of the node names every option of the command', () => {
  const page = textOf('docs/node.md')
  const names = nodeOptions.map(({ name }) => name).filter((name) => name !== 'json')
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !page.includes(`--${name}`))).toEqual([])
})

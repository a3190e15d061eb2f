// Compares what the help of a command says about its --json with what the built command prints.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, expect, test } from 'vitest'
import { catalogue } from '../../src/cli/catalogue.ts'
import { openOperator } from '../../src/guard/operator.ts'
import { createDevNode } from '../../src/node/index.ts'
import { root } from '../support/built.ts'
import { confOf } from '../support/funded-node.ts'
import { madeTransaction, zeros } from '../support/made-blocks.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-json-members-`)
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the object that a command prints first: on one line, or as its whole output. */
async function printedBy(args: readonly string[]): Promise<Record<string, unknown>> {
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: folder }
  const child = spawn(process.execPath, [`${root}dist/cli/main.js`, ...args, '--json'], { env })
  running.add(child)
  let [output, errors] = ['', '']
  child.stderr.on('data', (text) => {
    errors += text
  })
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      output += text
      if (output.endsWith('}\n')) resolve()
    })
    child.on('close', () => resolve())
  })
  expect(output, errors).toMatch(/^\{/)
  const printed = JSON.parse(output)
  expect(printed.error, output).toBeUndefined()
  return printed
}

const wordsOf = (text: string) => (text.match(/[a-zA-Z]+/g) ?? []).filter((word) => word !== 'and')

/** The lists of members in the help of the commands that have one, by the options that they need. */
const lists = Object.fromEntries(
  await Promise.all(
    catalogue.map(async ({ name, load }) => {
      const { notes = '', options } = await load()
      const about = options.find((option) => option.name === 'json')?.about ?? ''
      const text = `${about} ${notes}`.replace(/\s+/g, ' ')
      const list = (pattern: RegExp) => wordsOf(pattern.exec(text)?.[1] ?? '')
      const members = {
        always: list(/(?:first line is one object:|print \{) (.*?)(?:, each|[.}])/),
        each: list(/, each with ([^.]*)\./),
        electrum: list(/With --electrum it also has ([^;.]*)[;.]/),
        framework: list(/with --framework it has ([^.]*)\./),
      }
      return [name, members] as const
    }),
  ),
)

const sorted = (members: readonly string[]) => [...members].sort()
const expectMembers = (printed: object, members: readonly string[]) =>
  expect(sorted(Object.keys(printed))).toEqual(sorted(members))

test('no other command lists members in its help', () => {
  const listing = Object.entries(lists).filter(([, { always }]) => always.length > 0)
  expect(sorted(listing.map(([name]) => name))).toEqual(['guard', 'inspect', 'node', 'txid'])
})

test('node prints the members that its help lists', { timeout: 60_000 }, async () => {
  const { always, each, electrum, framework } = lists.node!
  const plain = await printedBy(['node'])
  expectMembers(plain, always)
  for (const identity of plain.identities as object[]) expectMembers(identity, each)
  expectMembers(await printedBy(['node', '--electrum', '0']), [...always, ...electrum])
  expectMembers(await printedBy(['node', '--framework', '3.0.0']), framework)
})

test('guard prints the members that its help lists', { timeout: 60_000 }, async () => {
  const node = await createDevNode()
  await using _ = node
  writeFileSync(`${folder}/node.conf`, confOf(node.identities[0]!), { mode: 0o600 })
  await (await openOperator({ folder: `${folder}/antara-tx/guard` })).close()
  const args = ['guard', '--conf', `${folder}/node.conf`]
  expectMembers(await printedBy(args), lists.guard!.always)
})

test('inspect and txid print the members that their help lists', async () => {
  const hex = madeTransaction(zeros)
  expectMembers(await printedBy(['inspect', hex]), lists.inspect!.always)
  expectMembers(await printedBy(['txid', hex]), lists.txid!.always)
})

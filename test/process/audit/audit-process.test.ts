// The audit as a process: with threads, killed in the middle, and at a pipe.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { text as textOfStream } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import { Ledger } from '../../../src/audit/ledger.ts'
import { refusalsIn } from '../../../src/audit/queries.ts'
import { blocksOfDump } from '../../../src/audit/sources.ts'
import { hasSqlite, openDatabase } from '../../../src/audit/sqlite.ts'
import { networks } from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { compileSources, root } from '../../support/built.ts'
import { runCommand } from '../../support/cli.ts'
import { onWindows, testUnless } from '../../support/skip.ts'
import { blocksOf, madeChain, sent, spoiledChain } from '../../support/token-chains.ts'

const noSqlite = !(await hasSqlite()) && 'neither better-sqlite3 nor node:sqlite loads'

const folder = noSqlite ? '' : mkdtempSync(`${tmpdir()}/antara-tx-audit-process-`)
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true })
})

let files = 0
const freshFile = () => {
  files += 1
  return `${folder}/${files}.sqlite`
}

const { entry, env } = compileSources('audit')
const main = fileURLToPath(new URL('cli/main.js', entry))

testUnless(noSqlite)(`the command refuses a ledger of another version`, async () => {
  const file = freshFile()
  const database = await openDatabase(file)
  new Ledger(database, { network: networks.assetChain, signatures: true })
  database.exec("UPDATE meta SET value = '1' WHERE name = 'version'")
  database.close()
  const args = [main, 'audit', '--ledger', file, '--owner', 'anybody']
  const child = spawn(process.execPath, args, { cwd: root, env })
  const [errors, [status]] = await Promise.all([
    textOfStream(child.stderr),
    once(child, 'close'),
    textOfStream(child.stdout),
  ])
  expect(errors).toContain('the ledger has version 1, expected 5: make a new one')
  expect(status).toBe(64)
})

/** As many transfers of one of the tokens as make threads worth while. */
async function longChain(owner: 0 | 1): ReturnType<typeof madeChain> {
  const { node, tokenids } = await madeChain()
  const { pubkey } = node.identities[1 - owner]!
  for (let turn = 0; turn < 120; turn += 1) {
    await sent(node, 'tokentransfer', [tokenids[owner]!, pubkey, '1'], owner)
  }
  return { node, tokenids }
}

testUnless(noSqlite)(`threads find the signatures that are wrong`, async () => {
  // The long chain moves the other token, because the audit does not check the descendants of an
  // unsigned transfer.
  const { node } = await longChain(1)
  await using _ = node
  const { text, spoiled } = spoiledChain(node)
  const database = await openDatabase(freshFile())
  const ledger = new Ledger(database, { network: networks.assetChain, signatures: true })
  await bringForward(ledger, blocksOfDump(text))
  const found = refusalsIn(database)
  expect(found).toContainEqual(expect.objectContaining({ txid: spoiled }))
  writeFileSync(`${folder}/spoiled.json`, text)
  // The command has a thread for each further processor; here it has only its own.
  const args = [main, 'audit', '--ledger', freshFile(), `${folder}/spoiled.json`, '--json']
  const child = spawn(process.execPath, args, { cwd: root, env })
  const [output] = await Promise.all([textOfStream(child.stdout), once(child, 'close')])
  expect(JSON.parse(output).refusals).toEqual(found)
})

testUnless(noSqlite)(`killed again and again, a ledger ends up the same`, async () => {
  const { node, tokenids } = await longChain(0)
  await using _ = node
  const [, other] = node.identities
  const blocks = `${folder}/killed.hex`
  writeFileSync(blocks, `${(await blocksOf(node)).join('\n')}\n`)
  const ledger = (name: string) => ['audit', '--ledger', `${folder}/${name}.sqlite`]
  const run = async (args: string[]) => {
    const child = spawn(process.execPath, [main, ...args], { cwd: root, env })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    const [status] = await once(child, 'close')
    return { status, output }
  }
  const whole = await run([...ledger('whole'), blocks, '--json'])
  expect(whole.status).toBe(0)
  let kills = 0
  // Blocks come one by one, so that whatever is there is added, and the process killed in between.
  const lines = readFileSync(blocks, 'utf8').split('\n')
  for (let turn = 0; turn < 6; turn += 1) {
    const child = spawn(process.execPath, [main, ...ledger('killed'), '-'], { cwd: root, env })
    child.stdin.on('error', () => undefined)
    const part = lines.slice(0, 20 * (turn + 1)).join('\n')
    child.stdin.write(`${part}\n`)
    if (turn % 2 === 0) child.stdin.end()
    await sleep(150 + 60 * turn)
    if (child.exitCode === null) kills += 1
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'close')
  }
  expect(kills).toBeGreaterThan(0)
  expect(await run([...ledger('killed'), blocks, '--json'])).toEqual(whole)
  for (const question of [
    ['--token', tokenids[0]!],
    ['--owner', other!.pubkey],
  ]) {
    const asked = await run([...ledger('killed'), ...question])
    expect(asked.status).toBe(0)
    expect(asked).toEqual(await run([...ledger('whole'), ...question]))
  }
  const { balances: held } = JSON.parse(
    (await run([...ledger('whole'), '--owner', other!.pubkey, '--json'])).output,
  )
  const { txid, vout, amount } = held[0].outputs.at(-1)
  const proof = await run([...ledger('whole'), '--proof', `${txid}:${vout}`])
  expect(proof).toMatchObject({ status: 0 })
  expect(proof.output).toMatch(new RegExp(`^proven: ${amount} units of ${held[0].tokenid}`))
  expect((await run([...ledger('absent')])).status).toBe(64)
  expect((await run([...ledger('whole'), '--token', '11'.repeat(32)])).status).toBe(64)
})

testUnless(noSqlite)(`the command waits for a query that began before it`, async () => {
  const { node } = await madeChain()
  await using _ = node
  const [blocks, file] = [`${folder}/waits.hex`, freshFile()]
  writeFileSync(blocks, (await blocksOf(node)).join('\n'))
  await runCommand(['audit', '--ledger', file, blocks])
  const query = await openDatabase(file)
  query.exec('BEGIN')
  query.prepare('SELECT COUNT(*) FROM block').get()
  const child = spawn(process.execPath, [main, 'audit', '--ledger', file, blocks], {
    cwd: root,
    env,
  })
  const ended = Promise.all([textOfStream(child.stderr), once(child, 'close')])
  // Longer than a query or a second run waits for a lock.
  await sleep(4000)
  expect(child.exitCode).toBeNull()
  expect((await runCommand(['audit', '--ledger', file])).status).toBe(0)
  query.exec('ROLLBACK')
  query.close()
  const [errors, [status]] = await ended
  expect([errors, status]).toEqual(['', 0])
})

testUnless(noSqlite, onWindows)(
  'a full disk is not a wrong argument, and a rerun goes on',
  async () => {
    const { node } = await madeChain()
    await using _ = node
    const [blocks, file] = [`${folder}/full.hex`, freshFile()]
    writeFileSync(blocks, (await blocksOf(node)).join('\n'))
    // The kernel refuses to write beyond this size of a file, in KiB.
    const line = `ulimit -f 64; exec '${process.execPath}' '${main}' audit --ledger "$0" "$1"`
    const child = spawn('bash', ['-c', line, file, blocks], { cwd: root, env })
    const [errors, [status]] = await Promise.all([textOfStream(child.stderr), once(child, 'close')])
    expect(errors).toMatch(
      /^antara-tx audit: .*disk.*.*; free space, and run the same command again\n$/,
    )
    expect(status).toBe(69)
    const again = await runCommand(['audit', '--ledger', file, blocks])
    const whole = await runCommand(['audit', '--ledger', freshFile(), blocks])
    expect(again).toMatchObject({ status: 0, output: whole.output })
  },
)

testUnless(noSqlite, onWindows)('the command reads a pipe that has a name', async () => {
  const node = await createDevNode()
  await using _ = node
  await node.mine(3)
  const pipe = `${folder}/pipe`
  await once(spawn('mkfifo', [pipe]), 'close')
  const writer = spawn('sh', ['-c', 'cat > "$0"', pipe])
  writer.stdin.end((await blocksOf(node)).join('\n'))
  const { output } = await runCommand(['audit', '--ledger', freshFile(), pipe])
  expect(output).toMatch(/^ledger up to block [1-9]/)
})

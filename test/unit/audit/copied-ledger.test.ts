// Ledgers that are copied, queried where nothing can be written, or continued with blocks in another
// form: each answer says up to which block it is true.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openDatabase } from '../../../src/audit/sqlite.ts'
import { leadingHeader } from '../../../src/block/header.ts'
import { runCommand } from '../../support/cli.ts'
import { noSqlite } from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'
import { blocksOf, madeChain } from '../../support/token-chains.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-copied-ledger-`)
afterAll(() => rmSync(folder, { recursive: true }))

let blocks: string[] = []
let tokenid = ''
let owner = ''
let dump = ''
beforeAll(async () => {
  const { node, tokenids } = await madeChain()
  blocks = await blocksOf(node)
  tokenid = tokenids[0]!
  owner = node.identities[0]!.pubkey
  dump = node.dump()
  await node.close()
})

let files = 0
function fresh(): string {
  files += 1
  return `${folder}/${files}`
}

function fileOf(text: string): string {
  const path = fresh()
  writeFileSync(path, text)
  return path
}

const audit = (ledger: string, ...args: string[]) =>
  runCommand(['audit', '--ledger', ledger, ...args])
const wholeBlocks = (count = blocks.length) => fileOf(blocks.slice(0, count).join('\n'))
const stateOf = (count: number) => {
  const state = JSON.parse(dump)
  return fileOf(JSON.stringify({ ...state, blocks: state.blocks.slice(0, count) }))
}

/** Bytes 18 and 19 are 1 without a log, and 2 with one: https://sqlite.org/fileformat.html#file_format_version_numbers */
const modeOf = (ledger: string) => [...readFileSync(ledger).subarray(18, 20)]

describeUnless(noSqlite)('a ledger', () => {
  test('says in each answer up to which block it is true', async () => {
    for (const count of [6, blocks.length]) {
      const ledger = fresh()
      await audit(ledger, wholeBlocks(count))
      const upTo = { height: count - 1, hash: leadingHeader(blocks[count - 1]!).header.hash }
      const token = JSON.parse((await audit(ledger, '--token', tokenid, '--json')).output)
      const { txid, vout } = token.holders[0].outputs[0]
      const questions = [
        [],
        ['--token', tokenid],
        ['--owner', owner],
        ['--proof', `${txid}:${vout}`],
        ['--owner', `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`],
      ]
      for (const question of questions) {
        const { output } = await audit(ledger, ...question)
        expect(output).toContain(`up to block ${upTo.height} ${upTo.hash}`)
        const { output: json } = await audit(ledger, ...question, '--json')
        expect(JSON.parse(json)).toMatchObject({ upTo })
      }
    }
  })

  test('is whole in its file after a run, though another process has it open', async () => {
    const ledger = fresh()
    await audit(ledger, wholeBlocks(6))
    expect(modeOf(ledger)).toEqual([1, 1])
    const other = await openDatabase(ledger)
    const ask = other.prepare('SELECT MAX(height) height FROM block')
    // The other process opened it in the middle of a run, and knows its log.
    other.exec('PRAGMA journal_mode = WAL')
    expect(Number(ask.get()!.height)).toBe(5)
    const { output } = await audit(ledger, wholeBlocks())
    expect(output).toContain(`up to block ${blocks.length - 1} `)
    expect(statSync(`${ledger}-wal`).size).toBe(0)
    const copy = fresh()
    copyFileSync(ledger, copy)
    for (const question of [[], ['--token', tokenid], ['--owner', owner]]) {
      expect(await audit(copy, ...question)).toEqual(await audit(ledger, ...question))
    }
    expect(Number(ask.get()!.height)).toBe(blocks.length - 1)
    other.close()
    await audit(ledger, wholeBlocks())
    expect([modeOf(ledger), existsSync(`${ledger}-wal`)]).toEqual([[1, 1], false])
  })

  test('has large pages', async () => {
    const ledger = fresh()
    await audit(ledger, wholeBlocks())
    const database = await openDatabase(ledger)
    expect(database.prepare('PRAGMA page_size').get()).toMatchObject({ page_size: 8192 })
    database.close()
  })

  test('says why it cannot be queried where its log cannot be written', async () => {
    const ledger = fresh()
    await audit(ledger, wholeBlocks())
    const database = await openDatabase(ledger)
    database.exec('PRAGMA journal_mode = WAL')
    database.close()
    mkdirSync(`${ledger}-wal`)
    const { status, output, errors } = await audit(ledger, '--token', tokenid)
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain(
      'if you cannot write its folder, run antara-tx audit BLOCKS once where',
    )
    expect((await audit(folder, '--token', tokenid)).errors).not.toContain('cannot write')
  })
})

describeUnless(noSqlite)('a ledger of a list', () => {
  const list = 'was made from a list of transactions, which has no block hashes: go on with a list'
  const whole = 'was made from whole blocks'

  test('goes on with a list, and says so where it gets blocks', async () => {
    const ledger = fresh()
    const { output } = await audit(ledger, stateOf(5))
    expect(output).toMatch(/up to block 5 of a list with Merkle root [0-9a-f]{64}: /)
    const { output: json } = await audit(ledger, '--json')
    const [, merkleRoot] = /root ([0-9a-f]{64})/.exec(output)!
    expect(JSON.parse(json)).toMatchObject({ upTo: { height: 5, merkleRoot } })
    // Lists begin at height 1, so the second one has no block that the ledger has.
    for (const given of [wholeBlocks(), fileOf([blocks[0], ...blocks.slice(6)].join('\n'))]) {
      const { status, errors } = await audit(ledger, given)
      expect([status, errors]).toEqual([64, expect.stringContaining(list)])
    }
    const next = await audit(ledger, stateOf(7))
    expect([next.status, next.output]).toEqual([0, expect.stringContaining('up to block 7 of a')])
  })

  test('is refused as a continuation of a ledger of whole blocks', async () => {
    const ledger = fresh()
    await audit(ledger, wholeBlocks(6))
    const { status, errors } = await audit(ledger, stateOf(7))
    expect([status, errors]).toEqual([64, expect.stringContaining(whole)])
    expect((await audit(ledger, wholeBlocks())).status).toBe(0)
  })

  test('may follow blocks that it is trusted to follow, and each part keeps its form', async () => {
    const ledger = fresh()
    await audit(ledger, wholeBlocks(6))
    const state = JSON.parse(dump)
    const rest = (state.blocks as { transactions: string[] }[])
      .slice(5)
      .flatMap(({ transactions }, at) => transactions.map((hex) => ({ height: 6 + at, hex })))
    const { status, output } = await audit(ledger, fileOf(JSON.stringify(rest)), '--trusted')
    expect([status, output]).toEqual([0, expect.stringContaining('of a list with Merkle root')])
    expect((await audit(ledger, stateOf(10), '--trusted')).errors).toContain(whole)
    expect((await audit(ledger, wholeBlocks(6))).status).toBe(0)
    expect((await audit(ledger, wholeBlocks())).errors).toContain(list)
  })
})

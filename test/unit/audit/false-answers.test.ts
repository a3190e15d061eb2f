// Ledgers of a part of a chain, of unchecked signatures, or from another party, and what their
// answers say about that.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openDatabase } from '../../../src/audit/sqlite.ts'
import { leadingHeader } from '../../../src/block/header.ts'
import { networks } from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { runCommand } from '../../support/cli.ts'
import { noSqlite } from '../../support/ledgers.ts'
import { recordOf } from '../../support/made-blocks.ts'
import { describeUnless } from '../../support/skip.ts'
import { blocksOf, madeChain, sent } from '../../support/token-chains.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-false-answers-`)
afterAll(() => rmSync(folder, { recursive: true }))

let blocks: string[] = []
let tokenid = ''
beforeAll(async () => {
  const { node, tokenids } = await madeChain()
  blocks = await blocksOf(node)
  tokenid = tokenids[0]!
  await node.close()
})

let files = 0
function fresh(): string {
  files += 1
  return `${folder}/${files}`
}

const audit = (ledger: string, ...args: string[]) =>
  runCommand(['audit', '--ledger', ledger, ...args])

function listOf(some: readonly string[]): string {
  const path = fresh()
  writeFileSync(path, some.join('\n'))
  return path
}

/** A folder of block files, each with the blocks of one group. */
function filesOf(...groups: (readonly string[])[]): string {
  const path = fresh()
  mkdirSync(path)
  for (const [at, group] of groups.entries()) {
    writeFileSync(`${path}/blk0000${at}.dat`, Buffer.concat(group.map((hex) => recordOf(hex))))
  }
  return path
}

async function made(...flags: string[]): Promise<string> {
  const ledger = fresh()
  expect((await audit(ledger, listOf(blocks), ...flags)).status).toBe(0)
  return ledger
}

describeUnless(noSqlite)('a ledger', () => {
  test('begins with the first blocks, because later ones alone make real tokens look false', async () => {
    for (const part of [listOf(blocks.slice(2)), filesOf(blocks.slice(2))]) {
      const ledger = fresh()
      const { status, output, errors } = await audit(ledger, part)
      expect([status, output]).toEqual([64, ''])
      expect(errors).toContain('the blocks begin at height 2')
      const whole = await audit(ledger, listOf(blocks.slice(1)))
      expect(whole).toMatchObject({ status: 0, output: expect.stringContaining(tokenid) })
    }
  })

  test('refuses a question while it has no block', async () => {
    const ledger = fresh()
    // As a daemon that does not run answers: nothing.
    for (const args of [[listOf([])], [], ['--json']]) {
      const { status, output, errors } = await audit(ledger, ...args)
      expect([status, output.includes('tokens')]).toEqual([64, false])
      expect(errors).toContain('has no block: give BLOCKS')
    }
    expect((await audit(ledger, listOf(blocks))).status).toBe(0)
    // No further block is no error.
    expect((await audit(ledger, listOf([]))).output).toContain('up to block 10')
  })

  test('goes on after a reorganization if it stays behind its chain', async () => {
    const { node } = await madeChain()
    const before = listOf(await blocksOf(node))
    node.reorg(2)
    node.mine(1)
    const after = listOf(await blocksOf(node))
    await node.close()
    const [behind, whole] = [fresh(), fresh()]
    const first = await audit(behind, before, '--behind', '2')
    expect(first.output).toContain('up to block 8 ')
    expect((await audit(behind, after, '--behind', '2')).output).toContain('up to block 9 ')
    // Without the option, the ledger has blocks that the chain lost.
    expect((await audit(whole, before)).output).toContain('up to block 10 ')
    expect((await audit(whole, after)).errors).toContain('make a new ledger, and leave')
    // A shorter chain gives no block.
    expect((await audit(fresh(), before, '--behind', '1000')).status).toBe(64)
    for (const count of ['', '-1', '1.5', '10001', 'all']) {
      expect((await audit(behind, after, `--behind=${count}`)).status, count).toBe(64)
    }
    expect((await audit(behind, '--behind', '2')).errors).toContain('--behind needs BLOCKS')
  })

  test.each([
    ['tokens v1 on a chain of tokeld', 'tokel', 'tokencreate'],
    ['tokens v2, read as a chain of komodod', 'assetChain', 'tokenv2create'],
  ])('names creations that it does not follow: %s', async (_, network, method) => {
    const node = await createDevNode({ listen: false, network: networks.tokel })
    const created = await sent(node, method, ['GOLD', '0.00001'])
    const list = listOf(await blocksOf(node))
    await node.close()
    const ledger = fresh()
    const { status, output } = await audit(ledger, list, '--network', network)
    expect([status, output]).toEqual([0, expect.stringContaining('0 tokens, 1 transactions')])
    expect(output).toContain('1 of them create tokens that are not in this ledger')
    expect(JSON.parse((await audit(ledger, '--json')).output)).toMatchObject({
      tokens: [],
      refusals: [{ txid: created, tokenid: created, rule: 'other_module' }],
    })
    const asked = await audit(ledger, '--token', created)
    expect(asked.status).toBe(64)
    expect(asked.errors).toContain('its creation is refused: antara-tx explain other_module')
  })

  test('goes on with files that no longer have the first blocks', async () => {
    const ledger = fresh()
    await audit(ledger, listOf(blocks.slice(0, 5)))
    const { status, output } = await audit(ledger, filesOf(blocks.slice(3)))
    expect([status, output]).toEqual([
      0,
      expect.stringMatching(/up to block 10 [0-9a-f]{64}: 2 tokens/),
    ])
  })

  test('names blocks that it leaves out because those before them are missing', async () => {
    const missing = leadingHeader(blocks[3]!).header.hash
    const { status, output, errors } = await audit(
      fresh(),
      filesOf(blocks.slice(0, 3), blocks.slice(4)),
    )
    expect([status, output]).toEqual([0, expect.stringContaining('up to block 2 ')])
    expect(errors).toContain(`7 blocks are left out: the files lack block ${missing}`)
    const but = await audit(fresh(), filesOf(blocks.slice(0, 9), blocks.slice(10)))
    expect(but.errors).toContain('1 block is left out')
    expect((await audit(fresh(), filesOf(blocks))).errors).toBe('')
  })

  test('tells of a proven output whether it was spent since', async () => {
    const ledger = await made()
    // Output 0 is the marker of the creation.
    const created = `${tokenid}:1`
    expect((await audit(ledger, '--proof', created)).output).toMatch(
      /^proven: .*; spent since; up to block 10 /,
    )
    const { output } = await audit(ledger, '--token', tokenid, '--json')
    const [{ outputs }] = JSON.parse(output).holders
    const held = `${outputs[0].txid}:${outputs[0].vout}`
    expect((await audit(ledger, '--proof', held)).output).toMatch(
      /^proven: .* transactions; up to block 10 /,
    )
    for (const [outpoint, isSpent] of [
      [created, true],
      [held, false],
    ] as const) {
      const proof = await audit(ledger, '--proof', outpoint, '--json')
      expect(JSON.parse(proof.output)).toMatchObject({ verdict: 'proven', isSpent })
    }
  })

  test.each([
    ['checked', [], true],
    ['not checked', ['--unsigned'], false],
  ] as const)('says where signatures were %s', async (_, flags, signatures) => {
    const ledger = await made(...flags)
    const [{ holder }] = JSON.parse(
      (await audit(ledger, '--token', tokenid, '--json')).output,
    ).holders
    for (const question of [[], ['--token', tokenid], ['--owner', holder]]) {
      const { output } = await audit(ledger, ...question)
      expect(output.includes(', signatures not checked')).toBe(!signatures)
      const { output: json } = await audit(ledger, ...question, '--json')
      expect(JSON.parse(json)).toMatchObject({ signatures })
    }
  })

  test('writes nothing but text to the terminal, wherever it comes from', async () => {
    const ledger = await made()
    const database = await openDatabase(ledger)
    database.exec("UPDATE place SET holder = char(27) || '[2J'")
    database.exec(
      `INSERT INTO refusal VALUES (1, x'${tokenid}', x'${tokenid}', char(27) || '[2J', null, null)`,
    )
    database.close()
    const { output } = await audit(ledger, '--token', tokenid)
    expect(output).toContain('\\u{1b}[2J in ')
    expect(output).not.toContain('\u001b')
  })

  test('is refused for a network that is not known, and not read by the rules of another', async () => {
    const ledger = await made()
    const database = await openDatabase(ledger)
    database.exec("UPDATE meta SET value = char(27) || 'x' WHERE name = 'network'")
    database.close()
    const { status, output, errors } = await audit(ledger, '--token', tokenid)
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain('unknown network: \\u{1b}x')
  })

  test('keeps a network of a file with all its members', async () => {
    const networkOf = (pubKeyHashPrefix: number): string => {
      const path = `${fresh()}.json`
      writeFileSync(path, JSON.stringify({ name: 'MINE', pubKeyHashPrefix }))
      return path
    }
    const ledger = await made('--network', networkOf(25))
    const question = ['--token', tokenid]
    expect((await audit(ledger, ...question, '--network', networkOf(25))).status).toBe(0)
    for (const other of [[], ['--network', networkOf(26)], ['--network', 'assetChain']]) {
      const { status, output, errors } = await audit(ledger, ...question, ...other)
      expect([status, output]).toEqual([64, ''])
      expect(errors).toContain('network')
      expect(errors).toContain('MINE, like assetChain except pubKeyHashPrefix 25')
    }
  })
})

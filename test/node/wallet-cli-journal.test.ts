// `antara-tx wallet` and its journal: what it tells a user whose payment may have been sent.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { chainModules } from '../../src/chain/modules.ts'
import { run } from '../../src/cli/run.ts'
import { fileJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { runCommand } from '../support/cli.ts'
import { confOf } from '../support/funded-node.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-wallet-journal-'))
const journal = join(folder, 'journal')
let node: DevNode
let recipient: string

beforeAll(async () => {
  node = await createDevNode({ mine: 'manual' })
  const [one, two] = node.identities
  for (let count = 0; count < 20; count += 1) node.fund(two!.address, 50_000_000n)
  node.mine(101)
  recipient = one!.address
  writeFileSync(join(folder, 'node.conf'), confOf(two!))
  writeFileSync(join(folder, 'key'), `${two!.wif}\n`, { mode: 0o600 })
  return () => node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let fresh: string
beforeEach(() => {
  rmSync(journal, { recursive: true, force: true })
  // A new journal would find the payments of the test before.
  fresh = node.snapshot()
})
afterEach(() => {
  node.revert(fresh)
  vi.useRealTimers()
})

const connection = () => ['--conf', join(folder, 'node.conf')]
const walletCommand = (...args: readonly string[]) =>
  runCommand(['wallet', ...args, ...connection(), '--key-file', join(folder, 'key')])
const send = (...args: readonly string[]) =>
  walletCommand('send', '--to', recipient, '--satoshis', '10000000', '--yes', ...args)
const recorded = ['--journal', journal]

async function pending(): Promise<readonly string[]> {
  return (await node.request('getrawmempool')) as string[]
}

/** Sends a payment that the node carries out, and whose answer is lost. */
async function sendAndLoseAnswer(...args: readonly string[]) {
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  const lost = await send(...args, '--timeout', '5')
  node.faults.clear()
  expect(lost).toMatchObject({ status: 75 })
  return lost
}

test('tells a user without a journal to look for a lost payment, and not to repeat it', async () => {
  const lost = await sendAndLoseAnswer('--id', 'invoice', '--no-journal')
  const [txid] = await pending()
  expect(lost.output).toContain(`UNCERTAIN: ${txid} may have been sent`)
  expect(lost.output).toContain('Do NOT run the same command again')
  expect(lost.output).not.toContain('sends no second payment')
  const hex = await node.request('getrawtransaction', [txid])
  expect(lost.output).toContain(`\n  ${hex}\n`)
})

test('tells a user with a journal and an id to repeat a lost payment, which pays once', async () => {
  const lost = await sendAndLoseAnswer('--id', 'invoice', ...recorded)
  expect(lost.output).toContain('Run the same command again: it sends no second payment.')
  const again = await send('--id', 'invoice', ...recorded)
  expect(again).toMatchObject({ status: 0, output: `${await pending()}\n` })
})

test('names a payment that was refused and sent on, before an equal one of another id', async () => {
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'no' })
  const refused = await send('--id', 'rent', ...recorded)
  node.faults.clear()
  expect(refused.status).toBe(75)
  const [txid] = /[0-9a-f]{64}/.exec(refused.errors)!
  const recordedText = readFileSync(journal, 'utf8')
  const [, hex] = /"hex":"([0-9a-f]+)"/.exec(recordedText)!
  expect(await node.request('sendrawtransaction', [hex])).toBe(txid)
  let errors = ''
  const asked = (id: string, satoshis: string) =>
    run(
      [
        ...['wallet', 'send', '--to', recipient, '--satoshis', satoshis, '--id', id, ...recorded],
        ...[...connection(), '--key-file', join(folder, 'key')],
      ],
      {
        print: () => undefined,
        printError: (text) => {
          errors += text
        },
        readStdin: async () => '',
        isInteractive: true,
        hasColor: false,
        ask: async () => 'no',
      },
    )
  expect(await asked('rent 2', '20000000')).toBe(1)
  expect(errors).not.toContain('under another id')
  expect(await asked('rent 2', '10000000')).toBe(1)
  expect(errors).toContain('an equal payment under another id')
  expect(errors).toContain(`  ${txid} of --id rent\n`)
  expect(await pending()).toEqual([txid])
})

test('tells a user without an id that a repetition may be a new payment, which it is', async () => {
  const lost = await sendAndLoseAnswer(...recorded)
  expect(lost.output).toContain('Settle it with: antara-tx wallet resume\n')
  expect(lost.output).toContain('is a new payment once a block has this one')
  expect(lost.output).not.toContain('sends no second payment')
  const [first] = await pending()
  node.mine()
  expect(await walletCommand('resume', '--yes', ...recorded)).toMatchObject({ status: 0 })
  const soon = await send(...recorded)
  expect(soon).toMatchObject({ status: 0, output: `${first}\n` })
  expect(soon.errors).toContain('To make it again, give another --id.')
  vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ['Date'] })
  const later = await send(...recorded)
  expect(later).toMatchObject({ status: 0 })
  expect(await pending()).toEqual([later.output.trim()])
  expect(later.output).not.toBe(soon.output)
})

test('names the payment that holds the same command with an id, and warns of a second one', async () => {
  const created = await walletCommand(
    ...['create', '--name', 'GOLD', '--units', '9', '--yes', '--id', 'gold', ...recorded],
  )
  node.mine()
  const tokenid = created.output.trim()
  const [one, two] = node.identities
  const transfer = ['transfer', '--daemon', tokenid, one!.pubkey, '2', '--from', two!.pubkey]
  const viaDaemon = (...args: readonly string[]) =>
    runCommand([...transfer, '--yes', ...args, ...connection()])
  for (const pay of [send, viaDaemon]) {
    const first = await pay(...recorded)
    expect(first).toMatchObject({ status: 0 })
    const txid = first.output.trim()
    node.mine()
    const again = await pay('--id', `again ${txid}`, ...recorded)
    expect(again).toMatchObject({ status: 75 })
    expect(again.output).toContain(
      'These may be the same payment, and a block may have one already:\n' +
        `  ${txid}\n` +
        'If one is, do not run the command again: later, it can pay once more.\n',
    )
  }
})

test('resume says how to pay an expired payment, or to give it up', async () => {
  const before = node.snapshot()
  const { output: first } = await send('--id', 'rent', ...recorded)
  node.revert(before)
  node.mine(202)
  const resumed = await walletCommand('resume', ...recorded)
  expect(resumed).toMatchObject({ status: 75 })
  expect(resumed.output).toContain(`id rent: ${first.trim()}: expired at height `)
  expect(resumed.output).toContain('To pay it, run its command again, with its --id')
  const again = await send('--id', 'rent', ...recorded)
  expect(again).toMatchObject({ status: 0 })
  expect(await pending()).toEqual([again.output.trim()])
})

test('resume names the payment of another journal for which it sends none', async () => {
  const before = node.snapshot()
  await sendAndLoseAnswer('--id', 'invoice', ...recorded)
  // The node forgets the transaction.
  node.revert(before)
  node.mine()
  const other = await send('--id', 'invoice', '--journal', join(folder, 'second'))
  expect(other).toMatchObject({ status: 0 })
  const resumed = await walletCommand('resume', '--yes', ...recorded)
  expect(resumed).toMatchObject({
    status: 75,
    output: `id invoice: unrecorded-spends, because the chain has ${other.output.trim()}\n`,
  })
  const again = await send('--id', 'invoice', ...recorded)
  expect(again.status).toBe(75)
  expect(again.output).toMatch(/^UNCERTAIN: [0-9a-f]{64} may have been sent \(unrecorded-spends\)/)
  expect(again.output).toContain(`\n  --paid-by ${other.output.trim()}\n`)
  expect(again.output).not.toContain('NOT sent')
  expect(await pending()).toEqual([other.output.trim()])
})

test('resume refuses to run without a journal, which would show that nothing is open', async () => {
  const refused = await walletCommand('resume', '--yes', '--no-journal')
  expect(refused).toMatchObject({ status: 64, output: '' })
  expect(refused.errors).toContain('--no-journal cannot be combined with resume')
})

test('both resume commands end with 75 while a payment is open, or was not looked up', async () => {
  const created = await walletCommand(
    'create',
    '--name',
    'SILVER',
    '--units',
    '9',
    '--yes',
    ...recorded,
  )
  node.mine()
  const tokenid = created.output.trim()
  const [one, two] = node.identities
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  const transfer = ['transfer', '--daemon', tokenid, one!.pubkey, '5', '--from', two!.pubkey]
  const other = ['--journal', join(folder, 'other')]
  const lost = await runCommand([...transfer, '--yes', '--id', 't', ...other, ...connection()])
  expect(lost).toMatchObject({ status: 75 })
  node.faults.clear()
  const settle = 'antara-tx attempts resume'
  const resumed = await walletCommand('resume', '--yes', ...other)
  expect(resumed).toMatchObject({
    status: 75,
    output: `id t: unsettled, settle it with ${settle}\n`,
  })
  const printed = await walletCommand('resume', '--yes', '--json', ...other)
  expect(printed.status).toBe(75)
  expect(JSON.parse(printed.output)).toEqual([{ name: 'id t', settledBy: settle }])
  node.mine()
  await runCommand([...settle.split(' ').slice(1), ...other, ...connection()])
  expect(await walletCommand('resume', '--yes', ...other)).toMatchObject({ status: 0, output: '' })
  const unreachable = ['--url', 'http://127.0.0.1:9', '--timeout', '2']
  const looked = ['attempts', 'resume', ...other, ...connection()]
  expect(await runCommand(looked)).toMatchObject({ status: 0 })
  const unseen = await runCommand([...looked, ...unreachable])
  expect(unseen).toMatchObject({ status: 75 })
  expect(unseen.output).toContain('settled')
})

test('resume ends with 0 if the journal has a settled payment of another chain', async () => {
  const before = node.snapshot()
  await send('--id', 'here', ...recorded)
  node.mine()
  await walletCommand('resume', ...recorded)
  const path = join(folder, 'elsewhere')
  const [here, elsewhere] = [fileJournal(journal), fileJournal(path)]
  const records = await here.read(0)
  for (const [at, record] of records.entries()) {
    // A transaction that this chain has would show that the record names a false chain.
    const other = record.replace(/"txid":"[^"]*"/, `"txid":"${'ee'.repeat(32)}"`)
    await elsewhere.append(at + 1, other.replace(/"chain":"[^"]*"/, '"chain":"OTHER"'))
  }
  await here.close()
  await elsewhere.close()
  // A chain that has the transaction is the one of the record, whatever the record calls it.
  node.revert(before)
  const resumed = await walletCommand('resume', '--json', '--journal', path)
  expect(JSON.parse(resumed.output)).toMatchObject([{ error: { code: 'journal_chain' } }])
  expect(resumed).toMatchObject({ status: 0 })
})

test.each([
  ['transfer --token TOKEN --to KEY --units 0', '--units needs a number above 0'],
  ['transfer --token TOKEN --to ADDRESS --units 1', '--to: expected a compressed public key'],
  [
    'transfer --token TOKEN --to KEY --units 1 --fee -1',
    '--fee: expected a string of 1 to 20 decimal digits',
  ],
  ['burn --token TOKEN --units 0', '--units needs a number above 0'],
  ['send --to ADDRESS --coins 0', '--coins needs a number above 0'],
  ['send --to ADDRESS --satoshis 0', '--satoshis needs a number above 0'],
  ['send --to ADDRESS --coins 1 --acknowledge zz', '--acknowledge: expected txids'],
])('wallet %s is a usage error that names the option', async (line, message) => {
  const values: Readonly<Record<string, string>> = {
    TOKEN: 'ab'.repeat(32),
    KEY: node.identities[0]!.pubkey,
    ADDRESS: recipient,
  }
  const args = line.split(' ').map((word) => values[word] ?? word)
  const refused = await walletCommand(...args, '--yes', ...recorded)
  expect(refused).toMatchObject({ status: 64, errors: expect.stringContaining(message) })
  expect(await pending()).toEqual([])
})

/** Copies the journal, and makes a payment with the id `second` that the copy lacks. */
async function oldCopy(name: string) {
  await send('--id', 'first', ...recorded)
  node.mine()
  await walletCommand('resume', ...recorded)
  const copy = join(folder, name)
  cpSync(journal, copy)
  const { output } = await send('--id', 'second', ...recorded)
  node.mine()
  return { old: ['--journal', copy], txid: output.trim() }
}

test('names the spends that an old journal lacks, and pays once they are acknowledged', async () => {
  const { old, txid } = await oldCopy('copy')
  const held = await send('--id', 'second', ...old)
  expect(held).toMatchObject({ status: 75 })
  expect(held.output).toMatch(/^NOT sent: unrecorded-spends\n/)
  expect(held.output).toContain(`\n  ${txid}\n`)
  expect(held.output).toContain(`\n  --paid-by ${txid}\n`)
  expect(held.output).not.toContain('--acknowledge')
  const third = (...args: readonly string[]) =>
    walletCommand('send', '--to', recipient, '--coins', '0.2', '--yes', '--id', 'third', ...args)
  const unmade = await third(...old)
  expect(unmade).toMatchObject({ status: 1 })
  expect(unmade.output).toContain(`\n  --acknowledge ${txid}\n`)
  const merged = await walletCommand('merge', '--all', '--yes', ...old)
  expect(merged.output).toContain(`--acknowledge ${txid}\n`)
  expect(await pending()).toEqual([])
  const paid = await third(...old, '--acknowledge', txid)
  expect(paid).toMatchObject({ status: 0, output: `${await pending()}\n` })
  node.mine()
  const all = await walletCommand('merge', '--all', '--yes', ...old, '--acknowledge', txid)
  expect(all).toMatchObject({ status: 0, output: `${await pending()}\n` })
})

test('records a payment that an old journal lacks, and never pays it again', async () => {
  const { old, txid } = await oldCopy('second copy')
  const second = ['--id', 'second', ...old]
  expect(await send(...second, '--acknowledge', txid)).toMatchObject({ status: 75 })
  const wrong = await send(...second, '--paid-by', 'second')
  expect(wrong).toMatchObject({ status: 64, errors: expect.stringContaining('--paid-by') })
  const paid = { status: 0, output: `${txid}\n` }
  expect(await send(...second, '--paid-by', txid)).toMatchObject(paid)
  expect(await send(...second)).toMatchObject(paid)
  expect(await pending()).toEqual([])
  const third = await send('--id', 'third', ...old)
  expect(third).toMatchObject({ status: 0, output: `${await pending()}\n` })
})

test('a dry run of a payment that would be held ends with 1, and names the warning', async () => {
  const module = chainModules.find(({ name }) => name === 'GATEWAYS')!.key!.publicKey
  const pay = ['send', '--to', module, '--coins', '0.1', '--id', 'module', ...recorded]
  for (const consent of [['--dry-run'], ['--dry-run', '--yes']]) {
    const shown = await walletCommand(...pay, ...consent)
    expect(shown).toMatchObject({ status: 1 })
    expect(shown.output).toContain('Without --dry-run, it would be held for payee_module_key')
  }
  const held = await walletCommand(...pay, '--yes')
  expect(held).toMatchObject({ status: 1 })
  expect(held.output).toContain('NOT sent: warned\nIt is held for payee_module_key.')
  expect(held.output).toContain('--allow payee_module_key\n')
  const allowed = await walletCommand(...pay, '--dry-run', '--yes', '--allow', 'payee_module_key')
  expect(allowed).toMatchObject({ status: 0 })
  expect(await pending()).toEqual([])
})

test('watch ends with 141 once its reader has left', async () => {
  const written: string[] = []
  const watched = run(['wallet', 'watch', ...connection(), '--watch', node.identities[1]!.pubkey], {
    print: () => undefined,
    printError: () => undefined,
    readStdin: async () => '',
    isInteractive: false,
    hasColor: false,
    streams: {
      stdin: async function* () {},
      write: async (bytes) => written.push(Buffer.from(bytes).toString()) < 2,
      isErrorTerminal: false,
    },
  })
  const changes = setInterval(() => {
    node.fund(node.identities[1]!.address, 1000n)
    node.mine()
  }, 500)
  onTestFinished(() => clearInterval(changes))
  expect(await watched).toBe(141)
  expect(written).toHaveLength(2)
  expect(written[0]).toMatch(/^(?:received|balance) /)
}, 30_000)

import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

import { bringForward } from '../audit/audit.ts'
import { Ledger } from '../audit/ledger.ts'
import {
  type Balance,
  heldBy,
  holdersOf,
  proofOf,
  refusalsIn,
  type TokenSummary,
  tokensIn,
} from '../audit/queries.ts'
import { SignatureChecks } from '../audit/signatures.ts'
import { blocksOfDump, blocksOfFiles, blocksOfLines, type ChainBlock } from '../audit/sources.ts'
import { type Database, NoSqliteError, openDatabase } from '../audit/sqlite.ts'
import { OtherChainError, requireVersion } from '../audit/store.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { proveTokenOutput } from '../token/proof/prove.ts'
import {
  type Command,
  chosenNetwork,
  exitAgrees,
  exitFindings,
  exitUnavailable,
  jsonOption,
  jsonText,
  networkOption,
  onePositional,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { unreadable } from './read.ts'
import { show, styleFor } from './style.ts'

export const audit: Command = {
  usage: ['BLOCKS [--ledger FILE]', '--token ID', '--owner KEY', '--proof TXID:VOUT'],
  about: `Reads the blocks of a chain into a ledger of its tokens: supplies, owners and balances, each output
judged by the rules that the prover has, its signatures checked. What is in the ledger is not read
again, and a run that was killed goes on where it ended.`,
  options: [
    { name: 'ledger', value: 'FILE', about: 'the SQLite file; default antara-ledger.sqlite' },
    { name: 'token', value: 'ID', about: 'who holds a token, and what claimed to move it' },
    { name: 'owner', value: 'KEY', about: 'what a public key or an address holds' },
    {
      name: 'proof',
      value: 'TXID:VOUT',
      about: 'the transactions that prove an output, proven again',
    },
    {
      name: 'unsigned',
      about: "takes signatures on the chain's word; said once, when a ledger is begun",
    },
    networkOption,
    jsonOption,
  ],
  notes: `BLOCKS is one of
  a folder of blk*.dat files, or one of them; stale blocks in them are left out
  hex of whole blocks, one a line, in order, as getblock HASH 0 gives them; - for standard input
  what antara-tx node wrote with --state, or a list of { "height", "hex" }
Exit status 1 when of some token less is held than was issued, 69 without SQLite.`,
  async run(parsed, terminal) {
    try {
      return await auditOrAsk(parsed, terminal)
    } catch (error) {
      if (error instanceof NoSqliteError) {
        terminal.printError(`antara-tx audit: ${error.message}\n`)
        return exitUnavailable
      }
      if (error instanceof OtherChainError) throw new UsageError(error.message)
      throw error
    }
  },
}

const questions = ['token', 'owner', 'proof'] as const

async function auditOrAsk(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const blocks = onePositional(parsed)
  const asked = questions.filter((name) => parsed.options.has(name))
  if (asked.length > 1) throw new UsageError(`--${asked[0]} does not go with --${asked[1]}`)
  const file = parsed.options.get('ledger') ?? 'antara-ledger.sqlite'
  if (blocks === undefined && !existsSync(file)) {
    throw new UsageError(
      asked.length > 0 ? `no such ledger: ${tellableKey(file)}` : 'BLOCKS is missing',
    )
  }
  const database = await openDatabase(file)
  try {
    requireVersion(database)
    if (blocks !== undefined) await readBlocks(blocks, database, parsed, terminal)
    const answer = asked[0] === undefined ? summary : answers[asked[0]]
    return answer({ database, parsed, terminal, value: parsed.options.get(asked[0] ?? '') ?? '' })
  } finally {
    database.close()
  }
}

async function readBlocks(
  path: string,
  database: Database,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<void> {
  const network = chosenNetwork(parsed)
  const checks = new SignatureChecks(availableParallelism() - 1)
  const signatures = !parsed.flags.has('unsigned')
  const ledger = new Ledger(database, { network, signatures, checks })
  const started = performance.now()
  const isShown = terminal.streams?.isErrorTerminal === true
  const tell = (height: number): void => {
    const { blocks, tokenTransactions } = ledger.counts
    const rate = Math.round((1000 * tokenTransactions) / (performance.now() - started))
    const words = `block ${height}, ${blocks} read, ${tokenTransactions} token transactions, ${rate}/s`
    if (isShown) terminal.printError(`\r\u001b[K${words}`)
  }
  try {
    await bringForward(ledger, sourceOf(path, terminal), tell)
  } finally {
    await checks.close()
  }
  if (isShown) terminal.printError('\r\u001b[K')
}

/** By what the input begins with. */
function sourceOf(
  path: string,
  terminal: Terminal,
): AsyncIterable<ChainBlock> | Iterable<ChainBlock> {
  if (path === '-') {
    const input = terminal.streams?.stdin() ?? Readable.from([])
    return blocksOfLines(createInterface({ input: Readable.from(input), crlfDelay: Infinity }))
  }
  try {
    if (statSync(path).isDirectory()) return blocksOfFiles(path)
    const first = firstCharacter(path)
    if (first === '{' || first === '[') return blocksOfDump(readFileSync(path, 'utf8'))
    if (/^["0-9a-fA-F]$/.test(first)) {
      return blocksOfLines(createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    }
    return blocksOfFiles(path)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadable(path, error)
    throw error
  }
}

function firstCharacter(path: string): string {
  const bytes = Buffer.alloc(1)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, bytes, 0, 1, 0)
  } finally {
    closeSync(descriptor)
  }
  return bytes.toString('latin1')
}

interface Question {
  readonly database: Database
  readonly parsed: ParsedArguments
  readonly terminal: Terminal
  /** Of the option that asks. */
  readonly value: string
}

const answers: Readonly<Record<(typeof questions)[number], (question: Question) => number>> = {
  token: aboutToken,
  owner: aboutOwner,
  proof: aboutProof,
}

function summary({ database, parsed, terminal }: Question): number {
  const tokens = tokensIn(database)
  const last = database.prepare('SELECT MAX(height) height FROM block').get()?.height ?? null
  const height = last === null ? undefined : Number(last)
  if (parsed.flags.has('json')) {
    terminal.print(jsonText({ height, tokens, refusals: refusalsIn(database) }))
  } else {
    const { bold } = styleFor(terminal)
    const lines = [
      `${bold('ledger')} up to block ${height ?? '(none)'}: ${tokens.length} tokens, ${refusalsIn(database).length} transactions that moved none`,
      ...tokens.map(({ tokenid, name, supply, held }) => {
        const lost = held === supply ? '' : `, ${held} held`
        return `  ${tokenid} ${supply} ${show(name)}${lost}`
      }),
    ]
    terminal.print(`${lines.join('\n')}\n`)
  }
  return tokens.every(({ supply, held }) => supply === held) ? exitAgrees : exitFindings
}

function aboutToken({ database, parsed, terminal, value }: Question): number {
  const tokenid = idOf(value)
  const token = tokensIn(database).find((it) => it.tokenid === tokenid)
  if (token === undefined) throw new UsageError(`no such token in the ledger: ${tokenid}`)
  const holders = holdersOf(database, tokenid)
  const refusals = refusalsIn(database, tokenid)
  if (parsed.flags.has('json')) {
    terminal.print(jsonText({ ...token, holders, refusals }))
  } else {
    const { bold } = styleFor(terminal)
    const lines = [
      `${bold('token')} ${tokenid}`,
      `  ${show(token.name)}, ${token.supply} units issued in block ${token.height}, ${token.held} held`,
      ...holders.map((it) => `  ${balanceText(it)}${it.isBurned ? ' (burned)' : ''}`),
      ...refusals.map(({ txid, height, rule }) => `  refused ${txid} in block ${height}: ${rule}`),
    ]
    terminal.print(`${lines.join('\n')}\n`)
  }
  return isWhole(token) ? exitAgrees : exitFindings
}

function isWhole({ supply, held }: TokenSummary): boolean {
  return supply === held
}

function aboutOwner({ database, parsed, terminal, value }: Question): number {
  const owner = /^[0-9a-fA-F]{66}$/.test(value) ? value.toLowerCase() : value
  const balances = heldBy(database, owner, chosenNetwork(parsed))
  if (parsed.flags.has('json')) terminal.print(jsonText(balances))
  else {
    const lines = balances.map(({ tokenid, amount, outputs }) => {
      return `${tokenid} ${amount} in ${outputs.length} ${outputs.length === 1 ? 'output' : 'outputs'}`
    })
    terminal.print(`${lines.length === 0 ? '(none)' : lines.join('\n')}\n`)
  }
  return exitAgrees
}

function aboutProof({ database, parsed, terminal, value }: Question): number {
  const [, id = '', vout = ''] = /^([0-9a-fA-F]{64}):([0-9]{1,9})$/.exec(value) ?? []
  if (id === '') throw new UsageError(`--proof: expected TXID:VOUT, got ${tellableKey(value)}`)
  const txid = id.toLowerCase()
  const proof = proofOf(database, txid, Number(vout))
  if (proof === undefined) throw new UsageError(`${value} never held tokens`)
  const { tokenid, transactions } = proof
  const network = chosenNetwork(parsed)
  const options = { network, signatures: true }
  const { verdict } = proveTokenOutput(txid, Number(vout), tokenid, transactions, options)
  if (parsed.flags.has('json')) terminal.print(jsonText({ verdict, ...proof }))
  else {
    const count = `${transactions.length} transactions`
    terminal.print(`${verdict}: ${proof.amount} units of ${tokenid}, by ${count}\n`)
  }
  return verdict === 'proven' ? exitAgrees : exitFindings
}

function idOf(value: string): string {
  if (/^[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase()
  throw new UsageError(`--token: expected 64 hex digits, got ${tellableKey(value)}`)
}

function balanceText({ holder, amount, outputs }: Balance): string {
  const first = outputs[0]!
  const more = outputs.length === 1 ? '' : ` and ${outputs.length - 1} more`
  return `${amount} ${holder.replaceAll(' ', ' or ')} in ${first.txid}:${first.vout}${more}`
}

import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { bringForward } from '../audit/audit.ts'
import { Ledger } from '../audit/ledger.ts'
import {
  type Balance,
  balancesOfOwner,
  findsByKeyHash,
  holdersOf,
  isKnownPlace,
  proofOf,
  refusalsIn,
  type TokenSummary,
  tokensIn,
} from '../audit/queries.ts'
import { SignatureChecks } from '../audit/signatures.ts'
import {
  blockBytesMax,
  blocksOfDump,
  blocksOfFiles,
  blocksOfLines,
  type ChainBlock,
  isBlockFile,
} from '../audit/sources.ts'
import { type Database, faultOfSqlite, NoSqliteError, openDatabase } from '../audit/sqlite.ts'
import {
  ChangedLedgerError,
  hasLedger,
  OtherChainError,
  requireVersion,
  settingOf,
} from '../audit/store.ts'
import { type Network, networks } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { isCompressedKey, isHex32 } from '../primitives/hex-forms.ts'
import { redactKey, redactPublicKey } from '../primitives/redact-key.ts'
import { decodeAddress } from '../script/read-address.ts'
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
  about: `Reads the blocks of a chain into a ledger of its tokens: supplies, owners and balances. It verifies
every output by the rules of the prover, signatures included. A further run reads only new blocks,
and continues a run that was killed. The first run decides the network.`,
  options: [
    { name: 'ledger', value: 'FILE', about: 'the SQLite file; default antara-ledger.sqlite' },
    { name: 'token', value: 'ID', about: 'show the holders of a token, and refused transactions' },
    { name: 'owner', value: 'KEY', about: 'show the balances of a public key or an address' },
    {
      name: 'proof',
      value: 'TXID:VOUT',
      about: 'prove an output again, and print its transactions with --json',
    },
    {
      name: 'unsigned',
      about: 'skip the signatures; only for the first run of a ledger',
    },
    {
      name: 'trusted',
      about: 'accept that a list of transactions follows the last block of the ledger',
    },
    networkOption,
    jsonOption,
  ],
  notes: `BLOCKS is one of
  a folder of blk*.dat files, or one of them; stale blocks are left out
  hex of whole blocks, one per line, in order, as getblock HASH 0 prints it; - for standard input
  the file of antara-tx node --state, or a list of { "height", "hex" }
Units in open asks count as "in orders", beside those that the maker can spend.
Exit status 1 if less of a token is held than was issued, 69 without SQLite.`,
  async run(parsed, terminal) {
    try {
      return await auditOrAsk(parsed, terminal)
    } catch (error) {
      if (error instanceof NoSqliteError) {
        terminal.printError(`antara-tx audit: ${error.message}\n`)
        return exitUnavailable
      }
      if (error instanceof OtherChainError) throw new UsageError(error.message)
      const fault =
        error instanceof ChangedLedgerError
          ? { message: error.message, isShared: true }
          : faultOfSqlite(error)
      if (fault === undefined) throw error
      const file = redactKey(fileOf(parsed))
      if (!fault.isShared) throw new UsageError(`--ledger: cannot use ${file}: ${fault.message}`)
      const text = `another process uses ${file}: wait until it has ended`
      terminal.printError(`antara-tx audit: ${text} (${fault.message})\n`)
      return exitUnavailable
    }
  },
}

const questions = ['token', 'owner', 'proof'] as const

const fileOf = ({ options }: ParsedArguments): string =>
  options.get('ledger') ?? 'antara-ledger.sqlite'

async function auditOrAsk(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const blocks = onePositional(parsed)
  const chosen = questions.filter((name) => parsed.options.has(name))
  if (chosen.length > 1) throw new UsageError(`--${chosen[0]} does not go with --${chosen[1]}`)
  for (const flag of ['unsigned', 'trusted']) {
    if (blocks === undefined && parsed.flags.has(flag)) {
      throw new UsageError(`--${flag} goes with BLOCKS`)
    }
  }
  const file = fileOf(parsed)
  if (blocks === undefined && !existsSync(file)) {
    throw new UsageError(
      chosen.length > 0 ? `no such ledger: ${redactKey(file)}` : 'BLOCKS is missing',
    )
  }
  // Fails for unreadable blocks before a ledger is created.
  const source = blocks === undefined ? undefined : sourceOf(blocks, terminal)
  const database = await openDatabase(file)
  try {
    requireVersion(database)
    const isBegun = hasLedger(database)
    if (source === undefined && !isBegun) {
      throw new UsageError(`${redactKey(file)} is empty: give BLOCKS`)
    }
    const network = isBegun ? networkOf(database, parsed) : chosenNetwork(parsed)
    if (source !== undefined) await readBlocks(source(), { database, network, parsed, terminal })
    const answer = chosen[0] === undefined ? summary : answers[chosen[0]]
    const value = parsed.options.get(chosen[0] ?? '') ?? ''
    return answer({ database, network, parsed, terminal, value })
  } finally {
    database.close()
  }
}

/** Returns the network of the ledger, and refuses another one. @throws {OtherChainError} */
function networkOf(database: Database, parsed: ParsedArguments): Network {
  const chosen = chosenNetwork(parsed)
  const known = settingOf(database, 'network')
  const own = Object.values(networks).find(({ name }) => name === known) ?? chosen
  if (!parsed.options.has('network') || own === chosen) return own
  throw new OtherChainError(`the ledger has network ${own.name}, expected ${chosen.name}`)
}

type Blocks = AsyncIterable<ChainBlock> | Iterable<ChainBlock>

async function readBlocks(
  blocks: Blocks,
  { database, network, parsed, terminal }: Omit<Question, 'value'>,
): Promise<void> {
  const checks = new SignatureChecks(availableParallelism() - 1)
  const isUnsigned = hasLedger(database) && settingOf(database, 'signatures') === 'false'
  const signatures = !parsed.flags.has('unsigned') && !isUnsigned
  const ledger = new Ledger(database, { network, signatures, checks })
  const started = performance.now()
  const isShown = terminal.streams?.isErrorTerminal === true
  const showProgress = (height: number): void => {
    const { blocks, tokenTransactions } = ledger.counts
    const rate = Math.round((1000 * tokenTransactions) / (performance.now() - started))
    const text = `block ${height}, ${blocks} read, ${tokenTransactions} token transactions, ${rate}/s`
    if (isShown) terminal.printError(`\r\u001b[K${text}`)
  }
  try {
    const isTrusted = parsed.flags.has('trusted')
    await bringForward(ledger, blocks, { onAdded: showProgress, isTrusted })
  } finally {
    await checks.close()
  }
  if (isShown) terminal.printError('\r\u001b[K')
}

/** Returns a reader for the input, by its name or its first character. */
function sourceOf(path: string, terminal: Terminal): () => Blocks {
  if (path === '-') {
    return () => linesOf(Readable.from(terminal.streams?.stdin() ?? Readable.from([])))
  }
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) requireBlocks(path)
    // The file begins with the chain's magic bytes, which may be any characters.
    if (stats.isFile() && isBlockFile(basename(path))) return () => blocksOfFiles(path)
    // A pipe can be read only once, so its first character is not examined.
    const first = stats.isDirectory() ? '' : stats.isFile() ? firstCharacter(path) : '0'
    if (first === '{' || first === '[') {
      const text = readFileSync(path, 'utf8')
      return () => blocksOfDump(text)
    }
    if (/^["0-9a-fA-F]$/.test(first)) return () => linesOf(createReadStream(path))
    return () => blocksOfFiles(path)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadable(path, error)
    throw error
  }
}

function linesOf(input: Readable): Blocks {
  return blocksOfLines(boundedLines(input))
}

/** Length of a block in hex, with quotes and a line end. */
const lineCharactersMax = 2 * blockBytesMax + 4

/** @throws {AntaraError} `input_over_limit` for a line that is longer than any block */
async function* boundedLines(input: Readable): AsyncGenerator<string> {
  let parts: string[] = []
  let length = 0
  let index = 0
  for await (const chunk of input.setEncoding('latin1') as AsyncIterable<string>) {
    const [rest, ...more] = chunk.split('\n') as [string, ...string[]]
    for (const [at, part] of [rest, ...more].entries()) {
      if (at > 0) {
        yield parts.join('')
        parts = []
        length = 0
        index += 1
      }
      parts.push(part)
      length += part.length
      if (length > lineCharactersMax) {
        const expected = `at most ${blockBytesMax} bytes`
        throw new AntaraError('input_over_limit', { path: `blocks[${index}]`, expected })
      }
    }
  }
  if (length > 0) yield parts.join('')
}

function requireBlocks(folder: string): void {
  if (readdirSync(folder).some(isBlockFile)) return
  const name = redactKey(folder)
  throw new UsageError(`no blk*.dat in ${name}: a daemon keeps them in its folder "blocks"`)
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
  /** The network of the ledger. */
  readonly network: Network
  readonly parsed: ParsedArguments
  readonly terminal: Terminal
  /** Value of the option that selects the question. */
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
        const difference = held === supply ? '' : `, ${held} held`
        return `  ${tokenid} ${supply} ${show(name)}${difference}`
      }),
    ]
    terminal.print(`${lines.join('\n')}\n`)
  }
  return tokens.every(({ supply, held }) => supply === held) ? exitAgrees : exitFindings
}

function aboutToken({ database, network, parsed, terminal, value }: Question): number {
  const tokenid = idOf(value)
  const token = tokensIn(database).find((it) => it.tokenid === tokenid)
  if (token === undefined) throw new UsageError(`no such token in the ledger: ${tokenid}`)
  const holders = holdersOf(database, tokenid, network)
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

function aboutOwner({ database, network, parsed, terminal, value }: Question): number {
  const owner = ownerOf(value, network)
  const balances = balancesOfOwner(database, owner, network)
  if (balances.length === 0) requireFound(database, owner, network)
  if (parsed.flags.has('json')) terminal.print(jsonText(balances))
  else {
    const lines = balances.map(({ tokenid, amount, outputs, ...asks }) => {
      const count = `${outputs.length} ${outputs.length === 1 ? 'output' : 'outputs'}`
      return `${tokenid} ${amount} in ${count}${ordersText(asks)}`
    })
    terminal.print(`${lines.length === 0 ? '(none)' : lines.join('\n')}\n`)
  }
  return exitAgrees
}

/** Validates an owner, so that a mistyped one is an error and not an owner without tokens. */
function ownerOf(value: string, network: Network): string {
  if (isCompressedKey(value.toLowerCase())) return value.toLowerCase()
  const prefix = decodeAddress(value)?.prefix
  const { pubKeyHashPrefix, scriptHashPrefix, conditionPrefix } = network
  if (prefix === pubKeyHashPrefix || prefix === conditionPrefix) return value
  if (prefix === scriptHashPrefix) {
    throw new UsageError(
      `--owner: ${value} is the address of a script, and only conditions hold tokens`,
    )
  }
  const shown = redactPublicKey(value)
  throw new UsageError(
    `--owner: expected a compressed public key, or an address of ${network.name}, got ${shown}`,
  )
}

/**
 * Refuses an owner without tokens if the address could be a key's on a network whose ledger cannot
 * look keys up by address. The address of a condition may look the same, but only that of a
 * condition has ever held tokens.
 */
function requireFound(database: Database, owner: string, network: Network): void {
  const { pubKeyHashPrefix, name } = network
  if (findsByKeyHash(network) || decodeAddress(owner)?.prefix !== pubKeyHashPrefix) return
  if (isKnownPlace(database, owner, network)) return
  throw new UsageError(
    `--owner: no condition in the ledger has the address ${owner}; if it is a key's address, give the public key, because tokens of ${name} are not found by a key's address`,
  )
}

function aboutProof({ database, network, parsed, terminal, value }: Question): number {
  const [, id = '', vout = ''] = /^([0-9a-fA-F]{64}):([0-9]{1,9})$/.exec(value) ?? []
  if (id === '') throw new UsageError(`--proof: expected TXID:VOUT, got ${redactKey(value)}`)
  const txid = id.toLowerCase()
  const proof = proofOf(database, txid, Number(vout))
  if (proof === undefined) throw new UsageError(`--proof: ${value} never held tokens`)
  const { tokenid, transactions } = proof
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
  if (isHex32(value.toLowerCase())) return value.toLowerCase()
  throw new UsageError(`--token: expected 64 hex digits, got ${redactKey(value)}`)
}

function balanceText({ holder, amount, outputs, ...asks }: Balance): string {
  const [first] = outputs
  const more = outputs.length > 1 ? ` and ${outputs.length - 1} more` : ''
  const where = first === undefined ? '' : ` in ${first.txid}:${first.vout}${more}`
  return `${amount} ${holder.replaceAll(' ', ' or ')}${where}${ordersText(asks)}`
}

function ordersText({ inOrders, orders }: Pick<Balance, 'inOrders' | 'orders'>): string {
  return orders.length === 0 ? '' : `, ${inOrders} in orders`
}

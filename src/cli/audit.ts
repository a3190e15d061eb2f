import { existsSync, statSync } from 'node:fs'
import { lastBlockIn } from '../audit/queries.ts'
import { type Database, faultOfSqlite, NoSqliteError, openDatabase } from '../audit/sqlite.ts'
import {
  ChangedLedgerError,
  completeFile,
  hasLedger,
  OtherChainError,
  requireVersion,
  settingOf,
  UnlinkedBlocksError,
} from '../audit/store.ts'
import { defaultNetwork, describeNetwork, knownNetwork, type Network } from '../chain/network.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { answer, questions } from './audit/answers.ts'
import { sourceOf } from './audit/blocks.ts'
import { behindOf, readBlocks } from './audit/read-blocks.ts'
import {
  type Command,
  exitUnavailable,
  jsonOption,
  onePositional,
  type ParsedArguments,
  refuseOptions,
  type Terminal,
  UsageError,
} from './command.ts'
import { chosenNetwork, namedNetwork, networkOption } from './network.ts'

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
    {
      name: 'behind',
      value: 'N',
      about: 'leave out the last N blocks, which a reorganization may still replace',
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
      if (error instanceof UnlinkedBlocksError) {
        throw new UsageError(
          `${error.message}: give the list from the ledger's last block, or --trusted`,
        )
      }
      const fault =
        error instanceof ChangedLedgerError
          ? { message: error.message, isShared: true }
          : faultOfSqlite(error)
      if (fault === undefined) throw error
      const file = redactKey(fileOf(parsed))
      // The messages of SQLITE_FULL and SQLITE_IOERR.
      if (/disk is full|disk I\/O error/.test(fault.message)) {
        const text = `${file}: ${fault.message}; free space, and run the same command again`
        terminal.printError(`antara-tx audit: ${text}\n`)
        return exitUnavailable
      }
      if (!fault.isShared) {
        const isQuery = parsed.positionals.length === 0 && statSync(fileOf(parsed)).isFile()
        const hint = isQuery ? readOnlyHint(fault.message) : ''
        throw new UsageError(`--ledger: cannot use ${file}: ${fault.message}${hint}`)
      }
      const text = `another process uses ${file}: wait until it has ended`
      terminal.printError(`antara-tx audit: ${text} (${fault.message})\n`)
      return exitUnavailable
    }
  },
}

/** Returns what helps a query of a ledger whose log needs write access, with SQLite's messages. */
function readOnlyHint(message: string): string {
  if (!/readonly database|unable to open database file/.test(message)) return ''
  return '; if you cannot write its folder, run antara-tx audit BLOCKS once where you can'
}

const fileOf = ({ options }: ParsedArguments): string =>
  options.get('ledger') ?? 'antara-ledger.sqlite'

async function auditOrAsk(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const blocks = onePositional(parsed)
  const chosen = questions.filter((name) => parsed.options.has(name))
  if (chosen.length > 1)
    throw new UsageError(`--${chosen[0]} cannot be combined with --${chosen[1]}`)
  if (blocks === undefined) {
    refuseOptions(parsed, ['unsigned', 'trusted', 'behind'], 'needs BLOCKS')
  }
  // This refuses a wrong number before a file is made.
  behindOf(parsed)
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
    if (source !== undefined) {
      await readBlocks(source(), { database, network, parsed, terminal })
      completeFile(database)
    }
    // The source may have failed. A ledger without a block would seem to be of a chain without tokens.
    if (lastBlockIn(database) === undefined) {
      throw new UsageError(`${redactKey(file)} has no block: give BLOCKS`)
    }
    const value = parsed.options.get(chosen[0] ?? '') ?? ''
    return answer(chosen[0], { database, network, parsed, terminal, value })
  } finally {
    database.close()
  }
}

/** Returns the network of the ledger. @throws {OtherChainError} for another, or an unknown one */
function networkOf(database: Database, parsed: ParsedArguments): Network {
  const given = namedNetwork(parsed.options)
  const begun = settingOf(database, 'network')
  // A run that was killed at its start may have left none.
  if (begun === undefined) return given ?? defaultNetwork
  const own = given ?? knownNetwork(begun)
  if (own === undefined) {
    const shown = printable(begun)
    throw new OtherChainError(
      `the ledger has an unknown network: ${shown}; give its --network FILE`,
    )
  }
  const expected = describeNetwork(own)
  if (expected === begun) return own
  throw new OtherChainError(`the ledger has network ${printable(begun)}, expected ${expected}`)
}

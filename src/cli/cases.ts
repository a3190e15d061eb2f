import { isHex32 } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  type ParsedArguments,
  ServerFailedError,
  type Terminal,
  UsageError,
} from './command.ts'
import { serverNotes, serverOptions } from './connection-options.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { readTextFile } from './read.ts'

/** Largest number of transactions of one run, because it holds their txids in memory. */
const txidsMax = 100_000

export const cases: Command = {
  usage: ['--from TXIDS --out FOLDER --daemon', '--from TXIDS --out FOLDER --electrum URL,...'],
  about: `Makes a case file of each transaction, with evidence from a server. The request is read from the
transaction itself, so the verdict agrees by construction, unless the transaction breaks a rule. The
case does not show that anyone requested the transaction.`,
  options: [
    {
      name: 'from',
      value: 'TXIDS',
      about: 'txids with commas between them, a file with one per line, or - for stdin',
    },
    {
      name: 'out',
      value: 'FOLDER',
      about: 'the folder of the case files, TXID.json; made if it is missing',
    },
    networkOption,
    { name: 'daemon', about: 'read the transactions from a daemon' },
    ...serverOptions,
  ],
  notes: `${serverNotes}

A case ends its chain one block before the transaction's own, as if the transaction were not sent
yet. Every transaction must hash to its txid. Heights and times are claims of the server.
Prints the operation and the verdict of each. An existing file is kept and verified again, and its
transaction is not fetched: run the command again to continue an interrupted run.
Exit status 1 if a transaction has no case or breaks a rule, 69 if the server fails.`,
  async run(parsed, terminal) {
    const folder = required(parsed, 'out')
    const from = required(parsed, 'from')
    requireServer(parsed)
    const network = chosenNetwork(parsed)
    const txids = await txidsOf(from, terminal)
    const [{ openChain }, { makeFolder }, { makeCases }, { RpcError }] = await Promise.all([
      import('./chain.ts'),
      import('./cases/files.ts'),
      import('./cases/make.ts'),
      import('../rpc/errors.ts'),
    ])
    makeFolder(folder)
    const { chain, close } = await openChain(parsed, terminal, network)
    try {
      const isWhole = await makeCases(txids, { chain, network, folder }, terminal)
      return isWhole ? exitAgrees : exitFindings
    } catch (error) {
      // A failure of the server is not a finding about a transaction, and has another exit status.
      throw error instanceof RpcError
        ? new ServerFailedError(error, 'the run is incomplete: run the command again to continue')
        : error
    } finally {
      close()
    }
  },
}

function required({ options, positionals }: ParsedArguments, name: string): string {
  if (positionals.length > 0) {
    throw new UsageError(`unexpected ${redactKey(positionals[0]!)}: pass txids by --from`)
  }
  const value = options.get(name)
  if (value === undefined) throw new UsageError(`--${name} is missing`)
  return value
}

function requireServer({ flags, options }: ParsedArguments): void {
  const isDaemon = flags.has('daemon')
  if (isDaemon === options.has('electrum')) {
    throw new UsageError('expected either --daemon or --electrum')
  }
}

/** Reads the txids of `--from`, each once, in their order. */
async function txidsOf(from: string, terminal: Terminal): Promise<readonly string[]> {
  const isList = from.split(',').every((text) => isHex32(text.toLowerCase()))
  const text = isList
    ? from.split(',').join('\n')
    : from === '-'
      ? await terminal.readStdin()
      : await readTextFile(from)
  const found = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    const txid = line.trim().toLowerCase()
    if (txid === '') continue
    if (!isHex32(txid)) {
      throw new UsageError(`--from: line ${index + 1} is not a txid of 64 hex digits`)
    }
    found.add(txid)
    if (found.size > txidsMax) throw new UsageError(`--from: more than ${txidsMax} txids`)
  }
  if (found.size === 0) throw new UsageError('--from: there is no txid')
  return [...found]
}

import { readFileSync } from 'node:fs'
import { isAntaraError } from '../errors/antara-error.ts'
import { createDevNode } from '../node/dev-node.ts'
import type { DevNodeOptions, Mining } from '../node/dev-node-options.ts'
import type { DevNode } from '../node/dev-node-types.ts'
import type { CallReport } from '../node/request-handler.ts'
import { type KeptServer, keepState, readState, serverOfState } from '../node/state-file.ts'
import { parseCoins } from '../primitives/amount.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import {
  type Command,
  chosenNetwork,
  exitAgrees,
  jsonOption,
  type Option,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { listening, originsOf } from './listening.ts'
import { readSecretFile } from './private-key.ts'
import { unreadable } from './read.ts'
import { untilEnded } from './until-ended.ts'

/** Faults that a name alone describes. */
const plainFaults = [
  'warm_up',
  'queue_full',
  'reset',
  'lost_reply',
  'wrong_txid',
  'nft_order_poisoning',
] as const

const options: readonly Option[] = [
  {
    name: 'network',
    value: 'NAME',
    values: ['assetChain', 'tokel'],
    about: 'assetChain (default) serves a komodod, tokel a tokeld',
  },
  {
    name: 'port',
    value: 'PORT',
    about:
      'of the first identity, the next of the next; by default the one of\n--state, or any free one',
  },
  {
    name: 'identities',
    value: 'NUMBER',
    about: 'how many daemons there are on the chain; default 2',
  },
  {
    name: 'pubkey',
    value: 'PUBKEY,...',
    about: 'a daemon for each, with this -pubkey; importprivkey gives it the key',
  },
  {
    name: 'seed',
    value: 'TEXT',
    about: 'throw-away keys that follow from this text, for a new chain;\nnever a real mnemonic',
  },
  { name: 'user', value: 'NAME', about: 'of all servers; by default the one of --state, or user' },
  {
    name: 'password',
    value: 'TEXT',
    about:
      'of all servers, or @FILE; by default the one of --state, or a random\n' +
      'one. Others on this machine can read it: it guards throw-away keys only',
  },
  { name: 'fund', value: 'ADDRESS=AMOUNT,...', about: 'coins for addresses, from the first block' },
  {
    name: 'electrum',
    value: 'PORT',
    about: 'serves the Electrum protocol on this port too; 0 for any free one',
  },
  { name: 'mine', value: 'MODE', about: 'auto (default), manual, or a number of seconds' },
  { name: 'proof-of-work', about: 'solves each block, so that light clients accept its header' },
  {
    name: 'fault',
    value: 'KIND,...',
    about: `injects faults:\n${plainFaults.join(', ')}`,
  },
  {
    name: 'state',
    value: 'FILE',
    about: 'goes on from this file, if it is there, and keeps the state in it',
  },
  { name: 'quiet', about: 'logs no calls' },
  { name: 'load', value: 'CHAIN.json', about: 'starts with these transactions, or with a dump' },
  {
    name: 'framework',
    value: 'SCRIPT.json',
    about: "serves the framework's interface instead, as scripted",
  },
  {
    name: 'host',
    value: 'ADDRESS',
    about: 'listens there; what is not loopback needs --expose too',
  },
  { name: 'expose', about: 'lets other machines reach it: they may then try the password' },
  {
    name: 'allow-origin',
    value: 'ORIGIN,...',
    about: 'answers pages of these origins, which a development proxy forwards',
  },
  jsonOption,
]

export const node: Command = {
  usage: ['[options]'],
  about: `Serves the interface of a komodod or a tokeld for development: one chain, in this process, with
real validation. Keys and coins are throw-away ones. The first interrupt ends it.`,
  options,
  notes: `With --json the first line is one object: url, user, password, network, chain, height, and
identities, each with url, user, password, pubkey, wif and address. Calls are logged to standard
error.`,
  async run(parsed, terminal) {
    if (parsed.positionals.length > 0) throw new UsageError('no arguments expected, only options')
    const script = parsed.options.get('framework')
    if (script !== undefined) {
      for (const name of ofDaemons) {
        if (parsed.options.has(name) || parsed.flags.has(name))
          throw new UsageError(`--${name} does not go with --framework`)
      }
      const { serveFramework } = await import('./framework.ts')
      return serveFramework(script, parsed, terminal)
    }
    const state = parsed.options.get('state')
    const faults = faultsOf(parsed)
    const running = await startNode(parsed, terminal, state)
    try {
      for (const kind of faults) addFault(running, kind)
      const kept = state === undefined ? undefined : keptIn(state, running, terminal)
      // Set up before the first line, because its reader may interrupt at once.
      const interrupted = untilEnded()
      terminal.print(
        parsed.flags.has('json') ? `${JSON.stringify(facts(running))}\n` : introduction(running),
      )
      await Promise.race([interrupted, running.ended])
      await running.close()
      if (state !== undefined) ofState('write', state, () => kept?.end())
    } finally {
      // a server that listens would keep the process
      await running.close()
    }
    return exitAgrees
  },
}

/** Names of options that a framework does not use. */
const ofDaemons = [
  'network',
  'identities',
  'pubkey',
  'seed',
  'user',
  'password',
  'quiet',
  'fund',
  'electrum',
  'mine',
  'proof-of-work',
  'state',
  'load',
]

function keptIn(path: string, running: DevNode, terminal: Terminal): ReturnType<typeof keepState> {
  const tell = (error: unknown): void =>
    terminal.printError(`${stateError('write', path, error).message}; the node goes on\n`)
  return ofState('write', path, () => keepState(running, path, 1000, tell))
}

function ofState<Result>(verb: 'read' | 'write', path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw stateError(verb, path, error)
  }
}

/** Returns an error without a code unchanged, because the file system did not cause it. */
function stateError(verb: 'read' | 'write', path: string, error: unknown): Error {
  const { code } = error as { code?: string }
  if (code === undefined) return error as Error
  return new UsageError(`--state: cannot ${verb} ${redactKey(path)}: ${code}`)
}

async function startNode(
  parsed: ParsedArguments,
  terminal: Terminal,
  state: string | undefined,
): Promise<DevNode> {
  const kept = state === undefined ? undefined : ofState('read', state, () => readState(state))
  const load = kept ?? fileText(parsed.options.get('load'))
  const server = kept === undefined ? undefined : serverOfState(kept)
  const access = await accessOf(parsed, server)
  const { seed } = Object.fromEntries(parsed.options)
  const begin = (keptPort?: number): Promise<DevNode> =>
    createDevNode({
      ...(parsed.options.has('network') && { network: chosenNetwork(parsed) }),
      ...access,
      ...(seed !== undefined && { seed }),
      ...identitiesOf(parsed, load !== undefined),
      mine: miningOf(parsed.options.get('mine') ?? 'auto'),
      // a chain that goes on had its coins when it began
      fund: kept === undefined ? fundOf(parsed.options.get('fund')) : [],
      listen: listenOf(parsed, keptPort),
      ...electrumOf(parsed),
      proofOfWork: parsed.flags.has('proof-of-work'),
      ...(!parsed.flags.has('quiet') && {
        onCall: (call) => terminal.printError(logLine(call)),
      }),
      ...(load !== undefined && { load }),
    })
  try {
    return await listening(() =>
      begin(server?.port).catch((error) => {
        // The system gave this port to the earlier run, and may have given it to another program since.
        const isTaken = server !== undefined && (error as { code?: unknown }).code === 'EADDRINUSE'
        if (!isTaken || parsed.options.has('port')) throw error
        terminal.printError(
          `port ${server.port} of the earlier run is taken; it listens elsewhere\n`,
        )
        return begin()
      }),
    )
  } catch (error) {
    const isOfOptions = error instanceof TypeError || error instanceof RangeError
    if (isOfOptions) throw new UsageError(inOptions(error.message))
    throw error
  }
}

/** Members of the library's options by what they are called on the command line. */
function inOptions(message: string): string {
  return message
    .replace(
      /^host: (.*); exposeToNetwork says that it may$/,
      '--host: $1; --expose says that it may',
    )
    .replace(/^options\.network: /, '--network: ')
    .replace(/^options\.(user|password|seed): /, '--$1: ')
    .replace(/^(?=.*: neither an address|value: )/, '--fund: ')
}

function fileText(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--load: ${unreadable(path, error).message}`)
  }
}

/** Absent options keep the values of the loaded state. */
function identitiesOf(
  { options: given }: ParsedArguments,
  isLoaded: boolean,
): Pick<DevNodeOptions, 'identities'> {
  const pubkey = given.get('pubkey')
  const count = given.get('identities')
  if (pubkey !== undefined && count !== undefined) {
    throw new UsageError('--pubkey tells the identities: leave --identities out')
  }
  if (pubkey !== undefined) {
    const pubkeys = pubkey.toLowerCase().split(',')
    if (!pubkeys.every((one) => isCompressedKey(one))) {
      throw new UsageError('--pubkey: 33 bytes of hex expected')
    }
    return { identities: pubkeys.map((one) => ({ pubkey: one })) }
  }
  if (count === undefined) return isLoaded ? {} : { identities: 2 }
  if (!/^[1-9]\d?$/.test(count))
    throw new UsageError('--identities: a number from 1 to 99 expected')
  return { identities: Number(count) }
}

function faultsOf({ options: given }: ParsedArguments): (typeof plainFaults)[number][] {
  return (given.get('fault')?.split(',') ?? []).map((name) => {
    const kind = plainFaults.find((one) => one === name)
    if (kind === undefined) throw new UsageError(`--fault: ${plainFaults.join(', ')} expected`)
    return kind
  })
}

function addFault(running: DevNode, kind: (typeof plainFaults)[number]): void {
  try {
    running.faults.add({ kind })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(error.message.replace(/^rule: /, '--fault: '))
  }
}

function miningOf(mode: string): Mining {
  if (mode === 'auto' || mode === 'manual') return mode
  const seconds = Number(mode)
  if (/^\d+(\.\d+)?$/.test(mode) && seconds > 0) return seconds
  throw new UsageError('--mine: auto, manual or a number of seconds expected')
}

function fundOf(given: string | undefined): { to: string; value: bigint }[] {
  if (given === undefined) return []
  return given.split(',').map((pair) => {
    const [to = '', coins = ''] = pair.split('=')
    try {
      return { to, value: parseCoins(coins) }
    } catch (error) {
      if (isAntaraError(error))
        throw new UsageError('--fund: ADDRESS=AMOUNT expected, as R...=12.5')
      throw error
    }
  })
}

/**
 * Returns the name and the password of the servers: as given, or as the state has them.
 *
 * @throws {UsageError} for a password in the arguments if other machines may try it
 */
async function accessOf(
  { options: given, flags }: ParsedArguments,
  server: KeptServer | undefined,
): Promise<Pick<DevNodeOptions, 'user' | 'password'>> {
  const typed = given.get('password')
  if (typed !== undefined && !typed.startsWith('@') && flags.has('expose')) {
    throw new UsageError('--password: with --expose, give it as @FILE, which only you can read')
  }
  const password = typed?.startsWith('@')
    ? (await readSecretFile(typed.slice(1), '--password')).trim()
    : (typed ?? server?.password)
  const user = given.get('user') ?? server?.user
  return { ...(user !== undefined && { user }), ...(password !== undefined && { password }) }
}

function listenOf(
  { options: given, flags }: ParsedArguments,
  keptPort: number | undefined,
): Exclude<DevNodeOptions['listen'], false | undefined> {
  const port = portOf(given, 'port') ?? keptPort ?? 0
  const host = given.get('host')
  return {
    port,
    exposeToNetwork: flags.has('expose'),
    ...(host !== undefined && { host }),
    allowedOrigins: originsOf(given),
  }
}

function electrumOf({ options: given }: ParsedArguments): Pick<DevNodeOptions, 'electrum'> {
  const port = portOf(given, 'electrum')
  return port === undefined ? {} : { electrum: { port } }
}

function portOf(given: ParsedArguments['options'], name: string): number | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`--${name}: a number up to 65535 expected`)
}

function facts({ url, electrumUrl, identities, network, chain, height }: DevNode): object {
  const { user, password } = identities[0]!
  return {
    ...(electrumUrl !== '' && { electrumUrl }),
    url,
    user,
    password,
    network: network.conditions === 'tokel' ? 'tokel' : 'assetChain',
    chain,
    height,
    identities,
  }
}

function introduction({ identities, electrumUrl, network, chain, height }: DevNode): string {
  const lines = identities.flatMap(({ url, user, password, address, pubkey, wif }, at) => [
    `identity ${at}  ${url}`,
    `  user     ${user}`,
    `  password ${password}`,
    `  address  ${address}`,
    `  pubkey   ${pubkey}`,
    `  key      ${wif}   (throw-away: everybody has it)`,
    '',
  ])
  const { url, user, password } = identities[0]!
  return [
    `A development node of the chain ${chain}${network.conditions === 'tokel' ? ', as tokeld runs it' : ''}, height ${height}. Nothing here is worth anything.`,
    '',
    ...(electrumUrl === '' ? [] : [`Electrum    ${electrumUrl}`, '']),
    ...lines,
    'Try it:',
    `  curl -s --user ${user}:${password} --data '{"method":"getinfo"}' ${url}`,
    '',
    '',
  ].join('\n')
}

function logLine({ identity, method, milliseconds, error, reason }: CallReport): string {
  const outcome = error === undefined ? 'ok' : `${error.code} ${error.message.split('\n')[0]}`
  const why = reason === undefined ? '' : `\n  ${printable(reason)}`
  return `${identity} ${printable(method)} ${milliseconds.toFixed(1)} ms ${printable(outcome)}${why}\n`
}

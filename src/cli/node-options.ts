// The options of the command `node`, and how they are read.

import { isAntaraError } from '../errors/antara-error.ts'
import type { DevNodeOptions, Mining } from '../node/dev-node-options.ts'
import type { KeptServer } from '../node/state-file.ts'
import { parseCoins } from '../primitives/amount.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { jsonOption, type Option, type ParsedArguments, UsageError } from './command.ts'
import { originsOf } from './listening.ts'

/** Faults that a name alone describes. */
const plainFaults = [
  'warm_up',
  'queue_full',
  'reset',
  'lost_reply',
  'wrong_txid',
  'nft_order_poisoning',
] as const

export type PlainFault = (typeof plainFaults)[number]

export const nodeOptions: readonly Option[] = [
  {
    name: 'network',
    value: 'NAME',
    values: ['assetChain', 'tokel'],
    about: 'serve a komodod (assetChain, the default) or a tokeld (tokel)',
  },
  {
    name: 'port',
    value: 'PORT',
    about:
      'port of the first identity; each further one has the next port.\nDefault: the port of --state, or any free one',
  },
  {
    name: 'identities',
    value: 'NUMBER',
    about: 'number of daemons on the chain; default 2',
  },
  {
    name: 'pubkey',
    value: 'PUBKEY,...',
    about: 'one daemon for each -pubkey; importprivkey adds its private key',
  },
  {
    name: 'seed',
    value: 'TEXT',
    about: 'derive the throw-away keys of a new chain from this text;\nnever a real mnemonic',
  },
  { name: 'user', value: 'NAME', about: 'user of all servers; default: that of --state, or user' },
  {
    name: 'password',
    value: 'TEXT',
    about:
      'password of all servers, or @FILE; default: that of --state, or random.\n' +
      'Others on this machine can read it: it guards throw-away keys only',
  },
  {
    name: 'fund',
    value: 'ADDRESS=AMOUNT,...',
    about: 'give coins to addresses: 12.5 is 12.5 coins',
  },
  {
    name: 'electrum',
    value: 'PORT',
    about: 'serve the Electrum protocol on this port too; 0 for any free one',
  },
  {
    name: 'mine',
    value: 'MODE',
    about:
      'mine each transaction (auto, the default), on demand (manual), or\nevery so many seconds (a number)',
  },
  {
    name: 'maturity',
    value: 'N',
    about:
      'blocks until newly mined coins can be spent, -ac_cbmaturity;\n' +
      '1 if absent, or that of --state or --load',
  },
  { name: 'proof-of-work', about: 'solve each block, so that light clients accept its header' },
  {
    name: 'fault',
    value: 'KIND,...',
    about: `inject faults:\n${plainFaults.join(', ')}`,
  },
  {
    name: 'state',
    value: 'FILE',
    about: 'continue from this file, if it exists, and keep the state in it',
  },
  {
    name: 'fork',
    value: 'URL',
    about: 'begin with the chain of this daemon, which is only read; see below',
  },
  { name: 'conf', value: 'FILE', about: "with --fork: the daemon's own configuration file" },
  {
    name: 'allow-host',
    value: 'HOST',
    about: 'with --fork: a further host that may receive the password',
  },
  { name: 'quiet', about: 'log no calls' },
  { name: 'load', value: 'CHAIN.json', about: 'start with these transactions, or with a dump' },
  {
    name: 'framework',
    value: 'SCRIPT.json',
    about: "serve the framework's interface instead, as scripted",
  },
  {
    name: 'host',
    value: 'ADDRESS',
    about: 'listen at this address; one that is not loopback needs --expose',
  },
  { name: 'expose', about: 'let other machines reach it: they may then try the password' },
  {
    name: 'allow-origin',
    value: 'ORIGIN,...',
    about: 'answer pages of these origins, which a development proxy forwards',
  },
  jsonOption,
]

const ofFrameworks = ['framework', 'port', 'host', 'expose', 'allow-origin', 'json']
/** Names of options that a framework does not use. */
export const ofDaemons: readonly string[] = nodeOptions
  .map(({ name }) => name)
  .filter((name) => !ofFrameworks.includes(name))

/** Members of the library's options by what they are called on the command line. */
export function inOptions(message: string): string {
  return message
    .replace(
      /^host: (.*); exposeToNetwork says that it may$/,
      '--host: $1; --expose says that it may',
    )
    .replace(/^options\.network: /, '--network: ')
    .replace(/^options\.(user|password|seed): /, '--$1: ')
    .replace(/^(?=.*: neither an address|value: )/, '--fund: ')
}

/** Absent options keep the values of the loaded state. */
export function identitiesOf(
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

export function faultsOf({ options: given }: ParsedArguments): PlainFault[] {
  return (given.get('fault')?.split(',') ?? []).map((name) => {
    const kind = plainFaults.find((one) => one === name)
    if (kind === undefined) throw new UsageError(`--fault: ${plainFaults.join(', ')} expected`)
    return kind
  })
}

export function miningOf(mode: string): Mining {
  if (mode === 'auto' || mode === 'manual') return mode
  const seconds = Number(mode)
  if (/^\d+(\.\d+)?$/.test(mode) && seconds > 0) return seconds
  throw new UsageError('--mine: auto, manual or a number of seconds expected')
}

export function maturityOf({ options }: ParsedArguments): Pick<DevNodeOptions, 'profile'> {
  const text = options.get('maturity')
  if (text === undefined) return {}
  if (/^[1-9]\d{0,8}$/.test(text)) return { profile: { maturity: Number(text) } }
  throw new UsageError('--maturity: a number from 1 expected')
}

export function fundOf(given: string | undefined): { to: string; value: bigint }[] {
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
export async function accessOf(
  { options: given, flags }: ParsedArguments,
  server: KeptServer | undefined,
): Promise<Pick<DevNodeOptions, 'user' | 'password'>> {
  const typed = given.get('password')
  if (typed !== undefined && !typed.startsWith('@') && flags.has('expose')) {
    throw new UsageError('--password: with --expose, give it as @FILE, which only you can read')
  }
  const password = typed?.startsWith('@')
    ? await secretIn(typed.slice(1))
    : (typed ?? server?.password)
  const user = given.get('user') ?? server?.user
  return { ...(user !== undefined && { user }), ...(password !== undefined && { password }) }
}

async function secretIn(path: string): Promise<string> {
  const { readSecretFile } = await import('./private-key.ts')
  return (await readSecretFile(path, '--password')).trim()
}

export function listenOf(
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

export function electrumOf({ options: given }: ParsedArguments): Pick<DevNodeOptions, 'electrum'> {
  const port = portOf(given, 'electrum')
  return port === undefined ? {} : { electrum: { port } }
}

export function portOf(given: ParsedArguments['options'], name: string): number | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`--${name}: a number up to 65535 expected`)
}

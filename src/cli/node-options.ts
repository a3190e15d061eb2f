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
  {
    name: 'fork',
    value: 'URL',
    about: 'begins with the chain of this daemon, which is only read; see below',
  },
  { name: 'conf', value: 'FILE', about: "of --fork: the daemon's own configuration file" },
  {
    name: 'allow-host',
    value: 'HOST',
    about: 'of --fork: a host other than this machine that may receive the password',
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

/** Names of options that a framework does not use. */
export const ofDaemons: readonly string[] = [
  'network',
  'identities',
  'pubkey',
  'seed',
  'user',
  'password',
  'quiet',
  'fund',
  'electrum',
  'fork',
  'conf',
  'allow-host',
  'mine',
  'proof-of-work',
  'state',
  'load',
]

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

function portOf(given: ParsedArguments['options'], name: string): number | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`--${name}: a number up to 65535 expected`)
}

import { type FirstBlockOptions, readFirstBlock } from '../rpc/first-block.ts'
import { type Option, type ParsedArguments, refuseOptions, UsageError } from './command.ts'

export const chainOption: Option = {
  name: 'chain',
  value: 'NAME',
  about: "the daemon's chain, which selects its conf file; default KMD",
}

export const allowHostOption: Option = {
  name: 'allow-host',
  value: 'HOST',
  about: 'a host other than this machine that may receive the password',
}

/** Options of every command that talks to a server. */
export const connectionOptions: readonly Option[] = [
  { name: 'conf', value: 'FILE', about: "the server's own configuration file" },
  chainOption,
  {
    name: 'url',
    value: 'URL',
    about: 'URL of the server; default: its configured port, or 7771 (framework 7783)',
  },
  allowHostOption,
  { name: 'timeout', value: 'SECONDS', about: 'the timeout of each call' },
]

export const trustDaemonOption: Option = {
  name: 'trust-daemon',
  about: 'the daemon is your own: an attempt ends if it says that the attempt can\nnever be mined',
}

export const connectionNotes = `The server and the credentials come from the first of these sources:
  --conf FILE        the server's own configuration file
  --chain NAME       the conf file of that chain, in its usual place (daemon)
  ANTARA_RPC_USER, ANTARA_RPC_PASSWORD   in the environment (framework: ANTARA_RPC_USERPASS)
  the usual place    of the conf file of KMD (daemon), MM2.json in this folder (framework)
  a prompt           with hidden input
A password is never an argument, because other users of the machine can read arguments.`

const electrumOption: Option = {
  name: 'electrum',
  value: 'URL,...',
  about:
    'read Electrum servers of one chain in place of a daemon:\nssl://HOST:PORT, wss://HOST:PORT, tcp://127.0.0.1:PORT',
}

export const firstBlockOption: Option = {
  name: 'first-block',
  value: 'HASH',
  about: 'hash of block 1 of your chain: a server of another chain is not used',
}

/** @throws {UsageError} for what is no hash */
export function firstBlockOf({ options }: ParsedArguments): FirstBlockOptions {
  const { name } = firstBlockOption
  if (!options.has(name)) return {}
  try {
    return { firstBlock: readFirstBlock(options.get(name), `--${name}`) }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Options of every command that reads a daemon or Electrum servers. */
export const serverOptions: readonly Option[] = [
  electrumOption,
  firstBlockOption,
  ...connectionOptions,
]

export const serverNotes: string = `${connectionNotes}

With --electrum, the certificate of a server's first connection is kept in antara-tx/certificates in
$XDG_STATE_HOME, or in ~/.local/state, and must stay the same.`

/** Returns whether the options name a server. @throws {UsageError} if they name two kinds */
export function namesServer({ flags, options }: ParsedArguments): boolean {
  const [isDaemon, isElectrum] = [flags.has('daemon'), options.has('electrum')]
  if (isDaemon && isElectrum) throw new UsageError('--electrum cannot be combined with --daemon')
  return isDaemon || isElectrum
}

/** Refuses options of a connection where none is made. */
export function requireNoConnection(parsed: ParsedArguments): void {
  const names = [firstBlockOption, ...connectionOptions].map(({ name }) => name)
  refuseOptions(parsed, names, 'needs --daemon')
}

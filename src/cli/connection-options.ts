import { type Option, type ParsedArguments, UsageError } from './command.ts'

/** Options of every command that talks to a server. */
export const connectionOptions: readonly Option[] = [
  { name: 'conf', value: 'FILE', about: "the server's own configuration file" },
  { name: 'chain', value: 'NAME', about: "the daemon's chain, by its conf file; default KMD" },
  {
    name: 'url',
    value: 'URL',
    about: 'default: the port in the configuration, else 7771 (daemon), 7783 (framework)',
  },
  {
    name: 'allow-host',
    value: 'HOST',
    about: 'a host besides this machine that the password may go to',
  },
  { name: 'timeout', value: 'SECONDS', about: 'for each call' },
]

export const connectionNotes = `Where the server is and who calls, in this order:
  --conf FILE        the server's own configuration file, or of a daemon
  --chain NAME       the conf file of that chain, in its usual place
  ANTARA_RPC_USER, ANTARA_RPC_PASSWORD   in the environment (framework: ANTARA_RPC_USERPASS)
  the usual place    of the conf file of KMD (daemon), MM2.json in this folder (framework)
  a prompt           which does not show what is typed
A password is never an argument: other users of the machine can read those.`

/** Refuses options of a connection where none is made. */
export function requireNoConnection({ options }: ParsedArguments): void {
  const name = connectionOptions.find((option) => options.has(option.name))?.name
  if (name !== undefined) throw new UsageError(`--${name} goes with --daemon`)
}

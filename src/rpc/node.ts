// antara-tx/rpc/node: finds a server on this machine and its credentials. For Node.js only, because
// it reads files.
import { readFile, stat } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import type { DaemonCredentials } from './daemon/protocol.ts'

/** The machine on which a daemon runs; for tests, and for folders in other places. */
export interface Machine {
  readonly platform?: NodeJS.Platform
  readonly home?: string
  /** The `%APPDATA%` folder on Windows. */
  readonly appData?: string
}

/** The settings of a daemon client, read from a conf file. */
export interface DaemonAccess {
  readonly url: string
  /** Reads the files again at each call, but a pipe only once. */
  readonly credentials: () => Promise<DaemonCredentials>
}

/** The settings of a framework client, read from its configuration. */
export interface FrameworkAccess {
  readonly url: string
  /** Reads the file again at each call, but a pipe only once. */
  readonly userpass: () => Promise<string>
}

/**
 * Returns the path of a chain's conf file; `KMD` is the main chain.
 *
 * @param chain - letters and digits; default `KMD`
 * @param machine - platform and folders; those of this machine if absent
 * @returns the path; the file need not exist
 * @throws {TypeError} for a name that no chain can have
 * @see komodo src/util.cpp, GetConfigFile and GetDefaultDataDir
 * @example
 * daemonConfPath('TOKTEST') // '/home/you/.komodo/TOKTEST/TOKTEST.conf'
 */
export function daemonConfPath(chain = 'KMD', machine: Machine = {}): string {
  requireString(chain, 'chain')
  // The name becomes part of a path, so it must not contain a separator.
  if (!/^[A-Za-z0-9]{1,64}$/.test(chain)) throw new TypeError('chain: expected letters and digits')
  const system = machine.platform ?? platform()
  const folder = dataFolder(system, machine)
  if (chain !== 'KMD') return join(folder, chain, `${chain}.conf`)
  return join(folder, system === 'darwin' ? 'Komodo.conf' : 'komodo.conf')
}

function dataFolder(system: NodeJS.Platform, machine: Machine): string {
  const home = machine.home ?? homedir()
  if (system === 'darwin') return join(home, 'Library', 'Application Support', 'Komodo')
  if (system !== 'win32') return join(home, '.komodo')
  return join(machine.appData ?? process.env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Komodo')
}

const mainChainPort = '7771'

/**
 * Reads the address and the credentials of a daemon from its conf file. If the file has no
 * password, the credentials come from the daemon's cookie file.
 *
 * A client reads the credentials again for each attempt, so the daemon may restart with others.
 *
 * The daemon writes its cookie to its data folder. This function looks in the folder of the conf
 * file, which is the same one unless the daemon was started with `-datadir`, `-conf` or `-testnet`.
 *
 * @param path - the conf file, or a pipe
 * @returns options for `createDaemonClient`: a URL of 127.0.0.1, and a function that reads the
 *   credentials. That function rejects with `setting_missing` if there is neither a password nor a
 *   cookie
 * @throws {AntaraError} `setting_missing`, by rejection, if the file has no valid port; the main
 *   chain's file, `komodo.conf` (on macOS `Komodo.conf`), needs none
 * @throws {Error} the system's, by rejection, such as `ENOENT`, if the file cannot be read
 * @example
 * const daemon = createDaemonClient(await daemonFromConf(daemonConfPath('TOKTEST')))
 */
export async function daemonFromConf(path: string): Promise<DaemonAccess> {
  const readConf = readerOf(path)
  const settings = parseConf(await readConf())
  // The exact case matters: the file of a chain named KOMODO is KOMODO.conf.
  const isMainChain = basename(path) === basename(daemonConfPath())
  const port = portOf(settings.get('rpcport') ?? (isMainChain ? mainChainPort : undefined))
  return { url: `http://127.0.0.1:${port}/`, credentials: () => readCredentials(path, readConf) }
}

function portOf(setting: unknown): string {
  const text = String(setting)
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return text
  throw new AntaraError('setting_missing', {
    path: 'rpcport',
    expected: 'a port from 1 to 65535',
    ...(setting !== undefined && { actual: text.slice(0, 100) }),
  })
}

type ReadText = () => Promise<string>

/** Reads a file at each call. A pipe can be read only once, so its text is kept. */
function readerOf(path: string): ReadText {
  let kept: string | undefined
  return async () => {
    if (kept !== undefined) return kept
    const isFile = (await stat(path)).isFile()
    const text = await readFile(path, 'utf8')
    if (!isFile) kept = text
    return text
  }
}

async function readCredentials(path: string, readConf: ReadText): Promise<DaemonCredentials> {
  const settings = parseConf(await readConf())
  const password = settings.get('rpcpassword')
  if (password) return { user: settings.get('rpcuser') ?? '', password }
  const cookie = settings.get('rpccookiefile') ?? '.cookie'
  const cookiePath = isAbsolute(cookie) ? cookie : join(dirname(path), cookie)
  const text = await readFile(cookiePath, 'utf8').catch((cause) => {
    const expected = `a password, or the cookie file ${cookiePath}`
    throw new AntaraError('setting_missing', { path: 'rpcpassword', expected }, { cause })
  })
  const separator = text.indexOf(':')
  if (separator < 0) {
    const expected = 'a file with USER:PASSWORD'
    throw new AntaraError('setting_missing', { path: 'rpccookiefile', expected })
  }
  return { user: text.slice(0, separator), password: text.slice(separator + 1).trim() }
}

/**
 * Reads `key=value` lines as the daemon does. `#` begins a comment anywhere in a line, and the first
 * of equal keys counts. A line `[test]` puts `test.` before the keys that follow it.
 *
 * @param text - a conf file
 * @returns values by key, both without blanks around them
 * @see komodo src/util.cpp, ReadConfigFile; Boost libs/program_options/src/config_file.cpp,
 *   common_config_file_iterator::get
 * @example
 * parseConf('rpcport=7771\nrpcport=1 # the first counts').get('rpcport') // '7771'
 */
export function parseConf(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  let prefix = ''
  for (const line of text.split('\n')) {
    const setting = trimmed(line.split('#')[0]!)
    const section = /^\[(.+)\]$/.exec(setting)?.[1]
    if (section !== undefined) {
      prefix = section.endsWith('.') ? section : `${section}.`
      continue
    }
    const separator = setting.indexOf('=')
    if (separator < 1) continue
    const key = prefix + trimmed(setting.slice(0, separator))
    if (!settings.has(key)) settings.set(key, trimmed(setting.slice(separator + 1)))
  }
  return settings
}

/** Removes the blanks that Boost removes. `trim` removes more, such as a byte order mark. */
function trimmed(text: string): string {
  return text.replace(/^[ \t\r\n]+/, '').replace(/[ \t\r\n]+$/, '')
}

const frameworkPort = 7783

/**
 * Reads the address and the password of a framework server from its configuration, `MM2.json`.
 *
 * @param path - the file, or a pipe
 * @returns options for `createFrameworkClient`: a URL of 127.0.0.1, and a function that reads the
 *   password. That function rejects with `setting_missing` if the file has no `rpc_password`
 * @throws {AntaraError} `setting_missing`, by rejection, if the file is not JSON, or its `rpcport`
 *   is not a port
 * @throws {Error} the system's, by rejection, such as `ENOENT`, if the file cannot be read
 * @example
 * const framework = createFrameworkClient(await frameworkFromConf('MM2.json'))
 */
export async function frameworkFromConf(path: string): Promise<FrameworkAccess> {
  const readConf = readerOf(path)
  const port = portOf((await readSettings(path, readConf)).rpcport ?? frameworkPort)
  return {
    url: `http://127.0.0.1:${port}/`,
    userpass: async () => {
      const { rpc_password: password } = await readSettings(path, readConf)
      if (typeof password === 'string' && password !== '') return password
      throw new AntaraError('setting_missing', { path: 'rpc_password', expected: 'a password' })
    },
  }
}

async function readSettings(
  path: string,
  readConf: ReadText,
): Promise<{ readonly [name: string]: unknown }> {
  let settings: unknown
  try {
    // Some editors put a byte order mark before the text.
    settings = JSON.parse((await readConf()).replace(/^\uFEFF/, ''))
  } catch (error) {
    // The parser's message would quote the text, which contains the password.
    if (error instanceof SyntaxError) {
      throw new AntaraError('setting_missing', { path, expected: 'a file with JSON' })
    }
    throw error
  }
  return typeof settings === 'object' && settings !== null ? { ...settings } : {}
}

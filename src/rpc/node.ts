// antara-tx/rpc/node: finds a server on this machine and its credentials. Node only, because it
// reads files.
import { readFile, stat } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import type { DaemonCredentials } from './daemon/protocol.ts'

/** The machine on which to look; for tests and unusual home directories. */
export interface Machine {
  readonly platform?: NodeJS.Platform
  readonly home?: string
  /** The `%APPDATA%` folder on Windows. */
  readonly appData?: string
}

/** The settings of a daemon client, read from a conf file. */
export interface DaemonAccess {
  readonly url: string
  /** Reads the files again at each call. */
  readonly credentials: () => Promise<DaemonCredentials>
}

/** The settings of a framework client, read from its configuration. */
export interface FrameworkAccess {
  readonly url: string
  readonly userpass: () => Promise<string>
}

/**
 * Returns the path of a chain's conf file; `KMD` is the main chain.
 *
 * @param chain - letters and digits; default `KMD`
 * @param machine - platform and folders; those of this machine if absent
 * @returns the path; the file need not exist
 * @throws {TypeError} for a name that no chain can have
 * @see komodo komodo_utils.cpp, komodo_statefname and GetConfigFile
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
 * Reads the address and the credentials of a daemon from its conf file. A file without a password
 * stands for the cookie beside it.
 *
 * The credentials are read again for each attempt, so the daemon may restart with others.
 *
 * @param path - the conf file, or a pipe
 * @returns options for `createDaemonClient`: a URL of 127.0.0.1, and a function that reads the
 *   credentials
 * @throws {AntaraError} `setting_missing` if the file has no port (except for KMD), or if there is
 *   neither a password nor a cookie
 * @example
 * const daemon = createDaemonClient(await daemonFromConf(daemonConfPath('TOKTEST')))
 */
export async function daemonFromConf(path: string): Promise<DaemonAccess> {
  const readConf = readerOf(path)
  const settings = parseConf(await readConf())
  const isMainChain = /[\\/]komodo\.conf$/i.test(path)
  const port = settings.get('rpcport') ?? (isMainChain ? mainChainPort : undefined)
  if (port === undefined || !isPort(port)) {
    throw new AntaraError('setting_missing', { path: 'rpcport' })
  }
  return { url: `http://127.0.0.1:${port}/`, credentials: () => readCredentials(path, readConf) }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) < 65_536
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
    throw new AntaraError('setting_missing', { path: 'rpcpassword' }, { cause })
  })
  const separator = text.indexOf(':')
  if (separator < 0) throw new AntaraError('setting_missing', { path: 'cookie' })
  return { user: text.slice(0, separator), password: text.slice(separator + 1).trim() }
}

/**
 * Reads `key=value` lines; `#` begins a comment anywhere in a line. The first of equal keys counts,
 * as in the daemon.
 *
 * @param text - a conf file
 * @returns values by key, both without blanks around them
 * @see komodo src/util.cpp, ReadConfigFile
 * @example
 * parseConf('rpcport=7771\nrpcport=1 # the first counts').get('rpcport') // '7771'
 */
export function parseConf(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [setting = ''] = line.split('#')
    const separator = setting.indexOf('=')
    const key = setting.slice(0, Math.max(separator, 0)).trim()
    if (key !== '' && !settings.has(key)) settings.set(key, setting.slice(separator + 1).trim())
  }
  return settings
}

const frameworkPort = 7783

/**
 * Reads the address and the password of a framework server from its configuration, `MM2.json`.
 *
 * @param path - the file, or a pipe
 * @returns options for `createFrameworkClient`: a URL of 127.0.0.1, and a function that reads the
 *   password
 * @throws {AntaraError} `setting_missing` if the file has no `rpc_password`
 * @example
 * const framework = createFrameworkClient(await frameworkFromConf('MM2.json'))
 */
export async function frameworkFromConf(path: string): Promise<FrameworkAccess> {
  const readConf = readerOf(path)
  const port = (await readSettings(path, readConf)).rpcport ?? frameworkPort
  if (!isPort(String(port))) throw new AntaraError('setting_missing', { path: 'rpcport' })
  return {
    url: `http://127.0.0.1:${port}/`,
    userpass: async () => {
      const { rpc_password: password } = await readSettings(path, readConf)
      if (typeof password === 'string' && password !== '') return password
      throw new AntaraError('setting_missing', { path: 'rpc_password' })
    },
  }
}

async function readSettings(
  path: string,
  readConf: ReadText,
): Promise<{ readonly [name: string]: unknown }> {
  let settings: unknown
  try {
    settings = JSON.parse(await readConf())
  } catch (error) {
    // The parser's message would quote the text, which contains the password.
    if (error instanceof SyntaxError) throw new AntaraError('setting_missing', { path })
    throw error
  }
  return typeof settings === 'object' && settings !== null ? { ...settings } : {}
}

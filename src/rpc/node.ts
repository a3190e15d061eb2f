// antara-tx/rpc/node: finding a server on this machine and its credentials. Node only: it reads
// files. Everything else is in antara-tx/rpc.
import { readFile, stat } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import type { DaemonCredentials } from './daemon/protocol.ts'

/** Where this machine keeps the data of its daemons; for tests and unusual homes. */
export interface Machine {
  readonly platform?: NodeJS.Platform
  readonly home?: string
  /** Windows only: the `%APPDATA%` folder. */
  readonly appData?: string
}

/** The settings of a daemon client, read from a conf file. */
export interface DaemonAccess {
  readonly url: string
  /** Reads the files again each time it is asked. */
  readonly credentials: () => Promise<DaemonCredentials>
}

/** The settings of a framework client, read from its configuration. */
export interface FrameworkAccess {
  readonly url: string
  readonly userpass: () => Promise<string>
}

/**
 * Path of a chain's conf file, `KMD` for the main chain.
 *
 * @throws {TypeError} for a name that could not be a chain's
 * @see komodo komodo_utils.cpp, komodo_statefname and GetConfigFile
 * @example
 * daemonConfPath('TOKTEST') // '/home/you/.komodo/TOKTEST/TOKTEST.conf'
 */
export function daemonConfPath(chain = 'KMD', machine: Machine = {}): string {
  requireString(chain, 'chain')
  // The name becomes part of a path.
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
 * Address and credentials of the daemon with this conf file: its user and password or, where it has
 * no password, the cookie beside it.
 *
 * The credentials are read anew for each attempt, so a daemon may restart with others.
 *
 * @throws {AntaraError} `setting_missing` if the file names no port (of another chain than KMD) or
 * neither password nor cookie is there
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

/** Reads a file anew each time; what is no file, such as a pipe, gives its text once. */
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
 * `key=value` lines; `#` begins a comment wherever it stands. Of a key given twice the first
 * counts, as in the daemon.
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
 * Address and password of the framework server with this configuration (`MM2.json`).
 *
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
    // The parser's message quotes the text, which holds the password.
    if (error instanceof SyntaxError) throw new AntaraError('setting_missing', { path })
    throw error
  }
  return typeof settings === 'object' && settings !== null ? { ...settings } : {}
}

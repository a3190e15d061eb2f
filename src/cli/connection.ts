// Clients of a daemon and of a framework server, from the options of the command line.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DaemonClientOptions } from '../rpc/daemon/client.ts'
import type { FrameworkClientOptions } from '../rpc/framework/client.ts'
import { daemonConfPath, daemonFromConf, frameworkFromConf } from '../rpc/node.ts'
import { canAsk, type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { unreadable } from './read.ts'

/** Returns the options that both clients share, from the command line. */
function commonOptions({ options }: ParsedArguments) {
  const host = options.get('allow-host')
  const seconds = options.get('timeout')
  if (seconds !== undefined && !(Number(seconds) > 0)) {
    throw new UsageError('--timeout needs a number of seconds')
  }
  const timeoutMs = seconds === undefined ? undefined : Number(seconds) * 1000
  return {
    ...(host !== undefined && { allowedHosts: [host] }),
    ...(timeoutMs !== undefined && { timeoutMs, attemptTimeoutMs: timeoutMs }),
  }
}

export async function daemonOptions(
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<DaemonClientOptions> {
  const { options } = parsed
  const common = commonOptions(parsed)
  const [url, conf, chain] = ['url', 'conf', 'chain'].map((name) => options.get(name))
  if (conf !== undefined && chain !== undefined) {
    throw new UsageError('--chain cannot be combined with --conf, which is the file of one chain')
  }
  const path = conf ?? confPath(chain)
  const isThere = existsSync(path)
  // Refuses, because another chain than the named one would carry out the command with its own
  // coins.
  if (chain !== undefined && !isThere && url === undefined) {
    throw new UsageError(`--chain: no such file: ${path}; give the URL of its daemon with --url`)
  }
  const isNamed = conf !== undefined || (chain !== undefined && isThere)
  const { ANTARA_RPC_USER: user, ANTARA_RPC_PASSWORD: password } = process.env
  if (!isNamed && user !== undefined && password !== undefined) {
    return { ...common, url: url ?? 'http://127.0.0.1:7771', user, password }
  }
  if (isNamed || isThere) {
    const found = await daemonFromConf(path).catch((cause) => {
      throw unreadableConf(path, cause)
    })
    return { ...common, ...found, ...(url !== undefined && { url }) }
  }
  return {
    ...common,
    url: url ?? 'http://127.0.0.1:7771',
    user: await prompted(terminal, 'RPC user: ', { missing: daemonSources(path) }),
    password: await prompted(terminal, 'RPC password: ', { isSecret: true }),
  }
}

export async function frameworkOptions(
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<FrameworkClientOptions> {
  const { options } = parsed
  if (options.has('chain'))
    throw new UsageError('--chain is only for a daemon, not for a framework')
  const common = commonOptions(parsed)
  const url = options.get('url')
  const fallback = 'http://127.0.0.1:7783'
  const { ANTARA_RPC_USERPASS: userpass } = process.env
  if (options.get('conf') === undefined && userpass !== undefined) {
    return { ...common, url: url ?? fallback, userpass }
  }
  const path = options.get('conf') ?? join(process.cwd(), 'MM2.json')
  if (options.get('conf') !== undefined || existsSync(path)) {
    const found = await frameworkFromConf(path).catch((cause) => {
      throw unreadableConf(path, cause)
    })
    return { ...common, ...found, ...(url !== undefined && { url }) }
  }
  return {
    ...common,
    url: url ?? fallback,
    userpass: await prompted(terminal, 'RPC password: ', {
      isSecret: true,
      missing: frameworkSources,
    }),
  }
}

function confPath(chain: string | undefined): string {
  try {
    return daemonConfPath(chain)
  } catch {
    throw new UsageError('--chain: expected the name of a chain, letters and digits')
  }
}

function unreadableConf(path: string, cause: unknown): unknown {
  return cause instanceof Error && 'syscall' in cause ? unreadable(path, cause) : cause
}

const frameworkSources =
  'ANTARA_RPC_USERPASS is not set, and this folder has no MM2.json. Set it, or give --conf FILE'

function daemonSources(path: string): string {
  const missing = `ANTARA_RPC_USER and ANTARA_RPC_PASSWORD are not both set, and ${path} does not exist`
  return `${missing}. Set both, or give --conf FILE or --chain NAME`
}

interface Prompt {
  readonly isSecret?: boolean
  /** Which credentials are missing, and what to do: the error if there is no terminal. */
  readonly missing?: string
}

async function prompted(
  terminal: Terminal,
  question: string,
  { isSecret = false, missing = '' }: Prompt,
): Promise<string> {
  if (!canAsk(terminal)) {
    throw new UsageError(`no credentials: ${missing}`)
  }
  return terminal.ask(question, isSecret)
}

/** Replaces names of the library's options by those of the command line. */
function inOptions(message: string): string {
  return message
    .replace(/^url\b/, '--url')
    .replace(/name it in (?:options\.\w+\.)?allowedHosts/, 'name it with --allow-host')
    .replace(/^options\.(own|coin)\b/, '--$1')
    .replace('in the url: pass them as options', 'in --url: see --conf and the environment')
}

/** Reports the library's argument errors as wrong arguments of the command line. */
export async function argumentErrorAsUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(inOptions(error.message))
    throw error
  }
}

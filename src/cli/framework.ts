import { dirname, resolve } from 'node:path'
import {
  type CallRecord,
  createDevFramework,
  type DevFrameworkOptions,
  type FrameworkPresetName,
  type FrameworkScript,
  frameworkPresetNames,
} from '../node/index.ts'
import { malformed, object, parseJson } from '../primitives/json-fields.ts'
import { printable } from '../primitives/printable.ts'
import { exitAgrees, type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { listening, originsOf } from './listening.ts'
import { readTextFile } from './read.ts'
import { untilEnded } from './until-ended.ts'

/**
 * Serves a framework with the behaviour of a file or a preset until it is ended. It logs calls to
 * standard error, each with the reason if it was refused.
 *
 * The file has `coins` (entries of a coins file, or the name of one), `script` and `preset`.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export async function serveFramework(
  source: string,
  { options, flags }: ParsedArguments,
  terminal: Terminal,
  ended: () => Promise<unknown> = untilEnded,
): Promise<number> {
  const host = options.get('host')
  const scripted = isPresetName(source) ? { preset: source } : await readOptions(source)
  const port = portOf(options.get('port'))
  const server = await listening(() =>
    createDevFramework({
      ...scripted,
      port,
      exposeToNetwork: flags.has('expose'),
      ...(host !== undefined && { host }),
      allowedOrigins: originsOf(options),
      onCall: (record) => terminal.printError(`${lineOf(record)}\n`),
    }),
  )
  const { url, userpass } = server
  const preset = scripted.preset ?? '3.0.0'
  // Set up before the first line, because its reader may interrupt at once.
  const interrupted = ended()
  terminal.print(
    flags.has('json')
      ? `${JSON.stringify({ url, userpass, preset })}\n`
      : introduction({ url, userpass, preset, source }),
  )
  await interrupted
  await server.close()
  return exitAgrees
}

function introduction(facts: Readonly<Record<'url' | 'userpass' | 'preset' | 'source', string>>) {
  const userpass = printable(facts.userpass)
  return `A development framework (${facts.preset}) listens at ${facts.url}
  userpass  ${userpass}
  try       ANTARA_RPC_USERPASS=${userpass} antara-tx rpc framework version --url ${facts.url}
Balances and devices are those of ${printable(facts.source)}; any other call gets the error NotScripted.
Ctrl-C ends it.
`
}

function portOf(given = '0'): number {
  if (/^\d{1,5}$/.test(given) && Number(given) < 65_536) return Number(given)
  throw new UsageError('--port: a number up to 65535 expected')
}

async function readOptions(path: string): Promise<DevFrameworkOptions> {
  const file = readAs('a framework script', await readTextFile(path), (text) =>
    object(parseJson(text), 'framework', ['preset', 'coins', 'script']),
  )
  const { preset, script } = file
  if (preset !== undefined && !isPresetName(preset)) {
    throw malformed('framework.preset', frameworkPresetNames.join(', '), preset)
  }
  const isObject = typeof script === 'object' && script !== null && !Array.isArray(script)
  return {
    ...(preset !== undefined && { preset }),
    ...(file.coins !== undefined && { coins: await readCoins(file.coins, path) }),
    // Runs on real time, unless the script sets another clock.
    ...(script !== undefined && {
      script: (isObject ? { clock: 'real', ...script } : script) as FrameworkScript,
    }),
  }
}

async function readCoins(
  coins: unknown,
  path: string,
): Promise<NonNullable<DevFrameworkOptions['coins']>> {
  if (typeof coins !== 'string') return coins as never
  return parseJson(await readTextFile(resolve(dirname(path), coins))) as never
}

function isPresetName(value: unknown): value is FrameworkPresetName {
  return (frameworkPresetNames as readonly unknown[]).includes(value)
}

function lineOf({ method, status, errorType, reason }: CallRecord): string {
  const why = reason === undefined ? '' : ` ${errorType ?? 'refused'}: ${reason}`
  return printable(`${status} ${method || '(no method)'}${why}`)
}

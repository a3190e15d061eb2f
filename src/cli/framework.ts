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
import { exitAgrees, type ParsedArguments, type Terminal } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { listening, originsOf } from './listening.ts'
import { portOf } from './node-options.ts'
import { readTextFile } from './read.ts'
import { served } from './served.ts'

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
  parsed: ParsedArguments,
  terminal: Terminal,
  ended?: () => Promise<unknown>,
): Promise<number> {
  const { options, flags } = parsed
  const host = options.get('host')
  const scripted = isPresetName(source) ? { preset: source } : await readOptions(source)
  const server = await listening(() =>
    createDevFramework({
      ...scripted,
      port: portOf(options, 'port') ?? 0,
      exposeToNetwork: flags.has('expose'),
      ...(host !== undefined && { host }),
      allowedOrigins: originsOf(options),
      onCall: (record) => terminal.printError(`${lineOf(record)}\n`),
    }),
  )
  const { url, userpass } = server
  const preset = scripted.preset ?? '3.0.0'
  const facts = { url, userpass, preset }
  await served(parsed, terminal, { facts, text: introduction({ ...facts, source }) }, ended)
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

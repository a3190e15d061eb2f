import type { DecisionEntry } from '../guard/decision.ts'
import { explainMethod } from '../guard/explain.ts'
import { createGuard } from '../guard/guard.ts'
import type { Guard } from '../guard/listen.ts'
import type { GuardOptions } from '../guard/options.ts'
import { RefusalCounter } from '../guard/record/refusal-counter.ts'
import type { DaemonClientOptions } from '../rpc/daemon/client.ts'
import {
  type Command,
  exitAgrees,
  jsonOption,
  type Option,
  type ParsedArguments,
  type Terminal,
  UsageError,
  withOption,
} from './command.ts'
import { argumentErrorAsUsage, daemonOptions } from './connection.ts'
import { allowHostOption, chainOption } from './connection-options.ts'
import { checkPolicy, printPasswordHash, verifyLog } from './guard-files.ts'
import { frameworkGuardOptions, startFrameworkGuard, withdrawChoices } from './guard-framework.ts'
import { startOperator } from './guard-operator.ts'
import { paymentChoices, paymentOptions, printClaims } from './guard-payments.ts'
import { beginState, requireState } from './guard-state.ts'
import { listening } from './listening.ts'
import { served } from './served.ts'

const options: readonly Option[] = [
  { name: 'daemon', value: 'URL', about: 'URL of the daemon; default: the port of its conf file' },
  { name: 'conf', value: 'FILE', about: "the daemon's own configuration file" },
  chainOption,
  allowHostOption,
  {
    name: 'listen',
    value: 'HOST:PORT',
    about: 'listen at this address; default 127.0.0.1:0, any free port',
  },
  ...paymentOptions,
  ...frameworkGuardOptions,
  { name: 'expose', about: 'let other machines reach it: they may then try the password' },
  {
    name: 'host-name',
    value: 'NAME,...',
    about: 'names besides localhost by which programs call the guard',
  },
  {
    name: 'policy',
    value: 'FILE',
    about: 'rules: recipients, limits, confirmation; read again on SIGHUP',
  },
  {
    name: 'state',
    value: 'FOLDER',
    about: "folder of record, limits and journal; default: the user's state folder",
  },
  { name: 'new-state', about: 'create the record and the journal of a new guard, and end' },
  {
    name: 'reconciled',
    about: 'accept that limits, record and journal differ; once is enough',
  },
  { name: 'check', value: 'FILE', about: 'check a policy file, and end' },
  {
    name: 'verify-log',
    value: 'FILE',
    about: 'verify the chain of a record of decisions, and end',
  },
  {
    name: 'anchor',
    value: 'COUNT:HASH',
    about: 'the line that --verify-log must find; default: the file beside the record',
  },
  { name: 'hash-password', about: 'read a password, print its form for a policy, and end' },
  { name: 'explain', value: 'METHOD', about: 'print what the guard does with a method, and end' },
  jsonOption,
]

export const guard: Command = {
  usage: [
    '[options]',
    '--new-state [options]',
    '--explain METHOD',
    '--check FILE',
    '--verify-log FILE [--anchor COUNT:HASH]',
    '--hash-password',
  ],
  about: `Stands between a program and its daemon. The program changes one URL, and keeps its user and
password. Calls that only read are passed on. With --pubkey, the guard verifies token transactions
that the daemon builds before the program gets them, and payments before it sends them. It refuses
every other call that could move coins or reveal keys. With --framework it stands before a Komodo
DeFi Framework, and verifies withdrawals of one --coin.`,
  options,
  notes: `With --json the first line is one object: { "url": … }. Refusals are logged to standard error.

The password of the daemon comes from --conf FILE, from the conf file of --chain NAME, or from
ANTARA_RPC_USER and ANTARA_RPC_PASSWORD in the environment. It is never an argument. That of a
framework comes from --conf FILE, its MM2.json, or from ANTARA_RPC_USERPASS.

With --first-block, a daemon of another chain is asked for no payment. Calls that only read are
passed on to it all the same.`,
  async run(parsed, terminal) {
    if (parsed.positionals.length > 0) throw new UsageError('no arguments expected, only options')
    const method = parsed.options.get('explain')
    if (method !== undefined) {
      terminal.print(explainMethod(method))
      return exitAgrees
    }
    const action = fileAction(parsed, terminal)
    if (action !== undefined) return action
    if (parsed.flags.has('new-state')) return beginState(parsed, terminal)
    const isFramework = parsed.options.has('framework')
    const payments = (isFramework ? withdrawChoices : paymentChoices)(parsed, terminal)
    if (payments.journal !== undefined) requireState(parsed)
    const operator = await startOperator(parsed, terminal, payments.journal)
    try {
      const { policy, record, users, metrics, health, journal } = operator
      await printClaims({ ...payments, journal }, terminal)
      const ofOperator = { policy, record, users, metrics, health, journal }
      return await serve(parsed, terminal, { ...payments, ...ofOperator })
    } finally {
      await payments.journal?.close()
      await operator.close()
    }
  },
}

/** Serves until the first interrupt. */
async function serve(
  parsed: ParsedArguments,
  terminal: Terminal,
  parts: Omit<GuardOptions, 'daemon'>,
): Promise<number> {
  const running = await startGuard(parsed, terminal, parts)
  try {
    const { url } = running
    await served(parsed, terminal, { facts: { url }, text: `The guard listens at ${url}\n` })
  } finally {
    await running.close()
  }
  return exitAgrees
}

const notComparedText = `warning: the server does not list all that the wallet spent, so a payment that the journal lacks is
not noticed. A daemon needs -addressindex=1; a framework needs the coin activated with tx_history
`

/** Starts what works on files alone; `undefined` if a guard is to start. */
function fileAction(
  { options, flags }: ParsedArguments,
  terminal: Terminal,
): Promise<number> | undefined {
  const policy = options.get('check')
  if (policy !== undefined) return checkPolicy(policy, terminal)
  const log = options.get('verify-log')
  if (log !== undefined) return verifyLog(log, options.get('anchor'), terminal)
  return flags.has('hash-password') ? printPasswordHash(terminal) : undefined
}

async function startGuard(
  parsed: ParsedArguments,
  terminal: Terminal,
  parts: Omit<GuardOptions, 'daemon'>,
): Promise<Guard> {
  const { flags, options } = parsed
  const names = options.get('host-name')
  const printRefusal = ({ methodClass, reason, count }: DecisionEntry) => {
    const times = count === undefined ? '' : `, ${count} times`
    terminal.printError(`refused: ${methodClass}, ${reason}${times}\n`)
  }
  // The disk that keeps this log may be that of the record.
  const counter = new RefusalCounter(printRefusal)
  let isNotComparedShown = false
  const common = {
    ...parts,
    listen: {
      ...listenOf(options.get('listen')),
      exposeToNetwork: flags.has('expose'),
      ...(names !== undefined && { allowedHosts: names.split(',') }),
    },
    onDecision: (entry: DecisionEntry) => {
      if (entry.decision === 'refused' && !counter.counts(entry)) printRefusal(entry)
    },
    onNotCompared() {
      if (!isNotComparedShown) terminal.printError(notComparedText)
      isNotComparedShown = true
    },
    onFailure: (error: unknown) => terminal.printError(`failed: ${nameOf(error)}\n`),
  }
  const open = options.has('framework')
    ? () => startFrameworkGuard(parsed, terminal, common)
    : await daemonGuard(parsed, terminal, common)
  return listening(() => argumentErrorAsUsage(open))
}

async function daemonGuard(
  parsed: ParsedArguments,
  terminal: Terminal,
  common: Omit<GuardOptions, 'daemon'>,
): Promise<() => Promise<Guard>> {
  const url = parsed.options.get('daemon')
  const named = url === undefined ? parsed : withOption(parsed, 'url', url)
  const connection = await daemonOptions(named, terminal)
  const daemon = {
    url: String(connection.url),
    credentials: credentialsOf(connection),
    allowedHosts: connection.allowedHosts,
  }
  return () => createGuard({ ...common, daemon })
}

/** The messages of errors may quote a server, so a log has their names only. */
function nameOf(error: unknown): string {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown }
  return [name, code].filter((text) => typeof text === 'string').join(' ')
}

function credentialsOf(connection: DaemonClientOptions) {
  const { credentials, user = '', password = '' } = connection
  return credentials ?? (() => ({ user, password }))
}

function listenOf(text: string | undefined): { host?: string; port?: number } {
  if (text === undefined) return {}
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === '' || Number(port) > 65_535) {
    throw new UsageError('--listen: expected HOST:PORT, such as 127.0.0.1:7790')
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

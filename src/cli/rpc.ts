import { isSafeNumber } from 'lossless-json'
import { closest, didYouMean } from '../primitives/closest.ts'
import { isLosslessNumber, JsonFaultError, parseJson } from '../primitives/json.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { satsOfCoins } from '../rpc/amounts.ts'
import { createDaemonClient, type DaemonClient } from '../rpc/daemon/client.ts'
import { classOfMethod } from '../rpc/daemon/method-classes.ts'
import { type DaemonMethods, isTypedMethod, parametersOf } from '../rpc/daemon/methods.ts'
import type { Parameter } from '../rpc/daemon/parameter.ts'
import { createFrameworkClient, type FrameworkClient } from '../rpc/framework/client.ts'
import { classOfFrameworkMethod, isOnlyLegacy } from '../rpc/framework/method-classes.ts'
import { typedNameOf } from '../rpc/framework/methods.ts'
import type { EnableBchParams, UserAction, WithdrawParams } from '../rpc/framework/parameters.ts'
import type { TaskStatus, UserActionNeed } from '../rpc/framework/results.ts'
import type { CallOptions } from '../rpc/options.ts'
import {
  type Command,
  canAsk,
  exitAgrees,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { argumentErrorAsUsage, daemonOptions, frameworkOptions } from './connection.ts'
import { connectionNotes, connectionOptions } from './connection-options.ts'
import { interruptible } from './interrupt.ts'
import { readTextFile } from './read.ts'
import { namedValue, pairValue, positionalParameters } from './secret-argument.ts'
import { resultJson, resultText } from './show-value.ts'

export const rpc: Command = {
  usage: [
    'daemon METHOD [ARGUMENT | NAME=VALUE]...',
    'framework METHOD [NAME=VALUE]... [PARAMS.json | -]',
  ],
  about: `  rpc daemon tokenlist
  rpc daemon tokeninfo tokenid=7df350ce…
  rpc daemon getblockhash 1200
  rpc framework enable-bch params.json     waits for its end; ^C cancels it at the server
  rpc framework withdraw-task params.json  the same; a device asks for its PIN
  rpc framework my-balance coin=KMD
  rpc framework task-status enable_bch 3
  rpc daemon sendtoaddress R… 0.5          half a coin
  rpc framework withdraw coin=KMD to=R… 'amount="1.5"'

Calls a method of a server and prints the result.

Daemon methods with named parameters take amounts and prices in coins, and token units as whole
numbers; their results are in satoshis. All other methods, and the framework's, take amounts like
the server, mostly in coins. For them a value that is JSON is sent as JSON, so put digits that are a
text in quotes twice. Give each parameter once, in a pair or in a file. If the answer is lost or
unreadable, the server may have carried out the call anyway: the exit status is 75, and you should
check before you repeat it.

Other users can read arguments. Instead of a secret (a private key, a passphrase, a PIN), give
@FILE, a file that only you can read, or - for a prompt:
  rpc daemon importprivkey @key.txt
  rpc framework get_mnemonic format=plaintext password=-

tokencreate and tokentransfer only build: their hex is neither verified nor broadcast. antara-tx
transfer --daemon does all three.`,
  options: [
    { name: 'json', about: 'print JSON, for programs; amounts are decimal strings' },
    ...connectionOptions,
  ],
  notes: connectionNotes,
  actions: ['daemon', 'framework'],
  async run(parsed, terminal) {
    const [side, method, ...rest] = parsed.positionals
    if ((side !== 'daemon' && side !== 'framework') || method === undefined) {
      const meant = didYouMean(side ?? '', ['daemon', 'framework'])
      throw new UsageError(`expected daemon or framework, and a method${meant}`)
    }
    const call = side === 'daemon' ? callDaemon : callFramework
    const result = await argumentErrorAsUsage(() =>
      interruptible((options) => call({ parsed, terminal, method, args: rest, options })),
    )
    const text = parsed.flags.has('json') ? resultJson(result) : resultText(result)
    terminal.print(text, paymentOf(side, method, result))
    return exitAgrees
  },
}

/** Returns the call and its txid if it may have paid. Results of other calls may be secrets. */
function paymentOf(side: 'daemon' | 'framework', method: string, result: unknown) {
  const isDaemon = side === 'daemon'
  const name = isDaemon ? method : method.replaceAll('-', '_')
  const methodClass = isDaemon ? classOfMethod(name) : classOfFrameworkMethod(name)
  if (methodClass === 'unknown') return printable(name)
  if (methodClass !== 'send' && methodClass !== 'build-and-send') return undefined
  return typeof result === 'string' ? printable(`${name} ${result}`) : name
}

interface Called {
  readonly parsed: ParsedArguments
  readonly terminal: Terminal
  readonly method: string
  readonly args: readonly string[]
  readonly options: CallOptions & { readonly signal: AbortSignal }
}

async function callDaemon(called: Called): Promise<unknown> {
  const { parsed, terminal, method, args, options } = called
  const isTyped = isTypedMethod(method)
  const params = isTyped
    ? await namedParams(method, args, terminal)
    : await positionalParameters(method, args, { terminal, read: jsonOrText })
  const client: DaemonClient = createDaemonClient(await daemonOptions(parsed, terminal))
  if (!isTyped) return client.call(method, params as readonly unknown[], options)
  const call = client[method] as (params: object, options: CallOptions) => Promise<unknown>
  return call(params, options)
}

async function namedParams(
  method: keyof DaemonMethods,
  args: readonly string[],
  terminal: Terminal,
): Promise<object> {
  const parameters = parametersOf(method)
  const names = Object.keys(parameters)
  const given = new Map<string, unknown>()
  const hasNames = args.some((arg) => names.some((name) => arg.startsWith(`${name}=`)))
  for (const [position, arg] of args.entries()) {
    if (position === 0 && isOwnForm(parameters, names, arg)) {
      for (const [name, value] of ownForm(method, names, arg)) given.set(name, value)
      continue
    }
    const [, word, value] = /^([A-Za-z_]+)=(.*)$/s.exec(arg) ?? []
    const isNamed = word !== undefined && names.includes(word)
    // A text may be `a=b`, but beside known names it is a wrong one, such as `nmae=GOLD`.
    if (word !== undefined && !isNamed && (hasNames || closest(word, names) !== undefined)) {
      throw new UsageError(`${method} takes ${names.join(', ')}${didYouMean(word, names)}`)
    }
    const name = isNamed ? word : names[position]
    const parameter = name === undefined ? undefined : parameters[name]
    if (name === undefined || parameter === undefined) {
      const known = names.length === 0 ? 'no parameters' : names.join(', ')
      throw new UsageError(`${method} takes ${known}`)
    }
    if (given.has(name)) throw new UsageError(`${name} is given twice`)
    const text = isNamed ? (value ?? '') : arg
    given.set(name, undefined)
    // The daemon reads null as the absence of an optional parameter.
    if (parameter.isOptional === true && text === 'null') continue
    const named = { method, index: names.indexOf(name), name }
    const read = (it: string): unknown => parameterValue(name, parameter, it)
    given.set(name, await namedValue(named, text, { terminal, read }))
  }
  return Object.fromEntries([...given].filter(([, value]) => value !== undefined))
}

/** Returns true for one object with all parameters: the form of the daemon's own address index. */
function isOwnForm(
  parameters: Readonly<Record<string, Parameter>>,
  [first = '']: readonly string[],
  arg: string,
): boolean {
  return parameters[first]?.form === 'list' && /^\s*\{/.test(arg)
}

function ownForm(method: string, names: readonly string[], text: string): [string, unknown][] {
  const members = Object.entries(Object(jsonValue('object', text)) as object)
  for (const [name] of members) {
    if (names.includes(name)) continue
    throw new UsageError(`${method} takes ${names.join(', ')}${didYouMean(name, names)}`)
  }
  return members
}

function parameterValue(name: string, { form }: Parameter, text: string): unknown {
  switch (form) {
    case 'units':
      if (/^\d{1,20}$/.test(text)) return BigInt(text)
      throw new UsageError(`${name}: expected a whole number of token units`)
    case 'integer':
      if (/^-?\d{1,19}$/.test(text)) return BigInt(text)
      throw new UsageError(`${name}: expected a whole number`)
    case 'coins':
      return satsOf(name, text)
    case 'payees':
      return Object.fromEntries(
        Object.entries(Object(jsonOf(name, text))).map(([address, amount]) => [
          address,
          // The daemon takes hex under the name data.
          address === 'data' ? amount : satsOf(name, coinsText(amount)),
        ]),
      )
    case 'outputs': {
      const items = jsonOf(name, text)
      return Array.isArray(items) ? items.map((item) => outputOf(name, item)) : items
    }
    case 'flag':
      if (text === 'true' || text === 'false') return text === 'true'
      throw new UsageError(`${name}: expected true or false`)
    case 'number':
      if (/^\d{1,10}$/.test(text)) return Number(text)
      throw new UsageError(`${name}: expected a number`)
    case 'list':
      return /^\s*\[/.test(text) ? jsonValue(name, text) : text.split(',')
    case 'json':
      return jsonValue(name, text)
    case 'text':
      return text
  }
}

/** Reads coins as the daemon would, to whole satoshis. */
function satsOf(name: string, text: string): bigint {
  const sats = satsOfCoins(text)
  if (sats !== undefined) return sats
  throw new UsageError(`${redactKey(name)}: expected an amount in coins, such as 0.5`)
}

/** An output whose amount, if it has one, is in coins. */
function outputOf(name: string, item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('amount' in item)) return withNumbers(item)
  return { ...(withNumbers(item) as object), amount: satsOf(name, coinsText(item.amount)) }
}

/** Returns the digits of an amount, which is a number or a text in JSON. */
function coinsText(amount: unknown): string {
  return isLosslessNumber(amount) ? amount.value : String(amount)
}

/** Reads JSON whose numbers keep their digits. */
function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    throw new UsageError(`${redactKey(name)}: expected JSON`)
  }
}

function jsonValue(name: string, text: string): unknown {
  const value = exactJson(text, name)
  if (value === undefined) throw new UsageError(`${redactKey(name)}: expected JSON`)
  return value
}

/** Returns parsed JSON, or the text itself if it is not JSON. */
function jsonOrText(text: string): unknown {
  const value = exactJson(text, 'JSON')
  return value === undefined ? text : value
}

/**
 * Reads JSON; returns `undefined` for any other text. A number that JavaScript would change keeps
 * its digits.
 *
 * @throws {UsageError} for JSON with a repeated or forbidden member
 */
function exactJson(text: string, name: string): unknown {
  try {
    return withNumbers(parseJson(text))
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    if (error.fault === 'not_json') return undefined
    throw new UsageError(`${redactKey(name)}: ${error.message}`)
  }
}

function withNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return isSafeNumber(value.value) ? Number(value.value) : value
  if (Array.isArray(value)) return value.map(withNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [member, withNumbers(item)]),
  )
}

async function callFramework(called: Called): Promise<unknown> {
  const { parsed, terminal, method, args, options } = called
  const name = method.replaceAll('-', '_')
  const task = taskArguments(name, args)
  const given = task === undefined ? await frameworkParams(args, terminal) : {}
  const client: FrameworkClient = createFrameworkClient(await frameworkOptions(parsed, terminal))
  if (task !== undefined) {
    return name === 'task_status'
      ? client.taskStatus(task.task, { task_id: task.id, forget_if_finished: false }, options)
      : client.taskCancel(task.task, { task_id: task.id }, options)
  }
  const watching = {
    signal: options.signal,
    onStatus: (status: TaskStatus) => terminal.printError(statusLine(status)),
    onUserAction: (need: UserActionNeed) => answerDevice(terminal, need),
  }
  if (name === 'enable_bch') {
    return withQuotesNamed(args, () => client.enableBch(given as EnableBchParams, watching))
  }
  if (name === 'withdraw_task') {
    return withQuotesNamed(args, () => client.withdrawTask(given as WithdrawParams, watching))
  }
  const typed = typedNameOf(name)
  if (typed !== undefined) {
    const call = client[typed] as (params: object, options: CallOptions) => Promise<unknown>
    return withQuotesNamed(args, () => call(given, options))
  }
  const params = Object.keys(given).length === 0 ? undefined : given
  if (isOnlyLegacy(name)) return client.callLegacy(name, params, options)
  return client.call(method, params, options)
}

function taskArguments(
  name: string,
  [task, id, ...rest]: readonly string[],
): { readonly task: string; readonly id: number } | undefined {
  if (name !== 'task_status' && name !== 'task_cancel') return undefined
  if (task === undefined || id === undefined || !/^\d{1,9}$/.test(id)) {
    throw new UsageError('expected a task and its number, such as enable_bch 3')
  }
  if (rest.length > 0) {
    throw new UsageError(`${name}: expected a task and its number, got ${rest.length} more`)
  }
  return { task, id: Number(id) }
}

/** Reads parameters from a file, standard input, or pairs of name and value. */
async function frameworkParams(args: readonly string[], terminal: Terminal): Promise<object> {
  const members = new Map<string, unknown>()
  for (const arg of args) {
    const [, name, value] = pairOf(arg)
    const given =
      name !== undefined && value !== undefined
        ? { [name]: await pairValue(name, value, { terminal, read: jsonOrText }) }
        : paramsObject(arg === '-' ? await terminal.readStdin() : await readTextFile(arg), arg)
    for (const [member, item] of Object.entries(given)) {
      // A choice between two values could be the wrong one.
      if (members.has(member)) throw new UsageError(`${redactKey(member)} is given twice`)
      members.set(member, item)
    }
  }
  return Object.fromEntries(members)
}

function pairOf(arg: string): readonly (string | undefined)[] {
  return /^(\w+)=(.*)$/s.exec(arg) ?? []
}

/** Adds a hint to the error for a text that was typed as digits, which are a number in a pair. */
async function withQuotesNamed<T>(args: readonly string[], work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, name] = /^(\w+): expected a string, got /.exec(error.message) ?? []
    if (name === undefined || !args.some((arg) => pairOf(arg)[1] === name)) throw error
    throw new UsageError(`${error.message}; put a text in quotes twice: '${name}="…"'`)
  }
}

function paramsObject(text: string, name: string): object {
  const params = jsonValue(name, text)
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new UsageError(`${redactKey(name)}: expected a JSON object with parameters`)
  }
  return params
}

function statusLine({ status, details }: TaskStatus): string {
  if (status === 'Ok' || status === 'Error') return `${status}\n`
  return resultText(typeof details === 'string' ? details : { progress: details })
}

async function answerDevice(terminal: Terminal, need: string): Promise<UserAction> {
  if (!canAsk(terminal)) {
    throw new UsageError(`the device requests ${need}, which needs a terminal`)
  }
  return need === 'EnterTrezorPassphrase'
    ? { action_type: 'TrezorPassphrase', passphrase: await terminal.ask('Passphrase: ', true) }
    : { action_type: 'TrezorPin', pin: await terminal.ask('PIN, by position on the pad: ', true) }
}

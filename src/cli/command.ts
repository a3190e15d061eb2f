// The common parts of all commands: exit statuses, options, the parsing of arguments, the terminal.

import { didYouMean } from '../primitives/closest.ts'
import { bigintAsText } from '../primitives/json-replacer.ts'
import { printableJson } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'

/** Exit statuses, which docs/command-line.md, the help and the manual list. */
export const exitAgrees = 0
export const exitFindings = 1
export const exitMalformed = 2
export const exitUsage = 64
/** The native core or the server is unavailable. */
export const exitUnavailable = 69
export { exitFault } from './fault.ts'
/** sysexits.h, EX_TEMPFAIL: a sent transaction may have arrived, and can be looked up. */
export const exitUnsettled = 75
/** The status that a shell reports for SIGPIPE: the reader left before the last answer. */
export const exitUnread = 141

/**
 * A command. Its help and the shell completions are made from this; its name and its summary are in
 * the catalogue.
 */
export interface Command {
  /** The arguments that may follow the command's name, one line for each form. */
  readonly usage: readonly string[]
  /** The purpose of the command, in lines of at most 100 columns. */
  readonly about: string
  readonly options: readonly Option[]
  /** Notes after the options: forms of files, exit statuses. */
  readonly notes?: string
  /** True if the command chooses coins, and so may find too few. */
  readonly choosesCoins?: true
  /** Values of the first argument, if they are few. */
  readonly actions?: readonly string[]
  /** Returns the exit status. */
  run(
    parsed: ParsedArguments,
    terminal: Terminal,
    catalogue: readonly Entry[],
  ): number | Promise<number>
}

/** A command in the catalogue. */
export interface Entry {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Loads the command on demand, because each command needs other parts of the library. */
  readonly load: () => Promise<Command>
}

export interface Option {
  /** Name without the dashes. */
  readonly name: string
  /** Name of its value, such as FILE; an option without one is a flag. */
  readonly value?: string
  /** Values that the option accepts, if these are few. */
  readonly values?: readonly string[]
  readonly about: string
}

/** Input and output of a command. Tests replace them. */
export interface Terminal {
  /**
   * @param payment - what the user has to know if standard output fails, such as the txid; given
   *   if money may have left
   */
  readonly print: (text: string, payment?: string) => void
  readonly printError: (text: string) => void
  /** Reads all of standard input. */
  readonly readStdin: () => Promise<string>
  readonly isInteractive: boolean
  readonly hasColor: boolean
  /** True if standard error has colors; default false. */
  readonly hasErrorColor?: boolean
  /** Prompts for an answer and hides a secret. Absent if no person can answer. */
  readonly ask?: (question: string, isSecret: boolean) => Promise<string>
  /** Streams for data that exceed memory; absent if there is only text. */
  readonly streams?: Streams
}

/** Returns whether a person can answer a question. */
export function canAsk(terminal: Terminal): terminal is Terminal & Required<Pick<Terminal, 'ask'>> {
  return terminal.isInteractive && terminal.ask !== undefined
}

/** Standard streams as bytes. */
export interface Streams {
  /** Returns the chunks of standard input as they arrive. */
  readonly stdin: () => AsyncIterable<Uint8Array>
  /**
   * Writes to standard output and applies back-pressure. Resolves with false once the reader has
   * closed the pipe.
   */
  readonly write: (bytes: Uint8Array) => Promise<boolean>
  /** True if standard error is a terminal. */
  readonly isErrorTerminal: boolean
}

/** Thrown for an invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Thrown if the outcome of a broadcast is unknown. `cause` is the error that replaced the answer.
 */
export class UnsettledError extends Error {
  override readonly name = 'UnsettledError'

  constructor(message: string, cause: unknown) {
    super(message, { cause })
  }
}

/** Thrown if a server failed before a command had its result. `cause` is its error. */
export class ServerFailedError extends Error {
  override readonly name = 'ServerFailedError'

  constructor(
    cause: unknown,
    message = 'no verdict, because the server did not give the evidence',
  ) {
    super(message, { cause })
  }
}

export interface ParsedArguments {
  readonly positionals: readonly string[]
  readonly flags: ReadonlySet<string>
  readonly options: ReadonlyMap<string, string>
}

/**
 * Parses arguments by the known options. Any other argument that begins with a dash is an error,
 * except a lone dash, a negative number, and everything after `--`. A value that begins with two
 * dashes follows its option after `=`.
 *
 * Node reads bytes that are not UTF-8 as U+FFFD, so different bytes would become the same text.
 * An argument with that character is refused.
 *
 * @throws {UsageError}
 */
export function parseArguments(args: readonly string[], known: readonly Option[]): ParsedArguments {
  const positionals: string[] = []
  const flags = new Set<string>()
  const options = new Map<string, string>()
  const wrong = args.findIndex((arg) => arg.includes(replaced))
  if (wrong >= 0) throw notUtf8(wrong)
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!
    if (arg === '--') {
      positionals.push(...args.slice(index + 1))
      break
    }
    if (!/^-[^\d]/.test(arg)) {
      positionals.push(arg)
      continue
    }
    const [name, attached] = nameAndValue(arg)
    const option = known.find((it) => it.name === name)
    if (option === undefined) throw unknownOption(arg, known)
    if (flags.has(option.name) || options.has(option.name)) {
      throw new UsageError(`--${option.name} is given twice`)
    }
    if (option.value === undefined) {
      if (attached !== undefined) throw new UsageError(`--${option.name} takes no value`)
      flags.add(option.name)
      continue
    }
    const value = attached ?? args[index + 1]
    if (attached === undefined) index += 1
    // A variable of a shell that is empty leaves the next option in its place, such as --dry-run.
    if (value === undefined || (attached === undefined && value.startsWith('--'))) {
      throw new UsageError(`--${option.name} needs a value: ${option.value}`)
    }
    options.set(option.name, value)
  }
  return { positionals, flags, options }
}

/** The character that stands for bytes that are not UTF-8. */
const replaced = '\ufffd'

function notUtf8(index: number): UsageError {
  return new UsageError(
    `argument ${index + 1} is not UTF-8, or has U+FFFD, which stands for such bytes: where the ` +
      'command reads standard input or a file, give it there',
  )
}

/** Splits `--name=value`. Returns no name without two leading dashes. */
function nameAndValue(arg: string): [string | undefined, string | undefined] {
  const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
  return [name, value]
}

function unknownOption(arg: string, known: readonly Option[]): UsageError {
  const [name] = arg.replace(/^-+/, '').split('=')
  const names = known.map((option) => option.name)
  const dashes = /^-*/.exec(arg)![0]
  const hint = didYouMean(name!, names, '--') || beginningOf(name!, names)
  return new UsageError(`unknown option ${dashes}${redactKey(name!)}${hint}`)
}

/** Suggests the option that has more words, such as --key-file for --key, if there is only one. */
function beginningOf(name: string, names: readonly string[]): string {
  const [longer, another] = names.filter((known) => known.startsWith(`${name}-`))
  return longer === undefined || another !== undefined ? '' : `; did you mean --${longer}?`
}

/**
 * Refuses options that another one contradicts, or that need another one.
 *
 * @param reason - such as `needs --lines`
 * @throws {UsageError}
 */
export function refuseOptions(
  { flags, options }: ParsedArguments,
  names: readonly string[],
  reason: string,
): void {
  const given = names.find((name) => flags.has(name) || options.has(name))
  if (given !== undefined) throw new UsageError(`--${given} ${reason}`)
}

/** Returns the arguments with one more option, or with another value of it. */
export function withOption(parsed: ParsedArguments, name: string, value: string): ParsedArguments {
  return { ...parsed, options: new Map([...parsed.options, [name, value]]) }
}

export function onePositional({ positionals }: ParsedArguments): string | undefined {
  if (positionals.length > 1)
    throw new UsageError(`expected one argument, got ${positionals.length}`)
  return positionals[0]
}

export const jsonOption: Option = { name: 'json', about: 'print JSON, for programs' }

/** Formats JSON with amounts as decimal strings, safe to show in a terminal. */
export function jsonText(value: unknown): string {
  return `${printableJson(JSON.stringify(value, bigintAsText, 2))}\n`
}

import { type Network, networks } from '../network/network.ts'
import { printableJson } from '../primitives/printable.ts'
import { tellableKey } from '../primitives/tellable-key.ts'

/** Exit statuses: api.md, "Command line". */
export const exitAgrees = 0
export const exitFindings = 1
export const exitMalformed = 2
export const exitUsage = 64
/** No engine, or no server. */
export const exitUnavailable = 69
export { exitFault } from './fault.ts'

export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** The whole help, without a trailing newline. */
  readonly help: string
  /** Returns the exit status. */
  run(args: readonly string[], terminal: Terminal): number | Promise<number>
}

/** Where a command reads and writes; tests put their own here. */
export interface Terminal {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  /** All of standard input, to its end. */
  readonly readStdin: () => Promise<string>
  readonly isInteractive: boolean
  readonly hasColor: boolean
  /** Asks a person; a secret is not shown while it is typed. Absent where nobody can answer. */
  readonly ask?: (question: string, isSecret: boolean) => Promise<string>
}

/** The command line was not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface ParsedArguments {
  readonly positionals: readonly string[]
  readonly flags: ReadonlySet<string>
  readonly options: ReadonlyMap<string, string>
}

/** `flags` are options without a value, `options` take one; anything else is a usage error. */
export function parseArguments(
  args: readonly string[],
  known: { readonly flags?: readonly string[]; readonly options?: readonly string[] },
): ParsedArguments {
  const positionals: string[] = []
  const flags = new Set<string>()
  const options = new Map<string, string>()
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!
    if (!arg.startsWith('--')) {
      positionals.push(arg)
      continue
    }
    const [name = '', attached] = arg.slice(2).split(/=(.*)/s)
    if (known.flags?.includes(name) === true && attached === undefined) {
      flags.add(name)
    } else if (known.options?.includes(name) === true) {
      const value = attached ?? args[index + 1]
      if (attached === undefined) index += 1
      if (value === undefined) throw new UsageError(`--${name} needs a value`)
      options.set(name, value)
    } else {
      throw new UsageError(`unknown option --${tellableKey(name)}`)
    }
  }
  return { positionals, flags, options }
}

export function onePositional(positionals: readonly string[]): string | undefined {
  if (positionals.length > 1)
    throw new UsageError(`one argument expected, got ${positionals.length}`)
  return positionals[0]
}

export function networkOption({ options }: ParsedArguments): Network {
  const name = options.get('network') ?? 'assetChain'
  const network = Object.entries(networks).find(([known]) => known === name)?.[1]
  if (network === undefined) {
    throw new UsageError(
      `unknown network ${tellableKey(name)}; known: ${Object.keys(networks).join(', ')}`,
    )
  }
  return network
}

export const networkHelp: string = `  --network NAME   ${Object.keys(networks).join(', ')}; default assetChain`

/** JSON with amounts as decimal strings, safe to show in a terminal. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, member) => (typeof member === 'bigint' ? member.toString() : member),
    2,
  )
  return `${printableJson(text)}\n`
}

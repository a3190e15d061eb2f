import { isSecretMember, isSecretParameter, secretsOfMembers } from '../rpc/secret-parameters.ts'
import { canAsk, type Terminal, UsageError } from './command.ts'
import { readSecretFile } from './private-key.ts'

/**
 * Reads the value of a secret argument: `@FILE` for the text of a file that nobody else can read,
 * `-` for a prompt or standard input.
 *
 * @throws {UsageError} for any other argument, because other users of the machine can read
 *   arguments
 */
async function secretArgument(argument: string, name: string, terminal: Terminal): Promise<string> {
  if (argument.startsWith('@')) return readSecretFile(argument.slice(1), name)
  if (argument !== '-') throw inArguments(name)
  if (canAsk(terminal)) return terminal.ask(`${name}: `, true)
  return (await terminal.readStdin()).replace(/\r?\n$/, '')
}

function inArguments(name: string): UsageError {
  const remedy = 'give @FILE, a file that only you can read, or - for a prompt'
  return new UsageError(`${name} is a secret, and others can read arguments: ${remedy}`)
}

/** Returns the value of a parameter. @throws {UsageError} for a secret among its members */
function withoutSecrets(value: unknown, name: string): unknown {
  if (secretsOfMembers([value]).length > 0) throw inArguments(name)
  return value
}

/** The reader of a method's parameters that are not secrets. */
type Read = (text: string) => unknown

/**
 * Reads the parameters of an untyped daemon method.
 * @throws {UsageError} for a secret among them
 */
export async function positionalParameters(
  method: string,
  args: readonly string[],
  { terminal, read }: { readonly terminal: Terminal; readonly read: Read },
): Promise<unknown[]> {
  const params: unknown[] = []
  for (const [index, arg] of args.entries()) {
    const name = `parameter ${index + 1} of ${method}`
    if (!isSecretParameter(method, index)) {
      params.push(withoutSecrets(read(arg), name))
      continue
    }
    // `null` and `[]` are not secrets: the daemon then uses its own keys.
    const text = arg === 'null' || arg === '[]' ? arg : await secretArgument(arg, name, terminal)
    params.push(/^\s*\[/.test(text) || text === 'null' ? read(text) : text)
  }
  return params
}

/**
 * Reads the value of a pair of name and value.
 * @throws {UsageError} for a secret that stands in it
 */
export async function pairValue(
  name: string,
  text: string,
  { terminal, read }: { readonly terminal: Terminal; readonly read: Read },
): Promise<unknown> {
  if (isSecretMember(name)) return secretArgument(text, name, terminal)
  const value = read(text)
  if (secretsOfMembers({ [name]: value }).length > 0) throw inArguments(name)
  return value
}

interface NamedParameter {
  readonly method: string
  /** Position among the parameters of the method. */
  readonly index: number
  readonly name: string
}

/**
 * Reads the value of a named parameter of a daemon's method.
 *
 * @throws {UsageError} for a secret that stands in the argument
 */
export async function namedValue(
  { method, index, name }: NamedParameter,
  text: string,
  { terminal, read }: { readonly terminal: Terminal; readonly read: Read },
): Promise<unknown> {
  if (isSecretParameter(method, index)) {
    const hasNoSecret = text === '' || text === '[]'
    return read(hasNoSecret ? text : await secretArgument(text, name, terminal))
  }
  return withoutSecrets(read(text), name)
}

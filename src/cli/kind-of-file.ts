// Recognizes the kind of a file that a command does not accept. People mix up files, so the error
// names the kind of the file and the command that accepts it.

import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import { isHex } from '../primitives/hex-forms.ts'

interface Kind {
  /** Name with its article, for use after "found". */
  readonly name: string
  readonly command: string
  readonly isKind: (members: ReadonlySet<string>) => boolean
}

const has =
  (...names: readonly string[]) =>
  (members: ReadonlySet<string>) =>
    names.every((name) => members.has(name))

/**
 * Kinds in the order of their tests. Case files come first, because they have members of others
 * too.
 */
const kinds: readonly Kind[] = [
  { name: 'a case file', command: 'verify', isKind: has('operation', 'intent', 'hex') },
  {
    name: 'a framework script',
    command: 'node --framework',
    isKind: (members) => members.has('script') || members.has('preset'),
  },
  { name: 'a selection file', command: 'select', isKind: has('terms') },
  { name: 'a request for an order', command: 'order', isKind: has('kind', 'tokenid', 'from') },
  { name: 'a transfer request', command: 'transfer', isKind: has('tokenid', 'recipients') },
  { name: 'a payment request', command: 'pay', isKind: has('recipients', 'own') },
  { name: 'a request to merge coins', command: 'pay --merge', isKind: has('own', 'coins') },
  { name: 'a request for a new token', command: 'create', isKind: has('name', 'owner') },
]

const hexBytesMin = 10

/** Returns the kind of a text, and the command that accepts it. */
export function kindOfFile(text: string): Pick<Kind, 'name' | 'command'> | undefined {
  const word = text.trim()
  if (isHex(word) && word.length >= 2 * hexBytesMin) {
    return { name: 'the hex of a transaction', command: 'decode' }
  }
  const members = membersOf(word)
  return members && kinds.find(({ isKind }) => isKind(members))
}

function membersOf(text: string): ReadonlySet<string> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? new Set(Object.keys(value)) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads the file of a command. The error for a file of another kind names that kind and its
 * command.
 *
 * @param expected - the kind that the command accepts, as `kindOfFile` names it
 * @throws {AntaraError} `malformed_case`
 */
export function readAs<Read>(expected: string, text: string, read: (text: string) => Read): Read {
  try {
    return read(text)
  } catch (error) {
    if (!isAntaraError(error, 'malformed_case')) throw error
    const found = kindOfFile(text)
    if (found === undefined || expected === found.name) throw error
    throw new AntaraError('malformed_case', {
      path: 'file',
      expected,
      actual: `${found.name}, which antara-tx ${found.command} accepts`,
    })
  }
}

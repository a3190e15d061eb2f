// Makes options of the members of a request, and reads the members from options. A member is an
// option if its value can be written in one word: a number, a text, a flag or a list of texts.

import { isAntaraError } from '../errors/antara-error.ts'
import type { Form, Member } from '../request/form-table.ts'
import { type Option, type ParsedArguments, UsageError } from './command.ts'

/** Other names of members as options, such as `{ tokenid: 'token' }`. */
type OptionNames = Readonly<Record<string, string>>

/** Returns an option for each member that a word can say. */
export function requestOptions(forms: object, names: OptionNames = {}): Option[] {
  return rowsOf(forms).map(([member, form]) => {
    const value = placeholderOf(form)
    const about = form.about
    return { name: optionName(member, names), ...(value !== undefined && { value }), about }
  })
}

/**
 * Reads the members that options say.
 *
 * @throws {UsageError} for an option that is missing, or whose value is malformed
 */
export function readOptions<Request>(
  { options, flags }: ParsedArguments,
  forms: object,
  names: OptionNames = {},
): Request {
  const read = rowsOf(forms).flatMap(([member, form]) => {
    const name = optionName(member, names)
    const text = options.get(name)
    if (text !== undefined) return [[member, readWord(text, form, `--${name}`)]]
    if (flags.has(name)) return [[member, true]]
    if (form.isOptional === true) return []
    throw new UsageError(`--${name} is missing: ${form.about}`)
  })
  return Object.fromEntries(read)
}

function rowsOf(forms: object): readonly (readonly [string, Member<unknown>])[] {
  return Object.entries<Member<unknown>>({ ...forms }).filter(
    ([, form]) => form.isArgument !== true && isOneWord(exampleOf(form)),
  )
}

function optionName(member: string, names: OptionNames): string {
  return names[member] ?? member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The example that documentation shows has the type of every value. */
function exampleOf({ shown }: Form<unknown>): unknown {
  return JSON.parse(shown)
}

function isOneWord(example: unknown): boolean {
  if (Array.isArray(example)) return example.every((item) => typeof item === 'string')
  return typeof example !== 'object'
}

function placeholderOf(form: Form<unknown>): string | undefined {
  const example = exampleOf(form)
  if (example === true) return undefined
  const [first] = [example].flat()
  const word = /^(?:PUBKEY|TXID|HEX|ADDRESS|PAYEE)$/.test(String(first)) ? String(first) : 'TEXT'
  const one = typeof first === 'number' || /^\d+$/.test(String(first)) ? 'N' : word
  return Array.isArray(example) ? `${one},...` : one
}

function readWord(text: string, form: Form<unknown>, path: string): unknown {
  const example = exampleOf(form)
  const json = Array.isArray(example)
    ? text.split(',')
    : typeof example === 'number' && /^\d+$/.test(text)
      ? Number(text)
      : text
  try {
    return form.read(json, path)
  } catch (error) {
    if (!isAntaraError(error, 'malformed_case')) throw error
    // Its message speaks of a case file.
    const { path: place = path, expected, actual } = error.context
    throw new UsageError(`${place}: expected ${expected}, got ${actual}`)
  }
}

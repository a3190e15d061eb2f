// The table of a request: a form for each member. It reads case files, checks arguments and shows
// the members in documentation.

import { argumentError } from '../primitives/arguments.ts'
import { type Members, malformed } from '../primitives/json-fields.ts'

/** How a request has one member. */
export interface Form<Value> {
  /** As documentation shows it: `"100"`, `"PUBKEY"`, `true`. */
  readonly shown: string
  /** True if it may be absent. */
  readonly isOptional?: boolean
  /** Member that may stand in its place: one of the two must be there. */
  readonly instead?: string
  /** True if the member and the one in its place may both be there. */
  readonly isBoth?: boolean
  /** True if no file has it: only an argument can. */
  readonly isArgument?: boolean
  /** The default in a case file; without one, an absent member is absent from the intent too. */
  readonly absent?: Value
  /** Reads the value from JSON. @throws {AntaraError} `malformed_case`, naming the member */
  read(value: unknown, path: string): Value
  /** Refuses an argument of the wrong type. @throws {TypeError} */
  requireType(value: unknown, path: string): void
}

/** A member of a request: its form, and a phrase about it for help and documentation. */
export interface Member<Value> extends Form<Value> {
  readonly about: string
}

export function member<Value>(about: string, form: Form<Value>): Member<Value> {
  return { ...form, about }
}

export function optional<Value>(form: Form<Value>, absent?: Value): Form<Value> {
  return { ...form, isOptional: true, ...(absent !== undefined && { absent }) }
}

/** A required member, unless another member expresses the same; both together are refused. */
export function unless<Value>(other: string, form: Form<Value>): Form<Value> {
  return { ...form, isOptional: true, instead: other }
}

/** A member that is needed unless another is there; both may be. */
export function orElse<Value>(other: string, form: Form<Value>): Form<Value> {
  return { ...unless(other, form), isBoth: true }
}

type MemberOf<Value> = Value extends unknown ? keyof Value : never
type ValueOf<Value, Name> = Value extends unknown
  ? Name extends keyof Value
    ? Exclude<Value[Name], undefined>
    : never
  : never

/** A form for every member of an object, or of all types of a union, that may have a value. */
export type MemberForms<Value> = {
  readonly [Name in MemberOf<Value> as [ValueOf<Value, Name>] extends [never] ? never : Name]: Form<
    ValueOf<Value, Name>
  >
}

/** The table of a request: a form and a phrase for every member that may have a value. */
export type RequestForms<Value> = {
  readonly [Name in keyof MemberForms<Value>]: MemberForms<Value>[Name] &
    Pick<Member<unknown>, 'about'>
}

export interface FormTable {
  readonly rows: readonly (readonly [name: string, form: Form<unknown>])[]
  /** The members that arguments may have. */
  readonly members: readonly string[]
  /** The members that files may have. */
  readonly names: readonly string[]
}

export function formTable(forms: object): FormTable {
  const rows = Object.entries<Form<unknown>>(forms as Readonly<Record<string, Form<unknown>>>)
  const inFiles = rows.filter(([, { isArgument }]) => isArgument !== true)
  return {
    rows,
    members: rows.map(([name]) => name),
    names: inFiles.map(([name]) => name),
  }
}

/**
 * Reads the members of an object from JSON.
 *
 * @param owner - before their names in paths: `intent.`
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function readMembers(given: Members, { rows }: FormTable, owner = ''): Members {
  const read: Members = {}
  for (const [name, form] of rows) {
    if (form.isArgument === true) continue
    const value = given[name]
    if (form.instead !== undefined && !hasOne(given, name, form.instead, form.isBoth)) {
      const either = form.isBoth === true ? '' : 'either '
      throw malformed(`${owner}${name}`, `${either}${name} or ${form.instead}`, value)
    }
    if (value !== undefined || form.isOptional !== true) {
      read[name] = form.read(value, `${owner}${name}`)
    } else if (form.absent !== undefined) {
      read[name] = form.absent
    }
  }
  return read
}

/** Returns whether an argument may leave a member out. A default is for files. */
export function mayLackArgument({ isOptional, absent }: Form<unknown>): boolean {
  return isOptional === true && absent === undefined
}

/** Refuses members of the wrong type. @throws {TypeError} */
export function requireMembers(
  object: object,
  { rows }: FormTable,
  owner = '',
  mayLack: (form: Form<unknown>) => boolean = ({ isOptional }) => isOptional === true,
): void {
  const given = object as Members
  for (const [name, form] of rows) {
    const value = given[name]
    if (value === undefined && form.instead === undefined && mayLack(form)) continue
    const path = `${owner}${name}`
    if (form.instead !== undefined && !hasOne(given, name, form.instead, form.isBoth)) {
      const expected = `${name} or ${form.instead}`
      if (value === undefined) throw argumentError(path, expected, value)
      throw new TypeError(`${path}: expected ${expected}, not both`)
    }
    if (value !== undefined || !mayLack(form)) form.requireType(value, path)
  }
}

/** Returns true if one of two members is present, or both where both are allowed. */
function hasOne(given: Members, name: string, instead: string, isBoth = false): boolean {
  const [has, hasOther] = [given[name] !== undefined, given[instead] !== undefined]
  return has !== hasOther || (has && isBoth)
}

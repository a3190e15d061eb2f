import { didYouMean } from './closest.ts'
import { redactKey } from './redact-key.ts'

/**
 * A table of all members of a type, or of all types of a union. A table without one does not
 * compile.
 */
export type MemberTable<Value> = Readonly<Record<MemberOf<Value>, true>>

type MemberOf<Value> = Value extends unknown ? keyof Value : never

/** Returns the names of all members of a type, for {@link requireKnownMembers}. */
export function memberNames<Value>(table: MemberTable<Value>): readonly string[] {
  return Object.keys(table)
}

/**
 * Refuses unknown members, because a misspelt one would leave its limit at the default.
 *
 * A member that is `undefined` counts as absent.
 *
 * @param name - of the value, for the message
 * @throws {TypeError} that names the member and the nearest known one, or else all known ones
 */
export function requireKnownMembers(value: object, known: readonly string[], name: string): void {
  for (const member of Object.keys(value)) {
    if (known.includes(member) || value[member as keyof typeof value] === undefined) continue
    const meant = didYouMean(member, known)
    const hint = meant === '' ? `, expected ${onlyThese(known)}` : meant
    throw new TypeError(`${name}: unknown member ${redactKey(member)}${hint}`)
  }
}

function onlyThese(known: readonly string[]): string {
  return known.length === 0 ? 'none' : `only ${known.join(', ')}`
}

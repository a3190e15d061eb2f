import { tellableKey } from '../primitives/tellable-key.ts'

/**
 * Refuses members that mean nothing: one that is misspelt would leave its limit to a default.
 *
 * @throws {TypeError} that names the member, and the one that differs from it in case alone
 */
export function requireKnownMembers(value: object, known: readonly string[], name: string): void {
  for (const member of Object.keys(value)) {
    if (known.includes(member) || value[member as keyof typeof value] === undefined) continue
    throw unknownMember(member, meantBy(member, known), name)
  }
}

/**
 * Refuses only what differs from a known member in case alone, where others may stand beside them.
 *
 * @throws {TypeError} that names both
 */
export function requireSpelling(value: object, known: readonly string[], name: string): void {
  for (const member of Object.keys(value)) {
    if (known.includes(member) || value[member as keyof typeof value] === undefined) continue
    const meant = meantBy(member, known)
    if (meant !== undefined) throw unknownMember(member, meant, name)
  }
}

function meantBy(member: string, known: readonly string[]): string | undefined {
  return known.find((it) => it.toLowerCase() === member.toLowerCase())
}

function unknownMember(member: string, meant: string | undefined, name: string): TypeError {
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return new TypeError(`${name}: has no member of this name: ${tellableKey(member)}${hint}`)
}

import { tellableKey } from '../primitives/tellable-key.ts'

/**
 * Refuses members that mean nothing: one that is misspelt would leave its limit to a default.
 *
 * @throws {TypeError} that names the member, and the one that differs from it in case alone
 */
export function requireKnownMembers(value: object, known: readonly string[], name: string): void {
  for (const member of Object.keys(value)) {
    if (known.includes(member) || value[member as keyof typeof value] === undefined) continue
    const meant = known.find((it) => it.toLowerCase() === member.toLowerCase())
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    throw new TypeError(`${name}: has no member of this name: ${tellableKey(member)}${hint}`)
  }
}

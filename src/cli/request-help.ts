// Describes the JSON of a request for the help of a command, from the table of its members.

import type { Form, Member } from '../request/form-table.ts'
import { columns } from './columns.ts'

type Row = readonly [name: string, member: Member<unknown>]

const helpColumns = 100

/** Lists the members of a request: those that it needs, then those that it may have. */
export function requestHelp(forms: object): string {
  return listed(rowsOf(forms))
}

/** Lists the members that one request has and another has not. */
export function furtherHelp(forms: object, other: object): string {
  return listed(rowsOf(forms).filter(([name]) => !Object.hasOwn(other, name)))
}

/**
 * Lists the members of requests of several kinds, each once, with the kinds that need it or, if
 * none does, that may have it.
 */
export function kindsHelp(formsByKind: Readonly<Record<string, object>>): string {
  const kinds = Object.keys(formsByKind)
  const all = Object.entries(formsByKind).flatMap(([kind, forms]) =>
    rowsOf(forms).map(([name, member]) => ({ kind, name, member })),
  )
  const names = [...new Set(all.map(({ name }) => name))].filter((name) => name !== 'kind')
  const rows = names.map((name): Row => {
    const having = all.filter((one) => one.name === name)
    const needing = having.filter(({ member }) => isNeeded(member))
    const shown = needing.length === 0 ? having : needing
    const suffix =
      shown.length === kinds.length ? '' : ` (${shown.map(({ kind }) => kind).join(', ')})`
    const { member } = shown[0]!
    return [name, { ...member, about: `${member.about}${suffix}` }]
  })
  const kind = {
    ...rowsOf(formsByKind[kinds[0]!]!).find(([name]) => name === 'kind')![1],
    isOptional: false,
  }
  return listed([['kind', { ...kind, about: `the step: ${kinds.join(', ')}` }], ...rows])
}

function rowsOf(forms: object): readonly Row[] {
  return Object.entries<Member<unknown>>({ ...forms }).filter(([, form]) => !form.isArgument)
}

function listed(rows: readonly Row[]): string {
  const needed = rows.filter(([, form]) => isNeeded(form))
  const others = rows.filter(([, form]) => !isNeeded(form))
  const width = Math.max(...rows.map(([name]) => name.length))
  const list = (some: readonly Row[]) =>
    columns(
      some.map(([name, { shown, about, instead }]) => {
        const other = instead === undefined ? '' : `, or ${instead}`
        return [name.padEnd(width), `${shown}${other}: ${about}`]
      }),
      helpColumns,
    )
  if (needed.length === 0) return list(others)
  return `${list(needed)}\nIt may also have:\n${list(others)}`
}

function isNeeded({ isOptional, instead }: Form<unknown>): boolean {
  return isOptional !== true || instead !== undefined
}

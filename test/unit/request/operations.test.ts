// Every operation has a file of cases in test/operations. It has the words that people see, at
// least one transaction that agrees, and one that does not. docs/operations.md is made of the
// descriptors; `npx vitest run test/unit/request/operations.test.ts -u` writes it.

import { describe, expect, test } from 'vitest'

import { formatReport, parseCase, reportToJson, verifyCase } from '../../../src/index.ts'
import { printableJson } from '../../../src/primitives/printable.ts'
import { evidenceForms } from '../../../src/request/evidence.ts'
import type { Member } from '../../../src/request/form-table.ts'
import { termForms } from '../../../src/request/terms.ts'
import { verifyOnDemand } from '../../../src/verification/on-demand.ts'
import { operations } from '../../../src/verification/operations/catalogue.ts'
import { reportLine } from '../../../src/verification/report-json.ts'
import { filesBelow, textOf } from '../../support/files.ts'

interface CaseOfOperation {
  readonly name: string
  /** A case file, or the name of one in examples/. */
  readonly case: object | string
  /** Codes of all rejects, in the order of the report. */
  readonly rejects: readonly string[]
  /** Lines of the report as text. */
  readonly shows: readonly string[]
}

const all = Object.values(operations)
const casesOf = (name: string): CaseOfOperation[] =>
  JSON.parse(textOf(`test/operations/${name}.json`)).cases

test('every file of cases is an operation’s, and the other way round', () => {
  const files = filesBelow('test/operations').map((path) => path.slice(16, -5))
  expect(files.toSorted()).toEqual(Object.keys(operations).toSorted())
})

describe.each(all)('$name', ({ name, roles }) => {
  // This runs in tests and not before them; otherwise no test would notice a mutant.
  const checked = (one: CaseOfOperation) => {
    const text =
      typeof one.case === 'string' ? textOf(`examples/${one.case}`) : JSON.stringify(one.case)
    const given = parseCase(text)
    const report = verifyCase(given)
    return { given, report, text: formatReport(report, { given }) }
  }

  test.each(casesOf(name))('$name', ({ rejects, shows, ...one }) => {
    const { given, report, text } = checked({ rejects, shows, ...one })
    expect(given.operation).toBe(name)
    expect(
      report.findings.flatMap(({ severity, code }) => (severity === 'reject' ? [code] : [])),
    ).toEqual(rejects)
    expect(report.operation).toBe(name)
    const lines = text.split('\n').map((line) => line.trim())
    for (const line of shows) expect(lines).toContain(line)
    expect(shows.length).toBeGreaterThan(0)
  })

  test('has a case that agrees, one that does not, and every role in one of them', () => {
    const cases = casesOf(name).map(checked)
    expect(cases.some(({ report }) => report.ok)).toBe(true)
    expect(cases.some(({ report }) => !report.ok)).toBe(true)
    const seen = cases.flatMap(({ report }) => report.effects.map(({ role }) => role))
    expect(Object.keys(roles).filter((role) => !seen.some((it) => it === role))).toEqual([])
  })

  test('has reports that are the same JSON whoever writes it', () => {
    for (const { report, given } of casesOf(name).map(checked)) {
      const hostile = verifyCase({ ...given, hex: `${given.hex}"\u202e` } as typeof given)
      for (const one of [report, hostile]) {
        const text = JSON.stringify(one, (_, it: unknown) =>
          typeof it === 'bigint' ? `${it}` : it,
        )
        expect(reportLine(one)).toBe(printableJson(text))
        expect(JSON.parse(reportLine(one))).toEqual(reportToJson(one))
      }
    }
  })

  test('has the same reports if it is loaded when it is needed', async () => {
    for (const { given, report } of casesOf(name).map(checked)) {
      expect(await verifyOnDemand(given, {})).toEqual(report)
    }
  })

  test('has words that fit their column', () => {
    for (const { text } of Object.values(roles)) expect(text).toMatch(/^.{1,25}$/)
    for (const { given } of casesOf(name).map(checked)) {
      const { intent, evidence } = given
      for (const [word] of operations[name].lines(intent as never, evidence)) {
        expect(word).toMatch(/^[a-z ]{1,8}$/)
      }
    }
  })
})

test('docs/operations.md says what the descriptors say', async () => {
  const sections = all.map(({ name, about, members, roles }) => {
    const outputs = Object.entries(roles).map(
      ([role, { text, holds }]) => `| \`${role}\` | ${text} | ${holds} |`,
    )
    return [
      `## \`${name}\`\n\n${sentence(about)}.`,
      membersOf(members),
      `| role of an output | shown as | holds |\n|---|---|---|\n${outputs.join('\n')}`,
    ].join('\n\n')
  })
  const page = `# Operations

<!-- Made from src/verification/operations by test/unit/request/operations.test.ts. Do not edit. -->

\`antara-tx verify\` verifies these operations. The member \`operation\` of a case file names one. Each section
lists the members of its \`intent\`, beside those that [any intent may have](#any-intent),
and the roles of outputs in its report. An output without a role is \`unexpected\`, shown as NOT ASKED FOR,
and the transaction is rejected.

${sections.join('\n\n')}

## Any intent

${membersOf(termForms)}

## Evidence

${membersOf(evidenceForms)}
`
  await expect(page).toMatchFileSnapshot('../../../docs/operations.md')
})

function membersOf(forms: object): string {
  const rows = Object.entries<Member<unknown>>({ ...forms })
    .filter(([, { isArgument }]) => isArgument !== true)
    .map(([name, { shown, isOptional, instead, about }]) => {
      const needed = instead === undefined ? isOptional !== true && 'yes' : `or \`${instead}\``
      return `| \`${name}\` | \`${shown}\` | ${needed || 'no'} | ${about} |`
    })
  return `| member | in a case file | needed | meaning |\n|---|---|---|---|\n${rows.join('\n')}`
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`
}

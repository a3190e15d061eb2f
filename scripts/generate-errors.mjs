// Makes src/errors/codes.ts and docs/errors.md from native/core/base/error_table.def, and
// docs/findings.md from src/request/finding-table.ts. The causes and remedies of both are in
// docs/causes.md, from src/cli/explain; the package has them in `antara-tx explain` alone.
// With --check, writes nothing and fails when a generated file is stale.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { quoted, writeGenerated } from './generated.mjs'

const root = new URL('..', import.meta.url)
const table = readFileSync(new URL('native/core/base/error_table.def', root), 'utf8')

const rows = [...table.matchAll(/^ANTARA_ERROR\((\w+), (\d+),\s+"([^"]+)"\)$/gm)].map(
  ([, name, number, summary]) => ({ name, number: Number(number), summary }),
)
const announced = table.match(/^ANTARA_ERROR\(/gm).length
if (rows.length !== announced) {
  throw new Error(`error_table.def: ${announced} rows, but only ${rows.length} can be read`)
}
for (const key of ['name', 'number']) {
  const values = rows.map((row) => row[key])
  const repeated = values.find((value, index) => values.indexOf(value) !== index)
  if (repeated !== undefined) throw new Error(`error_table.def: ${key} ${repeated} appears twice`)
}
rows.sort((a, b) => a.number - b.number)

const typescript = `// Made by scripts/generate-errors.mjs from native/core/base/error_table.def. Do not edit.

/** Every code that an AntaraError can carry, with what it means. */
export const errorSummaries = {
${rows.map(({ name, summary }) => `  ${name}: ${quoted(summary)},`).join('\n')}
} as const

export type ErrorCode = keyof typeof errorSummaries

/** The codes by the numbers under which they leave the native engine. */
export const errorCodeOfNumber: ReadonlyMap<number, ErrorCode> = new Map([
${rows.map(({ name, number }) => `  [${number}, '${name}'],`).join('\n')}
])
`

const markdown = `# Error codes

<!-- Made by scripts/generate-errors.mjs from native/core/base/error_table.def. Do not edit. -->

Malformed data raises an \`AntaraError\`. Its \`code\` is one of these words and never changes meaning. Its
\`context\` has the place: the \`offset\` in bytes of the raw data, the \`path\` of the field, and the expected
and the actual value where that helps. The message ends with the command that explains the code, such
as \`antara-tx explain truncated\`.

A wrong argument, such as a number where hex belongs, is a \`TypeError\`. A failure of a server is an
\`RpcError\`: [RPC clients](rpc.md).

[Causes and remedies](causes.md) explains each code.

| code | number | meaning |
|---|---|---|
${rows.map(({ name, number, summary }) => `| ${anchored(name)} | ${number} | ${summary} |`).join('\n')}
`

const findingSource = readFileSync(new URL('src/request/finding-table.ts', root), 'utf8')
const decodeCodes = [
  .../decodeCodes = \[([^\]]*)\]/.exec(findingSource)[1].matchAll(/'(\w+)'/g),
].map(([, code]) => {
  const row = rows.find(({ name }) => name === code)
  if (row === undefined) throw new Error(`finding-table.ts: ${code} is not an error`)
  return { code, severity: 'reject', text: row.summary }
})
const ownFindings = [
  ...findingSource.matchAll(/^ {2}(\w+):\s+(['"])(reject|warn|info): (.*?)\2,$/gm),
].map(([, code, , severity, text]) => ({ code, severity, text }))
const findingsAnnounced = findingSource.match(/^ {2}\w+:\s+['"]/gm).length
if (ownFindings.length !== findingsAnnounced) {
  throw new Error(
    `finding-table.ts: ${findingsAnnounced} rows, but only ${ownFindings.length} can be read`,
  )
}

const findingsPage = `# Findings

<!-- Made by scripts/generate-errors.mjs from src/request/finding-table.ts. Do not edit. -->

The report of every verifier contains findings. The \`code\` of a finding is one of these words and never changes
meaning. \`path\` is its place; \`expected\` and \`actual\` are the values that differ. A \`reject\` makes \`ok\` false;
\`warn\` and \`info\` do not. \`antara-tx explain CODE\` prints the cause, an example and the remedy.
[Causes and remedies](causes.md) has them for all codes.

| code | severity | meaning |
|---|---|---|
${[...decodeCodes, ...ownFindings].map(({ code, severity, text }) => `| ${anchored(code)} | ${severity} | ${text} |`).join('\n')}
`

const causesPage = `# Causes and remedies

<!-- Made by scripts/generate-errors.mjs from src/cli/explain. Do not edit. -->

Each code has its cause, an example and the remedy. \`antara-tx explain CODE\` prints the same.

## Findings

${await explanations('finding')}

## Errors

${await explanations('error')}

## Failures of servers

${await explanations('failure of a server')}

## Results of payments

${await explanations('result of a payment')}

## Rules of a policy

${await explanations('rule of a policy')}
`

writeGenerated([
  ['src/errors/codes.ts', typescript],
  ['docs/errors.md', markdown],
  ['docs/findings.md', findingsPage],
  ['docs/causes.md', causesPage],
])

/** A code that a link can name: an error ends with the address of its row. */
function anchored(code) {
  return `<a id="${code}"></a>\`${code}\``
}

/**
 * The causes, examples and remedies of all codes of a kind, from the table of antara-tx explain.
 */
async function explanations(kind) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('src/cli/explain/explanations.ts', root))],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const code = Buffer.from(outputFiles[0].text).toString('base64')
  const { allExplained } = await import(`data:text/javascript;base64,${code}`)
  return allExplained()
    .filter((one) => one.kind === kind)
    .map(({ code, cause, example, remedy }) => {
      const shown = example.startsWith('antara-tx ') ? `\`${example}\`.` : example
      return `- \`${code}\`: ${cause} Example: ${shown} Remedy: ${remedy}`
    })
    .join('\n')
}

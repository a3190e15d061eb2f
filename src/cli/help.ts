import type { Command, Entry, Option } from './command.ts'

/** The list of commands. */
export function generalHelp(catalogue: readonly Entry[]): string {
  return `Usage: antara-tx COMMAND [ARGUMENTS]

${columns(catalogue.map(({ name, summary }) => [name, summary]))}

antara-tx help COMMAND says more. Hex comes from an argument, a file or standard input.
Exit status: 0 agrees, 1 findings, 2 malformed input, 64 usage,
69 no engine or no server, 70 a fault of antara-tx itself.
`
}

export function commandHelp(name: string, command: Command): string {
  const { usage, about, options, notes } = command
  const forms = usage.map((form) => `antara-tx ${name} ${form}`.trimEnd())
  const parts = [
    `Usage: ${forms.join('\n       ')}`,
    about,
    columns(options.map((option) => [labelOf(option), option.about])),
    notes ?? '',
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function labelOf({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

/** Labels, and beside them texts that may have several lines. */
function columns(rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return ''
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows
    .map(([label, text]) => {
      const [first, ...more] = text.split('\n')
      const indent = ' '.repeat(width + 2)
      return [`  ${label.padEnd(width)}${first}`, ...more.map((line) => indent + line)].join('\n')
    })
    .join('\n')
}

import { didYouMean } from '../primitives/closest.ts'
import { redactKey } from '../primitives/redact-key.ts'
import {
  type Command,
  exitAgrees,
  jsonOption,
  jsonText,
  onePositional,
  type Terminal,
  UsageError,
} from './command.ts'
import { allExplained, type Explained } from './explain/explanations.ts'
import { ruleOf } from './explain/policy-rules.ts'

export const explain: Command = {
  usage: ['CODE', ''],
  about: `Explains the code of an error, of a finding, or of a failure of a server: its cause, an example
and the remedy. It also knows the results of payments, such as needs-merge, the rules of a policy,
such as coins.perPayment, those of a proof, such as unequal_amounts, and findings about headers.
Without a code, lists all of them.`,
  options: [jsonOption],
  run(parsed, terminal) {
    const code = onePositional(parsed)
    const all = allExplained()
    const wanted = code === undefined ? undefined : ruleOf(code)
    const chosen = wanted === undefined ? all : all.filter((one) => one.code === wanted)
    if (chosen.length === 0) {
      const codes = all.map((one) => one.code)
      const hint = didYouMean(code!, codes) || '; antara-tx explain lists all'
      throw new UsageError(`unknown code ${redactKey(code!)}${hint}`)
    }
    if (parsed.flags.has('json')) terminal.print(jsonText(chosen))
    else if (code === undefined) list(chosen, terminal)
    else terminal.print(chosen.map(paragraph).join('\n'))
    return exitAgrees
  },
}

function list(explained: readonly Explained[], { print }: Terminal): void {
  const width = Math.max(...explained.map(({ code }) => code.length))
  for (const { code, cause, meaning = cause } of explained) {
    print(`${code.padEnd(width)}  ${meaning}\n`)
  }
}

function paragraph(one: Explained): string {
  const { code, kind, severity, meaning, cause, example, remedy } = one
  const is = severity === undefined ? kind : `${kind}, ${severity}`
  const lines = [
    `${code} (${is})`,
    ...(meaning === undefined ? [] : [`Meaning  ${meaning}`]),
    `Cause    ${cause}`,
    `Example  ${example}`,
    `Remedy   ${remedy}`,
  ]
  return `${lines.join('\n')}\n`
}

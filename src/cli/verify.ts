import type { Form } from '../request/form-table.ts'
import { operations } from '../verification/operations/catalogue.ts'
import { wrapped } from './columns.ts'
import { type Command, onePositional } from './command.ts'
import {
  namesServer,
  requireNoConnection,
  serverNotes,
  serverOptions,
} from './connection-options.ts'
import type { LineJob } from './lines/job.ts'
import { linesNotes, linesOptions, linesUsage, requireNoLines } from './lines/options.ts'
import { printVerdict, verdictOptions } from './verdict.ts'

/** Lists each operation with the members of its intent; optional ones stand in brackets. */
function operationHelp(): string {
  const lines = Object.values(operations).map(({ name, members }) => {
    const names = Object.entries<Form<unknown>>(members).map(([member, { isOptional }]) =>
      isOptional === true ? `[${member}]` : member,
    )
    const before = `  ${name.padEnd(14)} `
    const indent = ' '.repeat(before.length)
    return before + wrapped(names.join(', '), 100 - indent.length).join(`\n${indent}`)
  })
  return lines.join('\n')
}

export const verify: Command = {
  usage: ['[CASE.json | -]', linesUsage],
  about: `Verifies the transaction in a case file: shows what it does, and every difference from the request.
With --daemon or --electrum, fetches the evidence from a server, which is not trusted.
Exit status 0 if the transaction agrees, 1 if a finding rejects it, 2 if the case file is
malformed.`,
  options: [
    ...verdictOptions,
    { name: 'daemon', about: 'fetch the evidence from a daemon' },
    ...serverOptions,
    ...linesOptions,
  ],
  notes: `A case file:
  { "operation": "tokentransfer", "network": "assetChain",
    "intent": { "tokenid": "…", "destination": "…", "amount": "100", "from": "…" },
    "hex": "…", "previousTransactions": ["…"], "tokenCreate": "…", "tipHeight": 223 }
Operations and the members of their intents, optional ones in brackets:
${operationHelp()}

With --daemon or --electrum, a case needs only operation, network, intent and hex. Each transaction
of the server must hash to its txid. Heights and times come from the server. A higher tipHeight of
the case counts only if it makes the verdict worse.

${serverNotes}

${linesNotes}
With --daemon or --electrum, an answer names in "missing" what the server did not give. The run ends
with 69 if the server fails; --resume continues it.`,
  async run(parsed, terminal) {
    const isStrict = parsed.flags.has('strict')
    const isFetching = namesServer(parsed)
    if (!isFetching) requireNoConnection(parsed)
    if (parsed.flags.has('lines')) {
      if (isFetching) {
        const { verifyFetchedLines } = await import('./fetched-case.ts')
        return verifyFetchedLines(onePositional(parsed), parsed, terminal)
      }
      const { runLines } = await import('./lines/run.ts')
      const job: LineJob = { command: 'verify', ...(isStrict && { isStrict }) }
      return runLines(job, onePositional(parsed), parsed, terminal)
    }
    requireNoLines(parsed)
    if (!isFetching) return printVerdict(parsed, terminal)
    const { fetchCase } = await import('./fetched-case.ts')
    return printVerdict(parsed, terminal, (given) => fetchCase(given, parsed, terminal))
  },
}

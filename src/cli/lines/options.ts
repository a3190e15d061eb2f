import { type Option, type ParsedArguments, refuseOptions } from '../command.ts'

/** Options of every command that answers line by line. */
export const linesOptions: readonly Option[] = [
  { name: 'lines', about: 'read one item per line, print one line of JSON for each, in order' },
  { name: 'jobs', value: 'N', about: 'with --lines: number of threads; default 1' },
  {
    name: 'resume',
    value: 'FILE',
    about: 'with --lines: checkpoint, from which an interrupted run continues',
  },
]

export const linesUsage = '--lines [FILE | -]'

export const linesNotes = `With --lines, prints one line for each input line, in order. The answer to a malformed line is
  { "error": { "code": "…", "message": "…", … } }
If antara-tx itself fails on a line, the code is internal_error. The exit status is that of the
worst line: 70 if antara-tx failed, 2 if a line was malformed, 1 if a transaction has findings,
else 0. If the reader closes the output before the last answer, the exit status is 141.`

export const jobsMax = 256

/** Refuses the options of --lines without --lines. */
export function requireNoLines(parsed: ParsedArguments): void {
  refuseOptions(parsed, ['jobs', 'resume'], 'needs --lines')
}

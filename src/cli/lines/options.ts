import { type Option, type ParsedArguments, UsageError } from '../command.ts'

/** Options of every command that answers line by line. */
export const linesOptions: readonly Option[] = [
  { name: 'lines', about: 'one item a line in, one line of JSON out, in order' },
  { name: 'jobs', value: 'N', about: 'with --lines: threads; default 1' },
  {
    name: 'resume',
    value: 'FILE',
    about: 'with --lines: keeps in FILE how far it has come, and goes on from there',
  },
]

export const linesUsage = '--lines [FILE | -]'

export const linesNotes = `With --lines every line is answered by one line, in order; a malformed one by
  { "error": { "code": "…", "message": "…", … } }
A line on which antara-tx itself fails is answered with the code internal_error.
Exit status 70 when antara-tx failed on some, else 2 when some were malformed, else 1 when
something speaks against some, else 0.`

export const jobsMax = 256

/** Refuses the options of --lines without --lines. */
export function requireNoLines({ options }: ParsedArguments): void {
  for (const name of ['jobs', 'resume']) {
    if (options.has(name)) throw new UsageError(`--${name} goes with --lines`)
  }
}

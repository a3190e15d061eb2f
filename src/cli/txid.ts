import { transactionId } from '../transaction/decode.ts'
import { type Command, exitAgrees, jsonText, onePositional } from './command.ts'
import { linesNotes, linesOptions, linesUsage, requireNoLines } from './lines/options.ts'
import { readSource } from './read.ts'

export const txid: Command = {
  usage: ['[HEX | FILE | -]', linesUsage],
  about: 'Prints the txid of one whole raw transaction.',
  options: [{ name: 'json', about: 'print { "txid": … }' }, ...linesOptions],
  notes: linesNotes,
  async run(parsed, terminal) {
    if (parsed.flags.has('lines')) {
      const { runLines } = await import('./lines/run.ts')
      return runLines({ command: 'txid' }, onePositional(parsed), parsed, terminal)
    }
    requireNoLines(parsed)
    const id = transactionId(await readSource(onePositional(parsed), terminal))
    terminal.print(parsed.flags.has('json') ? jsonText({ txid: id }) : `${id}\n`)
    return exitAgrees
  },
}

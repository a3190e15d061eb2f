import { transactionId } from '../transaction/decode.ts'
import { type Command, exitAgrees, jsonText, onePositional, parseArguments } from './command.ts'
import { readSource } from './read.ts'

export const txid: Command = {
  name: 'txid',
  summary: 'the txid of a raw transaction',
  help: `Usage: antara-tx txid [HEX | FILE | -]

Prints the txid of one whole raw transaction.

  --json   { "txid": … }`,
  async run(args, terminal) {
    const { positionals, flags } = parseArguments(args, { flags: ['json'] })
    const id = transactionId(await readSource(onePositional(positionals), terminal))
    terminal.print(flags.has('json') ? jsonText({ txid: id }) : `${id}\n`)
    return exitAgrees
  },
}

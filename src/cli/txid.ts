import { transactionId } from '../transaction/decode.ts'
import { type Command, exitAgrees, jsonText, onePositional } from './command.ts'
import { readSource } from './read.ts'

export const txid: Command = {
  usage: ['[HEX | FILE | -]'],
  about: 'Prints the txid of one whole raw transaction.',
  options: [{ name: 'json', about: '{ "txid": … }' }],
  async run(parsed, terminal) {
    const id = transactionId(await readSource(onePositional(parsed), terminal))
    terminal.print(parsed.flags.has('json') ? jsonText({ txid: id }) : `${id}\n`)
    return exitAgrees
  },
}

import { buildTokenCreate } from '../builders/create.ts'
import { createRequestForms } from '../request/create.ts'
import { formatCase } from '../request/format-case.ts'
import { type Command, exitAgrees } from './command.ts'
import { readRequestFile } from './request-file.ts'
import { requestHelp } from './request-help.ts'

export const create: Command = {
  choosesCoins: true,
  usage: ['[REQUEST.json | -]'],
  about: `Builds the creation of a token from coins of your own, and prints a case file without signatures for
antara-tx sign and antara-tx verify. Opens no connection.`,
  options: [{ name: 'json', about: 'no effect: a case file is JSON' }],
  notes: `A request is a JSON object with these members:
${requestHelp(createRequestForms)}`,
  async run(parsed, terminal) {
    const kind = 'a request for a new token'
    const request = await readRequestFile(kind, createRequestForms, parsed, terminal)
    terminal.print(formatCase(buildTokenCreate(request)))
    return exitAgrees
  },
}

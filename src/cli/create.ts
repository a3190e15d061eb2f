import { buildTokenCreate } from '../builders/create.ts'
import { createRequestForms } from '../request/create.ts'
import { formatCase } from '../request/format-case.ts'
import { type Command, exitAgrees, onePositional } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'
import { parseCreateRequest } from './request-file.ts'
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
    const text = await readCaseText(onePositional(parsed), terminal)
    const request = readAs(['a request for a new token'], text, parseCreateRequest)
    terminal.print(formatCase(buildTokenCreate(request)))
    return exitAgrees
  },
}

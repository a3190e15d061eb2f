import { buildTokenCreate } from '../builders/create.ts'
import { formatCase } from '../request/format-case.ts'
import { type Command, exitAgrees, onePositional } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'
import { parseCreateRequest } from './request-file.ts'

export const create: Command = {
  usage: ['[REQUEST.json | -]'],
  about: `Builds the creation of a token from coins of your own, and prints a case file without signatures for
antara-tx sign and antara-tx verify. Opens no connection.`,
  options: [{ name: 'json', about: 'no effect: a case file is JSON' }],
  notes: `A request:
  { "name": "GOLD", "supply": "1000", "description": "…", "owner": "PUBKEY",
    "coins": [{ "txid": "…", "vout": 0 }], "previousTransactions": ["…"], "tipHeight": 223 }
The supply counts token units; "supplyCoins": "4.35" instead counts coins of 100,000,000 units, as
komodod does. More: data (hex), fee, maxFee, expiryHeight, network,
nativeChange ("exact" or "daemon"),
spend ("selected", "needed" or "all": which of the coins). With "network": "tokel" also version, 1
or 2, and in place of data properties: { "id": 1, "url": "…", "royalty": 25, "arbitrary": "hex" }.`,
  async run(parsed, terminal) {
    const text = await readCaseText(onePositional(parsed), terminal)
    const request = readAs(['a request for a new token'], text, parseCreateRequest)
    terminal.print(formatCase(buildTokenCreate(request)))
    return exitAgrees
  },
}

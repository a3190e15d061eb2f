import { buildConsolidation, buildPayment } from '../builders/payment.ts'
import { formatCase } from '../request/format-case.ts'
import { type Command, exitAgrees, onePositional } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { parseMergeRequest, parsePaymentRequest } from './payment-request.ts'
import { readCaseText } from './read.ts'

export const pay: Command = {
  usage: ['[REQUEST.json | -]', '--merge [REQUEST.json | -]'],
  about: `Builds a payment in plain coins from coins of your own, or with --merge one to yourself that turns
many small coins into one, and prints a case file without signatures: antara-tx sign signs it,
antara-tx verify judges it. Opens no connection. With feeRate it leaves out coins that cost more
than they bring, and says so on standard error. With --merge a fee above a tenth of what is moved
needs maxFee.`,
  options: [
    { name: 'merge', about: 'many small coins into one of your own' },
    { name: 'json', about: 'changes nothing: a case file is JSON' },
  ],
  notes: `A request:
  { "recipients": [{ "address": "ADDRESS", "amount": "100000" }], "own": ["PUBKEY"],
    "coins": [{ "txid": "…", "vout": 0 }], "previousTransactions": ["…"], "tipHeight": 223 }
Amounts are satoshis; "max" is all that is left of all coins. "own" names keys, addresses or
scripts; change goes to the first. More: change, nulldata (hex), redeemScripts (of coins of M of N
keys), fee or feeRate (satoshis per 1000 bytes), maxFee, expiryHeight, lockTime, network, spend
("selected" or "all" coins). On KMD tipTime and heights ({ "TXID": 3600000 }) claim the reward that
coins have accrued; medianTime says how old a lock time may be. With --merge no recipients: to (one
of your own), maxInputs (the smallest coins first, 500 if absent).`,
  async run(parsed, terminal) {
    const text = await readCaseText(onePositional(parsed), terminal)
    const built = parsed.flags.has('merge')
      ? buildConsolidation(readAs(['a request to merge coins'], text, parseMergeRequest))
      : buildPayment(readAs(['a payment request'], text, parsePaymentRequest))
    const { leftOut = [] } = built
    if (leftOut.length > 0) {
      const worth = leftOut.reduce((sum, coin) => sum + coin.worth, 0n)
      const coins = leftOut.length === 1 ? '1 coin' : `${leftOut.length} coins`
      const notice = `left out ${coins} of ${worth} satoshis, which cost more than they bring`
      terminal.printError(`antara-tx pay: ${notice}\n`)
    }
    terminal.print(formatCase(built))
    return exitAgrees
  },
}

import {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenFillAsk,
  buildTokenFillBid,
} from '../builders/order.ts'
import type { UnsignedOrder } from '../builders/unsigned.ts'
import { formatCase } from '../request/format-case.ts'
import { orderRequestForms } from '../request/order.ts'
import { type Command, exitAgrees, onePositional } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'
import { parseOrderRequest } from './request-file.ts'
import { kindsHelp } from './request-help.ts'

export const order: Command = {
  choosesCoins: true,
  usage: ['[REQUEST.json | -]'],
  about: `Builds a step of an order from coins of your own, in komodod's assets module or Tokel's, and prints
a case file without signatures for antara-tx sign and antara-tx verify. Opens no connection.`,
  options: [{ name: 'json', about: 'no effect: a case file is JSON' }],
  notes: `The kind of a request names the step: ask offers units, bid offers coins, fillAsk buys, fillBid
sells, cancelAsk and cancelBid cancel. A price is in satoshis for all units. The price of an ask is
a multiple of its units.

A request is a JSON object with these members. Some belong to the kinds in parentheses alone.
${kindsHelp(orderRequestForms)}`,
  async run(parsed, terminal) {
    const text = await readCaseText(onePositional(parsed), terminal)
    const { kind, request } = readAs('a request for an order', text, parseOrderRequest)
    const build = builders[kind] as (asked: typeof request) => UnsignedOrder
    terminal.print(formatCase(build(request)))
    return exitAgrees
  },
}

const builders = {
  ask: buildTokenAsk,
  bid: buildTokenBid,
  fillAsk: buildTokenFillAsk,
  fillBid: buildTokenFillBid,
  cancelAsk: buildTokenCancelAsk,
  cancelBid: buildTokenCancelBid,
} as const

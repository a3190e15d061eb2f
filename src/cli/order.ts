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
import { type Command, exitAgrees, onePositional } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'
import { type OrderRequest, parseOrderRequest } from './request-file.ts'

export const order: Command = {
  usage: ['[REQUEST.json | -]'],
  about: `Builds a step of an order from coins of your own, in komodod's assets module or Tokel's, and prints
a case file without signatures for antara-tx sign and antara-tx verify. Opens no connection.`,
  options: [{ name: 'json', about: 'no effect: a case file is JSON' }],
  notes: `A request:
  { "kind": "ask", "tokenid": "TXID", "units": "100", "price": "1000000", "from": "PUBKEY",
    "tokenCoins": [{ "txid": "…", "vout": 0 }], "coins": [{ "txid": "…", "vout": 2 }],
    "previousTransactions": ["…"], "tipHeight": 223 }
kind: ask offers units, bid offers coins, fillAsk buys, fillBid sells, cancelAsk and cancelBid
cancel. The price is in satoshis for all units; the price of an ask is a multiple of its units. A
bid for more than one unit needs "allowUnenforcedPrice": true, because komodod's chains do not
enforce its price. To fill, give the total: "price", or "priceMax" to buy and "priceMin" to sell.
fill… and cancel… name the order by its txid: "order". ask and fillBid have tokenCoins.
More: tokenCreate, fee, maxFee, expiryHeight, network, nativeChange ("exact" or "daemon"),
spend ("selected", "needed" or "all": which of the coins). With "network": "tokel" an offer also has
orderExpiryHeight, the height from which nobody can fill it.`,
  async run(parsed, terminal) {
    const text = await readCaseText(onePositional(parsed), terminal)
    const request = readAs(['a request for an order'], text, parseOrderRequest)
    terminal.print(formatCase(built(request)))
    return exitAgrees
  },
}

function built({ kind, request }: OrderRequest): UnsignedOrder {
  switch (kind) {
    case 'ask':
      return buildTokenAsk(request)
    case 'bid':
      return buildTokenBid(request)
    case 'fillAsk':
      return buildTokenFillAsk(request)
    case 'fillBid':
      return buildTokenFillBid(request)
    case 'cancelAsk':
      return buildTokenCancelAsk(request)
    case 'cancelBid':
      return buildTokenCancelBid(request)
  }
}

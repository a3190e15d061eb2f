import type { FindingCode } from '../../request/report.ts'

const doNotSend = 'Do not broadcast it. Ask another server for the same transaction.'

/** Findings about orders and about signatures. */
export const orderFindings: Readonly<Partial<Record<FindingCode, string>>> = {
  intent_order: `An order is named by its txid: 64 digits.
    A txid of 62 digits.
    Correct it.`,
  intent_price: `The price is out of range, or is not a multiple of the units where the chain requires it.
    A price of 0.
    Correct the price.`,
  intent_price_unenforced: `The chain would let others take this order for less than its price.
    A bid for 10 units without allowUnenforcedPrice.
    Ask for a multiple of the units, or bid for one unit at a time.`,
  bid_price_unenforced: `The chain does not check what a seller gives for a bid.
    A bid of 1 coin for 100 units.`,
  ask_price_unenforced: `The chain rounds the price of an ask by up to one satoshi per unit.
    An ask of 50 satoshis per unit.`,
  order_missing: `The order is read from its own transaction, which was not given.
    A fill without the order among previousTransactions.
    Fetch it with antara-tx rpc daemon getrawtransaction TXID, and add its hex to previousTransactions.`,
  order_malformed: `The transaction that the request names is not an order of this kind and token.
    A fill of an ask that names a bid.
    Name the txid of the right order.`,
  order_not_own: `Cancelling pays the contents of an order to its maker.
    A cancellation by another key.
    Use the key that made the order.`,
  order_fill: `Nodes refuse this part of the order, or nobody could fill the remainder.
    A fill that leaves 20 satoshis.
    Fill the whole order, or another part of it.`,
  order_price: `You would pay more, or get less, than the request allows.
    priceMax 100 and a price of 120.
    ${doNotSend}`,
  order_terms: `The remainder of the order has other terms than the order.
    A fill after which the price is another one.
    ${doNotSend}`,
  order_input: `The assets module looks for the order in a fixed input.
    The order in input 3.
    ${doNotSend}`,
  order_position: `The assets module looks for each output in a fixed place.
    The payment in output 4.
    ${doNotSend}`,
  order_output: `Nobody could fill the remainder of the order from this output.
    A remainder in a plain output.
    ${doNotSend}`,
  order_amount: `The order holds another amount than the requested or the remaining one.
    An ask for 100 units that offers 110.
    ${doNotSend}`,
  order_marker: `The maker finds and cancels an order by its marker.
    An order without a marker.
    ${doNotSend}`,
  order_marker_left: `The marker holds 10,000 satoshis, and the cancellation leaves them there.
    A bid that komodod cancelled.`,
  payment: `The coins of the order go to another party.
    A fill that pays the server.
    ${doNotSend}`,
  payment_amount: `The payee gets more or less than agreed.
    A price of 90 for 100.
    ${doNotSend}`,
  royalty: `tokeld requires that the token's creator gets a share of the price.
    A fill without the royalty.
    ${doNotSend}`,
  royalty_share: `The token's creation states a royalty, which the price includes.
    A sale for 400000 satoshis, of which the seller gets 360000.`,
  royalty_unknown: `The creation of the token states the royalty, and it was not given.
    A fill without tokenCreate.
    Add the creation: antara-tx rpc daemon getrawtransaction TOKENID.`,
  order_expired: `The tip has passed the expiry height of the order.
    An order of last month.
    Cancel it or take another.`,
  order_expiry: `The order ends at another height than expected.
    An order that ends a year later.
    ${doNotSend}`,
  order_maker: `tokeld requires a coin of the key that makes the order.
    An order that spends coins of another key.
    ${doNotSend}`,
  bid_token_unknown: `A bid for a token that does not exist can never be filled.
    A bid without the creation of the token.`,
  fill_price: `The finding states the price of one unit, and the units that stay in the order.
    A fill of 10 of 100 units.
    Compare it with the price that you want.`,

  unsigned: `At least one input lacks signatures, so no node accepts the transaction. For M of N keys, the finding counts those that the input has.
    A case that antara-tx transfer printed.
    Sign it: antara-tx sign CASE.json. For the next of several signers, add --partly.`,
  signature: `A signature does not belong to this transaction or to this amount. Where others are still missing, one with another hash type than ALL is refused as well.
    A transaction that was changed after it was signed.
    Do not broadcast it: nodes refuse it. Sign it again.`,
  hash_type: `The signature leaves a part of the transaction open, which others can change.
    SIGHASH_NONE: anyone can redirect all outputs.
    Sign again with SIGHASH_ALL.`,
  signer: `The coin belongs to another key than the one that signed.
    A signature of key A for a coin of key B.
    Sign with the key of the coin.`,
  script_sig: `The signature is pushed in more bytes than it needs.
    PUSHDATA2 for 70 bytes.
    Nothing is lost.`,
}

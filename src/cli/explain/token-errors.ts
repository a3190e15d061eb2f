import type { ErrorCode } from '../../errors/codes.ts'

const otherPayload =
  'Do not use the transaction as a token transaction: nodes read no token from this payload.'
const fetchIt =
  'Fetch it with antara-tx rpc daemon getrawtransaction TXID, and add its hex to previousTransactions.'

/** Errors of tokens, orders and builders. */
export const tokenErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  unknown_token_function: `The payload is one of the tokens module, but its function byte is unknown to the module.
    A payload whose function byte is 00.
    ${otherPayload}`,
  unknown_payload_version: `The payload has a version that no daemon writes.
    A payload of version 2.
    ${otherPayload}`,
  pubkey_count: `A payload names one or two keys, and this one names more.
    A payload with three public keys.
    ${otherPayload}`,
  unknown_eval_code: `The data of the token begin with the eval code of another module, which then decides about transfers.
    A token whose data begin with f5.
    Treat the token as one that you cannot transfer.`,
  unknown_order_action: `The action byte of the order is unknown to the assets module.
    An order whose action byte is 00.
    ${otherPayload}`,
  unknown_data_version: `The properties of a Tokel token have a version that tokeld does not read.
    Properties of version 2.
    Write version 1.`,
  unknown_property: `The properties have a number that tokeld does not know.
    Property 09.
    Use only id, url, royalty and arbitrary.`,
  duplicate_property: `The properties have one number twice, so two readers may take different values.
    Two properties for the URL.
    Write each property once.`,
  royalty_over_limit: `A royalty is a number of thousandths of the price, at most 999.
    A royalty of 1000.
    Lower the royalty.`,
  text_mismatch: `The text and the bytes of one member differ, or the bytes are not UTF-8.
    A name whose bytes were cut inside a character.
    Give only the text.`,
  number_out_of_range: `A number is negative or too large for its field.
    A supply of 2^63.
    Use a number that the field can hold.`,
  push_too_short: `The given push opcode cannot hold this many bytes.
    PUSHDATA1 for 300 bytes.
    Leave the opcode out. antara-tx then chooses the shortest.`,
  unsupported_network: `The network has no tokens module that antara-tx knows.
    buildTokenTransfer on komodo, the network of KMD itself.
    Name an asset chain or tokel.`,
  invalid_pubkey: `A key of the request is not a compressed public key.
    An address where a public key belongs.
    Ask the recipient for the public key: 66 digits that begin with 02 or 03.`,
  burn_key: `The key is unspendable, so the tokens would be destroyed, and the request is not a burn.
    A destination of 02deaddead…
    Set burn: true if you want to destroy them. Otherwise correct the key.`,
  not_burn_key: `The request is a burn, and the key can spend.
    burn: true with the key of a person.
    Use the burn key, or remove burn.`,
  module_key: `Chain modules publish their private keys, so anyone can spend what such a key receives.
    The tokens module's own key as destination.
    Use a key of a person.`,
  recipient_count: `A payload has room for a fixed number of recipients.
    A transfer without recipients.
    Name at least one recipient. If there are too many, split the transfer.`,
  token_create_missing: `The builder needs the creation of the token to know its data and version.
    A transfer request without tokenCreate.
    Fetch the creation with antara-tx rpc daemon getrawtransaction TOKENID, and give it as tokenCreate.`,
  untransferable_data: `The data begin with an eval code, so the chain would ask that module about every transfer.
    Data that begin with e3.
    Begin the data with another byte.`,
  previous_transaction_missing: `A coin names a transaction that was not given, so its amount and owner are not proven.
    A request with a coin of a txid that is not among previousTransactions.
    ${fetchIt}`,
  no_such_output: `A coin names an output that its transaction does not have.
    vout 4 of a transaction with three outputs.
    Correct vout; the first output is 0.`,
  duplicate_coin: `The request lists one coin twice, but it can be spent only once.
    One txid and vout in two rows.
    Remove one of the two.`,
  foreign_coin: `The coin belongs to another key, or is a token where a native coin is needed.
    A coin of another person's key.
    List coins of the key that sends.`,
  token_disproven: `The output looks like the token, but its history shows that the chain does not count it.
    A coin of a transaction that created more units than it spent.
    Use another coin. This one cannot be spent as the token.`,
  insufficient_tokens: `The token coins hold fewer units than you send.
    A transfer of 200 units from coins of 150.
    Send fewer units, or add token coins. If other payments have taken the coins, see antara-tx explain insufficient_coins.`,
  insufficient_coins: `The native coins do not cover the fee and the coins that the outputs hold.
    A transfer with native coins of 5,000 satoshis and a fee of 10,000.
    Add native coins of the same key. A key that holds units pays their fee. If other payments have taken the coins, run antara-tx wallet resume. One that no block has keeps them. Run its command again, or give it up with antara-tx attempts forget.`,
  fee_over_limit: `The coins exceed the outputs by more than the highest allowed fee.
    Coins of 50,000 satoshis, no change, and a maximum of 20,000.
    Allow change, or raise maxFee.`,
  expiry_height: `The expiry height is in the past, or further ahead than nodes accept.
    An expiry height below the height of the tip.
    Use a height 1 to 400 blocks above the tip.`,
  nulldata_too_large: `Nodes do not relay a payload of this size.
    A token with data of 12,000 bytes.
    Shorten the name, the description or the data.`,
  input_count: `Nodes would take too long to validate a token transaction with this many inputs.
    A transfer from 200 token coins.
    Merge coins first, in several transfers to yourself.`,
  transaction_too_large: `The signed transaction would be larger than 200,000 bytes.
    A payment from 2,000 coins.
    Split it, or merge coins first.`,
  text_length: `The name must have 1 to 32 bytes, and the description at most 4096.
    A name of 33 letters.
    Shorten the text. Some letters take more than one byte.`,
  data_length: `The data of a non-fungible token are 1 to 10,001 bytes.
    Data of 11,000 bytes.
    Shorten the data: keep a hash of them, for example.`,
  supply_not_one: `A token with data is non-fungible, so there is exactly one unit of it.
    A supply of 100 with data.
    Set the supply to 1, or leave the data out.`,
  fee_below_relay: `Nodes do not relay a transaction that pays so little for its size.
    A fee of 100 satoshis for 2,000 bytes.
    Raise the fee, or set feeRate in its place.`,
  order_malformed: `The given transaction is not an open order, or is one of another kind or token.
    A fill of an ask that names a bid.
    Name the txid of the order itself; after a partial fill, that of the fill, which has the rest.`,
  order_fill: `The chain refuses this part of the order, or nobody could take the remainder.
    A fill that leaves 20 satoshis in the order.
    Fill the whole order, or another part of it.`,
  order_not_own: `Cancelling pays the order's contents to its maker, so only the maker can do it.
    A cancellation with another key.
    Use the key that made the order.`,
  order_price: `The price of the order is not the one that the request allows.
    priceMax of 100 for an order that asks 120.
    Change the price in the request, or take another order.`,
  evidence_contradicts: `A height or a time in the request contradicts another one, so at least one is false.
    A median time that is later than the time of the tip.
    Fetch heights and times again, all from one server.`,
  lock_time_stale: `KMD computes rewards from lock times, and its nodes refuse old ones.
    A lock time of last year.
    Use the time of the tip.`,
}

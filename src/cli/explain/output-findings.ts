import type { FindingCode } from '../../request/report.ts'

const doNotSend = 'Do not broadcast it. Ask another server for the same transaction.'
const wrongPayload =
  'Do not broadcast it: the chain would read another operation, or none, and the tokens could be lost.'
const nothingLost = 'Nothing is lost.'

/** Findings about outputs, fees, payloads and signatures. */
export const outputFindings: Readonly<Partial<Record<FindingCode, string>>> = {
  value_range: `The amount is above the supply of every chain, or above what one transaction may pay.
    An output of 2^62 satoshis.
    ${doNotSend}`,
  destination: `No output has the script of the requested recipient.
    antara-tx verify examples/transfer-wrong-destination.json
    Do not broadcast it: another party would be paid.`,
  destination_condition: `The recipient's key is paid in a script that holds coins and no token.
    A token transfer whose first output is a plain payment.
    ${doNotSend}`,
  amount: `The recipient gets more or less than you requested.
    A request for 100 units and an output of 90.
    ${doNotSend}`,
  token_change: `The returned units differ from the units that the inputs leave.
    1000 units spent, 100 sent and 800 returned.
    Do not broadcast it: the difference would be lost.`,
  token_change_destination: `The change in units goes to another key.
    Change of 900 units to the key of the server.
    Do not broadcast it: another party would get the change.`,
  token_imbalance: `The outputs hold another number of units than the inputs. Nodes refuse the transaction, or units are lost.
    Inputs of 1000 units and outputs of 900.
    ${doNotSend}`,
  zero_token_output: `A token output without units holds nothing.
    An output of 0 units.
    ${doNotSend}`,
  native_change_destination: `The change in coins goes to another key.
    antara-tx verify examples/transfer-stolen-change.json
    Do not broadcast it: another party would get the change.`,
  native_change_form: `Daemons pay change to the key. This transaction pays it to the hash of the same key.
    Change to your own address.
    ${nothingLost}`,
  change_split: `The transaction has more change outputs than the request allows. Each of them makes later payments larger.
    Change in ten outputs.
    Ask for one change output, or raise maxChangeOutputs.`,
  change_locked: `You could not spend this change with your own keys alone, or not now.
    Change to a script with a lock time.
    ${doNotSend}`,
  change_not_held: `Change, an order or tokens go to a key that the request names and the signer does not hold. A hostile machine may have named its own.
    A payment whose change goes to the first key of own, which is a stranger's.
    Compare the address with your own records. If it is yours, name it with --own of antara-tx sign, or in own of signCase.`,
  change_weaker: `Several keys must sign for the spent coins, and fewer for the change. Then fewer of the owners could take it. Change up to the worth of spent coins of as few keys is no warning.
    Coins of two of three keys, whose change goes to one of the keys.
    Ask for change to the script that is spent, or check that you want this.`,
  unexpected_output: `The transaction pays a script that the request does not name.
    A third output to an unknown address.
    ${doNotSend}`,
  output_order: `The outputs are the requested ones in another order.
    Change before the destination.
    ${nothingLost}`,
  marker: `A creation has one marker, by which daemons find the token.
    A creation with a marker of 9,000 satoshis.
    ${doNotSend}`,
  issuance: `The units of the new token go to another key.
    antara-tx verify examples/create-other-owner.json
    ${doNotSend}`,
  supply: `The new token has more or fewer units than you requested.
    A request for 1000 units and an output of 999.
    ${doNotSend}`,
  dust: `Nodes do not pass on outputs that cost more to spend than they hold.
    An output of 10 satoshis.`,
  nonstandard: `Nodes relay only the usual scripts, pushes of at most 520 bytes in a scriptSig, and at most 4,000 signature checks. They refuse this transaction, and only a miner can put it in a block.
    A payment to a bare script of ten keys.`,
  spend_nonstandard: `Nodes relay this transaction. A later one that spends the units needs a push of more than 520 bytes, and nodes refuse it.
    Units for 5 of 5 keys.`,
  payee_module_key: `The recipient is a key whose private key is published.
    A payment to the tokens module's address.`,
  payee_burn: `The output is unspendable.
    A payment to a nulldata script.`,
  payee_open: `Anyone can spend this output.
    A payment to the script OP_1.`,
  fee_too_low: `The fee is below the one you requested, and the difference went elsewhere.
    A request for 10,000 and a fee of 5,000.
    ${doNotSend}`,
  fee_below_requested: `komodod leaves the marker when it cancels a bid, and pays for it from the fee.
    A cancelled bid with a fee of 0.`,
  fee_too_high: `The miners would get more than you allow.
    A fee of 1 coin.
    Do not broadcast it. Raise maxFee only if you want to pay this.`,
  fee_with_change: `The transaction has change, so the fee could be exact, but it is higher.
    A request for 10,000, a fee of 15,000, and change.
    ${doNotSend}`,
  fee_rounding: `The remaining satoshis are too few for a change output, so they became part of the fee.
    A remainder of 40 satoshis.
    Nothing to do: a change output would cost more.`,
  fee_below_relay: `Nodes do not pass on transactions that pay less than a minimum per byte.
    A fee of 100 satoshis for 2,000 bytes.`,
  fee_share: `The fee is a large part of what is spent.
    A fee of 10,000 from a coin of 50,000.`,
  fee_high: `The fee is higher than usual for the amount.
    A fee of 0.02 coins.`,
  reward_unclaimed: `Coins of ten KMD or more earn a reward. It is lost if they are spent without claiming it.
    A payment from a coin of 100 KMD that is a month old.`,
  reward_claimed: `The outputs exceed the inputs by the reward that the coins have earned.
    A payment of KMD with a lock time.
    Nothing to do: nodes compute the reward themselves.`,
  reward_in_fee: `The reward pays a part of the fee, so the coins alone pay less than the fee shown.
    A payment of KMD whose reward is 500 satoshis.
    ${nothingLost}`,
  reward_unknown: `The verifier computes the reward from heights and times, and some of them are missing.
    A payment of KMD without tipTime.`,
  fee_unknown: `The amount of an input is not proven, so the fee is unknown.
    A case without one of its previous transactions.
    Fetch the missing transaction with antara-tx rpc daemon getrawtransaction TXID, and add its hex.`,

  nulldata_missing: `The payload that makes this a token transaction is missing.
    A transfer without an OP_RETURN output.
    ${wrongPayload}`,
  nulldata_position: `Daemons read the payload from the last output.
    A payload first.
    ${wrongPayload}`,
  multiple_nulldata: `Nodes do not relay two payloads, and readers may take either.
    Two OP_RETURN outputs.
    ${wrongPayload}`,
  nulldata_value: `Coins in a payload output are destroyed.
    An OP_RETURN output of 1 coin.
    ${doNotSend}`,
  nulldata_malformed: `The payload cannot be read.
    A payload that was cut.
    ${wrongPayload}`,
  nulldata_layout: `The payload has the layout of another daemon.
    A tokeld payload on an asset chain of komodod.
    Ask a daemon of this chain.`,
  nulldata_function: `The payload asks for another operation.
    A creation where a transfer was requested.
    ${wrongPayload}`,
  nulldata_trailing: `Bytes that were not requested follow the payload.
    A hidden note.
    ${doNotSend}`,
  nulldata_push: `The payload is pushed in more bytes than it needs. The chain reads the same.
    PUSHDATA2 for 80 bytes.
    ${nothingLost}`,
  nulldata_extra: `The payload has data that you did not request.
    An order inside a plain transfer.
    ${doNotSend}`,
  nulldata_legacy: `The payload has the order in an old form, which komodod still reads.
    An ask without the ID 12.`,
  nulldata_too_large: `Nodes do not relay a payload of this size.
    A payload of 20,000 bytes.
    Shorten the data.`,
  nulldata_pubkeys: `The payload names other keys than the request, and the chain follows the payload.
    A transfer to B whose payload names C.
    ${wrongPayload}`,
  tokenid: `The payload moves another token.
    A transfer of token A that names B.
    ${wrongPayload}`,
  owner: `The creation names another owner.
    A key of the server as owner.
    ${doNotSend}`,
  name: `The creation has another name.
    TEST instead of TESTCOIN.
    ${doNotSend}`,
  description: `The creation has another description.
    An advertisement.
    ${doNotSend}`,
  data: `The creation has other data.
    A link to another picture.
    ${doNotSend}`,
  property: `A property of the token differs.
    A royalty of 900 instead of 50.
    ${doNotSend}`,
  data_eval_code: `Data that begin with an eval code give that module a veto over every transfer.
    Data that begin with e3.`,
  tokel_data: `tokeld cannot read the properties of the token.
    A property twice.`,

  token_create_missing: `Without its creation, the name and the supply of a token are unknown.
    A case without tokenCreate.
    Add the creation: antara-tx rpc daemon getrawtransaction TOKENID.`,
  token_create_malformed: `The given creation does not hash to the tokenid, or creates no token.
    The creation of another token as tokenCreate.
    Fetch the creation again: antara-tx rpc daemon getrawtransaction TOKENID.`,
}

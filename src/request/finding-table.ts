import { type ErrorCode, errorSummaries } from '../errors/codes.ts'

/** Errors of `decodeTransaction`: the hex is not a transaction. */
export const decodeCodes = [
  'truncated',
  'trailing_bytes',
  'non_canonical_length',
  'length_over_limit',
  'count_over_input',
  'malformed_hex',
  'odd_length_hex',
  'empty_input',
  'unknown_transaction_format',
  'segwit_unsupported',
  'malformed_proof',
] as const

type Row = readonly ['reject' | 'warn' | 'info', string]

const ownFindings = {
  // Reported by `verifyMany` for a case that no verifier could report on.
  malformed_case: ['reject', 'the case does not have the documented form'],
  internal_error: ['reject', 'antara-tx itself failed on this case, and decided nothing about it'],

  too_large: ['reject', 'the transaction is over 200000 bytes'],

  // The request itself is wrong.
  intent_address: ['reject', 'a recipient is neither an address of the network nor a script'],
  intent_fee: ['reject', 'the fee asked for contradicts itself, or is none'],
  intent_tokenid: ['reject', 'the tokenid asked for is not 32 bytes of hex'],
  intent_pubkey: ['reject', 'a public key of the intent is not a compressed point of the curve'],
  intent_amount: ['reject', 'the amount asked for is not from 1 to 2^63 - 1'],
  intent_recipients: ['reject', 'the recipients asked for contradict the rest of the intent'],
  intent_burn: ['reject', 'the destination is the burn key, but a burn was not asked for'],
  intent_not_burn: ['reject', 'a burn was asked for, but the destination is not the burn key'],
  intent_module_key: ['reject', "a key of the intent is a module's, with which anyone can sign"],
  intent_name: ['reject', 'the name asked for is not from 1 to 32 bytes of UTF-8'],
  intent_description: ['reject', 'the description asked for is not up to 4096 bytes of UTF-8'],
  intent_data: ['reject', 'the data asked for is not from 1 to 10001 bytes of hex'],
  intent_keys: ['reject', 'keys that hold tokens together are from 1 to 15, and as many must sign'],
  intent_tokenids: [
    'reject',
    'the tokens asked for contradict each other, or the rest of the intent',
  ],
  intent_properties: ['reject', 'the properties asked for cannot be those of a token'],
  intent_version: ['reject', 'a version of tokens was asked for where there is only one'],
  intent_nft_supply: ['reject', 'a token with data must have a supply of 1'],
  intent_network: ['reject', 'tokens of this network are not judged here'],
  intent_own_keys: ['reject', 'an own key is neither a public key nor an address of one'],
  intent_spendable: ['reject', 'an output that may be spent is not named by 32 bytes of hex'],
  intent_on_chain: ['reject', 'a transaction of the chain is not named by 32 bytes of hex'],
  intent_asserted: ['info', 'what may be spent was said by somebody else'],

  // Claims of a server about the transaction that it made.
  cannot_be_judged: ['reject', 'cannot be judged: nothing of this family of chains'],
  response_contradicts: ['reject', 'the answer says of the transaction what it does not do'],

  // The header, and what the family of chains allows.
  version: ['reject', 'not a version 4 transaction, whose signatures commit to amounts'],
  old_version: ['reject', 'chains of today mine version 4 alone'],
  expired: ['reject', 'the transaction has already expired'],
  expiry_range: ['reject', 'the expiry height is further away than a wallet should allow'],
  no_expiry: ['warn', 'the transaction never expires and may be mined at any later time'],
  expiry_not_checked: ['warn', 'without the height of the chain the expiry cannot be judged'],
  expiry_differs: ['reject', 'the expiry height is not the one asked for'],
  lock_time: ['reject', 'a lock time delays the transaction'],
  lock_time_differs: ['reject', 'the lock time is not the one asked for'],
  lock_time_open: ['reject', 'the lock time holds nothing up, because every input is final'],
  lock_time_late: ['reject', 'the transaction expires before its lock time lets it be mined'],
  lock_time_stale: ['reject', 'the lock time is so old that no node takes the transaction'],
  lock_time_not_checked: [
    'warn',
    'without the median time of the last blocks nobody can tell whether the lock time has passed',
  ],
  sequence: ['warn', 'the sequence number of an input is not final'],
  shielded: ['reject', 'value may enter or leave the shielded pool'],
  too_much_to_hash: ['reject', 'signatures of this version hash the whole for every input'],
  no_inputs: ['reject', 'there are no inputs'],
  too_many_inputs: ['reject', 'more than 1024 inputs'],
  duplicate_input: ['reject', 'an output is spent twice'],
  null_prevout: ['reject', 'an input spends no output: coinbase or import'],
  chain_unbound: [
    'warn',
    'nothing binds this to a chain: coins of the same keys on another would do',
  ],
  chain_unproven: [
    'reject',
    'nothing that is spent leads back to what is known to be on the chain',
  ],
  unlisted_input: ['reject', 'an input spends an output that the intent does not name'],

  // Inputs, judged by the transactions they spend from.
  previous_transaction_malformed: ['warn', 'a previous transaction cannot be decoded'],
  prevout_missing: ['reject', 'no previous transaction hashes to the one that is spent from'],
  evidence_contradicts: [
    'reject',
    'a height or a time of the evidence contradicts another one, or a coin that is spent',
  ],
  amount_contradicted: ['reject', 'what is spent is worth something else than was said'],
  unconfirmed_input: ['warn', 'an input spends what is in no block yet'],
  prevout_index: ['reject', 'the previous transaction has no such output'],
  unexpected_input: ['reject', 'an input spends what the operation has no business with'],
  foreign_token_input: ['reject', 'an input spends tokens of another tokenid, or none at all'],
  foreign_condition_input: ['reject', "an input spends another module's or key's condition"],
  fake_token_input: ['reject', 'an input looks like the token but the chain does not count it'],
  marker_spend: ['reject', "an input spends a token's marker"],
  extra_input: ['warn', 'an input is spent that could have stayed where it is'],
  input_order: ['warn', 'the first input is a token; daemons put a native coin first'],
  token_parent_unproven: ['warn', 'that the spent tokens are genuine was not proven'],
  many_token_inputs: ['warn', 'so many token inputs take nodes many seconds to validate'],
  token_supply: ['reject', "more units are spent than the token's creation issued"],
  creation_not_funded: ['reject', "the owner's coins are worth less than the supply"],
  immature_coinbase: ['info', 'an input spends a coinbase, which must mature first'],
  premature_coinbase: ['reject', 'an input spends a coinbase that has not matured yet'],

  // Ancestors: the given transactions that this one comes from.
  ancestor_conflict: [
    'reject',
    'the transaction and its ancestors spend the same output twice, so no chain can have them all',
  ],
  ancestor_invalid: ['reject', 'an ancestor breaks a rule that every chain enforces'],
  ancestor_signature: ['reject', 'an ancestor is not signed as the outputs that it spends demand'],
  ancestor_value: ['reject', 'an ancestor pays out more than it spends'],
  ancestor_expired: ['reject', 'an ancestor expired before it was in a block'],
  ancestor_locked: ['reject', 'an ancestor has a lock time that no block up to now allows'],
  ancestor_height: [
    'reject',
    'an ancestor is said to be in a block above the tip, or below what it spends',
  ],
  ancestor_unconfirmed: ['warn', 'an ancestor is in no block yet'],
  ancestor_unproven: [
    'warn',
    'an ancestor that is in no block, or may be in none, could not be checked in full',
  ],
  height_unknown: [
    'warn',
    'heights were given, but none for this transaction: it may be in no block',
  ],
  output_spent: [
    'reject',
    'another given transaction, which is in a block, spends the same output',
  ],
  output_contested: [
    'warn',
    'another given transaction spends the same output, so only one of them can be mined',
  ],

  // Outputs.
  value_range: ['reject', 'an output value, or their sum, cannot exist'],
  destination: ['reject', 'the destination does not get what was asked for it'],
  destination_condition: [
    'reject',
    "the destination's key is there, in a script that holds no token",
  ],
  amount: ['reject', 'the destination gets another amount'],
  token_change: ['reject', 'the token change is not what remains'],
  token_change_destination: ['reject', 'token change does not go back to the sender'],
  token_imbalance: ['reject', 'tokens in and tokens out differ'],
  zero_token_output: ['reject', 'a token output holds nothing'],
  native_change_destination: ['reject', 'native change does not go back to the sender'],
  native_change_form: ['warn', "native change goes to the sender's key hash, not key"],
  change_split: ['reject', 'change is split over more outputs than the request allows'],
  change_locked: [
    'reject',
    'change goes to an own script that the own keys alone cannot spend now',
  ],
  unexpected_output: ['reject', 'an output has no place in the operation'],
  output_order: ['warn', "outputs are not in the daemon's order"],
  marker: ['reject', 'the marker is not one output of 10000 satoshis to the tokens module'],
  issuance: ['reject', 'the supply is not issued to the owner'],
  supply: ['reject', 'another supply is issued'],
  dust: ['warn', 'an output is too small to be relayed'],
  payee_module_key: [
    'warn',
    "a recipient's key is a module's, which is published: anyone can take it",
  ],
  payee_burn: ['warn', 'nobody can spend what a recipient gets'],
  payee_open: [
    'warn',
    'anyone can take what a recipient gets, because its script asks for no signature',
  ],
  fee_too_low: ['reject', 'the fee is below the one asked for'],
  fee_below_requested: [
    'warn',
    'the fee is below the one asked for, as komodod leaves it when it cancels a bid without its marker',
  ],
  fee_too_high: ['reject', 'the fee is above the bound'],
  fee_with_change: ['reject', 'there is change, yet the fee is above the one asked for'],
  fee_rounding: ['info', 'no change was given, its coins went to the fee within the bound'],
  fee_below_relay: ['warn', 'nodes do not relay a transaction of this size for this fee'],
  fee_share: ['warn', 'the fee is over a tenth of what is spent'],
  fee_high: ['warn', 'the fee is above 1 % of the coins that move, or above 0.01 coins'],
  reward_unclaimed: ['warn', 'the coins have accrued a reward that nobody claims'],
  reward_claimed: ['info', 'a reward that the coins have accrued is claimed'],
  reward_in_fee: [
    'info',
    'a reward that the coins have accrued pays a part of the fee, by the heights and times given',
  ],
  reward_unknown: [
    'warn',
    'the reward of the coins cannot be computed from the heights and times that were given',
  ],
  fee_unknown: ['reject', 'without all previous transactions the fee is not bounded'],

  // The nulldata output.
  nulldata_missing: ['reject', 'there is no nulldata output'],
  nulldata_position: ['reject', 'the nulldata output is not the last'],
  multiple_nulldata: ['reject', 'there is more than one nulldata output'],
  nulldata_value: ['reject', 'the nulldata output destroys coins'],
  nulldata_malformed: ['reject', 'the nulldata output is no token payload'],
  nulldata_layout: ['reject', "the payload is not in the layout of this chain's tokens"],
  nulldata_function: ['reject', 'the payload is for another operation'],
  nulldata_trailing: ['reject', 'bytes follow the payload'],
  nulldata_push: ['warn', 'the payload is pushed in a longer form than daemons use'],
  nulldata_extra: ['reject', 'the payload carries data that were not asked for'],
  nulldata_legacy: ['warn', 'the payload has the order without its id 12, as no daemon writes it'],
  nulldata_too_large: ['reject', 'the nulldata output is larger than nodes relay'],
  nulldata_pubkeys: ['reject', 'the payload does not name the destination alone'],
  tokenid: ['reject', 'the payload names another token'],
  owner: ['reject', 'the payload names another owner'],
  name: ['reject', 'the payload has another name'],
  description: ['reject', 'the payload has another description'],
  data: ['reject', 'the payload has other data'],
  property: ['reject', 'the token gets another property, or one that was not asked for'],
  data_eval_code: ['warn', 'plain chains refuse transfers of a token whose data begin so'],
  tokel_data: ['warn', 'the properties cannot be read, and tokeld mines no token with such'],

  token_create_missing: ['info', 'the creation of the token was not given, so it stays nameless'],
  token_create_malformed: ['reject', 'what was given as the creation of the token is not it'],

  // Orders of the assets module.
  intent_order: ['reject', 'the order asked for is not named by 32 bytes of hex'],
  intent_price: ['reject', 'the price asked for is too little to be relayed, or is none'],
  intent_price_unenforced: [
    'reject',
    'the chain does not enforce this price: an ask needs a multiple of its units, a bid for many units allowUnenforcedPrice',
  ],
  bid_price_unenforced: [
    'warn',
    'the chain does not enforce the price of a bid: a holder of the token can take all its coins for one unit, or for none',
  ],
  ask_price_unenforced: [
    'warn',
    'the chain enforces the price of an ask only to one satoshi per unit, which is over 1 % of this price',
  ],
  order_missing: ['reject', 'the transaction that has the order was not given'],
  order_malformed: ['reject', "what is said to be the order is none, or another token's"],
  order_not_own: ['reject', 'the order is not by this key: what it holds would go to another'],
  order_fill: ['reject', 'no node takes such a part, or nobody could fill what it leaves'],
  order_price: ['reject', 'to fill the order costs or brings something else than was asked'],
  order_terms: ['reject', 'the payload states other terms of the order'],
  order_input: ['reject', 'the order is not spent where the assets module looks for it'],
  order_position: ['reject', 'an output is not where the assets module looks for it'],
  order_output: ['reject', 'what is offered, or left of it, does not wait for who fills it'],
  order_amount: ['reject', 'another amount is offered, or left'],
  order_marker: ['reject', 'the marker is not one output of 10000 satoshis to who made the order'],
  order_marker_left: ['warn', 'the marker of the order is left behind, and its coins with it'],
  payment: ['reject', 'the coins for the order do not go to who they are due to'],
  payment_amount: ['reject', 'other coins are paid for the order'],
  royalty: ['reject', "the token's creator does not get the royalty that the creation states"],
  royalty_unknown: ['reject', 'without the creation of the token nobody can tell its royalty'],
  order_expired: ['reject', 'the order has expired: nobody can fill it any more'],
  order_expiry: ['reject', 'the order expires at another height than was asked for'],
  order_maker: ['reject', 'no coin of who makes the order is spent, so no chain takes it'],
  bid_token_unknown: ['warn', 'whether there is such a token was not shown: nobody may have any'],
  fill_price: ['info', 'what was paid for each unit, and what stays in the order'],

  unsigned: ['reject', 'an input is not signed'],
  signature: ['reject', 'the signature of an input does not hold'],
  hash_type: ['reject', 'a signature leaves parts of the transaction open'],
  signer: ['reject', 'an input is not signed by the one key that should have'],
  script_sig: ['warn', 'a fulfillment is pushed in a longer form than daemons use'],
} as const

/**
 * Every code that a finding can have, with its severity and what it means. Words never change
 * meaning; docs/findings.md lists them.
 */
export const findingTable: {
  readonly [Code in (typeof decodeCodes)[number]]: Row
} & typeof ownFindings = { ...rejects(decodeCodes), ...ownFindings }

/** Each with what the table of errors says of it. */
function rejects<Code extends ErrorCode>(codes: readonly Code[]): { readonly [It in Code]: Row } {
  const rows = codes.map((code) => [code, ['reject', errorSummaries[code]]])
  return Object.fromEntries(rows) as { [It in Code]: Row }
}

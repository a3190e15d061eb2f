// Every finding: its code, its severity and one sentence.

import { errorSummaries } from '../errors/codes.ts'

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

const ownFindings = {
  // Reported by `verifyMany` for a case that no verifier could report on.
  malformed_case: 'reject: the case does not have the documented form',
  internal_error:
    'reject: antara-tx itself failed on this case, so the case is not verified; please report it',

  too_large: 'reject: the transaction is larger than 200000 bytes, which no chain accepts',

  // The request itself is wrong.
  intent_address: 'reject: a recipient is neither an address of the network nor a script in hex',
  intent_fee:
    'reject: the requested fee, maxFee or feeRate is negative, or they contradict each other',
  intent_tokenid: 'reject: the requested tokenid is not 32 bytes of hex',
  intent_pubkey: 'reject: a requested public key is not a compressed point of the curve',
  intent_amount: 'reject: the requested amount is not between 1 and 2^63 - 1',
  intent_recipients:
    'reject: the requested recipients contradict each other or the rest of the request',
  intent_burn:
    'reject: the destination, or a key of the wallet, is unspendable, but the request is not a burn',
  intent_not_burn: 'reject: the request is a burn, but the destination is not the burn key',
  intent_module_key:
    'reject: a requested key belongs to a chain module, which publishes its private key',
  intent_name: 'reject: the requested name is not 1 to 32 bytes of UTF-8',
  intent_description: 'reject: the requested description is not at most 4096 bytes of UTF-8',
  intent_data: 'reject: the requested data is not 1 to 10001 bytes of hex',
  intent_keys:
    'reject: the requested keys are not 1 to 15 different keys, or contradict the rest of the request',
  intent_tokenids:
    'reject: the requested tokenids contradict each other or the rest of the request',
  intent_properties: 'reject: the requested properties are not valid for a token',
  intent_version: 'reject: a version of tokens is requested on a network that has only one',
  intent_nft_supply: 'reject: a token with data must have a supply of 1',
  intent_network: 'reject: the network has no tokens that antara-tx can verify',
  intent_own_keys: 'reject: an own key is neither a public key nor an address of one',
  intent_spendable: 'reject: an output that may be spent is not named by a txid of 32 bytes of hex',
  intent_on_chain: 'reject: a transaction of the chain is not named by a txid of 32 bytes of hex',
  intent_chain:
    'reject: the requested chain has a wrong value, or no known block that tells it from other chains',
  intent_asserted: 'info: another party, not the wallet, supplied this part of the request',

  // Claims of a server about the transaction that it made.
  cannot_be_judged:
    'reject: the response cannot be verified, because it belongs to another family of chains',
  response_contradicts: 'reject: a claim of the response contradicts the transaction',

  // The header, and what the family of chains allows.
  version: 'reject: the transaction is not of version 4, whose signatures commit to amounts',
  old_version: 'reject: the transaction has an old version, and chains now mine only version 4',
  expired: 'reject: the transaction has already expired',
  already_in_block:
    'warn: by the given heights, the transaction itself is in a block, so it has been sent',
  expiry_range: 'reject: the expiry height is too far ahead of the tip',
  no_expiry: 'warn: the transaction never expires, so it may be mined at any later time',
  expiry_not_checked:
    'warn: the expiry is not checked, because the height of the tip is unknown or disputed',
  expiry_differs: 'reject: the expiry height is not the requested one',
  lock_time: 'reject: a lock time delays the transaction',
  lock_time_differs: 'reject: the lock time is not the requested one',
  lock_time_open: 'reject: the lock time has no effect, because every input is final',
  lock_time_late: 'reject: the transaction expires before its lock time allows it to be mined',
  lock_time_stale: 'reject: the lock time is so old that nodes reject the transaction',
  lock_time_not_checked:
    'warn: the lock time cannot be checked without the median time of the last blocks',
  sequence: 'warn: the sequence number of an input is not final',
  shielded: 'reject: the transaction moves value into or out of the shielded pool',
  too_much_to_hash:
    'reject: the signatures are not checked, because those of this version take too long to hash',
  no_inputs: 'reject: the transaction has no inputs',
  too_many_inputs: 'reject: the transaction has more than 1024 inputs',
  duplicate_input: 'reject: the transaction spends an output twice',
  null_prevout: 'reject: an input spends no output, as in a coinbase or an import',
  chain_unbound:
    'warn: nothing binds the transaction to one chain, so it may be valid on another one too',
  chain_unproven:
    'reject: no input descends from a transaction that the wallet knows to be on its chain',
  chain_contradicted:
    'reject: the given headers have another block where the chain has a known one',
  inclusion_linked:
    'info: headers lead from the blocks of given transactions to a known block of the chain',
  inclusion_worked:
    'info: given transactions are in blocks after the last known one, with the work that was requested',
  inclusion_light:
    'warn: given transactions are in blocks after the last known one, which binds nothing without enough work',
  inclusion_unproven:
    'warn: a proof that a transaction is in a block does not hold, so it is ignored',
  unlisted_input: 'reject: an input spends an output that the request does not list as spendable',

  // Inputs, by the transactions that they spend from.
  previous_transaction_malformed: 'warn: a previous transaction cannot be decoded',
  prevout_missing: 'reject: no given previous transaction has the txid that an input spends from',
  evidence_contradicts:
    'reject: a height or time in the evidence contradicts another one, or a spent coin',
  amount_contradicted: 'reject: a claimed amount differs from the spent output',
  unconfirmed_input: 'warn: an input spends an output that is not in a block yet',
  prevout_index: 'reject: the previous transaction does not have the spent output',
  unexpected_input: 'reject: an input spends an output that the operation does not spend',
  foreign_token_input: 'reject: an input spends another token, or an output that holds no token',
  foreign_condition_input: 'reject: an input spends a condition of another module or key',
  fake_token_input:
    'reject: an input has the form of the token, but the chain does not count it as the token',
  marker_spend: 'reject: an input spends the marker of a token',
  extra_input: 'warn: an input is superfluous',
  input_order: 'warn: the first input is a token, while daemons put a native coin first',
  token_parent_unproven:
    'warn: token ancestry is incomplete, so creation and funding of the spent tokens are not proven',
  many_token_inputs: 'warn: nodes take many seconds to validate so many token inputs',
  token_supply: 'reject: the transaction spends more units than the creation of the token issued',
  creation_not_funded: "reject: the owner's coins among the inputs are worth less than the supply",
  immature_coinbase: 'info: an input spends a coinbase, which must mature first',
  premature_coinbase: 'reject: an input spends a coinbase that has not matured yet',
  claimed_unspent: 'info: only the chain source says that the spent outputs are unspent',

  // Ancestors: the given transactions that this one comes from.
  ancestor_conflict:
    'reject: the transaction and its ancestors take the same output, note or block reward twice, so no chain can contain all of them',
  ancestor_invalid: 'reject: an ancestor breaks a rule that every chain enforces',
  ancestor_signature: 'reject: an ancestor lacks a valid signature for an output that it spends',
  ancestor_value: 'reject: an ancestor pays out more than it spends',
  ancestor_expired: 'reject: an ancestor expired before it was in a block',
  ancestor_locked: 'reject: an ancestor has a lock time that no block until now satisfies',
  ancestor_height:
    'reject: an ancestor has an impossible height: above the tip, below that of an output it spends, or not the one that a coinbase names',
  ancestor_unconfirmed: 'warn: an ancestor is not in a block yet',
  ancestor_unproven: 'warn: an ancestor that may not be in a block could not be checked completely',
  height_unknown:
    'warn: the given heights do not include the transaction of this input, so it may not be in a block',
  output_spent: 'reject: another given transaction, which is in a block, spends the same output',
  output_contested:
    'warn: another given transaction spends the same output, so only one of the two can be mined',

  // Outputs.
  value_range:
    'reject: an output value or the sum of the outputs is outside the range of the chain',
  destination: 'reject: the requested destination is not paid',
  destination_condition:
    "reject: an output pays the destination's key in a script that holds no token",
  amount: 'reject: the destination gets another amount than requested',
  token_change: 'reject: the token change is not the remainder of the inputs',
  token_change_destination: 'reject: the token change does not go back to the sender',
  token_imbalance: 'reject: the outputs hold more or fewer tokens than the inputs',
  zero_token_output: 'reject: a token output holds no units',
  native_change_destination: 'reject: the native change does not go back to the sender',
  native_change_form: "warn: the native change pays the sender's key hash instead of the key",
  change_split: 'reject: the change has more outputs than the request allows',
  change_locked: 'reject: change goes to an own script that the own keys alone cannot spend now',
  change_not_held:
    'warn: change, an order or tokens go to a key that the request names and the signer does not hold',
  change_weaker: 'warn: fewer keys can spend change than the coins that it comes from',
  unexpected_output: 'reject: an output is not part of the operation',
  output_order: "warn: the outputs are not in the daemon's order",
  marker: 'reject: the marker is not one output of 10000 satoshis to the tokens module',
  issuance: 'reject: the supply is not issued to the owner',
  supply: 'reject: the issued supply is not the requested one',
  dust: 'warn: an output is too small for nodes to relay',
  nonstandard: 'warn: nodes do not relay the transaction, because of its scripts',
  spend_nonstandard:
    'warn: too many keys hold the units: nodes do not relay a transaction that spends them',
  payee_module_key:
    "warn: a recipient's key belongs to a chain module, which publishes its private key, so anyone can take the coins",
  payee_burn: 'warn: the coins of a recipient are unspendable',
  payee_open: "warn: a recipient's script requires no signature, so anyone can take the coins",
  fee_too_low: 'reject: the fee is below the requested one',
  fee_below_requested:
    'warn: the fee is below the requested one, as komodod leaves it when it cancels a bid without its marker',
  fee_too_high: 'reject: the fee is above the allowed maximum',
  fee_with_change: 'reject: the fee is above the requested one although there is change',
  fee_rounding: 'info: there is no change, so its coins were added to the fee within the limit',
  fee_below_relay: 'warn: the fee is too low for nodes to relay a transaction of this size',
  fee_share: 'warn: the fee is over a tenth of the inputs',
  fee_high: 'warn: the fee is above 1 % of the coins that move, or above 0.01 coins',
  reward_unclaimed:
    'warn: the spent coins have accrued a reward that the transaction does not claim',
  reward_claimed: 'info: the transaction claims a reward that the spent coins have accrued',
  reward_in_fee:
    'info: a reward of the spent coins pays a part of the fee, by the given heights and times',
  reward_unknown:
    'warn: the reward of the spent coins cannot be computed from the given heights and times',
  fee_unknown: 'reject: the fee is unknown, because not every spent amount is proven',

  // The nulldata output.
  nulldata_missing: 'reject: the expected nulldata output is missing',
  nulldata_position: 'reject: the nulldata output is not the last one',
  multiple_nulldata: 'reject: the transaction has more than one nulldata output',
  nulldata_value: 'reject: the nulldata output has a value, which is burned',
  nulldata_malformed: 'reject: the nulldata output is not a valid token payload',
  nulldata_layout: "reject: the payload is not in the layout of this chain's tokens",
  nulldata_function: 'reject: the payload is for another operation',
  nulldata_trailing: 'reject: bytes follow the token payload',
  nulldata_push: 'warn: the payload is pushed in a longer form than daemons use',
  nulldata_extra: 'reject: the payload has data that were not requested',
  nulldata_legacy: 'warn: the payload has the order without its id 12, which no daemon writes',
  nulldata_too_large: 'reject: the nulldata output is larger than nodes relay',
  nulldata_pubkeys: 'reject: the payload does not name exactly the expected public keys',
  tokenid: 'reject: the payload names another token',
  owner: 'reject: the payload names another owner',
  name: 'reject: the payload has another name',
  description: 'reject: the payload has another description',
  data: 'reject: the payload has other data',
  property: 'reject: a property of the token is not the requested one',
  data_eval_code:
    'warn: the chain rejects transfers of a token whose data begin with this eval code',
  tokel_data: 'warn: the properties of the token are malformed, and tokeld rejects such a token',

  token_create_missing: 'info: the creation of the token was not given, so its name is unknown',
  token_create_malformed:
    'reject: the given creation of the token is malformed, or belongs to another token',

  // Orders of the assets module.
  intent_order: 'reject: the requested order is not named by a txid of 32 bytes of hex',
  intent_price:
    'reject: the requested price is too low or too high, or not a multiple of the units where the chain requires that',
  intent_price_unenforced:
    'reject: the chain does not enforce this price: an ask needs a multiple of its units, a bid for many units allowUnenforcedPrice',
  bid_price_unenforced:
    'warn: the chain does not enforce the price of a bid: a holder of the token can take all its coins for one unit, or for none',
  ask_price_unenforced:
    'warn: the chain enforces the price of an ask only to one satoshi per unit, which is over 1 % of this price',
  order_missing: 'reject: the transaction of the order was not given',
  order_malformed: 'reject: the given order is malformed, of another kind, or for another token',
  order_not_own: 'reject: the order belongs to another key, which would get its contents',
  order_fill:
    'reject: this part of the order cannot be filled: nodes reject it, or the remainder would be unfillable',
  order_price: 'reject: filling the order costs or brings another amount than requested',
  order_terms: 'reject: the payload has other terms of the order than requested',
  order_input: 'reject: the order is not spent where the assets module looks for it',
  order_position: 'reject: an output is not where the assets module looks for it',
  order_output:
    'reject: the offer, or its remainder, is not in an output that the next filler can spend',
  order_amount: 'reject: the offered or remaining amount is not the expected one',
  order_marker: 'reject: the marker is not one output of 10000 satoshis to the maker of the order',
  order_marker_left: 'warn: the marker of the order is not spent, so its coins stay there',
  payment: 'reject: the coins for the order do not go to the expected payee',
  payment_amount: 'reject: the coins paid for the order are not the expected amount',
  royalty: "reject: the token's creator does not get the royalty that the creation requires",
  royalty_share:
    "warn: a part of the price that was named goes to the token's creator, so the seller gets less",
  royalty_unknown:
    'reject: the royalty is unknown, because the creation of the token was not given',
  order_expired: 'reject: the order has expired, so it cannot be filled',
  order_expiry: 'reject: the expiry height of the order is not the expected one',
  order_maker:
    'reject: the transaction spends no coin of the maker of the order, so nodes reject it',
  bid_token_unknown: 'warn: the creation of the token was not given, so the token may not exist',
  fill_price: 'info: the price of each unit in this fill, and the remainder of the order',

  unsigned: 'reject: an input lacks signatures',
  signature: 'reject: the signature of an input is invalid',
  hash_type: 'reject: a signature does not commit to the whole transaction',
  signer: 'reject: an input is not signed by the required key or keys',
  script_sig: 'warn: a fulfillment is pushed in a longer form than daemons use',
} as const

type DecodeCode = (typeof decodeCodes)[number]
export type Severity = 'reject' | 'warn' | 'info'
type OwnFindings = typeof ownFindings

/** Codes never change their meaning; docs/findings.md lists them. */
export type FindingCode = DecodeCode | keyof OwnFindings

/** The codes of findings with severity `warn`. */
export type WarningCode = {
  [Code in keyof OwnFindings]: OwnFindings[Code] extends `warn: ${string}` ? Code : never
}[keyof OwnFindings]

/** Lists every code that a finding can have. */
export function findingCodes(): FindingCode[] {
  return [...decodeCodes, ...(Object.keys(ownFindings) as (keyof OwnFindings)[])]
}

export function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(ownFindings, code) || decodeCodes.some((it) => it === code)
}

/**
 * Returns the severity and the meaning of a finding. It splits one text, because splitting all of them
 * at the start is slow: docs/adr/0041-no-own-code-cache.md.
 */
export function findingRow(code: FindingCode): readonly [severity: Severity, meaning: string] {
  if (!Object.hasOwn(ownFindings, code)) return ['reject', errorSummaries[code as DecodeCode]]
  const text = ownFindings[code as keyof OwnFindings]
  const [severity] = text.split(':', 1) as [Severity]
  return [severity, text.slice(severity.length + 2)]
}

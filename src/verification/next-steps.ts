import type { HarmlessWarning, OpenFact } from '../request/broadcast.ts'
import type { WarningCode } from '../request/finding-table.ts'

/** Codes of findings that reject nothing and leave something open. */
export type OpenCode = Exclude<WarningCode, HarmlessWarning> | OpenFact

/**
 * The next step for a finding that leaves the decision to you. The verdict, `antara-tx explain` and
 * docs/findings.md show it.
 */
export const nextSteps: { readonly [Code in OpenCode]: string } = {
  intent_asserted: 'compare that part of the request with what the wallet itself knows',
  no_expiry: 'ask for a transaction with an expiry height, or never replace this one',
  already_in_block: 'do not pay again, and check its block with a server that you trust',
  expiry_not_checked: 'take tipHeight from a server that you trust',
  lock_time_not_checked: 'add medianTime to the evidence',
  sequence: 'ask for the sequence number 0xffffffff, unless you want a lock time',
  chain_unbound: 'add outputs of your own chain to spendable, or a transaction of it to onChain',
  inclusion_light:
    'add a later known block to checkpoints of chain, or the work that you require as workMin',
  inclusion_unproven: 'fetch the proof again, or from another server',
  previous_transaction_malformed: 'fetch that transaction again, or from another server',
  unconfirmed_input: 'wait until the spent transaction is in a block',
  token_parent_unproven:
    'fetch each missing ancestor with antara-tx rpc daemon getrawtransaction TXID, and add its hex to previousTransactions',
  many_token_inputs: 'merge the tokens with smaller transfers first',
  ancestor_unconfirmed: 'wait until the ancestor is in a block',
  ancestor_unproven:
    'add the transactions that the ancestor spends, or wait until it is in a block',
  height_unknown: 'add the height of the spent transaction to heights, or ask a server that has it',
  output_contested: 'wait until one of the two transactions is in a block',
  change_not_held:
    'compare it with your own records, and name it in own of the signer if it is yours',
  change_weaker: 'ask for change to the script that is spent, or check that you want this',
  dust: 'ask for a larger output, or accept that nodes may not relay this one',
  nonstandard: 'ask the recipient for an address, or give the transaction to a miner',
  spend_nonstandard: 'choose fewer keys, or fewer signatures',
  payee_module_key: 'ask the recipient for an address of a private key',
  payee_burn: 'continue only if you want to destroy these coins',
  payee_open: 'ask the recipient for an address whose script requires a signature',
  fee_below_requested: 'accept the lower fee, or ask for a cancellation that spends the marker',
  fee_below_relay: 'ask for a higher fee, or accept that nodes may not relay the transaction',
  fee_share: 'check that you want to pay this fee',
  fee_high: 'check that you want to pay this fee',
  reward_unclaimed: 'ask for a transaction that claims the reward, or give the reward up',
  reward_unknown: 'add tipTime, and the heights of the spent transactions, to the evidence',
  nulldata_legacy: 'ask a current daemon for the order',
  data_eval_code:
    'create a token with other data, or bid for another one: nobody could move this one',
  tokel_data: 'correct the properties, because tokeld rejects this token',
  bid_price_unenforced: 'bid for one unit at a time, or accept the risk',
  ask_price_unenforced: 'ask for at least 100 satoshis per unit, or accept the risk',
  royalty_share:
    'check that what remains is enough, or state priceMin instead if you sell to a bid',
  order_marker_left: "ask for a transaction that spends the marker, or give the marker's coins up",
  bid_token_unknown: 'add the creation of the token to the evidence, as tokenCreate',
}

// How a daemon words the refusal of a transaction that it has.

/**
 * The words of daemons for the opposite of a refusal, which servers pass on in their own.
 *
 * @see komodo src/rpc/rawtransaction.cpp, sendrawtransaction; bitcoin src/common/messages.cpp,
 *   TransactionErrorString; spesmilo/electrumx src/electrumx/server/session.py,
 *   transaction_broadcast
 */
export const hasItAlready: RegExp =
  /\balready in (?:the )?(?:block ?chain|mempool|utxo set)\b|\btxn-already-(?:in-mempool|known)\b/i

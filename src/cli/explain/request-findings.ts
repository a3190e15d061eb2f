import type { FindingCode } from '../../request/report.ts'

const correct = 'Correct the request, and ask the server again.'
const doNotSend = 'Do not broadcast it. Ask another server for the same transaction.'

/** Findings about the request, about claims of a server, and about the header of a transaction. */
export const requestFindings: Readonly<Partial<Record<FindingCode, string>>> = {
  malformed_case: `A case of a batch lacks a member, or has one of the wrong type.
    verifyMany with a case that has no intent.
    The finding names the member: correct that case.`,
  internal_error: `antara-tx failed on this case, so the transaction is not verified.
    A bug in antara-tx.
    Do not broadcast it. Please report the case, without private keys.`,
  too_large: `No chain of the family mines a transaction above 200,000 bytes.
    A payment from 2,000 coins.
    Split the payment, or merge coins first.`,
  intent_address: `The address is mistyped, or belongs to another network.
    A Bitcoin address in a payment of KMD.
    ${correct}`,
  intent_fee: `The members for the fee contradict each other.
    A fee of 30,000 with a maxFee of 20,000.
    ${correct}`,
  intent_tokenid: `A tokenid is the txid of the creation: 64 digits.
    A tokenid of 62 digits.
    ${correct}`,
  intent_pubkey: `A key of the request is mistyped, or is an address.
    An address as destination of a token transfer.
    Ask the recipient for the public key: 66 digits that begin with 02 or 03.`,
  intent_amount: `The amount is zero, negative or too large.
    An amount of 0.
    ${correct}`,
  intent_recipients: `A recipient is listed twice, or the list contradicts another member.
    One address with two amounts.
    ${correct}`,
  intent_burn: `The key is unspendable, so the tokens would be destroyed, and the request is not a burn.
    A destination of 02deaddead…
    Set burn: true if you want to destroy them. Otherwise correct the key.`,
  intent_not_burn: `The request is a burn, and its destination can spend.
    burn: true with the key of a person.
    Use the burn key, or remove burn.`,
  intent_module_key: `Chain modules publish their private keys, so anyone can sign with this key.
    The tokens module's own key as destination.
    Use a key of a person.`,
  intent_name: `A name has 1 to 32 bytes.
    A name of 33 letters.
    Shorten the name.`,
  intent_description: `A description has at most 4096 bytes.
    A description of 5,000 letters.
    Shorten the description.`,
  intent_data: `Data have 1 to 10,001 bytes.
    Data of an odd number of digits.
    ${correct}`,
  intent_keys: `A token output has 1 to 15 different keys.
    The same key twice.
    ${correct}`,
  intent_tokenids: `The tokenids contradict each other.
    One tokenid listed twice.
    ${correct}`,
  intent_properties: `tokeld would refuse the properties.
    A royalty of 1000 thousandths.
    ${correct}`,
  intent_version: `Only tokeld has two versions of tokens.
    version: 2 on an asset chain of komodod.
    Remove the version.`,
  intent_nft_supply: `A token with data is non-fungible, so there is one unit of it.
    A supply of 100 with data.
    Set the supply to 1, or leave the data out.`,
  intent_network: `The network has no tokens module that antara-tx knows.
    A token transfer on komodo.
    Name an asset chain or tokel.`,
  intent_own_keys: `An own key is mistyped.
    A script in ownKeys.
    ${correct}`,
  intent_spendable: `An output is named by txid and vout.
    A txid of 62 digits.
    ${correct}`,
  intent_on_chain: `A transaction is named by its txid.
    A txid of 62 digits.
    ${correct}`,
  intent_chain: `The request names its chain by blocks, and a member has a value that cannot be right.
    The only block in checkpoints is the first one, which all asset chains share.
    ${correct}`,
  intent_asserted: `A server supplied a part of the request: own keys, outputs to spend, or blocks of the chain. If it is false, the wrong coins may be spent.
    reportedBy: "the daemon" beside spendable.`,

  cannot_be_judged: `The response belongs to a coin of another family, whose transactions have another form.
    A withdraw of a Tendermint coin.
    Verify it with a tool for that family.`,
  response_contradicts: `The response describes its transaction falsely: the bytes differ from it.
    A fee of 1,000 in the response and of 100,000 in the hex.
    Do not broadcast it, and do not show the claims of this server.`,

  version: `Signatures of older versions do not commit to amounts, so false amounts move money into the fee.
    A token transfer of version 1.
    ${doNotSend}`,
  old_version: `Today, chains mine version 4 only.
    A payment of version 1.
    Ask a current server for the transaction.`,
  expired: `The expiry height is not above the tip, so no block can contain the transaction.
    A transaction that was signed yesterday.
    Make sure first that no block contains it: antara-tx verify with --daemon or --electrum asks for its txid. If it was mined, a new transaction would pay twice. Otherwise ask for a new one.`,
  already_in_block: `The server, or heights of the case, say that this transaction is in a block. It has been sent, and it can pay only once.
    A payment that was sent last week and is verified again.
    Do not pay again. Check the block with another server, because this one can be wrong.`,
  expiry_range: `The transaction expires later than nodes allow. It could be mined after you have paid in another way.
    An expiry height 10,000 blocks above the tip.
    Ask for a new transaction, or set expiryBlocksMax if your daemon uses -txexpirydelta.`,
  no_expiry: `The expiry height is 0, so the transaction stays valid until one of its coins is spent.
    A transaction of a server that sets no expiry.`,
  expiry_not_checked: `The verifier could not compare the expiry height with that of the tip. The evidence has none, or the case states one more than ten blocks above that of the server.
    A case without tipHeight.`,
  expiry_differs: `The request names an expiry height, and the transaction has another one.
    expiryHeight 5000 in the request and 9000 in the hex.
    ${doNotSend}`,
  lock_time: `The transaction cannot be mined until a later block or time, and the request has no lock time.
    A lock time of next year.
    ${doNotSend}`,
  lock_time_differs: `The request names a lock time, and the transaction has another one.
    lockTime 100 in the request and 200 in the hex.
    ${doNotSend}`,
  lock_time_open: `With final sequence numbers, a lock time has no effect.
    A requested lock time with sequence numbers 0xffffffff.
    Ask for sequence numbers of 0xfffffffe.`,
  lock_time_late: `The transaction expires before its lock time ends, so no block can contain it.
    A lock time of height 900 with an expiry height of 800.
    Ask for a later expiry, or an earlier lock time.`,
  lock_time_stale: `KMD computes rewards from lock times, and its nodes refuse old ones.
    A lock time of last year.
    Ask for the time of the tip as lock time.`,
  lock_time_not_checked: `Nodes compare lock times with the median time of eleven blocks, which was not given.
    A lock time close to the time of the tip.`,
  sequence: `The sequence number enables a lock time, but the transaction has none.
    A sequence number of 0.`,
  shielded: `The transaction has a shielded part, whose amounts and payees cannot be read.
    A payment with a joinSplit.
    ${doNotSend}`,
  too_much_to_hash: `Old versions hash the whole transaction for each input.
    Version 1 with 900 inputs.
    Ask for a transaction of version 4, or with fewer inputs.`,
  no_inputs: `A transaction without inputs pays nothing.
    An empty transaction.
    ${doNotSend}`,
  too_many_inputs: `The verifier refuses more inputs, to bound its time.
    A payment from 1,100 coins.
    Split the payment, or merge coins first.`,
  duplicate_input: `No chain accepts a transaction that spends one output twice.
    Two inputs of the same txid and vout.
    ${doNotSend}`,
  null_prevout: `The input makes coins instead of spending them. Only blocks and coin imports may do that.
    A coinbase offered as a payment.
    ${doNotSend}`,
  chain_unbound: `All asset chains share keys and scripts. The transaction may spend coins that the same key has on another chain.
    A creation without spendable and onChain.`,
  chain_unproven: `The request names transactions or blocks of its chain, and the evidence leads from no input to one of them.
    onChain names a coinbase of chain A, and the inputs come from chain B.
    Add the transactions between them to previousTransactions, or proofs to inclusion. If there are none, do not broadcast.`,
  chain_contradicted: `The headers of the evidence come from another chain, or from a branch that yours does not have.
    The request knows block 4400000, and the headers have another block there.
    Do not broadcast. Ask another server, and check the block in checkpoints.`,
  inclusion_linked: `Headers lead from the block of a spent transaction to a known block, so the transaction is on your chain.
    A coin of block 100, and headers from there to the known block 150.
    Nothing to do. The proof does not show that the coins are unspent.`,
  inclusion_worked: `The spent transaction is in a block after the last known one. The work on that block reaches workMin.
    A coin of block 160 where block 150 is known, and workMin is reached.
    Nothing to do. A later known block would make the proof certain.`,
  inclusion_light: `The headers have less work than workMin, or the request has no workMin. Anyone can make easy headers in seconds.
    A coin of block 160 where block 150 is known, without workMin.`,
  inclusion_unproven: `The headers or the branch do not prove the inclusion. The server may be wrong, or the chain has changed meanwhile.
    A branch that ends in another Merkle root.`,
  unlisted_input: `The request lists the outputs that may be spent, and an input spends another one.
    An input with a coin that you keep for another purpose.
    ${doNotSend}`,
}

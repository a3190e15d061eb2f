import type { FindingCode } from '../../request/report.ts'

const doNotSend = 'Do not broadcast it. Ask another server for the same transaction.'
const neverMined = 'Do not broadcast it, and do not spend from this ancestor.'

/** Findings about inputs and their ancestors. */
export const inputFindings: Readonly<Partial<Record<FindingCode, string>>> = {
  previous_transaction_malformed: `One of the given transactions cannot be read, so the verifier ignores it.
    A previous transaction whose end is missing.`,
  prevout_missing: `Without the whole transaction that an input spends from, its amount and owner are unknown.
    A case whose previousTransactions lack a parent.
    Run antara-tx verify with --daemon or --electrum, which fetch it; or add its hex to previousTransactions.`,
  evidence_contradicts: `Two heights or times of the evidence cannot both be true, so the server that gave them is wrong.
    Two heights for one transaction.
    Fetch heights and times again, all from one server that you trust.`,
  amount_contradicted: `The claimed amount of a coin differs from the bytes of its transaction.
    amounts says 5 coins, and the output holds 50.
    Do not broadcast it: the server gave a false amount.`,
  unconfirmed_input: `The spent transaction is in no block. If another one replaces it, this transaction is void.
    Change of a payment that was sent a minute ago.`,
  prevout_index: `An input names an output that its transaction does not have.
    vout 7 of a transaction with two outputs.
    ${doNotSend}`,
  unexpected_input: `The operation must not spend this coin: it belongs to another party, or is of another kind.
    A coin of another person's key.
    ${doNotSend}`,
  foreign_token_input: `The transaction would spend, and may destroy, units of another token.
    A transfer of token A that also spends token B.
    ${doNotSend}`,
  foreign_condition_input: `The transaction would spend from another module, or from a condition of another key.
    A transfer that spends a faucet output.
    ${doNotSend}`,
  fake_token_input: `Anyone can make an output that looks like the token. The chain counts it only with the right history.
    An output of a transaction that spent none of the token.
    Do not broadcast it: the units are worthless.`,
  marker_spend: `The marker proves that the token exists, and the operation must not spend it.
    A transfer that spends output 0 of the creation.
    ${doNotSend}`,
  extra_input: `The transaction spends one more coin than the amounts need. It comes back in full, as change.
    Two coins of 1.0 for a payment of 0.5.
    Nothing is lost. Ask for a transaction with fewer coins if that matters to you.`,
  input_order: `Daemons put a native coin first, and this transaction does not. The chain accepts both.
    A token as the first input.
    Nothing is lost.`,
  token_parent_unproven: `The evidence does not lead back to the creation of the token, or lacks a transaction whose coins paid for it. So the spent units may be false.
    antara-tx verify examples/transfer.json`,
  many_token_inputs: `Validation takes time that grows with the square of the number of token inputs. Nodes may be too slow to mine this transaction.
    A transfer from 60 token coins.`,
  token_supply: `The transaction spends more units than the creation issued, so it counts some of them twice.
    Two coins of 1000 units of a token with a supply of 1000.
    ${doNotSend}`,
  creation_not_funded: `The chain requires that the owner's own coins pay for the supply.
    A creation paid by coins of another key.
    Ask for a creation that spends coins of the owner.`,
  immature_coinbase: `Newly mined coins mature after a number of blocks. Each chain sets its own number.
    antara-tx verify examples/transfer.json
    Nothing to do: nodes refuse the transaction until the coins have matured.`,
  claimed_unspent: `A transaction cannot prove that its outputs are unspent. Only the chain source reports it.
    Each payment of a wallet, such as antara-tx wallet send.
    Nothing to do: nodes refuse a spent output. A quorum of sources shows it earlier.`,
  premature_coinbase: `On KMD a coinbase matures after 100 blocks, and the spent one is younger.
    A coinbase that is 40 blocks deep.
    Wait, or ask for a transaction from other coins.`,

  ancestor_conflict: `Two given transactions take the same output, note or block reward, and no chain can contain both.
    The parent of an input, and another transaction that spends the same coin.
    ${neverMined}`,
  ancestor_invalid: `No block can contain the given ancestor.
    An ancestor that spends one output twice.
    ${neverMined}`,
  ancestor_signature: `The owner of what a given ancestor spends has not signed it.
    An invented parent that gives you coins of another person.
    Do not broadcast it: the server invented the ancestor. If it has no scriptSig, and the evidence lacks what it spends, add that transaction: very few scripts need none.`,
  ancestor_value: `A given ancestor pays out more coins than it spends.
    A parent that spends 1 coin and pays 2.
    Do not broadcast it: the server invented the ancestor.`,
  ancestor_expired: `A given ancestor expired before any block contained it.
    A parent with an expiry height of last month that is in no block.
    Do not broadcast it. Ask for a transaction from other coins.`,
  ancestor_locked: `The lock time of a given ancestor has not passed, so no block can contain it yet.
    A parent with a lock time of next year.
    Do not broadcast it. Ask for a transaction from other coins.`,
  ancestor_height: `The evidence says that a transaction is in a block that cannot contain it.
    A parent above the tip.
    Fetch the heights again from a server that you trust.`,
  ancestor_unconfirmed: `An ancestor is in no block. If another transaction replaces it, this transaction is void.
    The parent of a change output that was sent a minute ago.`,
  ancestor_unproven: `An ancestor is in no block, and you did not give what it spends. The server could have invented it.
    A parent of height 0 without its parents.`,
  height_unknown: `The evidence has heights, but none for the transaction that this input spends from.
    The parent pays an address with a history too long for the server.`,
  output_spent: `A transaction in a block has already spent the coin.
    A payment from coins that another wallet with the same key spent.
    Ask for a transaction from other coins.`,
  output_contested: `Two transactions spend the same coin, so one of them will be void.
    A payment that was requested twice.`,
}

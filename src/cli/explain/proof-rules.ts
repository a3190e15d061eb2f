import type { ProofRule } from '../../token/rules/rules.ts'

const worthless = 'Take no such output for the token: the chain does not count it.'
const history = 'Do not accept tokens of this history.'

/** Rules that a proof of tokens or an audit names where an output holds none. */
export const proofRules: Readonly<Record<ProofRule, string>> = {
  no_such_output: `The transaction has no output of this number.
    Output 7 of a transaction with two outputs.
    Correct the number of the output.`,
  last_output: `The last output of a transaction has the payload, so it never holds tokens.
    The nulldata output of a transfer.
    ${worthless}`,
  not_a_condition: `The output pays a key or an address. Only an output that pays a condition holds tokens.
    The change in coins of a transfer.
    ${worthless}`,
  no_amount: `The output has a value of zero.
    A condition of 0 satoshis.
    ${worthless}`,
  no_payload: `The last output has no payload of tokens that a daemon could read.
    A payment in coins to a condition.
    ${worthless}`,
  other_token: `The payload names another token.
    A transfer of token A, where token B is asked about.
    Ask about the token that the payload names.`,
  condition_not_listed: `The output pays a condition that the keys of the payload and of the inputs do not make.
    A condition of a key that the payload does not name.
    ${worthless}`,
  marker: `The output is the marker of the creation, which holds no units.
    Output 0 of a creation.
    ${worthless}`,
  not_a_creation: `The id of the token is that of a transaction that creates no token.
    The txid of a transfer in place of the tokenid.
    Correct the tokenid.`,
  creation_imported: `The creation imports coins from another chain, so its funding cannot be checked.
    A token that was migrated from another chain.
    Ask a node of the chain about the token.`,
  creation_not_single: `The creation issues tokens in several outputs, or does not have exactly one marker.
    A creation with two markers.
    ${history}`,
  creation_spends_tokens: `The creation spends tokens, and no chain accepts that.
    An invented creation.
    ${history}`,
  creation_not_funded: `The owner that the creation names paid less than was issued.
    A supply of 1000 units for 10 satoshis.
    ${history}`,
  unequal_amounts: `A transfer pays out more or fewer units than it spends.
    A transfer that spends 100 units and pays out 1000.
    ${history}`,
  double_spend: `Two inputs of the history spend one output.
    Two transfers that spend the same units.
    ${history}`,
  signature_invalid: `An input that brings tokens, or pays for their creation, has no valid signature.
    A history that a stranger invented.
    ${history}`,
  marker_spent_with_burn: `The marker of the token is spent together with a burn, and no chain accepts that.
    An invented burn.
    ${history}`,
  other_module: `The transaction creates a token of another module. A ledger follows one module: tokens v2 with --network tokel, and tokens v1 of komodod with --network assetChain.
    A creation of tokeld's tokens v1 in a ledger of tokens v2.
    If the chain is one of tokeld, make a new ledger with --network tokel. No ledger has the tokens v1 of tokeld: ask the daemon about them.`,
}

import type { ErrorCode } from '../../errors/codes.ts'

const notStandard =
  'Nodes refuse the signature. Sign again with antara-tx or another library that writes standard signatures.'
const signAgain = 'Sign the transaction again with the key that the output is paid to.'

/** Errors of hashes to sign, of signatures, and of coin selection. */
export const signingErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  input_index_out_of_range: `The transaction has no input with this index. The first input has the index 0.
    signatureHash(hex, 2, …) for a transaction of two inputs.
    Use an index below the number of inputs.`,
  single_without_output: `SIGHASH_SINGLE signs the output beside the input, and there is no such output.
    Input 3 of a transaction with two outputs.
    Use SIGHASH_ALL.`,
  prevout_count_mismatch: `The number of previous outputs differs from the number of inputs. Each input needs its own, in the same order.
    Two previous outputs for three inputs.
    Pass one previous output per input.`,
  signature_missing: `The input has no signature, or fewer than its script requires.
    An empty scriptSig.
    ${signAgain}`,
  signature_length: `The lengths inside the signature do not add up to its size.
    A signature whose last byte is missing.
    ${notStandard}`,
  signature_tag: `The bytes are not a signature in DER form.
    A compact signature of 64 bytes where DER is expected.
    ${notStandard}`,
  signature_integer_empty: `r or s has no bytes.
    A signature with an s of length 0.
    ${notStandard}`,
  signature_integer_negative: `The first bit of r or s is set without a leading zero.
    An r that begins with 80.
    ${notStandard}`,
  signature_integer_padded: `r or s has a leading zero that it does not need.
    An r that begins with 0001.
    ${notStandard}`,
  compact_signature_length: `A signature in a crypto-condition must have 64 bytes, r and s.
    A DER signature in a fulfillment.
    ${notStandard}`,
  signature_out_of_range: `r or s is zero, or not below the order of the curve.
    An s of 32 bytes of ff.
    ${notStandard}`,
  signature_high_s: `s is in the upper half. Anyone could negate it and so change the txid, so nodes accept the lower half only.
    A signature of a library that does not normalize s.
    ${notStandard}`,
  undefined_hash_type: `The last byte of the signature is not a known hash type.
    A hash type of 04.
    Use SIGHASH_ALL, 01.`,
  malformed_public_key: `The bytes have the wrong size or the wrong first byte.
    A key that begins with 05.
    Check the key with its owner.`,
  public_key_off_curve: `The key has the right size, and no point of the curve has its coordinate.
    A key in which one digit was mistyped.
    Check the key with its owner.`,
  signature_mismatch: `The signature belongs to another transaction, another amount, another key or another chain.
    A transaction whose output was changed after it was signed.
    ${signAgain}`,
  transaction_over_limit: `No chain mines transactions above 200,000 bytes, so the inputs of this one are not hashed.
    A payment from 2,000 coins.
    Split the payment, or merge coins first.`,
  redeem_script_missing: `An input spends a coin of a script hash, and the script behind the hash is missing.
    A scriptSig of signatures alone.
    Give the redeem script when you sign.`,
  script_sig_form: `The scriptSig has pushes in a longer form, or more than the script takes.
    A scriptSig with an extra push.
    ${notStandard}`,
  public_key_hash_mismatch: `The coin belongs to another key than the one that signed.
    A signature of key A for a coin of key B.
    ${signAgain}`,
  script_hash_mismatch: `The coin belongs to another script than the one given.
    The keys of a multisignature script in another order.
    Find the script that was used to make the address.`,
  unsupported_script: `antara-tx does not verify inputs of this kind, because no daemon of the family makes them.
    A coin with a lock time in its script.
    Ask a node of your own: it checks every script before it accepts a transaction.`,
  condition_mismatch: `The fulfillment belongs to another condition than the one in the output.
    A fulfillment of one key for the output of another.
    ${signAgain}`,
  unsupported_condition: `The chain does not accept these types of conditions, or the fulfillment has no signature.
    An RSA condition in an output of an asset chain.
    Use a type that the daemon accepts: see docs/signing.md.`,
  ed25519_not_checked: `The native engine does not verify Ed25519 signatures. The TypeScript functions do.
    An Ed25519 condition given to the engine alone.
    Use verifyFulfillment or verifyInputs, which verify it.`,
  fulfillment_over_limit: `Nodes refuse a fulfillment that is larger than 2048 bytes.
    A threshold of 40 keys.
    Use fewer keys.`,

  coin_value_out_of_range: `The value of a coin is not positive, or is more than any chain has.
    A coin of 0 satoshis in a selection file.
    Correct the values; they are satoshis.`,
  coin_sum_out_of_range: `All coins together are worth more than any chain has.
    Values in a wrong unit.
    Correct the values; they are satoshis.`,
  input_bytes_out_of_range: `The size of an input or output is larger than a block.
    A size in bits.
    Correct the sizes; they are bytes.`,
  fee_rate_out_of_range: `The fee rate is negative, or far above any useful rate.
    A rate in coins per kilobyte.
    Give satoshis per 1000 bytes; 1000 is usual.`,
  insufficient_funds: `All coins together do not cover the amount and the fee.
    A payment of 2 coins from coins of 1.5.
    Pay less, or add coins. \`available\` states how much the coins are worth.`,
  selection_over_limits: `The payment needs so many coins that no node accepts the transaction.
    A payment from 3,000 small coins.
    Merge coins first: antara-tx wallet merge.`,
  unknown_coin: `The index does not have the coin that you remove or change.
    The same coin removed twice.
    Create the index again from the coins.`,
  stale_coin_index: `The array of values changed after the index was made.
    A value written into the array directly.
    Change coins through the index, or create it again.`,
  payment_out_of_range: `The amount to pay is negative, or more than any chain has.
    A target of -1.
    Correct the amount; it is satoshis.`,
}

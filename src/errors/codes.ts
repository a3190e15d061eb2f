// Made by scripts/generate-errors.mjs from native/core/base/error_table.def. Do not edit.

/** Every code that an AntaraError can carry, with what it means. */
export const errorSummaries = {
  truncated: 'input ended inside a field',
  trailing_bytes: 'bytes remain after the last field',
  non_canonical_length: 'CompactSize is longer than it needs to be',
  length_over_limit: 'CompactSize is over 32 MiB',
  count_over_input: 'more elements are announced than the input can hold',
  malformed_hex: 'a character is not a hexadecimal digit',
  odd_length_hex: 'hex text has an odd number of digits',
  empty_input: 'there is no input at all',
  unknown_transaction_format: 'version and version group id are no known pair',
  segwit_unsupported: 'a segregated-witness transaction, which this family of chains does not have',
  malformed_proof: 'a PHGR13 proof element has an impossible lead byte',
  input_over_limit: 'input is larger than any block, 4 000 000 bytes',
  field_not_in_version: 'the transaction has a part that its version cannot carry',
  engine_unavailable: 'the native engine could not be loaded',
  unknown_address: 'the text is no address of this network',
  amount_out_of_range: 'the amount is no count of satoshis from 0 to 2^63 - 1',
  malformed_amount: 'the text is no decimal amount with at most 8 fractional digits',
  malformed_case: 'the case file does not have the documented form',
  wrong_length: 'a field of fixed size has another size',
} as const

export type ErrorCode = keyof typeof errorSummaries

/** The codes by the numbers under which they leave the native engine. */
export const errorCodeOfNumber: ReadonlyMap<number, ErrorCode> = new Map([
  [1, 'truncated'],
  [2, 'trailing_bytes'],
  [3, 'non_canonical_length'],
  [4, 'length_over_limit'],
  [5, 'count_over_input'],
  [6, 'malformed_hex'],
  [7, 'odd_length_hex'],
  [8, 'empty_input'],
  [9, 'unknown_transaction_format'],
  [10, 'segwit_unsupported'],
  [11, 'malformed_proof'],
  [12, 'input_over_limit'],
  [13, 'field_not_in_version'],
  [400, 'engine_unavailable'],
  [401, 'unknown_address'],
  [402, 'amount_out_of_range'],
  [403, 'malformed_amount'],
  [404, 'malformed_case'],
  [405, 'wrong_length'],
])

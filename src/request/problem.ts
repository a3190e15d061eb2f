import { tokenKeysMax } from '../chain/limits.ts'
import { AntaraError, type ErrorContext, isAntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { type Finding, type FindingCode, finding } from './report.ts'

type ProblemCode =
  | 'amount'
  | 'burn'
  | 'conditions'
  | 'data'
  | 'dataCode'
  | 'description'
  | 'expired'
  | 'expiry'
  | 'fee'
  | 'feeOverMax'
  | 'keyCount'
  | 'keyNetwork'
  | 'moduleKey'
  | 'name'
  | 'namedKeys'
  | 'nftSupply'
  | 'notBurn'
  | 'order'
  | 'orderEnd'
  | 'orderEnded'
  | 'orderPrice'
  | 'price'
  | 'properties'
  | 'pubkey'
  | 'tokelData'
  | 'tokenid'
  | 'tokenids'
  | 'unenforcedPrice'
  | 'version'

/** A fault of a request, for builders and verifiers alike. */
export interface Problem {
  readonly code: ProblemCode
  /** The member concerned, from the request on: `destination`, `recipients[1].amount`. */
  readonly path: string
  readonly expected?: unknown
  readonly actual?: unknown
  /** The values that an error names, where they differ from those of a finding; or all of it. */
  readonly inError?: Pick<ErrorContext, 'expected' | 'actual'> | Error | undefined
}

interface Row {
  readonly finding: FindingCode
  /** Absent where the problem has an error of its own. */
  readonly error?: ErrorCode
  /** The expectation that an error names, where the message of a finding has it already. */
  readonly expected?: string
}

/** The finding of a verifier and the error of a builder, for each problem of a request. */
const problemTable: Readonly<Record<ProblemCode, Row>> = {
  amount: { finding: 'intent_amount', error: 'amount_out_of_range' },
  burn: { finding: 'intent_burn', error: 'burn_key' },
  conditions: {
    finding: 'intent_network',
    error: 'unsupported_network',
    expected: 'crypto-conditions',
  },
  data: { finding: 'intent_data', error: 'data_length' },
  dataCode: { finding: 'data_eval_code', error: 'untransferable_data' },
  description: { finding: 'intent_description', error: 'text_length' },
  expired: { finding: 'expired', error: 'expiry_height' },
  expiry: { finding: 'expiry_range', error: 'expiry_height' },
  fee: { finding: 'intent_fee', error: 'amount_out_of_range' },
  feeOverMax: { finding: 'intent_fee', error: 'fee_over_limit' },
  keyCount: {
    finding: 'intent_keys',
    error: 'pubkey_count',
    expected: `some of 1 to ${tokenKeysMax} different keys`,
  },
  keyNetwork: {
    finding: 'intent_keys',
    error: 'unsupported_network',
    expected: "a chain with tokeld's tokens",
  },
  moduleKey: { finding: 'intent_module_key', error: 'module_key' },
  name: { finding: 'intent_name', error: 'text_length' },
  namedKeys: {
    finding: 'intent_recipients',
    error: 'recipient_count',
    expected: "1 to 2 keys besides one's own",
  },
  nftSupply: { finding: 'intent_nft_supply', error: 'supply_not_one' },
  notBurn: { finding: 'intent_not_burn', error: 'not_burn_key' },
  order: { finding: 'intent_order', error: 'wrong_length' },
  orderEnd: { finding: 'order_expiry', error: 'expiry_height' },
  orderEnded: { finding: 'order_expired', error: 'expiry_height' },
  orderPrice: { finding: 'order_price', error: 'order_price' },
  price: { finding: 'intent_price', error: 'amount_out_of_range' },
  properties: { finding: 'intent_properties' },
  pubkey: {
    finding: 'intent_pubkey',
    error: 'invalid_pubkey',
    expected: 'a compressed public key: 33 bytes, 02 or 03 first, on the curve',
  },
  tokelData: { finding: 'tokel_data' },
  tokenid: { finding: 'intent_tokenid', error: 'token_create_missing' },
  tokenids: { finding: 'intent_tokenids' },
  unenforcedPrice: { finding: 'intent_price_unenforced', error: 'amount_out_of_range' },
  version: { finding: 'intent_version' },
}

/**
 * Returns a finding for each problem, as a verifier lists them.
 *
 * @param owner - of the members, before their paths: `intent.`, or '' for the transaction's own
 */
export function problemFindings(problems: readonly Problem[], owner = 'intent.'): Finding[] {
  return problems.map(({ code, path, inError: _, ...details }) =>
    finding(problemTable[code].finding, `${owner}${path}`, details),
  )
}

/**
 * Refuses a request that has a problem, as builders do.
 *
 * @throws {AntaraError} for the first problem
 */
export function throwFirst(problems: readonly Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  const { code, inError, ...context } = first
  if (inError instanceof Error) throw inError
  const { error, expected } = problemTable[code]
  throw new AntaraError(error!, {
    ...context,
    ...(expected !== undefined && { expected }),
    ...inError,
  })
}

/** Returns the error that `read` throws for malformed data. */
export function errorOf(read: () => unknown): AntaraError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (isAntaraError(error)) return error
    throw error
  }
}

// Problems of a request, which builders throw and verifiers report.

import { AntaraError, type ErrorContext } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { errorOf } from '../errors/malformed.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { type Finding, type FindingCode, finding } from './finding.ts'

/** A fault of a request, for builders and verifiers alike. */
export interface Problem {
  readonly code: keyof typeof problemTable
  /** The member concerned, from the request on: `destination`, `recipients[1].amount`. */
  readonly path: string
  readonly expected?: unknown
  readonly actual?: unknown
  /** The values that an error names, where they differ from those of a finding; or all of it. */
  readonly inError?: Pick<ErrorContext, 'expected' | 'actual'> | Error | undefined
}

/**
 * The finding of a verifier, and the error of a builder unless the problem has its own. The text is
 * what an error expects, where the message of the finding has it already.
 */
const problemTable = {
  amount: ['intent_amount', 'amount_out_of_range'],
  burn: ['intent_burn', 'burn_key'],
  conditions: ['intent_network', 'unsupported_network', 'crypto-conditions'],
  data: ['intent_data', 'data_length'],
  dataCode: ['data_eval_code', 'untransferable_data'],
  description: ['intent_description', 'text_length'],
  expired: ['expired', 'expiry_height'],
  expiry: ['expiry_range', 'expiry_height'],
  fee: ['intent_fee', 'amount_out_of_range'],
  feeOverMax: ['intent_fee', 'fee_over_limit'],
  keyCount: ['intent_keys', 'pubkey_count'],
  keyNetwork: ['intent_keys', 'unsupported_network', "a chain with tokeld's tokens"],
  moduleKey: ['intent_module_key', 'module_key'],
  name: ['intent_name', 'text_length'],
  namedKeys: ['intent_recipients', 'recipient_count', "1 to 2 keys besides one's own"],
  nftSupply: ['intent_nft_supply', 'supply_not_one'],
  notBurn: ['intent_not_burn', 'not_burn_key'],
  onChain: ['intent_on_chain'],
  order: ['intent_order', 'wrong_length'],
  orderEnd: ['order_expiry', 'expiry_height'],
  orderEnded: ['order_expired', 'expiry_height'],
  orderPrice: ['order_price', 'order_price'],
  ownName: [
    'intent_own_keys',
    'unknown_address',
    'a compressed public key, an address or a script',
  ],
  payee: ['intent_address'],
  price: ['intent_price', 'amount_out_of_range'],
  properties: ['intent_properties'],
  pubkey: [
    'intent_pubkey',
    'invalid_pubkey',
    'a compressed public key: 33 bytes, 02 or 03 first, on the curve',
  ],
  recipients: ['intent_recipients'],
  royaltyShare: ['royalty_share', 'order_price'],
  spendable: ['intent_spendable'],
  tokelData: ['tokel_data'],
  tokenid: ['intent_tokenid', 'token_create_missing'],
  tokenids: ['intent_tokenids'],
  unenforcedPrice: ['intent_price_unenforced', 'amount_out_of_range'],
  version: ['intent_version'],
} as const

type ProblemRow = readonly [finding: FindingCode, error?: ErrorCode, expected?: string]

/**
 * Returns a finding for each problem, as a verifier lists them.
 *
 * @param owner - of the members, before their paths: `intent.`, or '' for the transaction's own
 */
export function problemFindings(problems: readonly Problem[], owner = 'intent.'): Finding[] {
  return problems.map(({ code, path, inError: _, ...details }) => {
    const [found]: ProblemRow = problemTable[code]
    return finding(found, `${owner}${path}`, details)
  })
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
  const [, error, expected]: ProblemRow = problemTable[code]
  throw new AntaraError(error!, {
    ...context,
    ...(expected !== undefined && { expected }),
    ...inError,
  })
}

export function hexError(hex: string, path: string): Error | undefined {
  if (hex === '') return new TypeError(`${path}: expected at least one byte, got an empty string`)
  return errorOf(() => normalizeHex(hex, path))
}

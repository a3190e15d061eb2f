import { tokenKeysMax } from '../chain/limits.ts'
import { AntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { type Finding, type FindingCode, finding } from './report.ts'

type ProblemCode =
  | 'amount'
  | 'burn'
  | 'keyCount'
  | 'keyNetwork'
  | 'moduleKey'
  | 'namedKeys'
  | 'notBurn'
  | 'pubkey'

/** A fault of a request, for builders and verifiers alike. */
export interface Problem {
  readonly code: ProblemCode
  /** The member concerned, from the request on: `destination`, `recipients[1].amount`. */
  readonly path: string
  readonly expected?: unknown
  readonly actual?: unknown
}

interface Row {
  readonly finding: FindingCode
  readonly error: ErrorCode
  /** The expectation that an error names, where the message of a finding has it already. */
  readonly expected?: string
}

/** The finding of a verifier and the error of a builder, for each problem of a request. */
const problemTable: Readonly<Record<ProblemCode, Row>> = {
  amount: { finding: 'intent_amount', error: 'amount_out_of_range' },
  burn: { finding: 'intent_burn', error: 'burn_key' },
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
  namedKeys: {
    finding: 'intent_recipients',
    error: 'recipient_count',
    expected: "1 to 2 keys besides one's own",
  },
  notBurn: { finding: 'intent_not_burn', error: 'not_burn_key' },
  pubkey: {
    finding: 'intent_pubkey',
    error: 'invalid_pubkey',
    expected: 'a compressed public key: 33 bytes, 02 or 03 first, on the curve',
  },
}

/** Returns a finding for each problem, as a verifier lists them. */
export function problemFindings(problems: readonly Problem[]): Finding[] {
  return problems.map(({ code, path, ...details }) =>
    finding(problemTable[code].finding, `intent.${path}`, details),
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
  const { code, ...context } = first
  const { error, expected } = problemTable[code]
  throw new AntaraError(error, { ...context, ...(expected !== undefined && { expected }) })
}

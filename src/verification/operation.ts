// The differences between operations, in one descriptor each: the members of a case file, the names
// of outputs, the words for people, and the rules. `verifyCase`, `parseCase`, `formatReport`, the
// command line and docs/operations.md read it. CONTRIBUTING.md has the recipe to add one.

import type { OperationName } from '../request/case.ts'
import type { Evidence } from '../request/evidence.ts'
import type { Forms } from '../request/members.ts'
import type { IntentTerms, ReadyTerms } from '../request/terms.ts'
import type { Checked } from './check-intent.ts'
import type { Roles } from './roles.ts'
import type { Context, OperationRules } from './rules.ts'

/** A request of the right types: keys in lower case, and every default filled in. */
export interface ReadyRequest {
  readonly terms: ReadyTerms
  /** The tokenid of the token that moves. */
  readonly tokenid?: string
}

export interface Operation<Intent extends IntentTerms, Ready extends ReadyRequest = ReadyRequest> {
  /** As case files call it. */
  readonly name: OperationName
  /** A phrase that completes "this transaction …" in the documentation. */
  readonly about: string
  /** The form of the members in case files, beside those that every intent may have. */
  readonly members: Forms<Intent>
  /** Names of the outputs and what they hold; every operation has `unexpected`. */
  readonly roles: Roles
  /**
   * Private keys, hex, that a module publishes for its users: they sign beside the wallet's own.
   */
  readonly moduleKeys?: readonly string[]
  /**
   * The request, a line each: a word of up to eight letters and the rest, which need not be
   * safe to show. Text that may be a private key goes through `redactKey`.
   */
  lines(intent: Intent, evidence: Evidence): readonly RequestLine[]
  /**
   * A transaction is not verified if the request itself has findings.
   *
   * @throws {TypeError} for members of the wrong type; wrong values are findings
   */
  validate(intent: Intent): Checked<Ready>
  /** Returns what the operation supplies to the checks, once the evidence is read. */
  rules(intent: Ready, context: Context): OperationRules
}

export type RequestLine = readonly [word: string, rest: string]

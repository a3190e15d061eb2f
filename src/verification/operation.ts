// What sets one operation apart from another, in one descriptor: how a case file has what is asked,
// what its outputs are called, the words for people, and the rules. Whatever shows or judges an
// operation reads its descriptor: `verifyCase`, `parseCase`, `formatReport`, the command line, and
// docs/operations.md. CONTRIBUTING.md has the recipe to add one.

import type { Network } from '../chain/network.ts'
import type { Evidence, OperationName } from '../request/case.ts'
import type { Forms } from '../request/forms.ts'
import type { IntentTerms } from '../request/intent.ts'
import type { Effect, Finding, Known, OutputRole } from '../request/report.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import type { ReadyTerms } from './check-terms.ts'
import type { KnownTransactions } from './evidence.ts'
import type { Tokens } from './family.ts'
import type { CheckedInputs, ResolvedInputs } from './inputs.ts'
import type { ExpectedOutput } from './outputs.ts'

export interface Operation<Intent extends IntentTerms> {
  /** As case files call it. */
  readonly name: OperationName
  /** A phrase that completes "this transaction …" in the documentation. */
  readonly about: string
  /** How a case file has what is asked, beside what any intent may say. */
  readonly members: Forms<Intent>
  /** Names of the outputs and what they hold; every operation has `unexpected`. */
  readonly roles: Roles
  /** Private keys, hex, that a module publishes for whoever takes part: they sign beside one's own. */
  readonly moduleKeys?: readonly string[]
  /**
   * What was asked for, a line each: a word of up to eight letters and the rest, which need not be
   * safe to show. What may be a private key goes through `redactKey`.
   */
  lines(intent: Intent, evidence: Evidence): readonly AskedLine[]
  /** @throws {TypeError} for members of the wrong type; what is wrong of their values is a finding */
  ask(intent: Intent): Asked
}

export type AskedLine = readonly [word: string, rest: string]

export type Roles = { readonly [Role in OutputRole]?: RoleWords }

interface RoleWords {
  /** The label beside the amount; up to 25 letters keep the addresses in one column. */
  readonly text: string
  /** Tells whether the value counts units of the token or satoshis of coins. */
  readonly holds: 'units' | 'coins'
}

/** Outputs that several operations have, under one name. */
export const commonRoles: Readonly<
  Record<'token-change' | 'native-change' | 'nulldata', RoleWords>
> = {
  'token-change': { text: 'units back to the sender', holds: 'units' },
  'native-change': { text: 'coins back to the sender', holds: 'coins' },
  nulldata: { text: 'nulldata: names the token', holds: 'coins' },
}

interface AskedBase {
  /** Why nobody should ask for that. */
  readonly findings: readonly Finding[]
  /** The tokenid of the token that moves. */
  readonly tokenid?: string
}

/**
 * What a wallet asked for: of operations on tokens the rules that set it apart, of any other how a
 * transaction is judged.
 */
export type Asked = AskedBase &
  (
    | {
        rules(
          known: KnownTransactions,
          prevouts: ResolvedInputs['prevouts'],
          given: { readonly tx: Transaction; readonly tipHeight: number | undefined },
        ): OperationRules
      }
    | { check(tx: Transaction, context: VerificationContext): CheckedTransaction }
  )

export interface VerificationContext {
  readonly known: KnownTransactions
  readonly resolved: ResolvedInputs
  readonly evidence: Evidence
  /** Of the transaction. */
  readonly bytes: number
}

/** Everything but signatures. */
export interface CheckedTransaction {
  readonly findings: readonly Finding[]
  readonly effects: readonly Effect[]
  /** Satoshis; absent unless every amount that it follows from is proven. */
  readonly fee?: bigint
  readonly feeKnown: Known
  /** Satoshis; absent unless every amount that is spent is proven. */
  readonly inputsMinusOutputs?: bigint
  /** Absent when not all that is spent is known. */
  readonly signed?: Signed
}

/** The inputs of a signature check. */
export interface Signed {
  readonly tx: Transaction
  readonly prevouts: readonly TransactionOutput[]
  readonly network: Network
  /** The required signers of each input; absent where no signature is checked. */
  readonly signers: readonly (Signer | undefined)[]
}

/** The key or its address; some keys out of several; or whoever the script that is spent says. */
export type Signer = { readonly key: string } | KeySet | 'as-the-script-says'

/** An input that the wallet does not own: what it holds, and the key, hex, that must sign it. */
export interface LentInput {
  readonly holds: 'units' | 'coins'
  readonly signer: string
}

/** Limits on the inputs, the outputs and the payload. */
export interface OperationRules {
  readonly terms: ReadyTerms
  /** The wallet's main key: what comes back comes back to it, and it alone signs for tokens. */
  readonly pubkey: string
  /** The tokens that may be spent; absent where none may be. */
  readonly tokens?: Tokens
  /** The signers of token inputs, if not the main key alone. */
  readonly tokenKeys?: KeySet
  /** Outputs that must not be spent. */
  readonly marker: string
  /** Outputs that are not the wallet's own and yet to be spent, as `txid:vout`. */
  readonly lent?: ReadonlyMap<string, LentInput>
  /** True if the daemon's builder may leave less than the fee where it gives no change. */
  readonly isLowWithoutChange?: boolean
  /** Findings about the token itself. */
  readonly findings: readonly Finding[]
  /** Returns findings about the inputs. */
  inputFindings(inputs: CheckedInputs): readonly Finding[]
  /** Outputs in the daemon's order, before native change. @param units - of each of several tokens */
  expectedOutputs(tokensIn: bigint, units: ReadonlyMap<string, bigint>): readonly ExpectedOutput[]
  /** @param tokensIn - units in the inputs */
  payloadFindings(tx: Transaction, tokensIn: bigint): Finding[]
}

// The checks of every operation, in the order of a report.

import { append } from '../primitives/append.ts'
import type { Effect, Finding, Known } from '../request/report.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkBound, checkDescent } from './chain-binding.ts'
import { checkSpendable } from './check-terms.ts'
import {
  checkExpiry,
  checkNoLockTime,
  checkOutpoints,
  checkPaymentExpiry,
  checkPaymentVersion,
  checkShielded,
  checkValues,
  checkVersion,
} from './envelope.ts'
import { checkSupply } from './family.ts'
import type { CheckedFee } from './fee.ts'
import { checkHashedBytes, isTooMuchToHash } from './hashed-bytes.ts'
import { type CheckedInputs, checkConfirmed, checkMature, checkNeeded } from './inputs.ts'
import { checkLockTimeAge, checkPaymentLockTime } from './lock-time.ts'
import { checkConservation, checkZeroTokens, type ExpectedOutput, matchOutputs } from './outputs.ts'
import { knownOf } from './previous-outputs.ts'
import { checkScriptSigs } from './relayed-spends.ts'
import type { Roles } from './roles.ts'
import type { CheckedInclusion, Classified, Context, OperationRules } from './rules.ts'
import { type SignatureTask, signatureTask } from './signatures.ts'
import { typeFinder } from './type-finder.ts'

/** The result of all checks but those of ancestors and signatures. */
export interface CheckedTransaction {
  readonly findings: readonly Finding[]
  readonly effects: readonly Effect[]
  /** Satoshis; undefined unless every amount that it follows from is proven. */
  readonly fee: bigint | undefined
  readonly feeKnown: Known
  /** Satoshis; undefined unless every amount that is spent is proven. */
  readonly inputsMinusOutputs: bigint | undefined
  /** Undefined if no signature can be checked. */
  readonly signatures: SignatureTask | undefined
}

export function checkTransaction(
  context: Context,
  rules: OperationRules,
  roles: Roles,
  inputs: CheckedInputs,
  inclusion: CheckedInclusion,
): CheckedTransaction {
  const { tx, bytes, evidence, known, resolved } = context
  const { tipHeight } = evidence
  const { prevouts } = resolved
  const { terms, own } = rules
  const { network } = terms
  const expected = rules.expectedOutputs(inputs)
  const typeOf = typeFinder(() => tx.outputs.map(({ script }) => script))
  const { effects, findings: ofOutputs } = matchOutputs(tx, expected, typeOf, rules.matching)
  // Lists members one by one: copying an object into another takes longer than most checks.
  const classified = { tx, bytes, evidence, known, resolved, inputs, expected, effects }
  const fee = rules.fee(classified)
  const { inputsMinusOutputs, isRewardClaimed } = fee
  const areTokens = rules.moves === 'tokens'
  const found: readonly (readonly Finding[])[] = [
    known.findings,
    rules.isUnbound === true ? checkBound(tx.inputs, terms, known, inclusion) : [],
    rules.findings,
    // the header
    ...(areTokens
      ? [
          checkVersion(tx),
          checkExpiry(tx.expiryHeight, tipHeight, terms.expiryBlocksMax),
          checkNoLockTime(tx, network),
        ]
      : [
          checkPaymentVersion(tx),
          checkPaymentExpiry(tx, rules, tipHeight),
          checkPaymentLockTime(tx, rules.lockTime, evidence),
          checkLockTimeAge(tx, network, evidence),
        ]),
    checkShielded(tx),
    checkOutpoints(tx),
    areTokens ? [] : checkHashedBytes(tx),
    checkValues(tx, network),
    // the inputs
    checkSpendable(tx.inputs, terms, own.borrowed),
    checkDescent(tx.inputs, terms, known, inclusion),
    inclusion.findings,
    resolved.findings,
    checkConfirmed(tx, evidence),
    areTokens ? [] : checkMature(prevouts, network, evidence),
    inputs.findings,
    rules.inputFindings(inputs),
    checkScriptSigs(tx),
    checkNeeded(inputs.coins, neededOf(classified, rules, roles, fee)),
    // the outputs
    ofOutputs,
    areTokens ? checkZeroTokens(effects, typeOf) : [],
    own.tokens === undefined ? [] : checkConservation(inputs.tokens, effects, roles),
    own.tokens === undefined ? [] : checkSupply(own.tokens, inputs.units, known),
    rules.changeFindings(classified),
    rules.payloadFindings(classified),
    fee.findings,
  ]
  const findings: Finding[] = []
  for (const some of found) append(findings, some)
  return {
    findings,
    effects,
    fee: isRewardClaimed ? undefined : inputsMinusOutputs,
    feeKnown: isRewardClaimed ? 'asserted' : knownOf(resolved.spends),
    inputsMinusOutputs,
    signatures: canBeSigned(tx, rules)
      ? signatureTask(tx, prevouts, network, inputs.singlySigned, rules.signerOf)
      : undefined,
  }
}

/** Signatures of other versions than 4 commit to no amounts; those of tokens are not checked. */
const signedVersion = 4

function canBeSigned(tx: Transaction, { moves }: OperationRules): boolean {
  return moves === 'coins' ? !isTooMuchToHash(tx) : tx.version === signedVersion
}

/** Returns the amounts that must be spent: tokens for recipients, coins for the rest and the fee. */
function neededOf(
  { expected, inputs }: Classified,
  rules: OperationRules,
  roles: Roles,
  fee: CheckedFee,
): Parameters<typeof checkNeeded>[1] {
  const outputs = expected.filter(({ role }) => role !== 'native-change')
  // a recipient without an amount gets everything that is spent
  if (outputs.some(({ value }) => value === undefined)) return { native: inputs.total ?? 0n }
  const sum = (of: readonly ExpectedOutput[]) => of.reduce((all, { value }) => all + value!, 0n)
  const native = sum(outputs) + fee.least - inputs.tokens - inputs.borrowedCoins
  // tokeld takes all coins of an address: AddTokenCCInputs goes on when it has enough
  if (rules.own.tokens?.rules.layout !== 'komodo-v1') return { native }
  const units = outputs.filter(
    ({ role }) => role !== 'token-change' && roles[role]?.holds === 'units',
  )
  return { native, tokens: sum(units) }
}

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
import { checkConfirmed, checkInputs, checkMature, checkNeeded } from './inputs.ts'
import { checkLockTimeAge, checkPaymentLockTime } from './lock-time.ts'
import {
  checkConservation,
  checkZeroTokens,
  type ExpectedOutput,
  matchOutputs,
  type TypeOf,
} from './outputs.ts'
import { knownOf } from './previous-outputs.ts'
import type { Roles } from './roles.ts'
import type { CheckedInclusion, Classified, Context, OperationRules } from './rules.ts'
import { type SignatureTask, signatureTask } from './signatures.ts'
import { typeFinder } from './type-finder.ts'

/** The data that checks read. */
interface Facts extends Classified {
  readonly rules: OperationRules
  readonly inclusion: CheckedInclusion
  readonly roles: Roles
  readonly outputFindings: readonly Finding[]
  readonly typeOf: TypeOf
  readonly fee: CheckedFee
}

/** One check, which takes the facts that it needs. */
interface Check {
  readonly name: string
  /** Present if the check applies only to operations that move these. */
  readonly only?: OperationRules['moves']
  find(facts: Facts): readonly Finding[]
}

const checks: readonly Check[] = [
  { name: 'evidence', find: ({ known }) => known.findings },
  {
    name: 'a chain',
    find: ({ tx, rules: { terms, isUnbound }, known, inclusion }) =>
      isUnbound === true ? checkBound(tx.inputs, terms, known, inclusion) : [],
  },
  { name: 'request and evidence', find: ({ rules }) => rules.findings },

  // the header
  { name: 'version', only: 'tokens', find: ({ tx }) => checkVersion(tx) },
  { name: 'version', only: 'coins', find: ({ tx }) => checkPaymentVersion(tx) },
  {
    name: 'expiry height',
    only: 'tokens',
    find: ({ tx, rules: { terms }, evidence: { tipHeight } }) =>
      checkExpiry(tx.expiryHeight, tipHeight, terms.expiryBlocksMax),
  },
  {
    name: 'expiry height',
    only: 'coins',
    find: ({ tx, rules, evidence: { tipHeight } }) => checkPaymentExpiry(tx, rules, tipHeight),
  },
  {
    name: 'lock time',
    only: 'tokens',
    find: ({ tx, rules: { terms } }) => checkNoLockTime(tx, terms.network),
  },
  {
    name: 'lock time',
    only: 'coins',
    find: ({ tx, rules, evidence }) => checkPaymentLockTime(tx, rules.lockTime, evidence),
  },
  {
    name: 'age of the lock time',
    only: 'coins',
    find: ({ tx, rules: { terms }, evidence }) => checkLockTimeAge(tx, terms.network, evidence),
  },
  { name: 'shielded pool', find: ({ tx }) => checkShielded(tx) },
  { name: 'outpoints', find: ({ tx }) => checkOutpoints(tx) },
  { name: 'bytes to hash', only: 'coins', find: ({ tx }) => checkHashedBytes(tx) },
  { name: 'values', find: ({ tx, rules: { terms } }) => checkValues(tx, terms.network) },

  // the inputs
  {
    name: 'outputs that may be spent',
    find: ({ tx, rules: { terms, own } }) => checkSpendable(tx.inputs, terms, own.borrowed),
  },
  {
    name: 'descent from the chain',
    find: ({ tx, rules: { terms }, known, inclusion }) =>
      checkDescent(tx.inputs, terms, known, inclusion),
  },
  { name: 'proofs of inclusion', find: ({ inclusion }) => inclusion.findings },
  { name: 'previous outputs', find: ({ resolved }) => resolved.findings },
  { name: 'confirmations', find: ({ tx, evidence }) => checkConfirmed(tx, evidence.heights) },
  {
    name: 'maturity of coinbases',
    only: 'coins',
    find: ({ resolved, rules: { terms }, evidence }) =>
      checkMature(resolved.prevouts, terms.network, evidence),
  },
  { name: 'inputs', find: ({ inputs }) => inputs.findings },
  { name: 'inputs of the operation', find: ({ rules, inputs }) => rules.inputFindings(inputs) },
  { name: 'superfluous inputs', find: (facts) => checkNeeded(facts.inputs.coins, neededOf(facts)) },

  // the outputs
  { name: 'outputs', find: ({ outputFindings }) => outputFindings },
  {
    name: 'empty tokens',
    only: 'tokens',
    find: ({ effects, typeOf }) => checkZeroTokens(effects, typeOf),
  },
  {
    name: 'token conservation',
    find: ({ rules: { own }, inputs, effects, roles }) =>
      own.tokens === undefined ? [] : checkConservation(inputs.tokens, effects, roles),
  },
  {
    name: 'token supply',
    find: ({ rules: { own }, inputs, known }) =>
      own.tokens === undefined ? [] : checkSupply(own.tokens, inputs.units, known),
  },
  { name: 'change', find: (facts) => facts.rules.changeFindings(facts) },
  { name: 'payload', find: (facts) => facts.rules.payloadFindings(facts) },
  { name: 'fee', find: ({ fee }) => fee.findings },
]

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

/** Runs every check that applies to an operation. */
export function checkTransaction(
  context: Context,
  rules: OperationRules,
  roles: Roles,
  inclusion: CheckedInclusion,
): CheckedTransaction {
  const facts = factsOf(context, rules, roles, inclusion)
  const { effects, fee, inputs } = facts
  const { tx, resolved } = context
  const { inputsMinusOutputs, isRewardClaimed } = fee
  const signatures = canBeSigned(tx, rules)
    ? signatureTask(tx, resolved.prevouts, { rules, singlySigned: inputs.singlySigned })
    : undefined
  return {
    findings: findingsOf(facts),
    effects,
    fee: isRewardClaimed ? undefined : inputsMinusOutputs,
    feeKnown: isRewardClaimed ? 'asserted' : knownOf(resolved.spends),
    inputsMinusOutputs,
    signatures,
  }
}

function findingsOf(facts: Facts): Finding[] {
  const findings: Finding[] = []
  for (const { only, find } of checks) {
    if (only !== undefined && only !== facts.rules.moves) continue
    const found = find(facts)
    append(findings, found)
  }
  return findings
}

/** Lists members one by one: copying an object into another takes longer than most checks. */
function factsOf(
  { tx, bytes, evidence, known, resolved }: Context,
  rules: OperationRules,
  roles: Roles,
  inclusion: CheckedInclusion,
): Facts {
  const inputs = checkInputs(resolved.prevouts, rules.own)
  const expected = rules.expectedOutputs(inputs)
  const typeOf = typeFinder(() => tx.outputs.map(({ script }) => script))
  const matched = matchOutputs(tx, expected, typeOf, rules.matching)
  const { effects, findings: outputFindings } = matched
  const fee = rules.fee({ tx, bytes, evidence, known, resolved, inputs, expected, effects })
  return {
    tx,
    bytes,
    evidence,
    known,
    resolved,
    inputs,
    expected,
    effects,
    rules,
    inclusion,
    roles,
    outputFindings,
    typeOf,
    fee,
  }
}

/** Signatures of other versions than 4 commit to no amounts; those of tokens are not checked. */
const signedVersion = 4

function canBeSigned(tx: Transaction, { moves }: OperationRules): boolean {
  return moves === 'coins' ? !isTooMuchToHash(tx) : tx.version === signedVersion
}

/** Returns the amounts that must be spent: tokens for recipients, coins for the rest and the fee. */
function neededOf({
  expected,
  inputs,
  fee,
  rules,
  roles,
}: Facts): Parameters<typeof checkNeeded>[1] {
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

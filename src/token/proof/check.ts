// Checks whether one transaction follows the rules, after all transactions that it rests on were
// checked. The result does not depend on other transactions or outpoints of the same proof.

import { isCoinImport } from '../../transaction/coinbase.ts'
import type { Outpoint, Transaction } from '../../transaction/types.ts'
import { fulfillmentsOf } from '../rules/fulfillment.ts'
import { type FindTransaction, fundingOf } from '../rules/funding.ts'
import { type Amounts, type TokenRules, total } from '../rules/rules.ts'
import type { Disproof } from './proof.ts'
import { unsignedInput } from './signed.ts'

/** The result of checking one transaction for one token. */
export interface Checked {
  /** `open` as long as a transaction is missing that could decide the check. */
  readonly state: 'sound' | 'broken' | 'open'
  /** Outputs that hold tokens if the transaction is sound. */
  readonly amounts: Amounts
  readonly disproof?: Disproof
  /** Transactions that an open check needs and that were not given. */
  readonly missing: readonly string[]
  /** Transactions from which the tokens come, unless they are broken. */
  readonly restsOn: readonly string[]
  /** Keys of the outpoints of its token inputs. */
  readonly spends: readonly string[]
}

/** A transfer with its token inputs. */
export interface Transfer {
  readonly transaction: Transaction
  readonly amounts: Amounts
  readonly inputs: readonly Outpoint[]
}

export interface CheckOptions {
  readonly find: FindTransaction
  /** Requires signatures of the inputs. */
  readonly signatures: boolean
}

const none: readonly never[] = []
const nothing = { missing: none, restsOn: none, spends: none } as const

/** The result for a transaction that neither creates nor moves the token. */
export const foreign: Checked = { state: 'sound', amounts: new Map(), ...nothing }

export function broken(amounts: Amounts, disproof: Disproof): Checked {
  return { state: 'broken', amounts, disproof, ...nothing }
}

/**
 * Checks that inputs and outputs hold equal amounts, as far as the inputs are known:
 * TokensExactAmounts.
 */
export function checkTransfer(
  { transaction, amounts, inputs }: Transfer,
  checked: ReadonlyMap<string, Checked>,
  { find, signatures }: CheckOptions,
): Checked {
  const { txid } = transaction
  const spends = inputs.map(outpointKey)
  const actual = total(amounts)
  let known = 0n
  let open = 0n
  const missing: string[] = []
  const restsOn: string[] = []
  let cause: Disproof | undefined
  for (const input of inputs) {
    const parent = checked.get(input.txid)
    const amount = parent?.amounts.get(input.vout) ?? 0n
    if (parent === undefined) missing.push(input.txid)
    else if (amount === 0n) continue
    else if (parent.state === 'broken') cause ??= parent.disproof
    else {
      restsOn.push(input.txid)
      if (parent.state === 'sound') known += amount
      else open += amount
    }
  }
  const tooFew = missing.length === 0 && known + open < actual
  if (known > actual || tooFew) {
    const imbalance = { txid, rule: 'unequal_amounts', expected: known, actual } as const
    return broken(amounts, (known < actual ? cause : undefined) ?? imbalance)
  }
  if (new Set(spends).size < spends.length) return broken(amounts, { txid, rule: 'double_spend' })
  if (missing.length > 0 || open > 0n) return { state: 'open', amounts, missing, restsOn, spends }
  const unsigned = signatures ? unsignedInput(transaction, inputs, find) : undefined
  if (unsigned !== undefined) return broken(amounts, unsigned)
  return { state: 'sound', amounts, missing, restsOn, spends }
}

/** Checks row 9: the owner that the creation names pays for the issued tokens. */
export function checkCreation(
  transaction: Transaction,
  owner: string,
  rules: TokenRules,
  { find, signatures }: CheckOptions,
): Checked {
  const { txid, outputs } = transaction
  const { amounts, required, rule } = rules.issued(outputs)
  if (rule !== undefined) return broken(amounts, { txid, rule })
  if (isCoinImport(transaction)) {
    return broken(amounts, { txid, rule: 'creation_imported' })
  }
  if (fulfillmentsOf(transaction).some((it) => it?.evalCodes.includes(rules.evalCode))) {
    return broken(amounts, { txid, rule: 'creation_spends_tokens' })
  }
  const { paid, paying, missing } = fundingOf(transaction, owner, find)
  if (new Set(paying.map(outpointKey)).size < paying.length) {
    return broken(amounts, { txid, rule: 'double_spend' })
  }
  if (paid >= required) {
    const unsigned = signatures ? unsignedInput(transaction, paying, find) : undefined
    if (unsigned !== undefined) return broken(amounts, unsigned)
    return { state: 'sound', amounts, ...nothing }
  }
  if (missing.length > 0) return { state: 'open', amounts, missing, restsOn: none, spends: none }
  return broken(amounts, { txid, rule: 'creation_not_funded', expected: required, actual: paid })
}

function outpointKey({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`
}

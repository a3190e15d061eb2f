// Asks tokeld's modules about the conditions that a transaction spends, and those that it pays to.

import { conditionScriptsOf } from '../../token/rules/condition-script.ts'
import { fulfillmentsOf } from '../../token/rules/fulfillment.ts'
import { type ModulesChain, tokelModuleRefusal } from '../../token/rules/tokel-modules.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'
import { falseOnTop, mandatory } from './scripts.ts'
import type { Refused } from './verdict.ts'

/**
 * Runs the module of each eval code once: first the codes of the conditions that are spent, then
 * those of the outputs. Only outputs in tokeld's forms M and N show their codes; of others the
 * script has a hash.
 *
 * @returns the first refusal, with the reason of the module, which a komodod would not report
 * @see tokel src/main.cpp, ContextualCheckInputs, ContextualCheckOutputs
 */
export function checkTokelConditions(
  { transaction }: StoredTransaction,
  chain: ModulesChain,
): Refused | undefined {
  const accepted = new Set<string>()
  for (const code of [...spentCodes(transaction), ...paidCodes(transaction)]) {
    if (accepted.has(code)) continue
    const words = refusalBy(code, transaction, chain)
    if (words !== undefined) return refused(words)
    accepted.add(code)
  }
  return undefined
}

function spentCodes(transaction: Transaction): string[] {
  return fulfillmentsOf(transaction).flatMap((it) => it?.evalCodes ?? [])
}

function paidCodes({ outputs }: Transaction): string[] {
  return conditionScriptsOf(outputs).flatMap((shown) =>
    (shown?.evalCodes ?? []).map((code) => code.toString(16).padStart(2, '0')),
  )
}

/**
 * @param code - the eval code of a condition, hex: a byte, and after it parameters that no module has
 * @see tokel src/cc/eval.cpp, Eval::Dispatch; src/cc/CCutils.cpp, ProcessCC
 */
function refusalBy(
  code: string,
  transaction: Transaction,
  chain: ModulesChain,
): string | undefined {
  if (code === '') return 'empty-eval'
  if (code.length > 2) return 'eval conds cannot have params yet'
  return tokelModuleRefusal(Number.parseInt(code, 16), transaction, chain)
}

function refused(words: string): Refused {
  const { message, ...verdict } = mandatory(falseOnTop, words)
  return { ...verdict, message: `${message}, eval errcode=0 reason=${words}` }
}

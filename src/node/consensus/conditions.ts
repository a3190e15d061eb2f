// The verdicts of contract modules on the conditions that a transaction spends.

import { fulfillmentsOf } from '../../token/rules/fulfillment.ts'
import type { FindTransaction } from '../../token/rules/funding.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'
import { falseOnTop, mandatory } from './scripts.ts'
import type { TokenRules } from './token-rules.ts'
import type { Refused } from './verdict.ts'

export interface Modules {
  readonly tokens: TokenRules
}

/**
 * Runs every eval code of every condition that is spent. The daemon has one answer for all refusals of
 * modules. The words of the module are in its log, and here in `reason`.
 *
 * @see komodo src/cc/CCutils.cpp, ProcessCC; src/cc/eval.cpp, Eval::Dispatch
 */
export function checkConditions(
  { transaction }: StoredTransaction,
  modules: Modules,
  find: FindTransaction,
): Refused | undefined {
  const checked = new Map<string, string | undefined>()
  const fulfillments = fulfillmentsOf(transaction)
  for (const [index, { txid }] of transaction.inputs.entries()) {
    for (const code of fulfillments[index]?.evalCodes ?? []) {
      if (!checked.has(code)) checked.set(code, dispatch(code, transaction, modules, find))
      const words = checked.get(code)
      if (words !== undefined) {
        return mandatory(
          falseOnTop,
          `CC Eval ${nameOf(code)} Invalid: ${words} spending tx ${txid}`,
        )
      }
    }
  }
  return undefined
}

function dispatch(
  code: string,
  transaction: Transaction,
  { tokens }: Modules,
  find: FindTransaction,
): string | undefined {
  if (code === '') return 'empty-eval'
  if (code === 'f2') return tokens.refusal(transaction, find)
  if (code === 'e3') return tokens.orderRefusal(transaction, find)
  const number = Number.parseInt(code.slice(0, 2), 16)
  if (number >= 0x10 && number <= 0x7f) return 'mismatched -ac_cclib vs CClib_name'
  // Recorded: tokens whose data begin with the code of gateways move as any others do.
  if (number === 0xf1 || number === 0xf3) return undefined
  const name = unmodelled.get(number)
  if (name !== undefined) return `this node does not model the ${name} module`
  if (number >= 0xe7 && number <= 0xe9) return 'no validation yet'
  return 'validation not supported for eval code'
}

/** Modules whose rules this node does not have, as its refusals call them. */
const unmodelled: ReadonlyMap<number, string> = new Map([
  [0xe1, 'import payout'],
  [0xe2, 'import coin'],
  [0xe4, 'faucet'],
  [0xe5, 'rewards'],
  [0xe6, 'dice'],
  [0xea, 'heir'],
  [0xeb, 'channels'],
  [0xec, 'oracles'],
  [0xf0, 'payments'],
])

const names: Readonly<Record<string, string>> = { f2: 'EVAL_TOKENS', e3: 'EVAL_ASSETS' }

function nameOf(code: string): string {
  return names[code] ?? `0x${code.replace(/^0/, '')}`
}

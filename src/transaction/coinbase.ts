import { importVout } from '../chain/limits.ts'
import { reverseHex } from '../primitives/hex.ts'
import { zeroHex32 } from '../primitives/hex-forms.ts'
import type { Outpoint, Transaction } from './types.ts'

const nullIndex = 0xffffffff

/** @see komodo src/primitives/transaction.h, COutPoint::IsNull */
export function isNullOutpoint({ txid, vout }: Outpoint): boolean {
  return vout === nullIndex && txid === zeroHex32
}

/** @see komodo src/primitives/transaction.h, CTransaction::IsCoinBase */
export function isCoinbase({ inputs }: Pick<Transaction, 'inputs'>): boolean {
  return inputs.length === 1 && isNullOutpoint(inputs[0]!)
}

/**
 * Returns whether a transaction imports coins from another chain.
 *
 * @see komodo src/primitives/transaction.h, CTransaction::IsCoinImport
 */
export function isCoinImport({ inputs }: Pick<Transaction, 'inputs'>): boolean {
  return inputs.length === 1 && inputs[0]!.vout === importVout
}

/**
 * Returns the height with which a coinbase begins; `undefined` if it begins otherwise.
 *
 * @see BIP 34; komodo src/main.cpp, ContextualCheckBlock, bad-cb-height
 */
export function coinbaseHeight({ inputs }: Pick<Transaction, 'inputs'>): number | undefined {
  const script = inputs[0]?.scriptSig ?? ''
  const first = Number.parseInt(script.slice(0, 2), 16)
  if (first >= 0x51 && first <= 0x60) return first - 0x50
  const digits = script.slice(2, 2 + 2 * first)
  if (!(first >= 1 && first <= 4) || digits.length < 2 * first) return undefined
  return Number.parseInt(reverseHex(digits), 16)
}

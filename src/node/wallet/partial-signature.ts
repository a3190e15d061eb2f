// Signatures for a condition of several keys: each daemon signs with the key of its -pubkey.

import { hash160 } from '../../engine/calls.ts'
import { signConditionPart } from '../../signing/partial-signature.ts'
import { keyOf } from '../state/wallet.ts'
import type { Builder } from './condition-builder.ts'

type ConditionToSign = Parameters<typeof signConditionPart>[0]

/**
 * Signs a condition. Returns `undefined` if the key has no part in it, or if the wallet does not
 * have the key.
 */
export function signedCondition(
  { engine, wallet, pubkey }: Builder,
  condition: ConditionToSign,
): ReturnType<typeof signConditionPart> | undefined {
  const own = keyOf(wallet, hash160(pubkey))
  if (own === undefined || !JSON.stringify(condition.tree).includes(pubkey)) return undefined
  return signConditionPart(condition, own.wif, engine.rules.network)
}

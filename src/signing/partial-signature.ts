// Conditions that several keys must sign, one signer after the other, as tokeld passes them on.

import type { Network } from '../chain/network.ts'
import { encodeFulfillment } from '../condition/codec.ts'
import { type ConditionJson, conditionFromJson, conditionToJson } from '../condition/json.ts'
import { signFulfillment } from '../condition/sign.ts'
import type { ConditionTree } from '../condition/types.ts'
import { unlessMalformed } from '../errors/malformed.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { conditionScript, conditionScriptSig } from '../script/condition-script.ts'
import { signatureHash } from './sighash.ts'
import { readPrivateKey } from './wif.ts'

/** An input whose condition is signed, wholly or in part. */
interface SignedCondition {
  readonly scriptSig: string
  /** The signed tree, for the next signer; absent if enough keys have signed. */
  readonly condition?: ConditionJson
}

interface ConditionToSign {
  readonly tree: ConditionTree
  /** The transaction. */
  readonly hex: string
  /** The index of the input. */
  readonly vin: number
  /** Satoshis of the spent output. */
  readonly value: bigint
}

/** A push of the hash type alone, as tokeld writes an input that lacks signatures. */
const unsatisfied = '0101'

/**
 * Signs a condition with one key.
 *
 * @param wif - the private key, in wallet import format
 * @see tokel src/cc/CCtx.cpp, FinalizeCCV2Tx, AddSignatureCCTxV2
 */
export function signConditionPart(
  { tree, hex, vin, value }: ConditionToSign,
  wif: string,
  network: Network,
): SignedCondition {
  const hash = signatureHash(hex, vin, { scriptCode: conditionScript(tree), value })
  const secret = hexFromBytes(readPrivateKey(wif, network, 'wif'))
  const signed = signFulfillment(tree, hash, secret)
  const scriptSig = unlessMalformed(() => conditionScriptSig(encodeFulfillment(signed)))
  if (scriptSig !== undefined) return { scriptSig }
  return { scriptSig: unsatisfied, condition: conditionToJson(signed, { dialect: 'tokel' }) }
}

/** Reads the tree that another signer passed on; `undefined` for anything else. */
export function passedCondition(json: unknown): ConditionTree | undefined {
  return unlessMalformed(() => conditionFromJson(json))
}

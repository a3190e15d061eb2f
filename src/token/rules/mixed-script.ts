import { networks } from '../../chain/network.ts'
import { encodeCondition } from '../../condition/codec.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import type { ConditionParams } from '../../script/condition-params.ts'
import { decodeConditionScript } from '../../script/condition-script.ts'

/** What a script with tokeld's form of a condition shows: eval codes always, keys only in part. */
export interface MixedScript {
  readonly evalCodes: readonly number[]
  /** Hashes of keys, which the form 'N' holds. */
  readonly keyHashes: readonly string[]
  /** Condition of the keys, hex, which is all that the form 'M' holds of them. */
  readonly keysCondition?: string
  /** Keys that the parameters after the condition name, if they make the keys' condition. */
  readonly pubkeys?: readonly string[]
}

/** Reads the forms 'M' and 'N'; undefined for any other script. */
export function readMixedScript(script: string): MixedScript | undefined {
  const { tree, params } = decodeConditionScript(script, networks.tokel) ?? {}
  if (tree?.type !== 'threshold-sha-256') return undefined
  const members = tree.subconditions
  const evalCodes = members.flatMap((it) =>
    it.type === 'eval-sha-256' ? [Number.parseInt(it.code.slice(0, 2), 16)] : [],
  )
  const keyHashes = members
    .flatMap((it) => (it.type === 'threshold-sha-256' ? it.subconditions : []))
    .flatMap((it) => {
      if (it.type === 'secp256k1hash-sha-256') return [it.publicKeyHash]
      const isHash = it.type === 'condition' && it.conditionType === 'secp256k1hash-sha-256'
      return isHash ? [it.fingerprint] : []
    })
  const hidden = members.find((it) => it.type === 'condition')
  if (hidden === undefined) return { evalCodes, keyHashes }
  const condition = encodeCondition(hidden)
  const pubkeys = namedKeys(params, condition)
  return { evalCodes, keyHashes, keysCondition: condition, ...(pubkeys && { pubkeys }) }
}

function namedKeys(
  params: ConditionParams | undefined,
  condition: string,
): readonly string[] | undefined {
  if (params === undefined || params.pubkeys.length === 0) return undefined
  return keysCondition(params.pubkeys, params.m) === condition ? params.pubkeys : undefined
}

/** The condition, hex, of a number of keys out of several; undefined for what are no keys. */
export function keysCondition(pubkeys: readonly string[], required: number): string | undefined {
  try {
    return encodeCondition({
      type: 'threshold-sha-256',
      threshold: required,
      subconditions: pubkeys.map((publicKey) => ({ type: 'secp256k1-sha-256', publicKey })),
    })
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
}

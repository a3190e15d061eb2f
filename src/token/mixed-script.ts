import { decodeFulfillment, encodeCondition } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { cursorOver, readByte, readHex, remaining } from './payload-bytes.ts'
import { firstPush, readPush } from './push.ts'

/** What tokeld's form of a condition's script shows: eval codes always, keys only in part. */
export interface MixedScript {
  readonly evalCodes: readonly number[]
  /** Hashes of keys, which are in the tree itself when the script begins with 'N'. */
  readonly keyHashes: readonly string[]
  /** Condition of the keys, hex, where the tree holds no more of them ('M'). */
  readonly keysCondition?: string
  /** Keys that the parameters beside the condition name, if they make the keys' condition. */
  readonly pubkeys?: readonly string[]
}

const opCheckCryptoCondition = 'cc'
const opDrop = '75'

/**
 * Reads tokeld's form of a condition's script.
 *
 * @returns undefined for any other script
 * @see spec/cc-scripts.md 1; tokel src/script/cc.cpp, CCPubKey and COptCCParams
 */
export function readMixedScript(script: string): MixedScript | undefined {
  const pushed = firstPush(script)
  if (pushed === undefined || !/^4[de]/.test(pushed)) return undefined
  const after = script.slice(script.indexOf(pushed) + pushed.length)
  if (!after.startsWith(opCheckCryptoCondition)) return undefined
  const shown = readTree(pushed.slice(2))
  if (shown === undefined) return undefined
  const named = readParameters(after.slice(2))
  const isTheirs =
    named !== undefined &&
    shown.keysCondition !== undefined &&
    keysCondition(named.pubkeys, named.needed) === shown.keysCondition
  return { ...shown, ...(isTheirs && { pubkeys: named.pubkeys }) }
}

function readTree(fulfillment: string): Omit<MixedScript, 'pubkeys'> | undefined {
  let tree: ConditionTree
  try {
    tree = decodeFulfillment(fulfillment, { form: 'mixed' })
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
  const members = tree.type === 'threshold-sha-256' ? tree.subconditions : []
  const evalCodes = members.flatMap((it) =>
    it.type === 'eval-sha-256' ? [Number.parseInt(it.code.slice(0, 2), 16)] : [],
  )
  const keys = members.find((it) => it.type === 'condition')
  const keyHashes = members
    .flatMap((it) => (it.type === 'threshold-sha-256' ? it.subconditions : []))
    .flatMap((it) =>
      it.type === 'condition' && it.conditionType === 'secp256k1hash-sha-256'
        ? [it.fingerprint]
        : [],
    )
  return {
    evalCodes,
    keyHashes,
    ...(keys !== undefined && { keysCondition: encodeCondition(keys) }),
  }
}

/** The condition, hex, of a number of keys out of several. */
export function keysCondition(pubkeys: readonly string[], needed: number): string | undefined {
  try {
    return encodeCondition({
      type: 'threshold-sha-256',
      threshold: needed,
      subconditions: pubkeys.map((publicKey) => ({ type: 'secp256k1-sha-256', publicKey })),
    })
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
}

/** Parameters that are dropped again: `04 version evalCode M N`, then N keys, then anything. */
function readParameters(script: string): { pubkeys: string[]; needed: number } | undefined {
  const pushed = firstPush(script)
  if (pushed === undefined || !script.endsWith(opDrop)) return undefined
  const cursor = cursorOver(pushed)
  try {
    const header = readPush(cursor)
    if (header?.length !== 4) return undefined
    readHex(cursor, 2, 'parameters')
    const needed = readByte(cursor, 'parameters')
    const count = readByte(cursor, 'parameters')
    const pubkeys: string[] = []
    while (pubkeys.length < count && remaining(cursor) > 0) {
      const push = readPush(cursor)
      if (push?.length !== 33) return undefined
      pubkeys.push(readHex(cursor, push.length, 'parameters'))
    }
    return pubkeys.length === count ? { pubkeys, needed } : undefined
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
}

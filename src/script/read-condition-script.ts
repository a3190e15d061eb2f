// Reads the scripts and scriptSigs of conditions.

import { defaultNetwork, type Network } from '../chain/network.ts'
import type { ReadCondition } from '../condition/codec.ts'
import { type AnswerCursor, nextText, readTree } from '../condition/tree-words.ts'
import {
  type ConditionTree,
  conditionTypeOfNumber,
  fingerprintDigits,
  typesOfMask,
} from '../condition/types.ts'
import { reserve } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import * as record from '../engine/records.ts'
import {
  absentLength,
  conditionScriptsWords,
  conditionScriptWords,
  formCondition,
  formMixed,
  formMixedHidden,
  resultBase,
  scriptSigsWords,
  scriptSigWords,
  stepWords,
} from '../engine/words.ts'
import { hexText } from '../primitives/wire.ts'
import { type ConditionParams, paramsOfElements } from './condition-params.ts'
import type { ConditionForm } from './condition-script.ts'
import { conditionSupport } from './describe.ts'
import { pushedData } from './push.ts'

export interface DecodedConditionScript {
  readonly form: ConditionForm
  readonly condition: ReadCondition
  /** Present for the forms that contain a tree. */
  readonly tree?: ConditionTree
  /** Hex of each element that the script pushes after the condition and drops again. */
  readonly dropped: readonly string[]
  /** The first of these elements as parameters, if the network's daemon accepts it as such. */
  readonly params?: ConditionParams
}

/**
 * Decodes a scriptPubKey that pays a condition. Returns `undefined` for any other script.
 *
 * The condition is read by the daemon's rules: `condition.isCanonical` states whether strict rules
 * accept it too, as they should for conditions that you build.
 *
 * @param script - hex
 * @param network - determines the recognized forms. Default: `assetChain`
 * @returns the form, the condition, and the data that the script drops, in hex
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 * @see komodo src/script/script.cpp, CScript::IsPayToCryptoCondition
 * @example
 * decodeConditionScript(tokenScript(pubkey))?.condition.subtypes
 * // ['secp256k1-sha-256', 'eval-sha-256']
 */
export function decodeConditionScript(
  script: string,
  network: Network = defaultNetwork,
): DecodedConditionScript | undefined {
  return decodeConditionScripts([hexText(script, 'script')], network)[0]
}

/** Decodes several scripts in lower-case hex, in one call of the native core. */
export function decodeConditionScripts(
  scripts: readonly string[],
  { conditions }: Network,
): (DecodedConditionScript | undefined)[] {
  const support = conditionSupport.indexOf(conditions)
  const hex = writeScripts(scripts, conditionScriptsWords)
  const text = engine.readConditionScripts(hex, { count: scripts.length, support })
  const cursor = { word: resultBase, hex, text, position: 0 }
  const daemon = conditions === 'tokel' ? 'tokel' : 'komodo'
  return scripts.map(() => readConditionScript(cursor, daemon))
}

/** Joins scripts, and writes their lengths after the first `headWords` words. */
function writeScripts(scripts: readonly string[], headWords: number): string {
  reserve(headWords + scripts.length)
  for (const [index, { length }] of scripts.entries()) {
    record.writeScriptText(resultBase + headWords + index, { digits: length })
  }
  return scripts.join('')
}

function readConditionScript(
  cursor: AnswerCursor,
  daemon: 'komodo' | 'tokel',
): DecodedConditionScript | undefined {
  const head = cursor.word
  cursor.word += conditionScriptWords
  const form = forms[record.conditionScriptForm(head)]
  if (form === undefined) return undefined
  const conditionType = conditionTypeOfNumber(record.conditionScriptType(head))!
  const condition: ReadCondition = {
    type: 'condition',
    conditionType,
    fingerprint: nextText(cursor, fingerprintDigits(conditionType)),
    cost: record.conditionScriptCost(head),
    subtypes: typesOfMask(record.conditionScriptSubtypes(head)),
    isCanonical: record.conditionScriptCanonical(head) === 1,
  }
  const tree = record.conditionScriptNodes(head) === 0 ? undefined : readTree(cursor)
  const dropped = readPushes(cursor, record.conditionScriptDropped(head))
  const elements = record.conditionScriptElements(head)
  const params =
    elements === absentLength ? undefined : paramsOfElements(readPushes(cursor, elements), daemon)
  return { form, condition, ...(tree && { tree }), dropped, ...(params && { params }) }
}

const forms: readonly (ConditionForm | undefined)[] = formsByNumber({
  [formCondition]: 'condition',
  [formMixed]: 'N',
  [formMixedHidden]: 'M',
})

function formsByNumber(names: { readonly [number: number]: ConditionForm }) {
  return Array.from({ length: formMixedHidden + 1 }, (_, number) => names[number])
}

/** Returns each push as bytes, including numbers that have their own opcodes. */
function readPushes(cursor: AnswerCursor, count: number): string[] {
  return Array.from({ length: count }, () => {
    const step = cursor.word
    cursor.word += stepWords
    const start = 2 * record.stepOffset(step)
    const data = cursor.hex.slice(start, start + 2 * record.stepLength(step))
    return pushedData({ opcode: record.stepOpcode(step), data })!
  })
}

/** A scriptSig that fulfills a condition. */
export interface DecodedConditionScriptSig {
  /** Hex, without the hash type. */
  readonly fulfillment: string
  readonly tree: ConditionTree
  /** The last byte of the push. Wallets accept only 1, ALL. */
  readonly hashType: number
}

/**
 * Decodes the scriptSig of an input that spends a condition. Returns `undefined` unless it is one
 * push of at most 2048 bytes: a fulfillment and a hash type.
 *
 * The result describes the scriptSig only, not the output that it spends.
 *
 * @param scriptSig - hex
 * @returns the fulfillment in hex, its tree, and the hash type
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 * @see komodo src/script/interpreter.cpp, EvalCryptoConditionSig; src/cc/CCutils.cpp, IsCCInput
 * @example
 * decodeConditionScriptSig('06af038001f201')
 * // { fulfillment: 'af038001f2', tree: { type: 'eval-sha-256', code: 'f2' }, hashType: 1 }
 */
export function decodeConditionScriptSig(scriptSig: string): DecodedConditionScriptSig | undefined {
  return decodeConditionScriptSigs([hexText(scriptSig, 'scriptSig')])[0]
}

/** Decodes several scriptSigs in lower-case hex, in at most one call of the native core. */
export function decodeConditionScriptSigs(
  scriptSigs: readonly string[],
): (DecodedConditionScriptSig | undefined)[] {
  const candidates = scriptSigs.filter((scriptSig) => mayFulfill.test(scriptSig))
  if (candidates.length === 0) return scriptSigs.map(() => undefined)
  const hex = writeScripts(candidates, scriptSigsWords)
  const text = engine.readFulfillments(hex, { count: candidates.length })
  const cursor = { word: resultBase, hex, text, position: 0 }
  return scriptSigs.map((scriptSig) =>
    mayFulfill.test(scriptSig) ? readScriptSig(cursor) : undefined,
  )
}

/**
 * Matches the first bytes of a push that may hold a fulfillment, so that scriptSigs of keys need no
 * call of the native core.
 *
 * @see draft-thomas-crypto-conditions-04, Fulfillment ::= CHOICE: context-specific, constructed
 */
const mayFulfill = /^(?:..|4c..|4d.{4}|4e.{8})a/

function readScriptSig(cursor: AnswerCursor): DecodedConditionScriptSig | undefined {
  const head = cursor.word
  cursor.word += scriptSigWords
  if (record.scriptSigNodes(head) === 0) return undefined
  const start = 2 * record.scriptSigOffset(head)
  const fulfillment = cursor.hex.slice(start, start + 2 * record.scriptSigLength(head))
  const hashType = record.scriptSigHashType(head)
  return { fulfillment, tree: readTree(cursor), hashType }
}

// Describes scripts as the daemon does, by the native core.

import type { Network } from '../chain/network.ts'
import { reserve } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import * as record from '../engine/records.ts'
import {
  resultBase,
  scriptSigFlag,
  scriptsWords,
  scriptTextWords,
  scriptWords,
} from '../engine/words.ts'
import { encodeAddresses } from './base58.ts'
import { type DecodedScript, type ScriptType, scriptTypes } from './types.ts'

/** The order is that of native/core/script/templates.h, ConditionSupport. */
export const conditionSupport: readonly Network['conditions'][] = ['none', 'komodo', 'tokel']

interface ScriptsToDescribe {
  readonly scriptSigs: readonly string[]
  readonly scriptPubKeys: readonly string[]
  readonly network: Network
  /** Shows hash types in scriptSigs by name, as current daemons do. */
  readonly showSighash: boolean
}

interface DescribedScripts<Script> {
  /** The asm of each scriptSig. */
  readonly scriptSigs: readonly string[]
  readonly scriptPubKeys: readonly Script[]
}

/**
 * The type of a scriptPubKey, and the hashes that it pays: of keys, of a script or of a condition.
 */
export interface ScriptReading {
  readonly type: ScriptType
  readonly asm: string
  readonly requiredSignatures: number
  readonly hashes: readonly string[]
}

/** Reads all scripts of a transaction in one native call. */
export function readScripts(scripts: ScriptsToDescribe): DescribedScripts<ScriptReading> {
  const { scriptSigs, scriptPubKeys, network, showSighash } = scripts
  const count = scriptSigs.length + scriptPubKeys.length
  const joined = scriptSigs.join('') + scriptPubKeys.join('')
  const support = conditionSupport.indexOf(network.conditions)
  reserve(scriptsWords + scriptTextWords * count)
  let word = resultBase + scriptsWords
  for (const { length } of scriptSigs) {
    record.writeScriptText(word, { digits: length + scriptSigFlag })
    word += scriptTextWords
  }
  for (const { length } of scriptPubKeys) {
    record.writeScriptText(word, { digits: length })
    word += scriptTextWords
  }
  const showsHashTypes = showSighash ? 1 : 0
  const text = engine.describeScripts(joined, { count, support, showsHashTypes })

  word = resultBase
  let position = 0
  const nextText = (characters: number) => {
    const start = position
    position += characters
    return text.slice(start, position)
  }
  const asms = scriptSigs.map(() => {
    const asm = nextText(record.scriptAsmLength(word))
    word += scriptWords
    return asm
  })
  const readings = scriptPubKeys.map((): ScriptReading => {
    const type = scriptTypes[record.scriptType(word)]!
    const requiredSignatures = record.scriptRequiredSignatures(word)
    const asm = nextText(record.scriptAsmLength(word))
    const hashes = Array.from({ length: record.scriptDestinations(word) }, () => nextText(40))
    word += scriptWords
    return { type, asm, requiredSignatures, hashes }
  })
  return { scriptSigs: asms, scriptPubKeys: readings }
}

/** Reads the same scripts with addresses, as daemons show them. */
export function describeScripts(scripts: ScriptsToDescribe): DescribedScripts<DecodedScript> {
  const { scriptSigs, scriptPubKeys } = readScripts(scripts)
  const addresses = encodeAddresses(
    scriptPubKeys.flatMap(({ type, hashes }) => {
      const prefix = addressPrefix(type, scripts.network)
      return hashes.map((hash160) => ({ prefix, hash160 }))
    }),
  )
  let position = 0
  return {
    scriptSigs,
    scriptPubKeys: scriptPubKeys.map(({ type, asm, requiredSignatures: reqSigs, hashes }) => {
      if (hashes.length === 0) return { type, asm }
      const start = position
      position += hashes.length
      return { type, asm, reqSigs, addresses: addresses.slice(start, position) }
    }),
  }
}

function addressPrefix(type: ScriptType, network: Network): number {
  if (type === 'scripthash') return network.scriptHashPrefix
  if (type === 'cryptocondition') return network.conditionPrefix
  return network.pubKeyHashPrefix
}

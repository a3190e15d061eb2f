import type { Network } from '../chain/network.ts'
import { reserve } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import {
  scriptAsmLength,
  scriptDestinations,
  scriptRequiredSignatures,
  scriptType,
  writeScriptText,
} from '../engine/records.ts'
import {
  resultBase,
  scriptSigFlag,
  scriptsWords,
  scriptTextWords,
  scriptWords,
} from '../engine/words.ts'
import { encodeAddress } from './base58.ts'
import { type DecodedScript, type ScriptType, scriptTypes } from './types.ts'

/** In the order of native/core/script/templates.h, ConditionSupport. */
export const conditionSupport: readonly Network['conditions'][] = ['none', 'komodo', 'tokel']

interface ScriptsToDescribe {
  readonly scriptSigs: readonly string[]
  readonly scriptPubKeys: readonly string[]
  readonly network: Network
  /** Whether a signature's hash type is shown by name in scriptSigs, as today's daemon does. */
  readonly showSighash: boolean
}

interface DescribedScripts {
  /** asm of each scriptSig. */
  readonly scriptSigs: readonly string[]
  readonly scriptPubKeys: readonly DecodedScript[]
}

/** Describes all scripts of a transaction in one native call. */
export function describeScripts(scripts: ScriptsToDescribe): DescribedScripts {
  const { scriptSigs, scriptPubKeys, network, showSighash } = scripts
  const count = scriptSigs.length + scriptPubKeys.length
  const joined = scriptSigs.join('') + scriptPubKeys.join('')
  const support = conditionSupport.indexOf(network.conditions)
  reserve(scriptsWords + scriptTextWords * count)
  let word = resultBase + scriptsWords
  for (const { length } of scriptSigs) {
    writeScriptText(word, { digits: length + scriptSigFlag })
    word += scriptTextWords
  }
  for (const { length } of scriptPubKeys) {
    writeScriptText(word, { digits: length })
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
  const describedSigs = scriptSigs.map(() => {
    const asm = nextText(scriptAsmLength(word))
    word += scriptWords
    return asm
  })
  const describedPubKeys = scriptPubKeys.map((): DecodedScript => {
    const type = scriptTypes[scriptType(word)]!
    const reqSigs = scriptRequiredSignatures(word)
    const destinations = scriptDestinations(word)
    const asm = nextText(scriptAsmLength(word))
    word += scriptWords
    if (destinations === 0) return { type, asm }
    const prefix = addressPrefix(type, network)
    const addresses = Array.from({ length: destinations }, () =>
      encodeAddress(prefix, nextText(40)),
    )
    return { type, asm, reqSigs, addresses }
  })
  return { scriptSigs: describedSigs, scriptPubKeys: describedPubKeys }
}

function addressPrefix(type: ScriptType, network: Network): number {
  if (type === 'scripthash') return network.scriptHashPrefix
  if (type === 'cryptocondition') return network.conditionPrefix
  return network.pubKeyHashPrefix
}

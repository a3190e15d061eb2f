// The outputs that inputs spend: checks them, and passes them to the engine.

import { reserve } from '../engine/call.ts'
import { type Signing, writePrevout } from '../engine/records.ts'
import { prevoutWords, resultBase, signingWords } from '../engine/words.ts'
import { AntaraError, type ErrorContext } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { satsMax } from '../primitives/amount.ts'
import {
  requireArray,
  requireBigint,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { normalizeHex } from '../primitives/hex.ts'

/** The output that an input spends. Only its own transaction proves value and script. */
export interface Prevout {
  /** In satoshis. */
  readonly value: bigint
  /** scriptPubKey, hex. */
  readonly script: string
}

/** @throws {AntaraError} `malformed_hex`, `odd_length_hex`, `amount_out_of_range` */
export function checkedPrevout(prevout: Prevout, path: string): Prevout {
  requireObject(prevout, path)
  return checkedMembers(prevout.value, prevout.script, path)
}

function checkedMembers(value: unknown, script: unknown, path: string): Prevout {
  requireBigint(value, `${path}.value`)
  requireString(script, `${path}.script`)
  if (value < 0n || value > satsMax) {
    throw new AntaraError('amount_out_of_range', { path: `${path}.value`, actual: value })
  }
  return { value, script: normalizeHex(script, `${path}.script`) }
}

/**
 * Checks as `checkedPrevout` does, except whether scripts are hex; builds a path only for an error.
 */
function takenPrevout(prevout: Prevout, index: number): Prevout {
  if (typeof prevout !== 'object' || prevout === null) {
    return checkedPrevout(prevout, `prevouts[${index}]`)
  }
  const { value, script } = prevout
  const isInOrder =
    typeof value === 'bigint' &&
    value >= 0n &&
    value <= satsMax &&
    typeof script === 'string' &&
    script.length % 2 === 0
  return isInOrder ? { value, script } : checkedMembers(value, script, `prevouts[${index}]`)
}

/** @throws {AntaraError} as `checkedPrevout`, `path` naming the first that is malformed */
export function checkedPrevouts(prevouts: readonly Prevout[]): readonly Prevout[] {
  requireArray(prevouts, 'prevouts')
  return prevouts.map((prevout, index) => checkedPrevout(prevout, `prevouts[${index}]`))
}

/**
 * Checks as `checkedPrevouts` does, but leaves the check of hex to the native core, which is
 * faster. Callers pass `locateSigningError` to the call.
 */
export function takenPrevouts(prevouts: readonly Prevout[]): readonly Prevout[] {
  requireArray(prevouts, 'prevouts')
  return prevouts.map(takenPrevout)
}

/** Returns the hex of all scripts, one after another, as the native core reads them. */
export function joinScripts(prevouts: readonly Prevout[]): string {
  let joined = ''
  for (const { script } of prevouts) joined += script
  return joined
}

interface SigningTerms {
  readonly hashType: number
  readonly branchId: number | undefined
  /** The index of an input, or the condition support of the chain, depending on the call. */
  readonly selector: number
  readonly prevouts: readonly Prevout[]
}

/** Writes previous outputs to the words of the call, and returns the texts that belong to them. */
export function writeSigningWords(terms: SigningTerms): Signing {
  const { hashType, branchId, selector, prevouts } = terms
  reserve(signingWords + prevoutWords * prevouts.length)
  let word = resultBase + signingWords
  for (const { value, script } of prevouts) {
    writePrevout(word, { value, scriptDigits: script.length })
    word += prevoutWords
  }
  return {
    hashType,
    branchId: branchId ?? 0,
    hasBranchId: branchId === undefined ? 0 : 1,
    selector,
    prevouts: prevouts.length,
  }
}

/** The parameters of a failed call that locate its error. */
interface FailedCall {
  readonly prevouts: readonly Prevout[]
  /** The input that the caller chose, or that the native core reports. */
  readonly inputIndex: number
}

/** Adds the place to an error of hashing or verifying that has no offset in the transaction. */
export function locateSigningError(
  context: ErrorContext,
  code: ErrorCode,
  { prevouts, inputIndex }: FailedCall,
): ErrorContext {
  switch (code) {
    case 'prevout_count_mismatch':
      return { path: 'prevouts', expected: context.offset, actual: prevouts.length }
    case 'malformed_hex':
      // Throws if a script is malformed; the native core reads the scripts first.
      checkedPrevouts(prevouts)
      return context
    case 'input_index_out_of_range':
      return { path: 'inputIndex', actual: inputIndex }
    case 'single_without_output':
    case 'redeem_script_missing':
      return { path: `inputs[${inputIndex}]` }
    case 'transaction_over_limit':
      return {}
    default:
      return context
  }
}

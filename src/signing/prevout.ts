import { reserveWords, values, words } from '../engine/engine.ts'
import * as at from '../engine/words.ts'
import { AntaraError, type ErrorContext } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { requireArray, requireBigint, requireObject, requireString } from '../primitives/misuse.ts'

/** The output that an input spends. Only its own transaction proves either member. */
export interface Prevout {
  /** In satoshis. */
  readonly value: bigint
  /** scriptPubKey, hex. */
  readonly script: string
}

const satsMax = (1n << 63n) - 1n

/** @throws {AntaraError} `malformed_hex`, `odd_length_hex`, `amount_out_of_range` */
export function checkedPrevout(prevout: Prevout, path: string): Prevout {
  requireObject(prevout, path)
  const { value, script } = prevout
  requireBigint(value, `${path}.value`)
  requireString(script, `${path}.script`)
  if (value < 0n || value > satsMax) {
    throw new AntaraError('amount_out_of_range', { path: `${path}.value`, actual: value })
  }
  return { value, script: normalizeHex(script, `${path}.script`) }
}

/** @throws {AntaraError} as `checkedPrevout`, `path` naming the first that is malformed */
export function checkedPrevouts(prevouts: readonly Prevout[]): readonly Prevout[] {
  requireArray(prevouts, 'prevouts')
  return prevouts.map((prevout, index) => checkedPrevout(prevout, `prevouts[${index}]`))
}

/** The hex of all scripts, one after another, as the engine takes them. */
export function joinScripts(prevouts: readonly Prevout[]): string {
  let joined = ''
  for (const { script } of prevouts) joined += script
  return joined
}

export interface SigningWords {
  readonly hashType: number
  readonly branchId: number | undefined
  /** The index of an input, or what the chain makes of conditions, as the call has it. */
  readonly selector: number
  readonly prevouts: readonly Prevout[]
}

/** Writes what goes with a transaction to the engine's scratch. */
export function writeSigningWords({ hashType, branchId, selector, prevouts }: SigningWords): void {
  const base = at.resultBase
  reserveWords(base + at.signingPrevouts + at.prevoutWords * prevouts.length)
  words[base + at.signingHashType] = hashType
  words[base + at.signingBranchId] = branchId ?? 0
  words[base + at.signingHasBranchId] = branchId === undefined ? 0 : 1
  words[base + at.signingSelector] = selector
  let word = base + at.signingPrevouts
  for (const { value, script } of prevouts) {
    values[word >> 1] = value
    words[word + at.prevoutScriptLength] = script.length
    word += at.prevoutWords
  }
}

/** What the caller knows about a call that failed. */
export interface FailedCall {
  readonly prevouts: number
  /** The input that was asked for; otherwise the engine says which. */
  readonly inputIndex?: number
}

/** Says where an error of hashing or verifying is, where it is not at a byte of the transaction. */
export function locateSigningError(
  context: ErrorContext,
  code: ErrorCode,
  { prevouts, inputIndex }: FailedCall,
): ErrorContext {
  switch (code) {
    case 'prevout_count_mismatch':
      return { path: 'prevouts', expected: context.offset, actual: prevouts }
    case 'input_index_out_of_range':
      return { path: 'inputIndex', actual: inputIndex }
    case 'single_without_output':
    case 'redeem_script_missing':
      return { path: `inputs[${inputIndex ?? words[at.outcomeDetail]}]` }
    case 'transaction_over_limit':
      return {}
    default:
      return context
  }
}

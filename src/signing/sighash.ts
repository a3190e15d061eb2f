// The hashes that signatures sign.

import type { Network } from '../chain/network.ts'
import type { Locate } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import type { Signing } from '../engine/records.ts'
import { AntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import {
  argumentError,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { requireSource } from '../transaction/decode.ts'
import type { TransactionFields } from '../transaction/types.ts'
import {
  checkedPrevout,
  joinScripts,
  locateSigningError,
  type Prevout,
  takenPrevouts,
  writeSigningWords,
} from './prevout.ts'

/** Hash types by name: the last byte of a signature. Wallets sign with `all`. */
export const hashTypes: Readonly<Record<'all' | 'none' | 'single' | 'anyoneCanPay', number>> =
  Object.freeze({ all: 1, none: 2, single: 3, anyoneCanPay: 0x80 })

export interface SignatureHashOptions {
  /** Hex of the script that the signature commits to; for P2PKH the output's own script. */
  readonly scriptCode: string
  /** Value of the spent output, in satoshis. Versions 1 and 2 do not commit to it. */
  readonly value: bigint
  /** Default 1, ALL. Any 32-bit number is hashed as it is. */
  readonly hashType?: number
  /** Default by version: Overwinter's for 3, Sapling's for 4. */
  readonly branchId?: number | undefined
}

/** The engine's index of hashes that belong to no input. */
const notAnInput = 0xffffffff

/**
 * Computes the hash that the signature of one input signs.
 *
 * It follows the family's own rules. In versions 1 and 2, SIGHASH_SINGLE without a matching output
 * does not hash to the number 1, but is an error. These versions also refuse SINGLE and ANYONECANPAY
 * with the index -1, for which there is no input. Code separators have no effect, and nothing is
 * deleted from the script.
 *
 * @param source - wire bytes or hex, with or without scriptSigs
 * @param inputIndex - the input; -1 for the hash that JoinSplits and the binding signature sign
 * @returns 32 bytes in the order in which they are signed, hex
 * @throws {AntaraError} `input_index_out_of_range`, `single_without_output`,
 *   `transaction_over_limit` (versions 1 and 2 over 200 000 bytes), and as `decodeTransaction`
 * @see ZIP 143, ZIP 243; komodo src/script/interpreter.cpp, SignatureHash
 * @example
 * signatureHash(hex, 0, { scriptCode, value })
 */
export function signatureHash(
  source: string | Uint8Array,
  inputIndex: number,
  options: SignatureHashOptions,
): string {
  return callForInput(engine.signatureHash, source, inputIndex, options)
}

/**
 * Returns the bytes that `signatureHash` hashes, for a signer that shows what it signs.
 *
 * Versions 1 and 2 hash them with double SHA-256; versions 3 and 4 with BLAKE2b-256 under the
 * personalization `ZcashSigHash` and the branch id.
 *
 * @param source - wire bytes or hex, with or without scriptSigs
 * @param inputIndex - as `signatureHash`
 * @param options - as `signatureHash`; values in satoshis
 * @returns hex
 * @throws {AntaraError} as `signatureHash`
 * @see ZIP 143, ZIP 243
 * @example
 * signaturePreimage(hex, 0, { scriptCode, value })
 */
export function signaturePreimage(
  source: string | Uint8Array,
  inputIndex: number,
  options: SignatureHashOptions,
): string {
  return callForInput(engine.signaturePreimage, source, inputIndex, options)
}

export interface SignatureHashesOptions {
  /** Default 1, ALL. */
  readonly hashType?: number
  /** Default by version: Overwinter's for 3, Sapling's for 4. */
  readonly branchId?: number | undefined
}

/**
 * Computes the hashes that the signatures of all inputs sign, in one native call that hashes shared
 * parts once.
 *
 * The scriptCode depends on the spent output. For a script hash it is the redeem script at the end
 * of the scriptSig. For a crypto-condition it is `push(condition) OP_CHECKCRYPTOCONDITION`,
 * whatever the output's form, with the condition of the scriptSig's fulfillment, or of the output
 * as long as there is no fulfillment. Otherwise it is the output's own script.
 *
 * @param prevouts - the output that each input spends, in order
 * @returns 32 bytes for each input, as `signatureHash` returns them
 * @throws {AntaraError} `prevout_count_mismatch`; `redeem_script_missing` and
 *   `single_without_output`, with the input's path; and as `decodeTransaction`
 * @see komodo src/script/cc.cpp, CCPubKey; src/script/interpreter.cpp, SignatureHash
 * @example
 * signatureHashes(hex, prevouts).length // 2
 */
export function signatureHashes(
  source: string | Uint8Array,
  prevouts: readonly Prevout[],
  options: SignatureHashesOptions = {},
): string[] {
  requireSource(source, 'source')
  const checked = takenPrevouts(prevouts)
  requireObject(options, 'options')
  requireKnownMembers(options, hashesMembers, 'options')
  const { hashType = hashTypes.all, branchId } = options
  requireHashOptions(hashType, branchId)
  const joined = joinScripts(checked)
  const signing = writeSigningWords({ hashType, branchId, selector: 0, prevouts: checked })
  const text = engine.signatureHashes(source, joined, signing, (context, code, inputIndex) =>
    locateSigningError(context, code, { prevouts: checked, inputIndex }),
  )
  const hashes: string[] = []
  for (let start = 0; start < text.length; start += 64) hashes.push(text.slice(start, start + 64))
  return hashes
}

/** Returns the network's branch if version 4 commits to it; branches of older versions have ended. */
export function saplingBranch(
  { overwintered, version }: Pick<TransactionFields, 'overwintered' | 'version'>,
  { branchId }: Network,
): SignatureHashesOptions {
  return overwintered && version === 4 ? { branchId } : {}
}

const hashesMembers = memberNames<SignatureHashesOptions>({ hashType: true, branchId: true })
const hashMembers = memberNames<SignatureHashOptions>({
  scriptCode: true,
  value: true,
  hashType: true,
  branchId: true,
})

type InputCall = (
  source: string | Uint8Array,
  scriptCode: string,
  signing: Signing,
  locate: Locate,
) => string

function callForInput(
  call: InputCall,
  source: string | Uint8Array,
  inputIndex: number,
  options: SignatureHashOptions,
): string {
  requireSource(source, 'source')
  requireObject(options, 'options')
  requireKnownMembers(options, hashMembers, 'options')
  const { scriptCode, value, hashType = hashTypes.all, branchId } = options
  requireString(scriptCode, 'scriptCode')
  requireHashOptions(hashType, branchId)
  const prevout = checkedPrevout({ value, script: scriptCode }, 'options')
  requireInputIndex(inputIndex)
  const selector = inputIndex === -1 ? notAnInput : inputIndex
  const signing = writeSigningWords({ hashType, branchId, selector, prevouts: [prevout] })
  return call(source, prevout.script, signing, (context, code) =>
    inputIndex === -1 && codesOfIndex.has(code)
      ? {
          path: 'inputIndex',
          expected: `an input for hash type ${hashType} in versions 1 and 2`,
          actual: inputIndex,
        }
      : locateSigningError(context, code, { prevouts: [], inputIndex }),
  )
}

/** The errors for an index that the transaction or the hash type does not allow. */
const codesOfIndex: ReadonlySet<ErrorCode> = new Set([
  'input_index_out_of_range',
  'single_without_output',
])

/** @throws {AntaraError} `input_index_out_of_range` for the number that stands for -1 in the engine */
function requireInputIndex(index: unknown): asserts index is number {
  if (typeof index !== 'number') throw argumentError('inputIndex', 'a number', index)
  if (index !== -1 && index >>> 0 !== index) {
    throw new TypeError(`inputIndex: expected -1, or an integer from 0 to 2^32 - 1, got ${index}`)
  }
  if (index === notAnInput) {
    throw new AntaraError('input_index_out_of_range', { path: 'inputIndex', actual: index })
  }
}

function requireHashOptions(hashType: unknown, branchId: unknown): void {
  requireUint32(hashType, 'hashType')
  if (branchId !== undefined) requireUint32(branchId, 'branchId')
}

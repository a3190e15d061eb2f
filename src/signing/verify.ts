// Verifies the signatures of inputs, in this thread or on others.

import { defaultNetwork, type Network } from '../chain/network.ts'
import type { Locate } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import { findingCode, type Signing } from '../engine/records.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { argumentError, requireArray, requireObject } from '../primitives/arguments.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { snapshot } from '../primitives/snapshot.ts'
import { finish, inSlices, type SliceOptions, type Steps } from '../primitives/steps.ts'
import { hexText } from '../primitives/wire.ts'
import { conditionSupport } from '../script/describe.ts'
import { requireSource } from '../transaction/decode.ts'
import { lacksEd25519, settleEd25519 } from './ed25519.ts'
import {
  joinScripts,
  locateSigningError,
  type Prevout,
  takenPrevouts,
  writeSigningWords,
} from './prevout.ts'
import { type InputVerdict, readVerdicts } from './verdict.ts'

/**
 * Verifies the signatures of every input, offline, in one native call.
 *
 * The chain decides a crypto-condition's evals; everything else about it is checked here. Its
 * fulfillment must be strictly encoded and match the condition that the output pushes, and all its
 * signatures must verify. The chain accepts any hash type there, so check `hashType`. Conditions in
 * tokeld's mixed form are verified on `networks.tokel` only.
 *
 * @param source - wire bytes or hex
 * @param prevouts - the output that each input spends, in order; take them from the previous
 *   transactions, not from the transaction's maker
 * @returns a verdict for each input; `ok` requires strict DER, low S, defined hash types, shortest
 *   pushes, and no bytes left over
 * @throws {AntaraError} `prevout_count_mismatch`, and as `decodeTransaction`; never for an input's
 *   contents
 * @see komodo src/script/interpreter.cpp, VerifyScript with STANDARD_SCRIPT_VERIFY_FLAGS
 * @example
 * verifyInputs(hex, prevouts)[0]
 * // { ok: true, type: 'pubkey', hashType: 1, publicKeys: ['036a...'] }
 */
export function verifyInputs(
  source: string | Uint8Array,
  prevouts: readonly Prevout[],
  network: Network = defaultNetwork,
): InputVerdict[] {
  requireSource(source, 'source')
  return finish(verifySteps(source, prevouts, network))
}

/** Checks all signatures over secp256k1 in the first step. */
function* verifySteps(
  source: string | Uint8Array,
  prevouts: readonly Prevout[],
  network: Network,
): Steps<InputVerdict[]> {
  const checked = takenPrevouts(prevouts)
  const joined = joinScripts(checked)
  const signing = writeVerification(source, checked, network)
  const keys = engine.verifyInputs(source, joined, signing, locateAmong(checked))
  const verdicts = readVerdicts(source, checked.length, keys)
  if (!verdicts.some(lacksEd25519)) return verdicts
  return yield* settle(verdicts, { source, prevouts: checked, network })
}

/**
 * Runs `verifyInputs` on the threads of Node's pool. The main thread stays free, and the cores
 * share the inputs of a large transaction.
 *
 * `source` and `prevouts` are copied at once, so later changes to them have no effect.
 *
 * @param source - wire bytes or hex
 * @param prevouts - the output that each input spends, in order; values in satoshis
 * @param options - a signal that stops the verification
 * @returns as `verifyInputs`
 * @throws {AntaraError} as `verifyInputs`, by rejection
 * @throws the reason of `signal`, if that is aborted
 * @see komodo src/script/interpreter.cpp, VerifyScript with STANDARD_SCRIPT_VERIFY_FLAGS
 * @example
 * const verdicts = await verifyInputsAsync(hex, prevouts)
 */
export async function verifyInputsAsync(
  source: string | Uint8Array,
  prevouts: readonly Prevout[],
  network: Network = defaultNetwork,
  options: SliceOptions = {},
): Promise<InputVerdict[]> {
  requireSource(source, 'source')
  requireObject(options, 'options')
  requireKnownMembers(options, ['signal'], 'options')
  // A Buffer's `slice` copies nothing.
  const copy = typeof source === 'string' ? source : new Uint8Array(source)
  const checked = takenPrevouts(prevouts)
  const chain = snapshot(network, 'network')
  const { signal } = options
  const joined = joinScripts(checked)
  const signing = writeVerification(copy, checked, chain)
  const done = await engine.startVerification(copy, joined, signing, locateAmong(checked))
  const keys = engine.takeVerification(done)
  const verdicts = readVerdicts(copy, checked.length, keys)
  const rest = settle(verdicts, { source: copy, prevouts: checked, network: chain })
  return inSlices(rest, { signal })
}

/** Up to this number of inputs, passing them to another thread costs more than checking them. */
const inputsInThisThreadMax = 3

/**
 * Checks the signatures of a small transaction in this thread, and those of a large one on the
 * threads of Node's pool. The caller lets other work run between transactions.
 */
export async function verifyInputsWhereFaster(
  source: string | Uint8Array,
  prevouts: readonly Prevout[],
  network: Network | undefined,
  options: SliceOptions,
): Promise<InputVerdict[]> {
  if (prevouts.length > inputsInThisThreadMax) {
    return verifyInputsAsync(source, prevouts, network, options)
  }
  return inSlices(verifySteps(source, prevouts, network ?? defaultNetwork), options)
}

/** A transaction with the outputs that its inputs spend. */
export interface SignedTransaction {
  readonly source: string | Uint8Array
  readonly prevouts: readonly Prevout[]
}

/**
 * Verifies many transactions on the threads of Node's pool.
 *
 * @param transactions - wire bytes or hex, each with the outputs that it spends
 * @param network - of all of them; default `assetChain`
 * @returns the verdicts on the inputs of each transaction
 * @throws {AntaraError} as `verifyInputs`, by rejection, for the first malformed transaction
 * @see komodo src/script/interpreter.cpp, VerifyScript with STANDARD_SCRIPT_VERIFY_FLAGS
 * @example
 * const [first, second] = await verifyTransactionsAsync([{ source, prevouts }, { source, prevouts }])
 */
export async function verifyTransactionsAsync(
  transactions: readonly SignedTransaction[],
  network: Network = defaultNetwork,
): Promise<InputVerdict[][]> {
  requireArray(transactions, 'transactions')
  return Promise.all(
    transactions.map(({ source, prevouts }) => verifyInputsAsync(source, prevouts, network)),
  )
}

export interface SignatureToVerify {
  /** The signed hash: 32 bytes, as `signatureHash` returns them. */
  readonly hash: string
  /** 33 bytes compressed or 65 uncompressed. */
  readonly publicKey: string
  /** The signature, without a hash type. */
  readonly signature: string
  /** `der` as in scriptSigs of keys; `compact` (r and s, 64 bytes) as in fulfillments. */
  readonly encoding: 'der' | 'compact'
}

/**
 * Verifies one ECDSA signature over secp256k1, strictly encoded and with low S.
 *
 * @param parts - hash, key and signature in hex, and the encoding of the signature
 * @returns `ok`, or the error's code
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`; `wrong_length` unless `hash` has 32 bytes;
 *   `input_over_limit` for more than 4,000,000 bytes together
 * @see BIP 66, BIP 146
 * @example
 * verifySignature({ hash, publicKey, signature, encoding: 'der' }) // { ok: true }
 */
export function verifySignature(parts: SignatureToVerify): { ok: boolean; code?: ErrorCode } {
  requireObject(parts, 'parts')
  const hash = hexText(parts.hash, 'hash')
  const publicKey = hexText(parts.publicKey, 'publicKey')
  const signature = hexText(parts.signature, 'signature')
  if (parts.encoding !== 'der' && parts.encoding !== 'compact') {
    throw argumentError('encoding', "'der' or 'compact'", parts.encoding)
  }
  if (hash.length !== 64) {
    throw new AntaraError('wrong_length', { path: 'hash', expected: 32, actual: hash.length / 2 })
  }
  const joined = hash + publicKey + signature
  const isDer = parts.encoding === 'der' ? 1 : 0
  engine.verifySignature(joined, { keyBytes: publicKey.length / 2, isDer }, () => ({
    path: publicKey.length > signature.length ? 'publicKey' : 'signature',
  }))
  const code = errorCodeOfNumber.get(findingCode())
  return code === undefined ? { ok: true } : { ok: false, code }
}

/** Completes the verdicts whose Ed25519 signatures the native core left open. */
function settle(
  verdicts: InputVerdict[],
  { source, prevouts, network }: SignedTransaction & { readonly network: Network },
): Steps<InputVerdict[]> {
  const header = headerOf(source)
  const branchId = branchIdFor(header, network)
  return settleEd25519(verdicts, {
    source,
    prevouts,
    branchId,
    overwintered: header.endsWith('80'),
  })
}

function locateAmong(prevouts: readonly Prevout[]): Locate {
  return (context, code, inputIndex) => locateSigningError(context, code, { prevouts, inputIndex })
}

function writeVerification(
  source: string | Uint8Array,
  prevouts: readonly Prevout[],
  network: Network,
): Signing {
  const selector = conditionSupport.indexOf(network.conditions)
  const branchId = branchIdFor(headerOf(source), network)
  return writeSigningWords({ hashType: 0, branchId, selector, prevouts })
}

/** Returns the version and overwintered flag as the bytes encode them. */
function headerOf(source: string | Uint8Array): string {
  return typeof source === 'string' ? source.slice(0, 8) : hexFromBytes(source.subarray(0, 4))
}

const version4 = '04000080'

/**
 * Returns the network's branch, to which version 4 commits; branches of older versions have ended.
 */
function branchIdFor(header: string, { branchId }: Network): number | undefined {
  return header === version4 ? branchId : undefined
}

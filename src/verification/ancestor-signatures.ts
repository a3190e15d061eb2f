// The signatures of ancestors. Chains accept forms that the library rejects, such as high S, so
// scriptSigs are normalized first. A finding reports only what no chain accepts.

import { inputsMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { append } from '../primitives/append.ts'
import { type SliceOptions, startSlices } from '../primitives/steps.ts'
import { type Finding, finding } from '../request/report.ts'
import { addressedScript } from '../script/addressed-script.ts'
import type { InputVerdict } from '../signing/verdict.ts'
import { verifyInputs, verifyInputsWhereFaster } from '../signing/verify.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import { type AncestorContext, spentBy } from './ancestor-rules.ts'
import { hashedBytes, hashedBytesMax } from './hashed-bytes.ts'
import { type Tightened, tightened } from './loose-script-sig.ts'
import { isProven, noteProven } from './proven-signatures.ts'

/** An ancestor with the outputs that it spends. */
export interface SignedAncestor {
  readonly txid: string
  readonly path: string
  readonly hex: string
  /** Spent outputs; undefined where the transaction was not given. */
  readonly prevouts: readonly (TransactionOutput | undefined)[]
  readonly network: Network
  /** True if every spent output was given, and signatures alone prove the right to spend. */
  readonly isComplete: boolean
  /** 0 for an ancestor in no block; undefined if the evidence has no height of it. */
  readonly height: number | undefined
}

/** Scripts of M of N keys, or of a script hash: each signature may be tried with every key. */
const triesEveryKey = (script: string) =>
  script.endsWith('ae') || addressedScript(script)?.type === 'scripthash'
const multisigSignatures = 16

/** The checks that are left: as many as one transaction may have, for the nearest ancestors. */
interface SigningBudget {
  signatures: number
  bytes: number
}

export function newSigningBudget(): SigningBudget {
  return { signatures: inputsMax, bytes: hashedBytesMax }
}

/** Returns `undefined` if none of its signatures can be checked, or not within the budget. */
export function takeSigned(
  ancestor: Transaction,
  { path, hex }: Pick<SignedAncestor, 'path' | 'hex'>,
  context: Pick<AncestorContext, 'byTxid' | 'network' | 'heightOf'>,
  budget: SigningBudget,
): SignedAncestor | undefined {
  const { txid, inputs, shieldedSpends, joinSplits } = ancestor
  const prevouts: (TransactionOutput | undefined)[] = []
  let given = 0
  let cost = 0
  for (const input of inputs) {
    // `checkAncestor` reports an empty scriptSig
    const output = input.scriptSig === '' ? undefined : spentBy(input, context)
    const isGiven = output !== undefined && output.value >= 0n
    prevouts.push(isGiven ? output : undefined)
    if (!isGiven) continue
    given += 1
    cost += triesEveryKey(output.script) ? multisigSignatures : 1
  }
  const bytes = hashedBytes(ancestor)
  if (given === 0 || cost > budget.signatures || bytes > budget.bytes) return undefined
  budget.signatures -= cost
  budget.bytes -= bytes
  const isShielded = shieldedSpends.length + joinSplits.length > 0
  const isComplete = given === prevouts.length && !isShielded
  const height = context.heightOf(txid)
  return { txid, path, hex, prevouts, network: context.network, isComplete, height }
}

/** Checks the signatures of each ancestor. Those that were all valid before are not checked again. */
export function checkAncestorSignatures(ancestors: readonly SignedAncestor[]): Finding[] {
  return ancestors.flatMap((it) => {
    if (isProven(it)) return []
    const verdicts = verifyInputs(it.hex, prevoutsOf(it.prevouts), it.network)
    const loose = loosen(it, verdicts)
    const again = loose.tightened.size === 0 ? [] : verifyInputs(...loose.call)
    return concluded(it, verdicts, { ...loose, again })
  })
}

/** `checkAncestorSignatures`, with the signatures of large transactions checked on other threads. */
export async function checkAncestorSignaturesAsync(
  ancestors: readonly SignedAncestor[],
  options: SliceOptions,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const pause = startSlices()
  for (const it of ancestors) {
    if (isProven(it)) continue
    const verdicts = await verifyInputsWhereFaster(
      it.hex,
      prevoutsOf(it.prevouts),
      it.network,
      options,
    )
    const loose = loosen(it, verdicts)
    const again =
      loose.tightened.size === 0 ? [] : await verifyInputsWhereFaster(...loose.call, options)
    append(findings, concluded(it, verdicts, { ...loose, again }))
    await pause()
  }
  return findings
}

/** Returns the findings about an ancestor, and remembers it if all its signatures are valid. */
function concluded(
  ancestor: SignedAncestor,
  verdicts: InputVerdict[],
  loose: Loose & { readonly again: readonly InputVerdict[] },
): Finding[] {
  // An output that was not given has no script here, so no verdict on its input is right.
  if (verdicts.every(({ ok }) => ok)) noteProven(ancestor)
  return findingsOf(ancestor, verdicts, loose)
}

const nothing: TransactionOutput = { value: 0n, script: '' }

function prevoutsOf(prevouts: readonly (TransactionOutput | undefined)[]): TransactionOutput[] {
  return prevouts.map((it) => it ?? nothing)
}

/**
 * Errors that every chain rejects with any script flags. source: komodo src/script/interpreter.cpp
 */
const refusedByChains: readonly (ErrorCode | undefined)[] = [
  'signature_missing',
  'signature_mismatch',
  'public_key_hash_mismatch',
  'script_hash_mismatch',
  'condition_mismatch',
  // chains of this family always require strict DER
  'signature_length',
  'signature_tag',
  'signature_integer_empty',
  'signature_integer_negative',
  'signature_integer_padded',
  'signature_out_of_range',
]

/** Limits of this library, which chains do not have. */
const limitsOfConditions: readonly (ErrorCode | undefined)[] = [
  'condition_nesting_over_limit',
  'condition_fingerprint_contents',
  'condition_cost_over_limit',
  'condition_cost_spread',
]

/** Errors of this library that chains may accept. */
const looseForms: readonly (ErrorCode | undefined)[] = [
  'script_sig_form',
  'redeem_script_missing',
  'signature_high_s',
]

interface Loose {
  /** Normalized scriptSigs, by the index of the input. */
  readonly tightened: ReadonlyMap<number, Tightened>
  /** The arguments to verify the normalized scriptSigs with. */
  readonly call: Parameters<typeof verifyInputs>
}

/** Normalizes scriptSigs of loose forms, which no signature commits to. */
function loosen({ hex, prevouts, network }: SignedAncestor, verdicts: InputVerdict[]): Loose {
  const tightenedAt = new Map<number, Tightened>()
  const given = verdicts.flatMap(({ code, type }, index) =>
    prevouts[index] !== undefined && type !== 'cryptocondition' && looseForms.includes(code)
      ? [index]
      : [],
  )
  if (given.length === 0) return { tightened: tightenedAt, call: [hex, [], network] }
  const fields = decodeTransaction(hex)
  const inputs = [...fields.inputs]
  for (const index of given) {
    const input = inputs[index]!
    const it = tightened(input.scriptSig, prevouts[index]!.script)
    tightenedAt.set(index, it)
    if (typeof it !== 'string') inputs[index] = { ...input, scriptSig: it.scriptSig }
  }
  const toVerify = prevouts.map((it, index) => (tightenedAt.has(index) ? it : undefined))
  const call = [encodeTransaction({ ...fields, inputs }), prevoutsOf(toVerify), network] as const
  return { tightened: tightenedAt, call: [...call] }
}

/**
 * `other` is a script that is not checked here; `open` is a supported script with a scriptSig that
 * is not.
 */
type Checked = 'right' | 'refused' | 'open' | 'other'

function check({ ok, code, type }: InputVerdict): Checked {
  if (ok) return 'right'
  if (refusedByChains.includes(code)) return 'refused'
  if (code === 'unsupported_script' || limitsOfConditions.includes(code)) return 'other'
  return type === 'cryptocondition' ? 'refused' : 'open'
}

function findingsOf(
  { txid, path, prevouts, height }: SignedAncestor,
  verdicts: InputVerdict[],
  { tightened: forms, again }: Loose & { readonly again: readonly InputVerdict[] },
): Finding[] {
  const checked = verdicts.map((verdict, index): Checked => {
    if (prevouts[index] === undefined) return 'right'
    const form = forms.get(index)
    return form === undefined
      ? check(verdict)
      : typeof form === 'string'
        ? form
        : check(again[index]!)
  })
  const refused = checked.indexOf('refused')
  if (refused >= 0) {
    const { code } = again[refused] && forms.has(refused) ? again[refused] : verdicts[refused]!
    const actual = `${code ?? verdicts[refused]!.code}, in ${txid}`
    return [finding('ancestor_signature', `${path}.inputs[${refused}].scriptSig`, { actual })]
  }
  // the chain has checked ancestors in blocks; nodes do not relay open forms
  const isOpen = (it: Checked) => it === 'open' || (it === 'other' && height === 0)
  const open = height === undefined || height === 0 ? checked.findIndex(isOpen) : -1
  if (open < 0) return []
  return [finding('ancestor_unproven', `${path}.inputs[${open}].scriptSig`, { actual: txid })]
}

// The signatures of ancestors. Chains take forms that the library's own check refuses, such as high
// S, so only what no chain takes is held against an ancestor.

import { inputsMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import type { ErrorCode } from '../errors/codes.ts'
import type { SliceOptions } from '../primitives/steps.ts'
import type { InputVerdict } from '../signing/verdict.ts'
import { verifyInputs, verifyInputsAsync } from '../signing/verify.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import { type AncestorContext, spendsNoOutput, spentBy } from './ancestor-rules.ts'
import { hashedBytes, hashedBytesMax } from './hashed-bytes.ts'
import { type Finding, finding } from './report.ts'

/** An ancestor, and what its inputs spend. */
export interface SignedAncestor {
  readonly txid: string
  readonly path: string
  readonly hex: string
  /** Undefined where it was not given. */
  readonly prevouts: readonly (TransactionOutput | undefined)[]
  readonly network: Network
  /** Whether everything that it spends was given. */
  readonly isComplete: boolean
}

/** M of N keys, behind a hash or not, of which each signature may be tried with every key. */
const multisigScript = /^a914.{40}87$|ae$/
const multisigSignatures = 16

/** As many signatures as one transaction may have are checked, of the nearest ancestors. */
export function createSigningBudget(context: Pick<AncestorContext, 'byTxid' | 'network'>): {
  /** Returns `undefined` if none of its signatures can be checked, or not within the budget. */
  take(ancestor: Transaction, path: string, hex: string): SignedAncestor | undefined
} {
  let left = inputsMax
  let bytesLeft = hashedBytesMax
  return {
    take(ancestor, path, hex) {
      if (spendsNoOutput(ancestor)) return undefined
      const prevouts = ancestor.inputs.map((input) => {
        // `checkAncestor` says of an empty scriptSig what there is to say
        const output = input.scriptSig === '' ? undefined : spentBy(input, context)
        return output !== undefined && output.value >= 0n ? output : undefined
      })
      const given = prevouts.filter((it) => it !== undefined)
      const cost = given.reduce((sum, { script }) => sum + costOf(script), 0)
      const bytes = hashedBytes(ancestor)
      if (given.length === 0 || cost > left || bytes > bytesLeft) return undefined
      left -= cost
      bytesLeft -= bytes
      const isComplete = given.length === prevouts.length
      return { txid: ancestor.txid, path, hex, prevouts, network: context.network, isComplete }
    },
  }
}

function costOf(script: string): number {
  return multisigScript.test(script) ? multisigSignatures : 1
}

export function checkAncestorSignatures(ancestors: readonly SignedAncestor[]): Finding[] {
  return ancestors.flatMap((it) => findingsOf(it, verifyInputs(it.hex, prevoutsOf(it), it.network)))
}

/** The same on the threads of Node's pool. */
export async function checkAncestorSignaturesAsync(
  ancestors: readonly SignedAncestor[],
  options: SliceOptions,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const it of ancestors) {
    const verdicts = await verifyInputsAsync(it.hex, prevoutsOf(it), it.network, options)
    findings.push(...findingsOf(it, verdicts))
  }
  return findings
}

const nothing: TransactionOutput = { value: 0n, script: '' }

function prevoutsOf({ prevouts }: SignedAncestor): TransactionOutput[] {
  return prevouts.map((it) => it ?? nothing)
}

/** What no chain takes, whatever flags it checks scripts with. komodo src/script/interpreter.cpp */
const refusedByChains: readonly (ErrorCode | undefined)[] = [
  'signature_missing',
  'signature_mismatch',
  'public_key_hash_mismatch',
  'script_hash_mismatch',
  'condition_mismatch',
]

function findingsOf({ txid, path, prevouts }: SignedAncestor, verdicts: InputVerdict[]): Finding[] {
  const at = verdicts.findIndex(
    ({ code }, index) => prevouts[index] !== undefined && refusedByChains.includes(code),
  )
  if (at < 0) return []
  const actual = `${verdicts[at]!.code}, in ${txid}`
  return [finding('ancestor_signature', `${path}.inputs[${at}].scriptSig`, { actual })]
}

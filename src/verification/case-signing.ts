// The parts of signing that need no operation.

import { unlessMalformed } from '../errors/malformed.ts'
import type { Case } from '../request/case.ts'
import type { Report } from '../request/report.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { signTransaction } from '../signing/sign.ts'
import type { PrevoutToSign } from '../signing/task.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { encodeTransaction } from '../transaction/encode.ts'

/** Returns true if missing signatures are the only rejects of a report. */
export function lacksOnlySignatures({ findings }: Report): boolean {
  const rejects = findings.filter(({ severity }) => severity === 'reject')
  return rejects.length > 0 && rejects.every(({ code }) => code === 'unsigned')
}

/** Returns the spent outputs; all are present, because the report found each of them. */
export function prevoutsOf(hex: string, { evidence, intent }: Case): PrevoutToSign[] {
  const { previousTransactions, tokenCreate } = evidence
  const given = [...previousTransactions, ...(tokenCreate === undefined ? [] : [tokenCreate])]
  // Hex that is not a transaction has a warning in the report.
  const known = new Map(
    given.map((it) => {
      const tx = unlessMalformed(() => decodeTransaction(it))
      return [tx?.txid, tx?.outputs]
    }),
  )
  const redeemScripts = 'redeemScripts' in intent ? (intent.redeemScripts ?? []) : []
  const byScript = new Map(redeemScripts.map((it) => [scriptHashOf(it), it]))
  return decodeTransaction(hex).inputs.map(({ txid, vout }) => {
    const output = known.get(txid)![vout]!
    const redeemScript = byScript.get(output.script)
    return redeemScript === undefined ? output : { ...output, redeemScript }
  })
}

/**
 * Returns the scriptSigs that keys make for a case, whatever its inputs have now. Signing is
 * deterministic, so a key makes a signature of its own again.
 *
 * @param hex - the transaction, as in the report of the case
 */
export function scriptSigsBy(keys: readonly string[], hex: string, given: Case): string[] {
  const { inputs, ...rest } = decodeTransaction(hex)
  const bare = inputs.map((input) => ({ ...input, scriptSig: '' }))
  const unsigned = encodeTransaction({ ...rest, inputs: bare })
  const signed = signTransaction(unsigned, keys, prevoutsOf(hex, given), given.intent.network)
  return decodeTransaction(signed.hex).inputs.map(({ scriptSig }) => scriptSig)
}

import type { Network } from '../network/network.ts'
import { type InputVerdict, verifyInputs, verifyInputsAsync } from '../signing/verify.ts'
import type { Transaction } from '../transaction/types.ts'
import type { Prevout } from './inputs.ts'
import type { Effect, Finding, Report } from './report.ts'
import { seal } from './sealed.ts'
import { judgeSignatures } from './signatures.ts'

/** Everything that is known of a transaction before its signatures are looked at. */
export interface Judgement {
  readonly hex: string
  /** Absent when the hex is no transaction. */
  readonly tx?: Transaction
  readonly findings: readonly Finding[]
  readonly effects: readonly Effect[]
  readonly fee?: bigint
  /** What is needed to check signatures; absent when not all that is spent is known. */
  readonly signed?: Signed
}

interface Signed {
  readonly tx: Transaction
  readonly prevouts: readonly Prevout[]
  readonly network: Network
  /** The only key that may have signed. */
  readonly pubkey: string
}

/** All previous outputs, if every one is known. */
export function allKnown(
  prevouts: readonly (Prevout | undefined)[],
): readonly Prevout[] | undefined {
  return prevouts.every((prevout) => prevout !== undefined) ? prevouts : undefined
}

export function settle(judgement: Judgement): Report {
  const { signed, hex } = judgement
  if (signed === undefined) return reportOf(judgement, [])
  const verdicts = verifyInputs(hex, signed.prevouts, signed.network)
  return reportOf(judgement, signatureFindings(signed, verdicts))
}

export async function settleAsync(judgement: Judgement): Promise<Report> {
  const { signed, hex } = judgement
  if (signed === undefined) return reportOf(judgement, [])
  const verdicts = await verifyInputsAsync(hex, signed.prevouts, signed.network)
  return reportOf(judgement, signatureFindings(signed, verdicts))
}

function signatureFindings({ tx, pubkey }: Signed, verdicts: readonly InputVerdict[]): Finding[] {
  return judgeSignatures(tx, verdicts, pubkey)
}

function reportOf(judgement: Judgement, signatures: readonly Finding[]): Report {
  const { hex, tx, effects, fee } = judgement
  const findings = [...judgement.findings, ...signatures]
  const ok = findings.every(({ severity }) => severity !== 'reject')
  return {
    ok,
    findings,
    hex,
    effects,
    ...(tx !== undefined && { txid: tx.txid }),
    ...(tx !== undefined && ok && { verified: seal(hex, tx.txid) }),
    ...(fee !== undefined && { fee }),
  }
}

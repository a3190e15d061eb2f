// Checks of the signatures of a transaction.

import type { Network } from '../chain/network.ts'
import { append } from '../primitives/append.ts'
import { byteHex } from '../primitives/wire.ts'
import { type Finding, finding } from '../request/report.ts'
import { pushOf } from '../script/push.ts'
import type { InputVerdict } from '../signing/verdict.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import type { SpentOutput } from './previous-outputs.ts'

/** The key or its address; some keys out of several; or any key that the spent script names. */
export type Signer = { readonly key: string } | KeySet | 'as-the-script-says'

export interface SignatureTask {
  readonly tx: Transaction
  readonly prevouts: readonly TransactionOutput[]
  readonly network: Network
  /** The required signers of each input; absent where no signature is checked. */
  readonly signers: readonly (Signer | undefined)[]
}

/** Stands for an output whose input is not checked. */
const unchecked: TransactionOutput = { value: 0n, script: '' }

/**
 * Lists the signatures to check: each coin once, and no coin whose script allows more checks than
 * signatures.
 *
 * @returns `undefined` if an amount is unknown, because signatures commit to it
 */
export function signatureTask(
  tx: Transaction,
  prevouts: readonly (SpentOutput | undefined)[],
  network: Network,
  singlySigned: ReadonlySet<number>,
  signerOf: (spent: SpentOutput) => Signer,
): SignatureTask | undefined {
  const seen = new Set<TransactionOutput>()
  const outputs: TransactionOutput[] = []
  const signers: (Signer | undefined)[] = []
  for (const [index, prevout] of prevouts.entries()) {
    if (prevout === undefined) return undefined
    const { output } = prevout
    const isChecked = singlySigned.has(index) && !seen.has(output)
    seen.add(output)
    outputs.push(isChecked ? output : unchecked)
    signers.push(isChecked ? signerOf(prevout) : undefined)
  }
  return { tx, prevouts: outputs, network, signers }
}

/** Commits to every input and every output: the only hash type that leaves nothing open. */
const hashTypeAll = 0x01

/**
 * Checks how each input with a signer is signed. A valid signature never softens another finding: a
 * daemon with the wallet's keys signs a wrong transaction as well as a right one.
 */
export function checkSignatures(
  task: SignatureTask,
  verdicts: readonly InputVerdict[],
  /** As `countSignatures` returns them, by the index of the input. */
  counts: ReadonlyMap<number, string | undefined>,
): Finding[] {
  const { tx, signers } = task
  const findings: Finding[] = []
  for (const [index, verdict] of verdicts.entries()) {
    const signer = signers[index]
    if (signer === undefined) continue
    const path = `inputs[${index}].scriptSig`
    const { scriptSig } = tx.inputs[index]!
    const count = counts.get(index)
    if (scriptSig === '') findings.push(finding('unsigned', path))
    else if (count !== undefined) findings.push(finding('unsigned', path, { actual: count }))
    else if (!verdict.ok || counts.has(index)) {
      const actual = counts.has(index) ? 'signature_mismatch' : verdict.code
      findings.push(finding('signature', path, { actual }))
    } else append(findings, checkVerdict(verdict, scriptSig, signer, path))
  }
  return findings
}

function checkVerdict(
  { hashType, publicKeys, fulfillment }: InputVerdict,
  scriptSig: string,
  signer: Signer,
  path: string,
): Finding[] {
  const findings: Finding[] = []
  if (hashType !== hashTypeAll) {
    findings.push(finding('hash_type', path, { expected: hashTypeAll, actual: hashType }))
  }
  if (signer !== 'as-the-script-says' && !isSignedBy(publicKeys, signer)) {
    const expected = 'key' in signer ? signer.key : signer.pubkeys.join(', ')
    findings.push(finding('signer', path, { expected, actual: publicKeys.join(', ') }))
  }
  if (fulfillment !== undefined) {
    // The chain takes a fulfillment in any push form; daemons write the shortest.
    const expected = pushOf(`${fulfillment}${byteHex(hashTypeAll)}`)
    if (scriptSig !== expected && hashType === hashTypeAll) {
      findings.push(finding('script_sig', path, { expected, actual: scriptSig }))
    }
  }
  return findings
}

function isSignedBy(
  publicKeys: readonly string[],
  signer: Exclude<Signer, 'as-the-script-says'>,
): boolean {
  if ('key' in signer) return publicKeys.length === 1 && isSigner(publicKeys[0]!, signer.key)
  const signed = new Set(publicKeys)
  return signed.size >= signer.required && [...signed].every((it) => signer.pubkeys.includes(it))
}

/** Hex digits of a compressed key; addresses are shorter. */
const keyCharacters = 66

/** The engine has already checked that the key hashes to the address. */
function isSigner(publicKey: string, signer: string): boolean {
  return publicKey === signer || signer.length !== keyCharacters
}

import { compactSizeBytes } from '../primitives/wire.ts'
import { addressedScript } from './addressed-script.ts'

/** The largest signature with its hash type, and the push opcode before it. */
const signatureBytes = 1 + 72 + 1

/**
 * Returns the most bytes that a signed scriptSig takes, including the longer length before it;
 * `undefined` if the script does not determine its signatures.
 *
 * @param script - of the spent output, hex
 * @param redeemScript - behind a script hash: for a key, its hash, or M of N keys
 */
export function scriptSigBytesMax(script: string, redeemScript?: string): number | undefined {
  const isHash = addressedScript(script)?.type === 'scripthash'
  const signed = isHash ? redeemScript : script
  const pushes = signed === undefined ? undefined : pushedBytesMax(signed)
  if (pushes === undefined || !isHash) return pushes && withLength(pushes)
  const bytes = redeemScript!.length / 2
  return withLength(pushes + bytes + (bytes < 0x4c ? 1 : bytes <= 0xff ? 2 : 3))
}

/** Counts the signatures, and the key if the script has only its hash. */
function pushedBytesMax(script: string): number | undefined {
  const paid = addressedScript(script)
  if (paid?.type === 'pubkey') return signatureBytes
  if (paid?.type === 'pubkeyhash') return signatureBytes + 34
  const keys = /^5([1-9a-f]).*5[1-9a-f]ae$/.exec(script)
  return keys === null ? undefined : 1 + Number.parseInt(keys[1]!, 16) * signatureBytes
}

/** Adds what the length before a scriptSig takes beyond one byte. */
function withLength(bytes: number): number {
  return bytes + compactSizeBytes(bytes) - 1
}

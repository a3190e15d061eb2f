/** A signature with its hash type, and the push before it. */
const signatureBytes = 1 + 72 + 1

/**
 * The most bytes that a signed scriptSig takes, with what a longer length before it adds; nothing
 * where what is signed cannot be told.
 *
 * @param script - of the output that is spent, hex
 * @param redeemScript - behind a script hash: M of N keys
 */
export function scriptSigBytesMax(script: string, redeemScript?: string): number | undefined {
  if (/^(?:21.{66}|41.{130})ac$/.test(script)) return signatureBytes
  if (script.startsWith('76a914')) return signatureBytes + 34
  const isHash = script.startsWith('a914')
  const signed = isHash ? redeemScript : script
  const keys = signed === undefined ? null : /^5([1-9a-f]).*5[1-9a-f]ae$/.exec(signed)
  if (keys === null) return undefined
  const signatures = 1 + Number.parseInt(keys[1]!, 16) * signatureBytes
  if (!isHash) return withLength(signatures)
  const bytes = redeemScript!.length / 2
  return withLength(signatures + bytes + (bytes < 0x4c ? 1 : bytes <= 0xff ? 2 : 3))
}

/** From 253 bytes on the length before a scriptSig takes three bytes, not one. */
function withLength(bytes: number): number {
  return bytes < 253 ? bytes : bytes + 2
}

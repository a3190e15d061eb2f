import { decodeTransaction, encodeTransaction } from '../../src/index.ts'

const order = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n

/**
 * Returns a transaction with the other s in its first plain signature, as a third party makes it
 * without the key. It is as valid, and has another txid.
 */
export function malleated(hex: string): string {
  const tx = decodeTransaction(hex)
  const at = tx.inputs.findIndex(({ scriptSig }) => /^4[789]30/.test(scriptSig))
  const inputs = tx.inputs.map((input, index) =>
    index === at ? { ...input, scriptSig: withOtherS(input.scriptSig) } : input,
  )
  return encodeTransaction({ ...tx, inputs })
}

function withOtherS(scriptSig: string): string {
  const length = Number.parseInt(scriptSig.slice(0, 2), 16)
  const [signature, rest] = [scriptSig.slice(2, 2 + 2 * length), scriptSig.slice(2 + 2 * length)]
  const rDigits = 2 * Number.parseInt(signature.slice(6, 8), 16)
  const r = signature.slice(4, 8 + rDigits)
  const sDigits = 2 * Number.parseInt(signature.slice(10 + rDigits, 12 + rDigits), 16)
  const s = BigInt(`0x${signature.slice(12 + rDigits, 12 + rDigits + sDigits)}`)
  const type = signature.slice(12 + rDigits + sDigits)
  const other = integer(order - s)
  return `${sized(`30${sized(`${r}02${sized(other)}`)}${type}`)}${rest}`
}

/** An unsigned number of DER: a first byte of zeros where the highest bit is set. */
function integer(value: bigint): string {
  const digits = value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return Number.parseInt(even.slice(0, 2), 16) > 0x7f ? `00${even}` : even
}

function sized(bytes: string): string {
  return `${(bytes.length / 2).toString(16).padStart(2, '0')}${bytes}`
}

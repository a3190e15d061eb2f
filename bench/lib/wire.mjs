/**
 * The benchmark's own reading of the wire format, written from the layout tables and used only to
 * make inputs and reference answers: no library under test takes part.
 *
 * @typedef {{ txid: string, vout: number, scriptSig: string, sequence: number }} Input
 * @typedef {{ value: bigint, script: string }} Output
 * @typedef {{
 *   version: number, overwintered: boolean, versionGroupId: number,
 *   inputs: Input[], outputs: Output[],
 *   lockTime: number, expiryHeight: number, valueBalance: bigint,
 * }} Fields the form in which every library's answer is compared: bytes as hex, txids as displayed
 */
import { createHash } from 'node:crypto'

/** @param {string} hex */
export const reversed = (hex) => Buffer.from(hex, 'hex').reverse().toString('hex')

/** @param {string} hex */
export const doubleSha256 = (hex) => {
  const once = createHash('sha256').update(hex, 'hex').digest()
  return createHash('sha256').update(once).digest('hex')
}

/** @param {string} hex @returns {string} in display order */
export const txidOf = (hex) => reversed(doubleSha256(hex))

/** @param {number | bigint} value @param {number} bytes */
export const littleEndian = (value, bytes) =>
  reversed(
    BigInt.asUintN(8 * bytes, BigInt(value))
      .toString(16)
      .padStart(2 * bytes, '0'),
  )

/** @param {number} size */
export const compactSize = (size) =>
  size < 0xfd ? littleEndian(size, 1) : `fd${littleEndian(size, 2)}`

/** @param {string} script */
export const sized = (script) => compactSize(script.length / 2) + script

/**
 * Transparent transactions of version 1 and 4.
 *
 * @param {Fields} fields
 * @returns {string} hex
 */
export function wireHex(fields) {
  const { inputs, outputs, overwintered } = fields
  const header = (overwintered ? 0x80000000 : 0) + fields.version
  const wire = [
    littleEndian(header, 4),
    overwintered ? littleEndian(fields.versionGroupId, 4) : '',
    compactSize(inputs.length),
    ...inputs.map(
      ({ txid, vout, scriptSig, sequence }) =>
        reversed(txid) + littleEndian(vout, 4) + sized(scriptSig) + littleEndian(sequence, 4),
    ),
    compactSize(outputs.length),
    ...outputs.map(({ value, script }) => littleEndian(value, 8) + sized(script)),
    littleEndian(fields.lockTime, 4),
    overwintered
      ? `${littleEndian(fields.expiryHeight, 4)}${littleEndian(fields.valueBalance, 8)}000000`
      : '',
  ].join('')
  // One flat string, as it would arrive from a socket: not a rope that is flattened while timed.
  return Buffer.from(wire, 'hex').toString('hex')
}

/** Verifying P2PKH inputs as one would over a library that does no more than curve arithmetic. */
import { createHash } from 'node:crypto'
import bitcoinjs from 'bitcoinjs-lib'
import { zip243Hashes, zip243Parts } from '../lib/sighash.mjs'

const { decompile, signature: scriptSignature } = bitcoinjs.script

/**
 * Returns the input of a verification from a decoded spend.
 * @param {import('../lib/spends.mjs').Spend} spend
 */
export const toVerify = ({ fields, prevouts }) => ({
  parts: zip243Parts(fields, prevouts),
  scriptSigs: fields.inputs.map(({ scriptSig }) => Buffer.from(scriptSig, 'hex')),
  scripts: prevouts.map(({ script }) => Buffer.from(script, 'hex')),
})

/** @param {Uint8Array} key */
const hash160 = (key) =>
  createHash('ripemd160').update(createHash('sha256').update(key).digest()).digest()

/** Returns true if a P2PKH output pays to a key. @param {Buffer} script @param {Buffer} key */
export const paysTo = (script, key) => hash160(key).equals(script.subarray(3, 23))

const hashTypeAll = 1

/**
 * @param {(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array) => boolean} verify
 *   of r and s, 64 bytes, refusing a high s
 * @returns {(input: ReturnType<typeof toVerify>) => boolean[]}
 */
export const verifierOver =
  (verify) =>
  ({ parts, scriptSigs, scripts }) => {
    const hashes = zip243Hashes(parts)
    return scriptSigs.map((scriptSig, index) => {
      const [encoded, key] = decompile(scriptSig)
      if (!paysTo(scripts[index], key)) return false
      const { signature, hashType } = scriptSignature.decode(encoded)
      return hashType === hashTypeAll && verify(signature, hashes[index], key)
    })
  }

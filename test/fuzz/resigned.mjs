/**
 * Recorded transactions, changed and signed again with the throw-away keys of the recordings. No
 * signature gives such a change away, so a verifier has to find the change itself.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const keys = JSON.parse(
  readFileSync(new URL('../vectors/komodod/keys.json', import.meta.url), 'utf8'),
)
const wifs = [keys.A, keys.B, keys.C].map(({ wif }) => wif)
/** A push of 105 bytes ends the scriptSig of a coin that two of three keys hold. */
const redeemScript = /^00.*4c69(5221.{66}21.{66}21.{66}53ae)$/

/**
 * @typedef {typeof import('../../dist/index.js')} Library
 * @typedef {import('../../dist/index.js').TransactionFields} Fields
 * @typedef {(fields: Fields, previous: readonly string[], network: any) => string | undefined} Resign
 *   hex of the fields with every input signed; undefined where the keys do not sign every input
 */

/** @param {Library} library @returns {Resign} */
export function resigner({
  decodeTransaction,
  encodeTransaction,
  isAntaraError,
  signTransaction,
  transactionId,
}) {
  return (fields, previous, network) => {
    const parents = new Map(previous.map((hex) => [transactionId(hex), hex]))
    const prevouts = fields.inputs.flatMap(({ txid, vout, scriptSig }) => {
      const parent = parents.get(txid)
      const output = parent === undefined ? undefined : decodeTransaction(parent).outputs[vout]
      if (output === undefined) return []
      const [, shared] = redeemScript.exec(scriptSig) ?? []
      return [{ ...output, ...(shared !== undefined && { redeemScript: shared }) }]
    })
    if (prevouts.length < fields.inputs.length) return undefined
    const inputs = fields.inputs.map((input) => ({ ...input, scriptSig: '' }))
    const unsigned = encodeTransaction({ ...fields, inputs })
    try {
      const { hex, complete } = signTransaction(unsigned, wifs, prevouts, network)
      return complete ? hex : undefined
    } catch (error) {
      if (isAntaraError(error)) return undefined
      throw error
    }
  }
}

/** @param {string} script whether one of the recorded keys alone holds it */
export function isOfOneKey(script) {
  return /^(?:21.{66}ac|76a914.{40}88ac)$/.test(script)
}

/**
 * Tells whether a report has the effect of a hostile change: one of these codes, and no complaint
 * about signatures that could stand in for it. No codes stand for an honest change.
 *
 * @param {any} report @param {readonly string[]} expects @param {string} family
 */
export function requireFinding(report, expects, family) {
  const codes = report.findings.map((/** @type {any} */ { code }) => code)
  if (expects.length === 0) assert.ok(report.ok, `${family}: refused for ${codes}`)
  else
    assert.ok(
      expects.some((code) => codes.includes(code)),
      `${family}: found ${codes}`,
    )
  if (expects.includes('signature')) return
  assert.ok(!codes.includes('signature') && !codes.includes('unsigned'), `${family}: not signed`)
}

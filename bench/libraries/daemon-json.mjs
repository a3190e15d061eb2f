/**
 * The daemon's decoderawtransaction text, put together from what a bitcoinjs-lib descendant offers:
 * decode, txid, script chunks, signature check, addresses. As much as a wallet would write over
 * such a library, and only for pay-to-public-key-hash.
 */
import { coinText } from '../lib/daemon-text.mjs'

/** For `cannot`. @param {import('../shapes.mjs').Specimen} specimen */
export const paymentsOnly = ({ fields }) =>
  fields.outputs.every(({ script }) => script.startsWith('76a914'))
    ? undefined
    : 'knows no crypto-condition outputs'

/**
 * @param {{ decompile: Function, isCanonicalScriptSignature: (chunk: Buffer) => boolean }} script
 * @param {(outputScript: Buffer) => string} addressOf
 * @returns {(tx: any, fields: import('../lib/wire.mjs').Fields) => string} of a version 4 transaction
 */
export function daemonJsonWriter(script, addressOf) {
  const pushText = (/** @type {Buffer} */ chunk) =>
    script.isCanonicalScriptSignature(chunk) && chunk.at(-1) === 1
      ? `${chunk.toString('hex', 0, chunk.length - 1)}[ALL]`
      : chunk.toString('hex')

  return (tx, { inputs, outputs, versionGroupId, expiryHeight, valueBalance }) => {
    const vin = inputs.map(({ txid, vout, scriptSig, sequence }, index) => {
      const asm = script.decompile(tx.ins[index].script).map(pushText).join(' ')
      return { txid, vout, scriptSig: { asm, hex: scriptSig }, sequence }
    })
    const vout = outputs.map(({ value, script: hex }, n) => {
      const hash160 = script.decompile(tx.outs[n].script)[2].toString('hex')
      const scriptPubKey = JSON.stringify({
        asm: `OP_DUP OP_HASH160 ${hash160} OP_EQUALVERIFY OP_CHECKSIG`,
        hex,
        reqSigs: 1,
        type: 'pubkeyhash',
        addresses: [addressOf(tx.outs[n].script)],
      })
      return `{"value":${coinText(value)},"valueZat":${value},"n":${n},"scriptPubKey":${scriptPubKey}}`
    })
    return (
      `{"txid":"${tx.getId()}","overwintered":true,"version":${tx.version}` +
      `,"versiongroupid":"${versionGroupId.toString(16).padStart(8, '0')}"` +
      `,"locktime":${tx.locktime},"expiryheight":${expiryHeight}` +
      `,"vin":${JSON.stringify(vin)},"vout":[${vout.join(',')}],"vjoinsplit":[]` +
      `,"valueBalance":${coinText(valueBalance)},"vShieldedSpend":[],"vShieldedOutput":[]}`
    )
  }
}

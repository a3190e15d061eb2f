/**
 * The text that decoderawtransaction prints, for the pay-to-public-key-hash transactions that
 * `shapes.mjs` makes, and the fields of a recorded text. Like `wire.mjs` it is the reference.
 *
 * @typedef {import('./wire.mjs').Fields} Fields
 */
import { doubleSha256 } from './wire.mjs'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** PUBKEY_ADDRESS of the Komodo family: komodo src/chainparams.cpp. */
const addressPrefix = '3c'

/** @param {string} hash160 @returns {string} Base58Check; the prefix is not zero, so no leading 1s */
function addressOf(hash160) {
  const payload = addressPrefix + hash160
  let rest = BigInt(`0x${payload}${doubleSha256(payload).slice(0, 8)}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet[Number(rest % 58n)] + text
  return text
}

/** @param {bigint} sats, not negative @returns {string} as ValueFromAmount prints it */
export const coinText = (sats) => {
  const digits = sats.toString().padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/** @param {string} scriptSig two direct pushes: a DER signature with hash type ALL, a public key */
function signatureAsm(scriptSig) {
  const end = 2 + 2 * Number.parseInt(scriptSig.slice(0, 2), 16)
  return `${scriptSig.slice(2, end - 2)}[ALL] ${scriptSig.slice(end + 2)}`
}

/**
 * @param {Fields} fields of a version 4 transaction that spends and pays P2PKH only
 * @param {string} txid
 */
export function daemonText(fields, txid) {
  const inputs = fields.inputs.map((input) => ({
    txid: input.txid,
    vout: input.vout,
    scriptSig: { asm: signatureAsm(input.scriptSig), hex: input.scriptSig },
    sequence: input.sequence,
  }))
  const outputs = fields.outputs.map(({ value, script }, n) => {
    const hash160 = script.slice(6, 46)
    const scriptPubKey = JSON.stringify({
      asm: `OP_DUP OP_HASH160 ${hash160} OP_EQUALVERIFY OP_CHECKSIG`,
      hex: script,
      reqSigs: 1,
      type: 'pubkeyhash',
      addresses: [addressOf(hash160)],
    })
    return `{"value":${coinText(value)},"valueZat":${value},"n":${n},"scriptPubKey":${scriptPubKey}}`
  })
  return (
    `{"txid":"${txid}","overwintered":true,"version":4,"versiongroupid":"892f2085"` +
    `,"locktime":${fields.lockTime},"expiryheight":${fields.expiryHeight}` +
    `,"vin":${JSON.stringify(inputs)},"vout":[${outputs.join(',')}],"vjoinsplit":[]` +
    `,"valueBalance":${coinText(fields.valueBalance)},"vShieldedSpend":[],"vShieldedOutput":[]}`
  )
}

/**
 * @param {string} decoded a recorded result of decoderawtransaction, transparent
 * @returns {Fields}
 */
export function fieldsOfDaemonText(decoded) {
  const recorded = JSON.parse(decoded)
  return {
    version: recorded.version,
    overwintered: recorded.overwintered,
    versionGroupId: Number.parseInt(recorded.versiongroupid, 16),
    inputs: recorded.vin.map(({ txid, vout, scriptSig, sequence }) => ({
      txid,
      vout,
      scriptSig: scriptSig.hex,
      sequence,
    })),
    outputs: recorded.vout.map(({ valueZat, scriptPubKey }) => ({
      value: BigInt(valueZat),
      script: scriptPubKey.hex,
    })),
    lockTime: recorded.locktime,
    expiryHeight: recorded.expiryheight,
    valueBalance: BigInt(Math.round(recorded.valueBalance * 1e8)),
  }
}

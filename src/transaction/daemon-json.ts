// Writes a transaction as the daemon's JSON text.

import { formatCoins } from '../primitives/amount.ts'
import { leadingTransaction } from './decode.ts'
import {
  type DecodedInput,
  type DecodedJoinSplit,
  type DecodedOutput,
  type DecodedTransaction,
  type DescribeOptions,
  describeTransaction,
} from './describe.ts'
import type { ShieldedOutput, ShieldedSpend } from './types.ts'

// The daemon's amounts are decimal text with eight digits, which no JavaScript number keeps, so
// this code writes the text member by member, in the daemon's order.

/**
 * Returns the JSON text of `result` in the daemon's answer to `decoderawtransaction`, byte for
 * byte.
 *
 * `current` is the form with `overwintered`, `valueZat` and `vjoinsplit`. `legacy` is the older
 * form with `size` and `valueSat`; members of versions after 2 are added under their current names.
 * Like the daemon, and unlike every other function here, it ignores bytes after the transaction. To
 * check bytes, use `decodeTransaction`. The daemon prints -2^63 incorrectly; this function prints
 * the number.
 *
 * @param source - wire bytes, or hex
 * @returns JSON text; amounts in coins
 * @throws {AntaraError} as `decodeTransaction`, except `trailing_bytes`
 * @see komodo src/rpc/rawtransaction.cpp, TxToJSON
 * @example
 * JSON.parse(decodeRawTransaction(hex)).txid // '6fafa939e3f2...'
 */
export function decodeRawTransaction(
  source: string | Uint8Array,
  options: DescribeOptions = {},
): string {
  return daemonJson(describeTransaction(leadingTransaction(source), options), options.dialect)
}

/** Formats the result of `describeTransaction` as the daemon does in that dialect. */
export function daemonJson(tx: DecodedTransaction, dialect: DescribeOptions['dialect']): string {
  const isLegacy = dialect === 'legacy'
  const members = [`"txid":"${tx.txid}"`]
  if (isLegacy) members.push(`"size":${tx.size}`)
  if (!isLegacy || tx.overwintered) members.push(`"overwintered":${tx.overwintered}`)
  members.push(`"version":${tx.version}`)
  if (tx.versiongroupid !== undefined) members.push(`"versiongroupid":"${tx.versiongroupid}"`)
  members.push(`"locktime":${tx.locktime}`)
  if (tx.expiryheight !== undefined) members.push(`"expiryheight":${tx.expiryheight}`)
  const satoshis = isLegacy ? 'valueSat' : 'valueZat'
  members.push(
    `"vin":[${tx.vin.map(inputJson).join(',')}]`,
    `"vout":[${tx.vout.map((output) => outputJson(output, satoshis)).join(',')}]`,
  )
  if (!isLegacy || tx.vjoinsplit.length > 0) {
    members.push(`"vjoinsplit":[${tx.vjoinsplit.map(joinSplitJson).join(',')}]`)
  }
  members.push(...saplingMembers(tx))
  return `{${members.join(',')}}`
}

function saplingMembers(tx: DecodedTransaction): string[] {
  if (tx.valueBalance === undefined) return []
  const members = [
    `"valueBalance":${formatCoins(tx.valueBalance)}`,
    `"vShieldedSpend":[${(tx.vShieldedSpend ?? []).map(spendJson).join(',')}]`,
    `"vShieldedOutput":[${(tx.vShieldedOutput ?? []).map(shieldedOutputJson).join(',')}]`,
  ]
  if (tx.bindingSig !== undefined) members.push(`"bindingSig":"${tx.bindingSig}"`)
  return members
}

function inputJson(input: DecodedInput): string {
  if ('coinbase' in input) {
    return `{"coinbase":"${input.coinbase}","sequence":${input.sequence}}`
  }
  const { txid, vout, scriptSig, sequence } = input
  const script = `{"asm":"${scriptSig.asm}","hex":"${scriptSig.hex}"}`
  return `{"txid":"${txid}","vout":${vout},"scriptSig":${script},"sequence":${sequence}}`
}

function outputJson({ value, n, scriptPubKey }: DecodedOutput, satoshis: string): string {
  const { asm, hex, reqSigs, type, addresses, condition } = scriptPubKey
  const paid = reqSigs === undefined ? '' : `,"reqSigs":${reqSigs}`
  const to = addresses === undefined ? '' : `,"addresses":${JSON.stringify(addresses)}`
  const shown = condition === undefined ? '' : `,"condition":${JSON.stringify(condition)}`
  const script = `{"asm":"${asm}","hex":"${hex}"${paid},"type":"${type}"${to}${shown}}`
  return `{"value":${formatCoins(value)},"${satoshis}":${value},"n":${n},"scriptPubKey":${script}}`
}

function joinSplitJson(item: DecodedJoinSplit): string {
  const { vpubOld, vpubNew } = item
  return `{${[
    `"vpub_old":${formatCoins(vpubOld)},"vpub_oldZat":${vpubOld}`,
    `"vpub_new":${formatCoins(vpubNew)},"vpub_newZat":${vpubNew}`,
    `"anchor":"${item.anchor}"`,
    `"nullifiers":${JSON.stringify(item.nullifiers)}`,
    `"commitments":${JSON.stringify(item.commitments)}`,
    `"onetimePubKey":"${item.onetimePubKey}"`,
    `"randomSeed":"${item.randomSeed}"`,
    `"macs":${JSON.stringify(item.macs)}`,
    `"proof":"${item.proof}"`,
    `"ciphertexts":${JSON.stringify(item.ciphertexts)}`,
  ].join(',')}}`
}

/** source: komodo src/rpc/rawtransaction.cpp, TxShieldedSpendsToJSON */
function spendJson({ cv, anchor, nullifier, rk, proof, spendAuthSig }: ShieldedSpend): string {
  return JSON.stringify({ cv, anchor, nullifier, rk, proof, spendAuthSig })
}

/** source: komodo src/rpc/rawtransaction.cpp, TxShieldedOutputsToJSON */
function shieldedOutputJson(item: ShieldedOutput): string {
  const { cv, cmu, ephemeralKey, encCiphertext, outCiphertext, proof } = item
  return JSON.stringify({ cv, cmu, ephemeralKey, encCiphertext, outCiphertext, proof })
}

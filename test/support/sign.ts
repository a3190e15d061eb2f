// Signs transactions as a daemon with the wallet's keys would, and in ways that it should not.

import { holdKey } from '../../src/engine/private-keys.ts'
import {
  decodeTransaction,
  encodeTransaction,
  signatureHashes,
  type TransactionFields,
  tokenScript,
} from '../../src/index.ts'
import { chainTransaction } from './komodod.ts'

export interface Draft {
  readonly tx: TransactionFields
  /** The prevouts of the inputs; looked up on the recorded chain when absent. */
  readonly prevouts?: readonly { value: bigint; script: string }[]
}

export interface SigningOptions {
  /** Hash type of native inputs, then of conditions. */
  readonly hashType?: number
  readonly conditionHashType?: number
  readonly branchId?: number
  /** Replaces s by n - s. */
  readonly highS?: boolean
  /** Added to the value that is signed for. */
  readonly valueError?: bigint
  /** Private keys by public key, hex. */
  readonly keys: ReadonlyMap<string, string>
}

export function prevoutsOf({ inputs }: TransactionFields): { value: bigint; script: string }[] {
  return inputs.map(({ txid, vout }) => {
    const { value, script } = decodeTransaction(chainTransaction(txid)).outputs[vout]!
    return { value, script }
  })
}

/** The hex of `tx` with every input signed by the key that its prevout asks for. */
export function sign({ tx, prevouts = prevoutsOf(tx) }: Draft, options: SigningOptions): string {
  const { hashType = 1, conditionHashType = hashType, branchId, valueError = 0n } = options
  // The hash of a condition's input needs its fulfillment, so all get one that is not signed yet.
  const skeleton = {
    ...tx,
    inputs: tx.inputs.map((input, index) => ({
      ...input,
      scriptSig: scriptSigFor(prevouts[index]!.script, '00'.repeat(64), conditionHashType, options),
    })),
  }
  const unsigned = encodeTransaction(skeleton)
  const spent = prevouts.map(({ value, script }) => ({ value: value + valueError, script }))
  const hashesFor = (type: number) =>
    signatureHashes(unsigned, spent, {
      hashType: type,
      ...(branchId !== undefined && { branchId }),
    })
  const native = hashesFor(hashType)
  const conditions = hashesFor(conditionHashType)
  return encodeTransaction({
    ...tx,
    inputs: tx.inputs.map((input, index) => {
      const { script } = prevouts[index]!
      const isNative = script.endsWith('ac')
      const hash = (isNative ? native : conditions)[index]!
      const key = options.keys.get(ownerOf(script, options))!
      const signature = compact(hash, key, options.highS ?? false)
      const type = isNative ? hashType : conditionHashType
      return { ...input, scriptSig: scriptSigFor(script, signature, type, options) }
    }),
  })
}

function ownerOf(script: string, { keys }: SigningOptions): string {
  for (const pubkey of keys.keys()) {
    const scripts = [
      `21${pubkey}ac`,
      ...evalCodeSets.map((evalCodes) => tokenScript(pubkey, { evalCodes })),
    ]
    if (scripts.includes(script)) return pubkey
  }
  throw new Error(`no key for ${script}`)
}

const evalCodeSets = [[0xf2], [0xf1, 0xf2], [0xf3, 0xf2], [0xe3]]

function scriptSigFor(
  script: string,
  signature: string,
  hashType: number,
  options: SigningOptions,
): string {
  const type = hashType.toString(16).padStart(2, '0')
  const pubkey = ownerOf(script, options)
  if (script === `21${pubkey}ac`) return push(`${der(signature)}${type}`)
  const evalCodes = evalCodeSets.find(
    (codes) => tokenScript(pubkey, { evalCodes: codes }) === script,
  )!
  return push(`${fulfillment(pubkey, signature, evalCodes)}${type}`)
}

/** threshold [ eval..., threshold [ secp256k1 ] ], all fulfilled. */
function fulfillment(pubkey: string, signature: string, evalCodes: readonly number[]): string {
  const key = element('a5', `8021${pubkey}8140${signature}`)
  const inner = element('a2', `${element('a0', key)}a100`)
  const evals = [...evalCodes]
    .sort((a, b) => a - b)
    .map((code) => `af038001${code.toString(16).padStart(2, '0')}`)
  return element('a2', `${element('a0', inner + evals.join(''))}a100`)
}

function element(tag: string, content: string): string {
  const length = content.length / 2
  const size = length.toString(16).padStart(2, '0')
  return length < 128 ? `${tag}${size}${content}` : `${tag}81${size}${content}`
}

export function push(data: string): string {
  const length = data.length / 2
  const size = length.toString(16).padStart(2, '0')
  if (length <= 75) return `${size}${data}`
  if (length <= 255) return `4c${size}${data}`
  const [low, high] = [length & 0xff, length >> 8].map((it) => it.toString(16).padStart(2, '0'))
  return `4d${low}${high}${data}`
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Signs a hash. test/property/private-keys.test.ts compares this signer with another library. */
export function compact(hash: string, privateKey: string, highS: boolean): string {
  const signature = holdKey(Uint8Array.from(Buffer.from(privateKey, 'hex'))).sign(hash)
  if (!highS) return signature
  const s = order - BigInt(`0x${signature.slice(64)}`)
  return signature.slice(0, 64) + s.toString(16).padStart(64, '0')
}

export function der(signature: string): string {
  const integer = (hex: string) => {
    const minimal = hex.replace(/^(00)+(?=..)/, '')
    const positive = Number.parseInt(minimal.slice(0, 2), 16) >= 0x80 ? `00${minimal}` : minimal
    return `02${(positive.length / 2).toString(16).padStart(2, '0')}${positive}`
  }
  const body = integer(signature.slice(0, 64)) + integer(signature.slice(64))
  return `30${(body.length / 2).toString(16).padStart(2, '0')}${body}`
}

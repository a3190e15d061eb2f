// Signs transactions of tokeld's chains as daemons with everybody's keys would, and in ways that
// they should not: tokens v1 and v2, keys that hold together, orders and their markers.

import {
  type ConditionTree,
  conditionScript,
  encodeFulfillment,
  encodeTransaction,
  moduleCondition,
  publicKeyOf,
  signatureHashes,
  type TransactionFields,
  tokenScript,
} from '../../src/index.ts'
import { hashOfKey } from '../../src/script/public-key.ts'
import { tokenConditionTree } from '../../src/token/rules/token-script.ts'
import { readVectors } from './komodod.ts'
import { compact, der, push, type SigningOptions } from './sign.ts'

const owners = readVectors<Record<'A' | 'B' | 'C', { privkey: string }>>('komodod/keys.json')
// Published in tokel src/cc/CCcustom.cpp: anyone can sign with them.
const assetsKey = '46583b18ee1663516f606e09df9d27c8a7a272a5d46a9bcbd54f7d1cb12e6321'
const tokensV1Key = '1d0d0dce2dd2e19df5b626d5ada0f00add7a727d1735b5e32c6ca9a203164bcf'
const tokensKey = 'b5ba927f53454ff8a4ad0d38304fd097d1b7941b1f52bdaea2e749062ed22da5'

export const tokelKeys: readonly string[] = [
  owners.A.privkey,
  owners.B.privkey,
  owners.C.privkey,
  assetsKey,
  tokensKey,
  tokensV1Key,
]
const pubkeys = tokelKeys.map((key) => publicKeyOf(key))
export const [a, b, c, assets, tokens] = pubkeys as [string, string, string, string, string]
const privateKeys = new Map(pubkeys.map((pubkey, at) => [pubkey, tokelKeys[at]!]))

/** Returns a script for tokens v2 or orders: `M` with the keys hidden, `N` with their hashes. */
export function mixedScript(
  keys: readonly string[],
  evalCodes: readonly number[],
  { required = 1, form = 'M' as 'M' | 'N', params = '' } = {},
): string {
  const tree = moduleCondition(form === 'N' ? keys.map(hashOfKey) : keys, { evalCodes, required })
  return conditionScript(tree, { form }) + params
}

interface Known {
  readonly tree: ConditionTree
  readonly keys: readonly string[]
  readonly required: number
}

/** The keys of each condition of the recordings and the cases, by its script. */
const known = new Map<string, Known>()
function learn(keys: readonly string[], evalCodes: readonly number[], required = 1): void {
  const tree = moduleCondition(keys, { evalCodes, required })
  known.set(conditionScript(tree, { form: 'M' }), { tree, keys, required })
  if (keys.length > 1) return
  const hashed = moduleCondition(keys.map(hashOfKey), { evalCodes })
  known.set(conditionScript(hashed, { form: 'N' }), { tree: hashed, keys, required })
}
for (const key of pubkeys) {
  for (const evalCodes of [[0xf5], [0xf6], [0xf5, 0xf6]]) learn([key], evalCodes)
  if (key !== assets) learn([key, assets], [0xf6])
  known.set(tokenScript(key), { tree: tokenConditionTree(key), keys: [key], required: 1 })
}
learn([a, b], [0xf5], 2)
learn([b, c], [0xf5], 2)
learn([a, b, c], [0xf5], 2)
learn([a, b], [0xf5], 1)

function conditionOf(script: string): Known {
  const end = 2 * (Number.parseInt(script.slice(0, 2), 16) + 2)
  const found = known.get(script.slice(0, end))
  if (found === undefined) throw new Error(`no keys for ${script}`)
  return found
}

export interface TokelSigning extends Omit<Partial<SigningOptions>, 'keys'> {
  /** Other signers, by input: a key of the condition, or one that is not part of it. */
  readonly signers?: Readonly<Record<number, readonly string[]>>
}

/** The hex of `tx` with every input signed by as many keys as its prevout asks for. */
export function signTokel(
  tx: TransactionFields,
  prevouts: readonly { value: bigint; script: string }[],
  {
    hashType = 1,
    conditionHashType = hashType,
    branchId,
    valueError = 0n,
    highS = false,
    signers,
  }: TokelSigning = {},
): string {
  const isCondition = prevouts.map(({ script }) => !/^(?:21.{66}|76a914.{40}88)ac$/.test(script))
  const scriptSigs = (sign: (index: number, key: string) => string) =>
    encodeTransaction({
      ...tx,
      inputs: tx.inputs.map((input, index) => {
        const { script } = prevouts[index]!
        const type = byte(isCondition[index] ? conditionHashType : hashType)
        if (!isCondition[index]) {
          const key = signers?.[index]?.[0] ?? ownerOf(script)
          const keyPush = script.startsWith('76') ? push(key) : ''
          return { ...input, scriptSig: push(`${der(sign(index, key))}${type}`) + keyPush }
        }
        const { tree, keys, required } = conditionOf(script)
        const signing = signers?.[index] ?? keys.slice(0, required)
        const signed = withSignatures(tree, (key) =>
          signing.includes(key) ? sign(index, key) : undefined,
        )
        return { ...input, scriptSig: push(`${encodeFulfillment(signed)}${type}`) }
      }),
    })
  const unsigned = scriptSigs(() => '11'.repeat(64))
  const spent = prevouts.map(({ value, script }) => ({ value: value + valueError, script }))
  const hashes = (type: number) =>
    signatureHashes(unsigned, spent, {
      hashType: type,
      ...(branchId !== undefined && { branchId }),
    })
  const native = hashes(hashType)
  const conditions = hashes(conditionHashType)
  return scriptSigs((index, key) => {
    const hash = (isCondition[index] ? conditions : native)[index]!
    return compact(hash, privateKeys.get(key)!, highS)
  })
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

function ownerOf(script: string): string {
  const owner = pubkeys.find(
    (key) => script === `21${key}ac` || script === `76a914${hashOfKey(key)}88ac`,
  )
  if (owner === undefined) throw new Error(`no key for ${script}`)
  return owner
}

function withSignatures(
  tree: ConditionTree,
  signatureOf: (key: string) => string | undefined,
): ConditionTree {
  if (tree.type === 'threshold-sha-256') {
    return {
      ...tree,
      subconditions: tree.subconditions.map((it) => withSignatures(it, signatureOf)),
    }
  }
  if (tree.type === 'secp256k1-sha-256') {
    const signature = signatureOf(tree.publicKey)
    return signature === undefined ? tree : { ...tree, signature }
  }
  if (tree.type === 'secp256k1hash-sha-256') {
    const publicKey = pubkeys.find((key) => hashOfKey(key) === tree.publicKeyHash)!
    const signature = signatureOf(publicKey)
    return signature === undefined ? tree : { ...tree, publicKey, signature }
  }
  return tree
}

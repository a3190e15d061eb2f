// Signs the inputs of a transaction.

import { defaultNetwork, type Network } from '../chain/network.ts'
import { encodeFulfillment } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { hash160 } from '../engine/calls.ts'
import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import { isUint8Array, requireArray, requireObject } from '../primitives/arguments.ts'
import { pushOf } from '../script/push.ts'
import { decodeTransaction, transactionId } from '../transaction/decode.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { TransactionFields, TransactionInput } from '../transaction/types.ts'
import { type FindTree, treeFinder } from './condition-of-key.ts'
import { derOfCompact } from './der.ts'
import { checkedPrevouts, type Prevout } from './prevout.ts'
import { saplingBranch, signatureHash, signatureHashes } from './sighash.ts'
import { type KeysByHash, keysByHash, readSigner, type Signer } from './signer.ts'
import {
  type PrevoutToSign,
  placeholderOf,
  type SigningTask,
  type TasksRequest,
  tasksOf,
} from './task.ts'
import type { InputVerdict } from './verdict.ts'
import { verifyInputs, verifySignature } from './verify.ts'

export interface SignedResult {
  readonly hex: string
  readonly txid: string
  /** Tells whether every input is now validly signed. */
  readonly complete: boolean
}

/** ALL, the only hash type with which wallets sign. */
const hashTypeAll = '01'

/** A signature of another wallet, in DER, with any hash type that nodes relay. */
const signaturePattern = /^30(?:[0-9a-f]{2})+[08][123]$/

/**
 * Signs every input that the keys can sign, with ALL.
 *
 * Inputs that are already validly signed stay unchanged; multisig inputs keep their existing
 * signatures. Nonces are deterministic (RFC 6979), so signing again gives the same bytes. The
 * native core verifies every signature before it is returned, and an input that it cannot verify is
 * not signed.
 *
 * @param tx - wire bytes, hex or fields
 * @param keys - in wallet import format of the network or 32 bytes of hex; they occur in no error
 *   and no result
 * @param prevouts - the output that each input spends, in order
 * @returns hex and txid of the signed transaction, and whether every input is now validly signed
 * @throws {AntaraError} `malformed_private_key`, `prevout_count_mismatch`; `script_hash_mismatch`
 *   and `condition_mismatch` if a prevout's `redeemScript` or `condition` is not that of its script;
 *   and as `decodeTransaction` and `encodeTransaction`
 * @see komodo src/rpc/rawtransaction.cpp, signrawtransaction; src/script/sign.cpp
 * @example
 * const { hex, complete } = signTransaction(unsigned, [wif], prevouts, networks.assetChain)
 */
export function signTransaction(
  tx: string | Uint8Array | TransactionFields,
  keys: readonly string[],
  prevouts: readonly PrevoutToSign[],
  network: Network = defaultNetwork,
): SignedResult {
  requireArray(keys, 'keys')
  const signers = keys.map((key, index) => readSigner(key, network, `keys[${index}]`))
  return signBy(signers, tx, prevouts, network)
}

/**
 * Signs as `signTransaction`, with signers wherever their keys are.
 *
 * @param copies - the same transaction with signatures that other signers made. Each that verifies is
 *   used where the transaction lacks it.
 */
export function signBy(
  signers: readonly Signer[],
  tx: string | Uint8Array | TransactionFields,
  prevouts: readonly PrevoutToSign[],
  network: Network,
  copies: readonly TransactionFields[] = [],
): SignedResult {
  const { fields, checked, inputs } = satisfiedBy(signers, tx, prevouts, network, copies)
  return verified(fields, inputs, (hex) => verifyInputs(hex, checked, network))
}

/** A hash that a key has to sign. */
interface WantedSignature {
  readonly publicKey: string
  readonly hash: string
}

/**
 * Returns what has to be signed by keys whose signatures take time: a device, or another machine.
 * With these signatures `signBy` asks for nothing else.
 *
 * @param others - signers that are here, such as the published keys of modules
 */
export function wantedSignatures(
  publicKeys: readonly string[],
  others: readonly Signer[],
  tx: string | Uint8Array | TransactionFields,
  prevouts: readonly PrevoutToSign[],
  network: Network,
): WantedSignature[] {
  const wanted: WantedSignature[] = []
  const recorders = publicKeys.map((publicKey): Signer => {
    return {
      publicKeys: [publicKey, ''],
      sign(hash) {
        wanted.push({ publicKey, hash })
        return anySignature
      },
    }
  })
  satisfiedBy([...recorders, ...others], tx, prevouts, network)
  return wanted
}

/** A signature of the usual length, which signs nothing: r and s are 1. */
const anySignature = '1'.padStart(64, '0').repeat(2)

function satisfiedBy(
  signers: readonly Signer[],
  tx: string | Uint8Array | TransactionFields,
  prevouts: readonly PrevoutToSign[],
  network: Network,
  copies: readonly TransactionFields[] = [],
): {
  readonly fields: TransactionFields
  readonly checked: readonly Prevout[]
  readonly inputs: readonly TransactionInput[]
} {
  const fields = fieldsOf(tx)
  const checked = checkedPrevouts(prevouts)
  const all = [fields, ...copies]
  const before = all.map((it) => verifyInputs(encodeTransaction(it), checked, network))

  const toSign = prevouts.map((prevout, index) => ({ ...prevout, ...checked[index]! }))
  const tasks = tasksOfAll(all.map(({ inputs }) => ({ inputs, prevouts: toSign, network })))
  const findTree = treeFinder(signers.map(({ publicKeys }) => publicKeys[0]))
  const keyring = { signers, byHash: keysByHash(signers), findTree }
  const hashes = hashesToSign(fields, tasks, { prevouts: checked, network })
  const inputs = fields.inputs.map((input, index): TransactionInput => {
    const signed = before.findIndex((verdicts) => verdicts[index]!.ok)
    if (signed >= 0) return all[signed]!.inputs[index]!
    const hash = hashes[index]!
    // A scriptSig may push thousands of signatures. Each hash type has one hash.
    const known = new Map<string, string | undefined>([[hashTypeAll, hash]])
    const hashOf = (hashType: string) => {
      if (!known.has(hashType)) {
        const [task, prevout] = [tasks[index]!, checked[index]!]
        known.set(hashType, hashOfType(hashType, { fields, index, task, prevout, network }))
      }
      return known.get(hashType)
    }
    const scriptSig = satisfy(tasks[index]!, hashOf, keyring)
    return scriptSig === undefined ? input : { ...input, scriptSig }
  })
  return { fields, checked, inputs }
}

/** Returns the tasks of a transaction, each with the pushes that any of its copies has. */
function tasksOfAll(requests: readonly TasksRequest[]): SigningTask[] {
  const [first, ...others] = requests.map(tasksOf) as [SigningTask[], ...SigningTask[][]]
  return first.map((task, index) => {
    const alike = [task, ...others.map((tasks) => tasks[index]!)]
    const known = alike.find(({ redeemScript }) => redeemScript !== undefined) ?? task
    return { ...known, pushed: alike.flatMap(({ pushed }) => pushed) }
  })
}

function fieldsOf(tx: string | Uint8Array | TransactionFields): TransactionFields {
  if (typeof tx === 'string' || isUint8Array(tx)) return decodeTransaction(tx)
  requireObject(tx, 'tx')
  return tx
}

interface InputToHash {
  readonly fields: TransactionFields
  readonly index: number
  readonly task: SigningTask
  readonly prevout: Prevout
  readonly network: Network
}

/** Returns the hash that another wallet signed; `undefined` if the hash type signs nothing here. */
function hashOfType(
  hashType: string,
  { fields, index, task, prevout: { script, value }, network }: InputToHash,
): string | undefined {
  try {
    return signatureHash(encodeTransaction(fields), index, {
      scriptCode: task.redeemScript ?? script,
      value,
      hashType: Number.parseInt(hashType, 16),
      ...saplingBranch(fields, network),
    })
  } catch (error) {
    if (isAntaraError(error, 'single_without_output')) return undefined
    throw error
  }
}

function hashesToSign(
  fields: TransactionFields,
  tasks: readonly SigningTask[],
  { prevouts, network }: { readonly prevouts: readonly Prevout[]; readonly network: Network },
): string[] {
  const inputs = fields.inputs.map((input, index) => {
    return { ...input, scriptSig: placeholderOf(tasks[index]!) }
  })
  const unsigned = encodeTransaction({ ...fields, inputs })
  return signatureHashes(unsigned, prevouts, saplingBranch(fields, network))
}

/** Removes signatures that do not verify, and determines whether all inputs are signed. */
function verified(
  fields: TransactionFields,
  inputs: readonly TransactionInput[],
  verify: (hex: string) => InputVerdict[],
): SignedResult {
  const verdicts = verify(encodeTransaction({ ...fields, inputs }))
  const kept = inputs.map((input, index) => {
    const { ok, code } = verdicts[index]!
    const old = fields.inputs[index]!
    // A multisig input may lack signatures of other keys.
    if (ok || input === old || code === 'signature_missing') return input
    if (code === 'unsupported_script' || code === 'fulfillment_over_limit') return old
    throw new AntaraError(code!, { path: `inputs[${index}]` })
  })
  const hex = encodeTransaction({ ...fields, inputs: kept })
  return { hex, txid: transactionId(hex), complete: verdicts.every(({ ok }) => ok) }
}

/** Returns the hash that an input signs with a hash type, two digits of hex. */
type HashOf = (hashType: string) => string | undefined

interface Keyring {
  readonly signers: readonly Signer[]
  readonly byHash: KeysByHash
  readonly findTree: FindTree
}

/** Returns the scriptSig that the keys can make; `undefined` if the input needs none of them. */
function satisfy(task: SigningTask, hashOf: HashOf, keyring: Keyring): string | undefined {
  const hash = hashOf(hashTypeAll)!
  const redeemPush = task.redeemScript === undefined ? '' : pushOf(task.redeemScript)
  switch (task.type) {
    case 'pubkey':
    case 'pubkeyhash': {
      const key = keyring.byHash.get(task.keyHashes[0]!)
      if (key === undefined) return undefined
      const keyPush = task.type === 'pubkey' ? '' : pushOf(key.publicKey)
      return signaturePush(key.signer.sign(hash)) + keyPush + redeemPush
    }
    case 'multisig': {
      const signatures = multisigSignatures(task, hashOf, keyring.byHash)
      return signatures.length === 0 ? undefined : `00${signatures.join('')}${redeemPush}`
    }
    case 'cryptocondition':
      return fulfill(task, hash, keyring)
  }
  return undefined
}

function signaturePush(compact: string): string {
  return pushOf(derOfCompact(compact) + hashTypeAll)
}

/**
 * Returns the pushes of as many signatures as required, new and existing, in the order of their
 * keys.
 */
function multisigSignatures(
  { keyHashes, publicKeys, pushed, requiredSignatures }: SigningTask,
  hashOf: HashOf,
  byHash: KeysByHash,
): string[] {
  const present = pushed.flatMap((token) => {
    const hash = signaturePattern.test(token) ? hashOf(token.slice(-2)) : undefined
    return hash === undefined ? [] : [{ token, hash, signature: token.slice(0, -2) }]
  })
  const signatures = keyHashes.map((keyHash, index) => {
    const key = byHash.get(keyHash)
    if (key !== undefined) return signaturePush(key.signer.sign(hashOf(hashTypeAll)!))
    const publicKey = publicKeys[index]!
    const theirs = present.find(
      ({ hash, signature }) => verifySignature({ hash, publicKey, signature, encoding: 'der' }).ok,
    )
    return theirs === undefined ? undefined : pushOf(theirs.token)
  })
  const found = signatures.filter((push) => push !== undefined)
  // Other hash types leave a part open, so they count only if too few signatures have ALL.
  let spare = found.length - requiredSignatures
  const kept: string[] = []
  for (const push of found) {
    if (spare > 0 && !push.endsWith(hashTypeAll)) spare -= 1
    else kept.push(push)
  }
  return kept.slice(0, requiredSignatures)
}

function fulfill(
  { tree: given, condition }: SigningTask,
  hash: string,
  { signers, findTree }: Keyring,
): string | undefined {
  // Redeem scripts have no condition, because chains look for none behind a script hash.
  const tree = given === undefined ? condition && findTree(condition) : withoutBad(given, hash)
  if (!tree) return undefined
  let signed = tree
  let fulfillment = signers.length === 0 ? fulfillmentOf(tree) : undefined
  // Uses as few keys as possible, in their order: own keys before published keys of modules.
  for (const signer of signers) {
    if (fulfillment !== undefined) break
    signed = signTree(signed, hash, signer)
    fulfillment = fulfillmentOf(signed)
  }
  return fulfillment === undefined ? undefined : pushOf(fulfillment + hashTypeAll)
}

function fulfillmentOf(signed: ConditionTree): string | undefined {
  try {
    return encodeFulfillment(signed)
  } catch (error) {
    if (isAntaraError(error, 'fulfillment_incomplete')) return undefined
    throw error
  }
}

/**
 * Returns the tree without signatures that do not sign the hash. One of them, passed on by another
 * signer, would stand where that of a key belongs, and the input could not be completed.
 */
function withoutBad(tree: ConditionTree, hash: string): ConditionTree {
  switch (tree.type) {
    case 'threshold-sha-256': {
      const subconditions = tree.subconditions.map((member) => withoutBad(member, hash))
      return { ...tree, subconditions }
    }
    case 'secp256k1-sha-256':
    case 'secp256k1hash-sha-256': {
      const { publicKey, signature, ...rest } = tree
      if (publicKey === undefined || signature === undefined) return tree
      if (verifySignature({ hash, publicKey, signature, encoding: 'compact' }).ok) return tree
      return rest.type === 'secp256k1-sha-256' ? { ...rest, publicKey } : rest
    }
    default:
      return tree
  }
}

/** Returns the tree with a signature at every key of the signer. */
function signTree(tree: ConditionTree, hash: string, signer: Signer): ConditionTree {
  const [publicKey] = signer.publicKeys
  switch (tree.type) {
    case 'threshold-sha-256': {
      const subconditions = tree.subconditions.map((member) => signTree(member, hash, signer))
      return { ...tree, subconditions }
    }
    case 'secp256k1-sha-256':
      if (tree.publicKey.toLowerCase() !== publicKey) return tree
      return { ...tree, signature: signer.sign(hash) }
    case 'secp256k1hash-sha-256':
      if (tree.publicKeyHash.toLowerCase() !== hash160(publicKey)) return tree
      return { ...tree, publicKey, signature: signer.sign(hash) }
    default:
      return tree
  }
}

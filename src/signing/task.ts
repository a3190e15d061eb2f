// The signatures that a transaction needs: one task for each input.

import type { Network } from '../chain/network.ts'
import { encodeCondition } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { hash160 } from '../engine/calls.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { isHex } from '../primitives/hex-forms.ts'
import { hexText } from '../primitives/wire.ts'
import { readScripts, type ScriptReading } from '../script/describe.ts'
import { pushOf } from '../script/push.ts'
import type { ScriptType } from '../script/types.ts'
import type { TransactionInput } from '../transaction/types.ts'
import { namedTree, pushedCondition } from './condition-of-key.ts'
import type { Prevout } from './prevout.ts'

/** An output to spend, with the contents of the hash in its script. */
export interface PrevoutToSign extends Prevout {
  /** The script behind a script hash; not needed if the scriptSig already ends with it. */
  readonly redeemScript?: string
  /**
   * The tree behind a condition. It is not needed if a daemon made the condition for one key with
   * modules, if the script names its keys, or for markers of orders.
   */
  readonly condition?: ConditionTree
}

/** The data that signing one input needs. */
export interface SigningTask {
  /** Type of the script that needs signatures: the redeem script behind a script hash. */
  readonly type: ScriptType
  /** Hashes of the keys that the script names, in its order. */
  readonly keyHashes: readonly string[]
  /** The keys themselves, if the script names them. */
  readonly publicKeys: readonly string[]
  readonly requiredSignatures: number
  readonly redeemScript?: string
  /** Hex of a condition's encoding, and its tree if the caller gave one. */
  readonly condition?: string
  readonly tree?: ConditionTree
  /** The pushes of the current scriptSig as asm shows them: hex, or digits of a short number. */
  readonly pushed: readonly string[]
}

export interface TasksRequest {
  readonly inputs: readonly TransactionInput[]
  readonly prevouts: readonly PrevoutToSign[]
  readonly network: Network
}

/** @throws {AntaraError} `script_hash_mismatch`, `condition_mismatch` */
export function tasksOf({ inputs, prevouts, network }: TasksRequest): SigningTask[] {
  const { scriptSigs, scriptPubKeys } = readScripts({
    scriptSigs: inputs.map(({ scriptSig }) => scriptSig),
    scriptPubKeys: prevouts.map(({ script }) => script),
    network,
    showSighash: false,
  })
  return scriptPubKeys.map((described, index) => {
    const pushed = scriptSigs[index]!.split(' ')
    const task = { ...wantedBy(described), pushed }
    if (described.type === 'scripthash') {
      const redeemScript = redeemScriptOf(prevouts[index]!, pushed, task.keyHashes[0]!, index)
      return redeemScript === undefined ? task : behindHash(task, redeemScript, network)
    }
    if (described.type !== 'cryptocondition') return task
    return { ...task, ...conditionOf(prevouts[index]!, described.asm, { index, network }) }
  })
}

/** Returns a scriptSig from which the native core can read the redeem script for hashing. */
export function placeholderOf({ redeemScript }: SigningTask): string {
  // Without a redeem script nothing is signed, so any script serves.
  return pushOf(redeemScript ?? '0000')
}

function behindHash(task: SigningTask, redeemScript: string, network: Network): SigningTask {
  const { scriptPubKeys } = readScripts({
    scriptSigs: [],
    scriptPubKeys: [redeemScript],
    network,
    showSighash: false,
  })
  return { ...task, ...wantedBy(scriptPubKeys[0]!), redeemScript }
}

type Wanted = Pick<SigningTask, 'type' | 'keyHashes' | 'publicKeys' | 'requiredSignatures'>

function wantedBy({ type, asm, hashes, requiredSignatures }: ScriptReading): Wanted {
  return {
    type,
    keyHashes: hashes,
    publicKeys: asm.split(' ').filter((token) => token.length >= 66),
    requiredSignatures,
  }
}

function redeemScriptOf(
  { redeemScript }: PrevoutToSign,
  pushed: readonly string[],
  scriptHash: string,
  index: number,
): string | undefined {
  if (redeemScript === undefined) {
    const last = pushed.at(-1) ?? ''
    return isHex(last) && hash160(last) === scriptHash ? last : undefined
  }
  const path = `prevouts[${index}].redeemScript`
  const hex = hexText(redeemScript, path)
  if (hash160(hex) !== scriptHash) throw new AntaraError('script_hash_mismatch', { path })
  return hex
}

function conditionOf(
  { condition: tree, script }: PrevoutToSign,
  asm: string,
  { index, network }: { readonly index: number; readonly network: Network },
): Pick<SigningTask, 'condition' | 'tree'> {
  const condition = pushedCondition(asm.split(' ')[0]!)
  if (tree === undefined) {
    const named = namedTree(script, network)
    return { condition, ...(named && { tree: named }) }
  }
  const encoded = encodeCondition(tree)
  if (encoded !== condition) {
    throw new AntaraError('condition_mismatch', {
      path: `prevouts[${index}].condition`,
      expected: condition,
      actual: encoded,
    })
  }
  return { condition, tree }
}

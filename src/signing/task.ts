import type { Network } from '../chain/network.ts'
import { encodeCondition } from '../condition/codec.ts'
import type { ConditionTree } from '../condition/types.ts'
import { hash160 } from '../engine/calls.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { readScripts, type ScriptReading } from '../script/describe.ts'
import { pushOf } from '../script/push.ts'
import type { ScriptType } from '../script/types.ts'
import type { TransactionInput } from '../transaction/types.ts'
import { namedTree, pushedCondition } from './condition-of-key.ts'
import type { Prevout } from './prevout.ts'

/** An output that is to be spent, with what its script only has a hash of. */
export interface PrevoutToSign extends Prevout {
  /** The script behind a script hash; not needed where the scriptSig already ends in it. */
  readonly redeemScript?: string
  /**
   * The tree behind a condition; not needed for what a daemon makes for one key, modules and the
   * key, all of them required; nor where the script names its keys, nor for markers of orders.
   */
  readonly condition?: ConditionTree
}

/** What one input wants signed. */
export interface SigningTask {
  /** Of the script that wants signatures: behind a script hash, the redeem script. */
  readonly type: ScriptType
  /** Hashes of the keys that it names, in its order. */
  readonly keyHashes: readonly string[]
  /** Of a script that names keys: the keys themselves. */
  readonly publicKeys: readonly string[]
  readonly requiredSignatures: number
  readonly redeemScript?: string
  /** Hex of a condition's encoding, and its tree if the caller gave one. */
  readonly condition?: string
  readonly tree?: ConditionTree
  /** What the scriptSig pushes so far, in hex where it is longer than a number. */
  readonly pushed: readonly string[]
}

interface TasksRequest {
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

/** The scriptSig that lets the engine find the redeem script while hashes are computed. */
export function placeholderOf({ redeemScript }: SigningTask): string {
  // Where none is known, nothing is signed: any script does.
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
  requireString(redeemScript, path)
  const hex = normalizeHex(redeemScript, path)
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

export function isHex(token: string): boolean {
  return /^(?:[0-9a-f]{2})+$/.test(token)
}

// Describes a transaction as the daemon's `decoderawtransaction` does.

import { defaultNetwork, type Network } from '../chain/network.ts'
import { argumentError } from '../primitives/arguments.ts'
import { reverseHex } from '../primitives/hex.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { type PrintedCondition, printedCondition } from '../script/condition-json.ts'
import { describeScripts } from '../script/describe.ts'
import type { ScriptType } from '../script/types.ts'
import { isCoinbase } from './coinbase.ts'
import { decodeTransaction } from './decode.ts'
import type { JoinSplit, ShieldedOutput, ShieldedSpend, Transaction } from './types.ts'

/** Options of `describeTransaction`. */
export interface DescribeOptions {
  /** Determines addresses, and whether crypto-conditions are known. `assetChain` if absent. */
  readonly network?: Network
  /**
   * `current`, the default, shows hash types in scriptSigs as current daemons do; `legacy` does
   * not, like daemons before 2019.
   */
  readonly dialect?: 'current' | 'legacy'
}

/**
 * The content of `decoderawtransaction`, with amounts in satoshis. 256-bit values are in display
 * order.
 */
export interface DecodedTransaction {
  readonly txid: string
  /** Bytes. */
  readonly size: number
  readonly overwintered: boolean
  readonly version: number
  /** Eight hex digits, most significant first. Present only if overwintered. */
  readonly versiongroupid?: string
  readonly locktime: number
  /** Present only if overwintered. */
  readonly expiryheight?: number
  readonly vin: readonly DecodedInput[]
  readonly vout: readonly DecodedOutput[]
  readonly vjoinsplit: readonly DecodedJoinSplit[]
  /** This and the next two members are present from version 4 on. */
  readonly valueBalance?: bigint
  readonly vShieldedSpend?: readonly ShieldedSpend[]
  readonly vShieldedOutput?: readonly ShieldedOutput[]
  readonly bindingSig?: string
}

export type DecodedInput =
  | { readonly coinbase: string; readonly sequence: number }
  | {
      readonly txid: string
      readonly vout: number
      readonly scriptSig: { readonly asm: string; readonly hex: string }
      readonly sequence: number
    }

export interface DecodedOutput {
  readonly value: bigint
  readonly n: number
  readonly scriptPubKey: DecodedScriptPubKey
}

export interface DecodedScriptPubKey {
  readonly asm: string
  readonly hex: string
  readonly reqSigs?: number
  readonly type: ScriptType
  readonly addresses?: readonly string[]
  /** Present for tokeld's scripts that contain their condition. */
  readonly condition?: PrintedCondition
}

export interface DecodedJoinSplit {
  readonly vpubOld: bigint
  readonly vpubNew: bigint
  readonly anchor: string
  readonly nullifiers: readonly string[]
  readonly commitments: readonly string[]
  readonly onetimePubKey: string
  readonly randomSeed: string
  readonly macs: readonly string[]
  readonly proof: string
  readonly ciphertexts: readonly string[]
}

/**
 * Describes a raw transaction as the daemon's `decoderawtransaction` does, with exact amounts.
 *
 * @param source - wire bytes, or hex
 * @returns the members of the answer; amounts are bigint satoshis
 * @throws {AntaraError} as `decodeTransaction`
 * @see komodo src/rpc/rawtransaction.cpp, TxToJSON
 * @example
 * describeTransaction(hex).vout[0].scriptPubKey.type // 'cryptocondition'
 */
export function describeTransaction(
  source: string | Uint8Array,
  options: DescribeOptions = {},
): DecodedTransaction {
  requireKnownMembers(options, ['network', 'dialect'], 'options')
  const tx = decodeTransaction(source)
  const { network = defaultNetwork, dialect = 'current' } = options
  if (dialect !== 'current' && dialect !== 'legacy') {
    throw argumentError('dialect', "'current' or 'legacy'", dialect)
  }
  const scripts = describeScripts({
    scriptSigs: tx.inputs.map(({ scriptSig }) => scriptSig),
    scriptPubKeys: tx.outputs.map(({ script }) => script),
    network,
    showSighash: dialect === 'current',
  })
  return {
    txid: tx.txid,
    size: source.length / (typeof source === 'string' ? 2 : 1),
    overwintered: tx.overwintered,
    version: tx.version,
    ...(tx.overwintered && { versiongroupid: tx.versionGroupId.toString(16).padStart(8, '0') }),
    locktime: tx.lockTime,
    ...(tx.overwintered && { expiryheight: tx.expiryHeight }),
    vin: describeInputs(tx, scripts.scriptSigs),
    vout: tx.outputs.map(({ value, script }, n) => {
      const { asm, type, reqSigs, addresses } = scripts.scriptPubKeys[n]!
      const paid = reqSigs === undefined || addresses === undefined ? {} : { reqSigs, addresses }
      const condition = type === 'cryptocondition' ? printedCondition(script, network) : undefined
      const shown = condition === undefined ? {} : { condition }
      return { value, n, scriptPubKey: { asm, hex: script, type, ...paid, ...shown } }
    }),
    vjoinsplit: tx.joinSplits.map(describeJoinSplit),
    ...(tx.overwintered &&
      tx.version >= 4 && {
        valueBalance: tx.valueBalance,
        vShieldedSpend: tx.shieldedSpends.map(describeSpend),
        vShieldedOutput: tx.shieldedOutputs.map(describeOutput),
        ...(tx.bindingSig !== undefined && { bindingSig: tx.bindingSig }),
      }),
  }
}

function describeInputs(tx: Transaction, asms: readonly string[]): DecodedInput[] {
  const coinbase = isCoinbase(tx)
  return tx.inputs.map(({ txid, vout, scriptSig, sequence }, index) =>
    coinbase
      ? { coinbase: scriptSig, sequence }
      : { txid, vout, scriptSig: { asm: asms[index]!, hex: scriptSig }, sequence },
  )
}

function describeJoinSplit(item: JoinSplit): DecodedJoinSplit {
  return {
    vpubOld: item.vpubOld,
    vpubNew: item.vpubNew,
    anchor: reverseHex(item.anchor),
    nullifiers: item.nullifiers.map(reverseHex),
    commitments: item.commitments.map(reverseHex),
    onetimePubKey: reverseHex(item.ephemeralKey),
    randomSeed: reverseHex(item.randomSeed),
    macs: item.macs.map(reverseHex),
    proof: item.proof,
    ciphertexts: item.ciphertexts,
  }
}

function describeSpend(item: ShieldedSpend): ShieldedSpend {
  return {
    ...item,
    cv: reverseHex(item.cv),
    anchor: reverseHex(item.anchor),
    nullifier: reverseHex(item.nullifier),
    rk: reverseHex(item.rk),
  }
}

function describeOutput(item: ShieldedOutput): ShieldedOutput {
  return {
    ...item,
    cv: reverseHex(item.cv),
    cmu: reverseHex(item.cmu),
    ephemeralKey: reverseHex(item.ephemeralKey),
  }
}

// The parts of the checks that all operations on tokens have in common.

import type { Finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Tokens } from './family.ts'
import { type CheckedFee, checkFee, checkShare, feeOf } from './fee.ts'
import { changeIn, checkNativeChange, nativeChange } from './outputs.ts'
import type { Classified, OperationRules } from './rules.ts'
import type { BorrowedOutput } from './token-inputs.ts'

/** The parts in which one operation on tokens differs from another. */
interface TokenOperation
  extends Pick<OperationRules, 'inputFindings' | 'expectedOutputs' | 'payloadFindings'> {
  readonly terms: ReadyTerms
  readonly isUnbound?: boolean
  /** The wallet's main key: it gets the change, and it alone signs for tokens. */
  readonly pubkey: string
  /** The tokens that may be spent; absent where none may be. */
  readonly tokens?: Tokens
  /** The signers of token inputs, if not the main key alone. */
  readonly tokenKeys?: KeySet | undefined
  /** The script of outputs that must not be spent. */
  readonly marker: string
  /** Outputs of an order, which the wallet does not own and yet spends, as `txid:vout`. */
  readonly borrowed?: ReadonlyMap<string, BorrowedOutput>
  /** True if the daemon's builder may leave less than the fee where it gives no change. */
  readonly isLowWithoutChange?: boolean
  readonly findings: readonly Finding[]
}

export function tokenRules(operation: TokenOperation): OperationRules {
  const {
    terms,
    pubkey,
    tokens,
    tokenKeys,
    marker,
    borrowed,
    findings,
    isUnbound = false,
  } = operation
  const native = [pubkeyScript(pubkey), pubkeyHashScript(pubkey)]
  const further = terms.ownScripts
  return {
    moves: 'tokens',
    terms,
    isUnbound,
    findings,
    own: { native, further, marker, tokens, borrowed },
    inputFindings: operation.inputFindings,
    expectedOutputs: (inputs) => [...operation.expectedOutputs(inputs), ...nativeChange(native)],
    changeFindings: ({ effects }) => checkNativeChange(effects, native),
    payloadFindings: operation.payloadFindings,
    fee: (classified) => tokenFee(classified, operation),
    signerOf({ txid, vout, script }) {
      const key = borrowed?.get(`${txid}:${vout}`)?.signer ?? terms.ownScripts.get(script)
      if (key !== undefined) return { key }
      return tokenKeys && tokens?.isOwn(script) ? tokenKeys : { key: pubkey }
    },
  }
}

function tokenFee(
  { tx, inputs, effects }: Classified,
  { terms: { bounds }, isLowWithoutChange }: TokenOperation,
): CheckedFee {
  const { total, borrowedCoins, coins } = inputs
  const paid = feeOf(tx, total)
  const hasChange = changeIn(effects).length > 0
  // a cancellation on tokeld's chains pays with the marker, and spends no coin of its own
  const isPaidByMarker = borrowedCoins > 0n && coins.native.length === 0
  return {
    findings: [
      ...checkFee(paid, bounds, { hasChange, isLowWithoutChange }),
      ...checkShare(paid, isPaidByMarker ? undefined : total, total),
    ],
    least: bounds.fee,
    inputsMinusOutputs: paid,
    isRewardClaimed: false,
  }
}

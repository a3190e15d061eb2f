// Reads the request for a payment in plain coins.

import { lockTimeThreshold } from '../chain/limits.ts'
import { defaultNetwork, type Network, rewardsOf } from '../chain/network.ts'
import { type Contradiction, leastLockTime } from '../chain/reward.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireSome } from '../primitives/arguments.ts'
import { contradictionsOf } from '../request/heights.ts'
import { type OwnScripts, ownScripts } from '../request/own-scripts.ts'
import type { Payee, SpendingRequest } from '../request/payment.ts'
import {
  nulldataProblems,
  nulldataScript,
  paymentFeeProblems,
  type ReadyPayee,
  readPayees,
} from '../request/payment-problems.ts'
import { throwFirst } from '../request/problem.ts'
import { feeBounds } from '../request/terms.ts'
import { whyBurned } from '../script/burned-scripts.ts'
import { readExpiry } from './assemble.ts'

export interface Terms {
  readonly network: Network
  /** Satoshis; absent where it follows from the rate. */
  readonly fee?: bigint
  readonly rate?: bigint
  /** Absent if only a rate was given: the limit of nodes then bounds the fee. */
  readonly maxFee?: bigint
  readonly expiryHeight: number
  readonly lockTime: number
  readonly own: readonly string[]
  readonly ownership: OwnScripts
  readonly changeScript: string
  /** The member that names it. */
  readonly changePath: string
}

/** @param first - the member that names where change goes, if the request has it */
export function readTerms(
  request: SpendingRequest,
  first?: readonly [path: string, name: string],
): Terms {
  const { network = defaultNetwork, feeRate, tipTime } = request
  const own = first === undefined ? request.own : [first[1], ...request.own]
  requireSome(own, 'own', 'key, address or script')
  const ownership = ownScripts({ ...request, first }, network)
  throwFirst(ownership.problems)
  requireHeights(request)
  const expiryHeight = readExpiry(request)
  requireMinable(request.lockTime, expiryHeight)
  const isKomodo = rewardsOf(network) === 'komodo'
  const lockTime = request.lockTime ?? (isKomodo ? (tipTime ?? 0) : 0)
  if (isKomodo) requireRecent(lockTime, request)
  const bounds = feeRate === undefined ? feeBounds(request) : request
  throwFirst(paymentFeeProblems(bounds))
  const [changeScript] = ownership.named
  return {
    network,
    ...(bounds.fee !== undefined && { fee: bounds.fee }),
    ...(bounds.maxFee !== undefined && { maxFee: bounds.maxFee }),
    ...(feeRate !== undefined && { rate: feeRate }),
    expiryHeight,
    lockTime,
    own,
    ownership,
    changeScript: changeScript!,
    changePath: first?.[0] ?? 'own[0]',
  }
}

/** @throws {AntaraError} `evidence_contradicts` */
function requireHeights(request: SpendingRequest): void {
  const { heights = {}, tipHeight } = request
  for (const [txid, height] of Object.entries(heights)) {
    if (tipHeight === undefined || height <= tipHeight) continue
    requireNone({ member: 'heights', txid, expected: `at most ${tipHeight}`, actual: height })
  }
  requireNone(contradictionsOf(request)[0])
}

/** @throws {AntaraError} `evidence_contradicts` */
export function requireNone(contradiction: Contradiction | undefined): void {
  if (contradiction === undefined) return
  const { member, txid, ...details } = contradiction
  const path = txid === undefined ? member : `${member}.${txid}`
  throw new AntaraError('evidence_contradicts', { path, ...details })
}

/** @throws {AntaraError} `lock_time_stale` where no node of KMD takes the lock time any more */
function requireRecent(lockTime: number, { tipTime, medianTime }: SpendingRequest): void {
  const least = leastLockTime(tipTime, medianTime) ?? 0
  if (lockTime < lockTimeThreshold || lockTime >= least) return
  const details = { expected: `at least ${least}`, actual: lockTime }
  throw new AntaraError('lock_time_stale', { path: 'lockTime', ...details })
}

/** @throws {AntaraError} `expiry_height` where the height to wait for comes too late */
function requireMinable(lockTime: number | undefined, expiryHeight: number): void {
  if (lockTime === undefined || lockTime >= lockTimeThreshold) return
  if (expiryHeight === 0 || lockTime < expiryHeight) return
  throw new AntaraError('expiry_height', {
    path: 'expiryHeight',
    expected: `over ${lockTime}, the lock time`,
    actual: expiryHeight,
  })
}

/** @throws {AntaraError} `burn_key` for a script that nobody can spend */
export function requirePayees(
  recipients: readonly Payee[],
  { network, ownership: { redeemScriptOf } }: Pick<Terms, 'network' | 'ownership'>,
): readonly ReadyPayee[] {
  const { payees, problems } = readPayees(recipients, network)
  throwFirst(problems)
  for (const [at, { script }] of payees.entries()) {
    const actual = whyBurned(script, network, redeemScriptOf.get(script))
    if (actual !== undefined)
      throw new AntaraError('burn_key', { path: `recipients[${at}]`, actual })
  }
  return payees
}

/** @throws {AntaraError} `nulldata_too_large`, `malformed_hex` */
export function readNulldata(data: string | undefined, network: Network): string | undefined {
  if (data === undefined) return undefined
  throwFirst(nulldataProblems(data, network))
  return nulldataScript(data, network)
}

// Reads the request for a payment in plain coins.

import { defaultFee, defaultMaxFee, lockTimeThreshold } from '../chain/limits.ts'
import { defaultNetwork, type Network, requireNetwork, rewardsOf } from '../chain/network.ts'
import { type Contradiction, leastLockTime } from '../chain/reward.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { within } from '../errors/within.ts'
import {
  argumentError,
  requireArray,
  requireBigint,
  requireObject,
  requireSome,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { type MemberTable, memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { contradictionsOf } from '../request/heights.ts'
import { type Payee, payeeMembers } from '../request/payment.ts'
import { moduleInScript, whyBurned } from '../script/burned-scripts.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { pushOf } from '../script/push.ts'
import { scriptOfAddress } from '../script/script.ts'
import { type Ownership, ownershipOf, redactName, scriptsOfName } from '../signing/own-scripts.ts'
import type { Outpoint } from '../transaction/types.ts'
import { type CommonRequest, commonMembers, readExpiry, requireAmount } from './assemble.ts'

/** The members that payments and consolidations have. */
export interface SpendingRequest extends Omit<CommonRequest, 'nativeChange'> {
  /**
   * Satoshis per 1000 bytes, instead of `fee`. Without `maxFee` what comes to more than nodes take
   * is
   * an error: 1000 satoshis a byte, or a nineteenth of what is paid.
   */
  readonly feeRate?: bigint
  /**
   * The wallet's own: compressed public keys, addresses, or scripts, hex. Only their coins are
   * spent. Change goes to the first, unless `change` says otherwise.
   */
  readonly own: readonly string[]
  /** Scripts behind own script hashes, hex. */
  readonly redeemScripts?: readonly string[]
  /** Coins that may be spent. */
  readonly coins: readonly Outpoint[]
  /** Raw transactions of all coins. */
  readonly previousTransactions: readonly string[]
  /**
   * If absent 0, or on KMD `tipTime`, from which coins accrue their reward. One ahead is in force.
   */
  readonly lockTime?: number
  /**
   * On KMD: time of the last block, and heights of coins' transactions; rewards are claimed then.
   */
  readonly tipTime?: number
  /** Median time of the last eleven blocks, `mediantime` of a daemon's block. */
  readonly medianTime?: number
  readonly heights?: Readonly<Record<string, number>>
}

export interface PaymentRequest extends SpendingRequest {
  /** The payees; `max` gives one of them all that is left of all coins. */
  readonly recipients: readonly Payee[]
  /** Where change goes: one of `own`, or any key, address or script, which then is own too. */
  readonly change?: string
  /** Data that one nulldata output says, hex. */
  readonly nulldata?: string
  /** `selected` (if absent) for the least cost, or `all` coins. */
  readonly spend?: 'selected' | 'all'
}

export interface ConsolidationRequest extends SpendingRequest {
  /** Where the one coin goes; the first of `own` if absent. */
  readonly to?: string
  /** How many coins are merged at most, the smallest first; 500 if absent. */
  readonly maxInputs?: number
}

const { nativeChange: _, ...commonOfPayments } = commonMembers
const spendingMembers: MemberTable<SpendingRequest> = {
  ...commonOfPayments,
  feeRate: true,
  own: true,
  redeemScripts: true,
  coins: true,
  previousTransactions: true,
  lockTime: true,
  tipTime: true,
  medianTime: true,
  heights: true,
}
export const paymentMembers: readonly string[] = memberNames<PaymentRequest>({
  ...spendingMembers,
  recipients: true,
  change: true,
  nulldata: true,
  spend: true,
})
export const consolidationMembers: readonly string[] = memberNames<ConsolidationRequest>({
  ...spendingMembers,
  to: true,
  maxInputs: true,
})

export interface Terms {
  readonly network: Network
  /** Satoshis; absent where it follows from the rate. */
  readonly fee?: bigint
  readonly rate?: bigint
  /** Absent where a rate alone was given: what nodes take bounds the fee then. */
  readonly maxFee?: bigint
  readonly expiryHeight: number
  readonly lockTime: number
  readonly own: readonly string[]
  readonly ownership: Ownership
  readonly redeemScriptOf: ReadonlyMap<string, string>
  readonly changeScript: string
}

export function readTerms(request: SpendingRequest, change: string | undefined): Terms {
  const { network = defaultNetwork, feeRate, tipTime, medianTime } = request
  requireNetwork(network, 'network')
  requireArray(request.own, 'own')
  const own = change === undefined ? request.own : [change, ...request.own]
  requireSome(own, 'own', 'key, address or script')
  const scripts = own.map((name, at) => readName(name, `own[${at}]`, network))
  const redeemScripts = request.redeemScripts ?? []
  requireArray(redeemScripts, 'redeemScripts')
  const redeemScriptOf = new Map(
    redeemScripts.map((it, at) => {
      requireString(it, `redeemScripts[${at}]`)
      const hex = normalizeHex(it, `redeemScripts[${at}]`)
      requireNoModule(hex, `redeemScripts[${at}]`)
      return [scriptHashOf(hex), hex] as const
    }),
  )
  if (request.lockTime !== undefined) requireUint32(request.lockTime, 'lockTime')
  if (tipTime !== undefined) requireUint32(tipTime, 'tipTime')
  if (medianTime !== undefined) requireUint32(medianTime, 'medianTime')
  requireHeights(request)
  const named = new Set(scripts.flat())
  const expiryHeight = readExpiry(request)
  requireMinable(request.lockTime, expiryHeight)
  const isKomodo = rewardsOf(network) === 'komodo'
  const lockTime = request.lockTime ?? (isKomodo ? (tipTime ?? 0) : 0)
  if (isKomodo) requireRecent(lockTime, request)
  return {
    network,
    ...readFee(request),
    ...(feeRate !== undefined && { rate: feeRate }),
    expiryHeight,
    lockTime,
    own,
    ownership: ownershipOf({ isNamed: (script) => named.has(script), redeemScriptOf }),
    redeemScriptOf,
    changeScript: scripts[0]![0]!,
  }
}

/** @throws {AntaraError} `evidence_contradicts` */
function requireHeights(request: SpendingRequest): void {
  const { heights = {}, tipHeight } = request
  requireObject(heights, 'heights')
  for (const [txid, height] of Object.entries(heights)) {
    requireUint32(height, 'heights')
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

function readFee({ fee, maxFee, feeRate }: SpendingRequest): Pick<Terms, 'fee' | 'maxFee'> {
  if (feeRate !== undefined) {
    if (fee !== undefined) throw argumentError('feeRate', 'nothing beside fee', feeRate)
    requireBigint(feeRate, 'feeRate')
    requireAmount(feeRate, 'feeRate', 0n)
    if (maxFee === undefined) return {}
    requireBigint(maxFee, 'maxFee')
    return { maxFee }
  }
  const exact = fee ?? defaultFee
  requireBigint(exact, 'fee')
  requireAmount(exact, 'fee', 0n)
  const most = maxFee ?? defaultMaxFee(exact)
  requireBigint(most, 'maxFee')
  if (exact <= most) return { fee: exact, maxFee: most }
  throw new AntaraError('fee_over_limit', { path: 'fee', expected: most, actual: exact })
}

/** @throws {AntaraError} `module_key` */
function requireNoModule(script: string, path: string): void {
  const actual = moduleInScript(script)
  if (actual !== undefined) throw new AntaraError('module_key', { path, actual })
}

/** @throws {AntaraError} `unknown_address`, `module_key` */
function readName(name: string, path: string, network: Network): string[] {
  requireString(name, path)
  const scripts = scriptsOfName(name, network)
  for (const script of scripts) {
    requireNoModule(script, path)
  }
  if (scripts.length > 0) return scripts
  throw new AntaraError('unknown_address', {
    path,
    expected: 'a compressed public key, an address or a script',
    actual: redactName(name),
  })
}

export interface ReadyPayee {
  readonly script: string
  /** Satoshis; absent for all that is left. */
  readonly value?: bigint
}

/** @throws {AntaraError} `burn_key` for a script that nobody can spend */
export function readPayee(
  payee: Payee,
  at: number,
  { network, redeemScriptOf }: Pick<Terms, 'network' | 'redeemScriptOf'>,
): ReadyPayee {
  const path = `recipients[${at}]`
  requireObject(payee, path)
  requireKnownMembers(payee, payeeMembers, path)
  const { address, script, amount } = payee
  const paid = readScript(address, script, path, network)
  const why = whyBurned(paid, network, redeemScriptOf.get(paid))
  if (why !== undefined) throw new AntaraError('burn_key', { path, actual: why })
  if (amount === 'max') return { script: paid }
  requireBigint(amount, `${path}.amount`)
  requireAmount(amount, `${path}.amount`)
  return { script: paid, value: amount }
}

function readScript(
  address: string | undefined,
  script: string | undefined,
  path: string,
  network: Network,
): string {
  if (address === undefined) {
    requireString(script, `${path}.script`)
    return normalizeHex(script, `${path}.script`)
  }
  if (script !== undefined) throw argumentError(path, 'an address or a script, not both', script)
  requireString(address, `${path}.address`)
  return within(`${path}.address`, () => scriptOfAddress(address, network))
}

export function readNulldata(data: string | undefined, network: Network): string | undefined {
  if (data === undefined) return undefined
  requireString(data, 'nulldata')
  const script = `6a${pushOf(normalizeHex(data, 'nulldata'))}`
  const bytes = script.length / 2
  if (bytes <= network.nulldataBytesMax) return script
  throw new AntaraError('nulldata_too_large', {
    path: 'nulldata',
    expected: network.nulldataBytesMax,
    actual: bytes,
  })
}

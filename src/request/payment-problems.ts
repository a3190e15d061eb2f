// The rules for the payees, the data and the fee of a payment in plain coins. Builders throw the first
// problem; verifiers list all.

import { feeRateMax, scriptBytesMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { errorOf, resultOf } from '../errors/malformed.ts'
import { within } from '../errors/within.ts'
import { satsMax } from '../primitives/amount.ts'
import { argumentError } from '../primitives/arguments.ts'
import { whyBurned } from '../script/burned-scripts.ts'
import { pushOf } from '../script/push.ts'
import { scriptOfAddress } from '../script/script.ts'
import { redactName } from '../signing/own-scripts.ts'
import { amountProblems } from './holders.ts'
import type { Payee } from './payment.ts'
import { hexError, type Problem } from './problem.ts'
import type { GivenFee } from './terms.ts'

/** A payee, as a transaction pays it. */
export interface ReadyPayee {
  /** Lower-case hex; '' if the payee has a problem. */
  readonly script: string
  /** Satoshis; absent for all that is left. */
  readonly value?: bigint
}

interface ReadPayees {
  readonly payees: readonly ReadyPayee[]
  readonly problems: readonly Problem[]
}

export function readPayees(recipients: readonly Payee[], network: Network): ReadPayees {
  const read = recipients.map((it, at) => readPayee(it, `recipients[${at}]`, network))
  return {
    payees: read.flatMap(({ payees }) => payees),
    problems: [...countProblems(recipients), ...read.flatMap(({ problems }) => problems)],
  }
}

/** A payment has at least one recipient, and only one recipient can get all that is left. */
function countProblems(recipients: readonly Payee[]): Problem[] {
  const path = 'recipients'
  const problem = { code: path, path } as const
  if (recipients.length === 0) {
    const inError = new TypeError(`${path}: expected at least one recipient, got an empty array`)
    return [{ ...problem, actual: 'none', inError }]
  }
  const actual = recipients.filter(({ amount }) => amount === 'max').length
  if (actual < 2) return []
  const inError = new TypeError(`${path}: expected the amount max once, got it several times`)
  return [{ ...problem, expected: 'max once', actual, inError }]
}

function readPayee(payee: Payee, path: string, network: Network): ReadPayees {
  const { address, script, amount } = payee
  const isAll = amount === 'max'
  const problems = isAll ? [] : amountProblems(amount, `${path}.amount`)
  const paid = scriptPaid(payee, path, network)
  const value = isAll ? {} : { value: amount }
  if (typeof paid === 'string') return { payees: [{ script: paid, ...value }], problems }
  const actual = redactName(address ?? script ?? 'neither')
  return {
    payees: [{ script: '', ...value }],
    problems: [...problems, { code: 'payee', path, actual, inError: paid }],
  }
}

/** Returns the script of a payee, or the error of one that has none, or two. */
function scriptPaid({ address, script }: Payee, path: string, network: Network): string | Error {
  const where = `${path}.script`
  const given = script === undefined ? undefined : scriptOf(script, path, network)
  if (address === undefined) return given ?? argumentError(where, 'an address or a script', script)
  const paid = resultOf(() => within(`${path}.address`, () => scriptOfAddress(address, network)))
  if (given === undefined || given === paid) return paid
  const expected = 'an address or a script, not both'
  if (typeof paid !== 'string' || typeof given !== 'string') {
    return argumentError(path, expected, script)
  }
  return new TypeError(
    `${path}: expected ${expected}, got an address that pays ${paid}, and the script ${redactName(given)}`,
  )
}

function scriptOf(given: string, path: string, network: Network): string | Error {
  const script = given.toLowerCase()
  const error = hexError(given, `${path}.script`)
  if (error !== undefined || script.length / 2 <= scriptBytesMax) return error ?? script
  return new AntaraError('burn_key', { path, actual: whyBurned(script, network) })
}

export function nulldataProblems(data: string, network: Network): Problem[] {
  const path = 'nulldata'
  const isLong = data.length / 2 > scriptBytesMax
  const tooLarge = isLong ? errorOf(() => nulldataScript(data, network)) : undefined
  const inError = hexError(data, path) ?? tooLarge
  if (inError === undefined && !isLong) return []
  return [{ code: 'data', path, actual: data.slice(0, 100), inError }]
}

/** @throws {AntaraError} `nulldata_too_large` for data that nodes do not relay */
export function nulldataScript(data: string, network: Network): string {
  const script = `6a${pushOf(data.toLowerCase())}`
  const [expected, actual] = [network.nulldataBytesMax, script.length / 2]
  if (actual <= expected) return script
  throw new AntaraError('nulldata_too_large', { path: 'nulldata', expected, actual })
}

/** Returns a problem of a fee or of a rate, of which there may be one alone. */
export function paymentFeeProblems({
  fee,
  maxFee,
  feeRate,
}: GivenFee & { readonly feeRate?: bigint | undefined }): Problem[] {
  const problem = { code: 'fee', path: 'fee', actual: [fee, maxFee, feeRate].join(', ') } as const
  if (fee !== undefined && feeRate !== undefined) {
    const inError = argumentError('feeRate', 'nothing beside fee', feeRate)
    return [{ ...problem, inError }]
  }
  for (const [member, sats] of Object.entries({ fee, feeRate })) {
    if (sats === undefined || (sats >= 0n && sats <= satsMax)) continue
    const inError = new AntaraError('amount_out_of_range', { path: member, actual: sats })
    return [{ ...problem, inError }]
  }
  if (feeRate !== undefined && feeRate > feeRateMax) {
    const inError = new AntaraError('fee_rate_out_of_range', { path: 'feeRate', actual: feeRate })
    return [{ ...problem, inError }]
  }
  if (maxFee !== undefined && maxFee < 0n) {
    const inError = new AntaraError('amount_out_of_range', { path: 'maxFee', actual: maxFee })
    return [{ ...problem, code: 'feeOverMax', inError }]
  }
  const actual = fee ?? 0n
  if (maxFee === undefined || actual <= maxFee) return []
  return [{ ...problem, code: 'feeOverMax', inError: { expected: maxFee, actual } }]
}

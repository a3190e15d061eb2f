// Requests for payments and consolidations: their types, and the forms of their members.

import { argumentError, requireBigint, requireString } from '../primitives/arguments.ts'
import { isHex } from '../primitives/hex-forms.ts'
import { amount, bytes, items } from '../primitives/json-fields.ts'
import type { Outpoint } from '../transaction/types.ts'
import { type CommonRequest, coins, commonForms, previousTransactions } from './common.ts'
import { evidenceForms } from './evidence.ts'
import { type Form, member, optional, type RequestForms } from './form-table.ts'
import {
  count,
  height,
  hex,
  list,
  record,
  requireEach,
  seconds,
  text,
  texts,
  units,
  words,
} from './forms.ts'
import type { Forms } from './members.ts'
import type { IntentTerms } from './terms.ts'

/** The payee of a payment: an address of the network, or any script, hex. */
export interface Payee {
  readonly address?: string
  readonly script?: string
  /** Satoshis; `max` for all that is spent less the fee, which leaves no change. */
  readonly amount: bigint | 'max'
}

/** The payment in plain coins that a wallet requested. */
export interface PaymentIntent extends IntentTerms {
  readonly recipients: readonly Payee[]
  /**
   * The wallet's own keys and scripts: compressed public keys, addresses, or scripts in hex; or a
   * function that recognises the scripts, for an HD account. Their coins may be spent. Change goes
   * to a script that your own keys alone can spend now. Only what this or `redeemScripts` names is
   * own.
   */
  readonly own: readonly string[] | ((script: string) => boolean)
  /**
   * Scripts behind your script hashes, hex, such as M of N keys. They count as own, and signing
   * needs them.
   */
  readonly redeemScripts?: readonly string[]
  /** The data of one nulldata output, hex. Without it, no such output is allowed. */
  readonly nulldata?: string
  /**
   * Satoshis. With `fee` alone, the fee is exact. With both, it is between them. Otherwise `maxFee`
   * is its limit, 20000 if absent.
   */
  readonly fee?: bigint
  /**
   * Satoshis per 1000 bytes of the signed transaction, instead of `fee`. Only the bytes that the
   * payment needs count: its recipients, the inputs that suffice, and its change. Further inputs
   * may raise the fee to `maxFee`; without `maxFee`, to 20000.
   */
  readonly feeRate?: bigint
  /** How many outputs may return change; 1 if absent. */
  readonly maxChangeOutputs?: number
  /** The lock time, which must be in force; if absent, 0 or a past one, as daemons set it. */
  readonly lockTime?: number
  /** The expiry height; if absent, `expiryBlocksMax` bounds it. */
  readonly expiryHeight?: number
}

/** The members that payments and consolidations have. */
export interface SpendingRequest extends CommonRequest {
  /**
   * Satoshis per 1000 bytes, instead of `fee`. Without `maxFee`, a fee above the limit of nodes
   * is an error: 1000 satoshis a byte, or a nineteenth of the amount paid.
   */
  readonly feeRate?: bigint
  /**
   * The wallet's own: compressed public keys, addresses, or scripts, hex. Only their coins are
   * spent. Change goes to the first, unless `change` says otherwise. If all coins are of one script
   * with several keys, it returns to that script.
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
  /** The data of one nulldata output, hex. */
  readonly nulldata?: string
  /** `selected` (if absent) for the least cost, or `all` coins. */
  readonly spend?: 'selected' | 'all'
}

export interface ConsolidationRequest extends SpendingRequest {
  /** Where the one coin goes; if absent, where change of a payment would. */
  readonly to?: string
  /** The most coins to merge, the smallest first; 500 if absent. */
  readonly maxInputs?: number
}

/** Keys, addresses and scripts. */
export const names: Form<readonly string[]> = texts('PUBKEY', 'ADDRESS')
/** The same; only an argument can be a function. */
const own: Form<readonly string[]> = {
  ...names,
  requireType(value, path) {
    if (typeof value !== 'function') names.requireType(value, path)
  },
}

const redeemScripts: Form<readonly string[]> = {
  shown: '["HEX"]',
  read: (value, path) => items(value, path, { named: 'strings of hex', read: bytes }),
  requireType: (value, path) => requireEach(value, path, requireHex),
}

function requireHex(value: unknown, path: string): void {
  requireString(value, path)
  if (!isHex(value)) throw argumentError(path, 'hex', value)
}

/** Satoshis, or `max` for everything. */
export const satsOrMax: Form<bigint | 'max'> = {
  shown: '"100"',
  read: (value, path) => (value === 'max' ? 'max' : amount(value, path)),
  requireType(value, path) {
    if (value !== 'max') requireBigint(value, path)
  },
}

export const address: Form<string> = text('ADDRESS')
const payee = record<Payee>({
  address: optional(address),
  script: optional(hex),
  amount: satsOrMax,
})
const recipients: Form<readonly Payee[]> = {
  ...list('recipients', payee),
  shown: '[{ "address": "ADDRESS", "amount": "100" }]',
}

export const paymentForms: Forms<PaymentIntent> = {
  recipients: member('payees; the amount "max" is all that is left of all coins', recipients),
  own: member('your keys, addresses and scripts, whose coins are spent', own),
  redeemScripts: member(
    'scripts behind your script hashes, such as M of N keys',
    optional(redeemScripts),
  ),
  nulldata: member('data of one nulldata output, hex', optional(hex)),
  feeRate: member('satoshis per 1000 bytes, in place of the fee', optional(units)),
  maxChangeOutputs: member('outputs that may return change; 1 if absent', optional(count)),
  lockTime: member('the lock time, which must be in force', optional(seconds)),
  expiryHeight: member('the expiry height', optional(height)),
}

const spendingForms: RequestForms<SpendingRequest> = {
  ...commonForms,
  feeRate: paymentForms.feeRate,
  own: member(paymentForms.own.about, names),
  // The builder's own rules check the hex.
  redeemScripts: { ...paymentForms.redeemScripts, requireType: texts('HEX').requireType },
  coins,
  previousTransactions,
  lockTime: paymentForms.lockTime,
  tipTime: evidenceForms.tipTime,
  medianTime: evidenceForms.medianTime,
  heights: evidenceForms.heights,
}

export const paymentRequestForms: RequestForms<PaymentRequest> = {
  ...spendingForms,
  recipients: paymentForms.recipients,
  change: member(
    'where change goes; if absent the first of own, or the one script of several keys',
    optional(address),
  ),
  nulldata: paymentForms.nulldata,
  spend: member('selected or all: which of the coins', optional(words('selected', 'all'))),
}

export const consolidationForms: RequestForms<ConsolidationRequest> = {
  ...spendingForms,
  to: member('where the one coin goes; if absent, where change would go', optional(address)),
  maxInputs: member(
    'coins that are merged at most, the smallest first; 500 if absent',
    optional(count),
  ),
}

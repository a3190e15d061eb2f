import {
  argumentError,
  requireBigint,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { amount, bytes, items, object, string } from '../primitives/json-fields.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import {
  count,
  type Form,
  height,
  hex,
  optional,
  requireEach,
  seconds,
  texts,
  units,
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

export const payeeMembers: readonly string[] = memberNames<Payee>({
  address: true,
  script: true,
  amount: true,
})

/** The payment in plain coins that a wallet requested. */
export interface PaymentIntent extends IntentTerms {
  readonly recipients: readonly Payee[]
  /**
   * The wallet's own: compressed public keys, addresses of keys or scripts, or scripts, hex, or
   * what tells them, such as an HD account. Their coins may be spent. Change goes to those that the
   * own keys alone can spend now. Only what this or `redeemScripts` names is own.
   */
  readonly own: readonly string[] | ((script: string) => boolean)
  /**
   * Scripts behind script hashes, hex, which are own then: the M of N keys, which signing needs.
   */
  readonly redeemScripts?: readonly string[]
  /** The data of one nulldata output, hex. Without it, no such output is allowed. */
  readonly nulldata?: string
  /**
   * Satoshis. With `fee` alone the fee is exact, and with both it is between them. With `maxFee`
   * alone or neither, `maxFee` bounds it, 20000 if absent.
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

const names = texts('PUBKEY', 'ADDRESS')
/** Keys, addresses and scripts; only an argument can be a function. */
export const own: Form<readonly string[]> = {
  ...names,
  requireType(value, path) {
    if (typeof value !== 'function') names.requireType(value, path)
  },
}

export const redeemScripts: Form<readonly string[]> = {
  shown: '["HEX"]',
  read: (value, path) => items(value, path, { named: 'strings of hex', read: bytes }),
  requireType: (value, path) => requireEach(value, path, requireHex),
}

function requireHex(value: unknown, path: string): void {
  requireString(value, path)
  if (!/^(?:[0-9a-f]{2})+$/i.test(value)) throw argumentError(path, 'hex', value)
}

export const payees: Form<readonly Payee[]> = {
  shown: '[{ "address": "ADDRESS", "amount": "100" }]',
  read: (value, path) => items(value, path, { named: 'recipients', read: readPayee }),
  requireType: (value, path) => requireEach(value, path, requirePayee),
}

function readPayee(value: unknown, path: string): Payee {
  const payee = object(value, path, payeeMembers)
  return {
    ...(payee.address !== undefined && { address: string(payee.address, `${path}.address`) }),
    ...(payee.script !== undefined && { script: string(payee.script, `${path}.script`) }),
    amount: payee.amount === 'max' ? 'max' : amount(payee.amount, `${path}.amount`),
  }
}

function requirePayee(payee: unknown, path: string): void {
  requireObject(payee, path)
  requireKnownMembers(payee, payeeMembers, path)
  const { address, script, amount: paid } = payee as Partial<Payee>
  if (address !== undefined) requireString(address, `${path}.address`)
  if (script !== undefined) requireString(script, `${path}.script`)
  if (paid !== 'max') requireBigint(paid, `${path}.amount`)
}

export const paymentForms: Forms<PaymentIntent> = {
  recipients: payees,
  own,
  redeemScripts: optional(redeemScripts),
  nulldata: optional(hex),
  feeRate: optional(units),
  maxChangeOutputs: optional(count),
  lockTime: optional(seconds),
  expiryHeight: optional(height),
}

// The size that a payment needs, which a fee rate is applied to. The server chooses inputs, change
// and scriptSigs, so none of them may raise the fee.

import { outputBytes, unsignedInputBytes } from '../chain/limits.ts'
import { compactSizeBytes } from '../primitives/wire.ts'
import type { Effect } from '../request/report.ts'
import { keyHashScript } from '../script/addressed-script.ts'
import { pubkeyScript } from '../script/key-script.ts'
import { scriptSigBytesMax } from '../script/script-sig-bytes.ts'
import type { Transaction, TransactionInput } from '../transaction/types.ts'
import { changeIn } from './outputs.ts'
import type { ResolvedInputs } from './previous-outputs.ts'

export interface SizedPayment {
  /** `value` is absent for the recipient of everything that is left. */
  readonly recipients: readonly { readonly script: string; readonly value?: bigint }[]
  /** Script of the nulldata output; absent where no such output is allowed. */
  readonly nulldata?: string
  readonly maxChangeOutputs: number
  readonly own: {
    /** Redeem scripts in lower-case hex, by the scripts that pay their hashes. */
    readonly redeemScriptOf: ReadonlyMap<string, string>
  }
}

/** Sizes in bytes, every input signed. */
export interface PaymentSize {
  /** The transaction as it is. */
  readonly signed: number
  /** The size of everything but the inputs: header, recipients, nulldata and change. */
  readonly withoutInputs: number
  /** Each input with the largest signatures that its script takes. */
  readonly inputs: readonly SizedInput[]
  /** Satoshis to be paid; absent where one recipient gets all that is left. */
  readonly target?: bigint
}

interface SizedInput {
  /** Satoshis; 0 where the previous transaction is missing. */
  readonly value: bigint
  readonly bytes: number
}

export function paymentSize(
  tx: Transaction,
  payment: SizedPayment,
  {
    bytes,
    prevouts,
    effects,
  }: Pick<ResolvedInputs, 'prevouts'> & {
    /** The size of the transaction as it is; its inputs may lack signatures. */
    readonly bytes: number
    readonly effects: readonly Effect[]
  },
): PaymentSize {
  const { own, recipients, nulldata } = payment
  const largest = tx.inputs.map((_, index) => {
    const script = prevouts[index]?.script
    return script === undefined
      ? undefined
      : scriptSigBytesMax(script, own.redeemScriptOf.get(script))
  })
  const present = tx.inputs.reduce((sum, input) => sum + inputBytes(input), 0)
  const paid = tx.outputs.reduce((sum, { script }) => sum + outputBytes(script), 0)
  const wanted = recipients.map(({ script }) => script)
  if (nulldata !== undefined) wanted.push(nulldata)
  const isAll = recipients.some(({ value }) => value === undefined)
  return {
    signed: tx.inputs.reduce(
      (sum, { scriptSig }, index) => sum + (scriptSig === '' ? (largest[index] ?? 0) : 0),
      bytes,
    ),
    withoutInputs:
      bytes -
      present -
      paid +
      wanted.reduce((sum, script) => sum + outputBytes(script), 0) +
      (isAll ? 0 : changeBytes(payment, effects, prevouts)),
    inputs: tx.inputs.map((input, index) => ({
      value: prevouts[index]?.value ?? 0n,
      bytes: inputBytesMax(input, largest[index]),
    })),
    ...(!isAll && { target: recipients.reduce((sum, { value }) => sum + value!, 0n) }),
  }
}

/**
 * Returns the bytes that a payment needs at a rate. It counts as few of the spent inputs as
 * suffice; or where one recipient gets all that is left, the inputs that are worth more than they
 * cost.
 *
 * @param feeFor - satoshis for a size
 */
export function neededBytes(
  { withoutInputs, inputs, target }: PaymentSize,
  feeFor: (bytes: number) => bigint,
): number {
  const offered = inputs.map(({ value, bytes }) => ({ value, bytes, gain: value - feeFor(bytes) }))
  if (target === undefined) {
    return offered.reduce((sum, { gain, bytes }) => (gain > 0n ? sum + bytes : sum), withoutInputs)
  }
  let needed = withoutInputs
  let spent = 0n
  for (const { value, bytes } of offered.toSorted((one, other) => Number(other.gain - one.gain))) {
    if (spent >= target + feeFor(needed)) break
    spent += value
    needed += bytes
  }
  return needed
}

/** Returns the bytes with every spent input, needed or not. */
export function allBytes({ withoutInputs, inputs }: PaymentSize): number {
  return inputs.reduce((sum, { bytes }) => sum + bytes, withoutInputs)
}

/**
 * Bytes that the framework counts for every coin, even if its scriptSig needs no key.
 *
 * @see komodo-defi-framework coins/utxo/utxo_common.rs, tx_size_in_v_bytes
 */
const keyHashScriptSigBytes = scriptSigBytesMax(keyHashScript('00'.repeat(20)))!

/** A scriptSig with a key of 65 bytes instead of 33. */
const uncompressedKeyPush = /41(?:04|06|07)[0-9a-f]{128}$/

function inputBytesMax({ scriptSig }: TransactionInput, largest = 0): number {
  const longer = uncompressedKeyPush.test(scriptSig) ? 32 : 0
  return unsignedInputBytes + Math.max(largest, keyHashScriptSigBytes) + longer
}

function inputBytes({ scriptSig }: TransactionInput): number {
  const bytes = scriptSig.length / 2
  return unsignedInputBytes - 1 + compactSizeBytes(bytes) + bytes
}

/**
 * Bytes of change to a key hash. The fee may include them even if the change became fee as dust.
 */
const usualChangeBytes = outputBytes(keyHashScript('00'.repeat(20)))
/** Bytes of change to a key. A longer script counts as this, unless a coin of it is spent. */
const changeBytesMax = outputBytes(pubkeyScript('00'.repeat(33)))

function changeBytes(
  { maxChangeOutputs }: SizedPayment,
  effects: readonly Effect[],
  prevouts: ResolvedInputs['prevouts'],
): number {
  const changes = changeIn(effects)
  if (changes.length === 0) return maxChangeOutputs === 0 ? 0 : usualChangeBytes
  const spent = new Set(prevouts.map((prevout) => prevout?.script))
  return changes
    .slice(0, maxChangeOutputs)
    .map(({ script }) =>
      spent.has(script) ? outputBytes(script) : Math.min(outputBytes(script), changeBytesMax),
    )
    .reduce((sum, it) => sum + it, 0)
}

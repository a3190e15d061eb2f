// Tampered hex that is rightly signed and does something else than was requested, as a hostile
// daemon sends it.

import { finalSequence } from '../chain/limits.ts'
import { tokensEvalCode } from '../chain/modules.ts'
import { argumentError } from '../primitives/arguments.ts'
import { pubkeyScript } from '../script/key-script.ts'
import { hashOfKey } from '../script/public-key.ts'
import { signTransaction } from '../signing/sign.ts'
import { decodeTokenPayload } from '../token/payload/decode.ts'
import { encodeTokenPayload } from '../token/payload/encode.ts'
import { conditionKey, slotScript } from '../token/rules/slot-script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { Transaction, TransactionFields, TransactionOutput } from '../transaction/types.ts'
import type { Engine } from './engine.ts'
import { newKey } from './identities.ts'
import { indexTypes } from './state/script-index.ts'
import { coinsUnder, finderOf, outputAt } from './state/view.ts'
import { wifsOf } from './wallet/coins.ts'
import { indexKeyOf, type Selected, tokenOutput } from './wallet/condition-builder.ts'
import type { Payer } from './wallet/payment.ts'
import { tokenIndexKeys, tokensAt } from './wallet/tokel-builder.ts'
import { holderScript } from './wallet/tokel-scripts.ts'

export type Tamper =
  /** The change goes to a stranger. */
  | 'stolen_change'
  /** The tokens go to a stranger. */
  | 'wrong_destination'
  /** The token change goes to a stranger. */
  | 'stolen_token_change'
  /** Another token of the owner is spent and not paid out again. */
  | 'other_token_burned'
  /** A hundred times the fee. */
  | 'raised_fee'

const raisedFee = 1_000_000n

/**
 * Returns the tampered hex, signed again by the wallet's keys; undefined if there is no room for
 * it.
 */
export function tamperWith(hex: string, tamper: Tamper, context: Payer): string | undefined {
  const transaction = decodeTransaction(hex)
  const changed = tampers[tamper](transaction, context)
  if (changed === undefined) return undefined
  const { engine } = context
  const inputs = changed.inputs.map((input) => ({ ...input, scriptSig: '' }))
  const prevouts = inputs.map((input) => outputAt(engine, input)!)
  const keys = wifsOf(context.wallet)
  const unsigned = encodeTransaction({ ...changed, inputs })
  return signTransaction(unsigned, keys, prevouts, engine.rules.network).hex
}

type Teller = (transaction: Transaction, context: Payer) => TransactionFields | undefined

/** @throws {TypeError} for an unknown tampering */
export function requireTamper(tamper: unknown, name: string): asserts tamper is Tamper {
  if (typeof tamper === 'string' && Object.hasOwn(tampers, tamper)) return
  throw argumentError(name, Object.keys(tampers).join(', '), tamper)
}

const tampers: Readonly<Record<Tamper, Teller>> = {
  stolen_change: (transaction, context) =>
    withOutput(transaction, changeAt(transaction, context), paying(pubkeyScript(thief(context)))),
  raised_fee: (transaction, context) =>
    withOutput(transaction, changeAt(transaction, context), (output) =>
      output.value <= raisedFee ? undefined : { ...output, value: output.value - raisedFee },
    ),
  wrong_destination: (transaction, context) => {
    const payload = decodeTokenPayload(transaction.outputs.at(-1)!.script)
    if (payload?.kind !== 'transfer') return undefined
    const { layout, tokenid } = payload
    const key = thief(context)
    const isV2 = layout === 'tokens-v2'
    const pubkeys = isV2 ? [] : [key]
    const nulldata = encodeTokenPayload({ layout, kind: 'transfer', tokenid, pubkeys })
    const script = isV2 ? holderScript(2, hashOfKey(key)) : slotScript([key], [tokensEvalCode])
    const paid = withOutput(transaction, 0, paying(script))
    return paid && withOutput(paid, transaction.outputs.length - 1, paying(nulldata))
  },
  stolen_token_change: (transaction, { engine }) => {
    const payload = decodeTokenPayload(transaction.outputs.at(-1)!.script)
    if (payload?.kind !== 'transfer') return undefined
    const [first, second] = transaction.outputs
    if (first === undefined || second === undefined) return undefined
    // The change may be coins alone.
    if (engine.rules.scripts.describe(second.script).type !== 'cryptocondition') return undefined
    const namesItsOwner = payload.layout !== 'tokens-v2'
    return namesItsOwner && conditionKey(payload.pubkeys[0] ?? '') === undefined
      ? undefined
      : withOutput(transaction, 1, paying(first.script))
  },
  other_token_burned: (transaction, context) => {
    const other = otherToken(transaction, context)
    const change = changeAt(transaction, context)
    if (other === undefined || change < 0) return undefined
    const { txid, vout, value } = other
    const inputs = [...transaction.inputs, { txid, vout, scriptSig: '', sequence: finalSequence }]
    return withOutput({ ...transaction, inputs }, change, (output) => ({
      ...output,
      value: output.value + value,
    }))
  },
}

/** Returns a key that no wallet here has. */
function thief({ engine }: Payer): string {
  return newKey(engine.rules.network, 'thief').publicKey
}

const paying = (script: string) => (output: TransactionOutput) => ({ ...output, script })

function withOutput(
  fields: TransactionFields,
  at: number,
  change: (output: TransactionOutput) => TransactionOutput | undefined,
): TransactionFields | undefined {
  const output = fields.outputs[at]
  const changed = output && change(output)
  return changed && { ...fields, outputs: fields.outputs.with(at, changed) }
}

function changeAt({ outputs }: Transaction, { wallet }: Payer): number {
  return outputs.findIndex(({ script }) => script === pubkeyScript(wallet.pubkey ?? ''))
}

/** A coin of the wallet's key at its token address, of another token than the transaction moves. */
function otherToken(
  { inputs, outputs }: Transaction,
  { engine, wallet }: Payer,
): Selected | undefined {
  const payload = decodeTokenPayload(outputs.at(-1)!.script)
  const moved = payload?.kind === 'transfer' ? payload.tokenid : ''
  const coins =
    engine.rules.network.conditions === 'tokel'
      ? othersOfTokel(engine, wallet.pubkey ?? '', moved)
      : others(engine, wallet.pubkey ?? '', moved)
  for (const coin of coins) {
    if (!inputs.some((it) => it.txid === coin.txid && it.vout === coin.vout)) return coin
  }
  return undefined
}

function* othersOfTokel(engine: Engine, pubkey: string, moved: string): Generator<Selected> {
  for (const version of [2, 1] as const) {
    for (const key of tokenIndexKeys(engine, version, pubkey)) {
      for (const coin of tokensAt(engine, key, version)) if (coin.tokenid !== moved) yield coin
    }
  }
}

function* others(engine: Engine, pubkey: string, moved: string): Generator<Selected> {
  const { tokens } = engine.rules.modules
  const { script } = tokenOutput(undefined, 0n, pubkey)
  const key = indexKeyOf(engine, script, indexTypes.condition)
  for (const { txid, vout, value } of coinsUnder(engine, key)) {
    const isOther = moved === '' || tokens.amountIn({ txid, vout }, moved, finderOf(engine)) === 0n
    if (isOther) yield { txid, vout, value }
  }
}

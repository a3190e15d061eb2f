// Hex that does something else than was asked, rightly signed: what a hostile daemon would send.

import { finalSequence } from '../chain/limits.ts'
import { tokensEvalCode } from '../chain/modules.ts'
import { argumentError } from '../primitives/arguments.ts'
import { pubkeyScript } from '../script/key-script.ts'
import { signTransaction } from '../signing/sign.ts'
import { decodeTokenPayload } from '../token/payload/decode.ts'
import { encodeTokenPayload } from '../token/payload/encode.ts'
import { conditionKey, slotScript } from '../token/rules/slot-script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { Transaction, TransactionFields, TransactionOutput } from '../transaction/types.ts'
import type { Engine } from './engine.ts'
import { newKey } from './identities.ts'
import { outpointOf } from './state/keys.ts'
import { entriesFrom, entriesUnder } from './state/ordered-map.ts'
import { indexTypes } from './state/script-index.ts'
import { findTransaction } from './state/view.ts'
import type { Wallet } from './state/wallet.ts'
import { indexKeyOf, tokenOutput } from './wallet/condition-builder.ts'

export type Lie =
  /** The coins that come back go to somebody else. */
  | 'stolen_change'
  /** The tokens go to somebody else. */
  | 'wrong_destination'
  /** Somebody else gets the tokens that come back. */
  | 'stolen_token_change'
  /** Another token of the owner is spent and not paid out again. */
  | 'other_token_burned'
  /** A hundred times the fee. */
  | 'raised_fee'

interface Liar {
  readonly engine: Engine
  readonly wallet: Wallet
}

const raisedFee = 1_000_000n

/** The hex with the lie in it, signed again by the wallet's keys; nothing if there is no room for it. */
export function lieAbout(hex: string, lie: Lie, liar: Liar): string | undefined {
  const transaction = decodeTransaction(hex)
  const changed = lies[lie](transaction, liar)
  if (changed === undefined) return undefined
  const { state, rules } = liar.engine
  const inputs = changed.inputs.map((input) => ({ ...input, scriptSig: '' }))
  const prevouts = inputs.map(
    ({ txid, vout }) => findTransaction(state, rules, txid)!.transaction.outputs[vout]!,
  )
  const keys = [...entriesFrom(liar.wallet.keys)].map(([, { wif }]) => wif)
  return signTransaction(encodeTransaction({ ...changed, inputs }), keys, prevouts, rules.network)
    .hex
}

type Teller = (transaction: Transaction, liar: Liar) => TransactionFields | undefined

/** @throws {TypeError} for what is no lie that is known here */
export function requireLie(lie: unknown, name: string): asserts lie is Lie {
  if (typeof lie === 'string' && Object.hasOwn(lies, lie)) return
  throw argumentError(name, Object.keys(lies).join(', '), lie)
}

const lies: Readonly<Record<Lie, Teller>> = {
  stolen_change: (transaction, liar) =>
    withOutput(transaction, changeAt(transaction, liar), (output) => ({
      ...output,
      script: pubkeyScript(thief(liar)),
    })),
  raised_fee: (transaction, liar) =>
    withOutput(transaction, changeAt(transaction, liar), (output) =>
      output.value <= raisedFee ? undefined : { ...output, value: output.value - raisedFee },
    ),
  wrong_destination: (transaction, liar) => {
    const payload = decodeTokenPayload(transaction.outputs.at(-1)!.script)
    if (payload?.kind !== 'transfer' || payload.layout !== 'komodo-v1') return undefined
    const key = thief(liar)
    const nulldata = encodeTokenPayload({
      layout: 'komodo-v1',
      kind: 'transfer',
      tokenid: payload.tokenid,
      pubkeys: [key],
    })
    const paid = withOutput(transaction, 0, (output) => ({
      ...output,
      script: slotScript([key], [tokensEvalCode]),
    }))
    return (
      paid &&
      withOutput(paid, transaction.outputs.length - 1, (output) => ({
        ...output,
        script: nulldata,
      }))
    )
  },
  stolen_token_change: (transaction, { engine }) => {
    const payload = decodeTokenPayload(transaction.outputs.at(-1)!.script)
    if (payload?.kind !== 'transfer') return undefined
    const [first, second] = transaction.outputs
    if (first === undefined || second === undefined) return undefined
    // what comes back may be coins alone
    if (engine.rules.scripts.describe(second.script).type !== 'cryptocondition') return undefined
    const key = conditionKey(payload.pubkeys[0] ?? '')
    return key === undefined
      ? undefined
      : withOutput(transaction, 1, (output) => ({ ...output, script: first.script }))
  },
  other_token_burned: (transaction, liar) => {
    const other = otherToken(transaction, liar)
    const change = changeAt(transaction, liar)
    if (other === undefined || change < 0) return undefined
    const { txid, vout, value } = other
    const inputs = [...transaction.inputs, { txid, vout, scriptSig: '', sequence: finalSequence }]
    return withOutput({ ...transaction, inputs }, change, (output) => ({
      ...output,
      value: output.value + value,
    }))
  },
}

/** A key that is nobody's here. */
function thief({ engine }: Liar): string {
  return newKey(engine.rules.network, 'thief').publicKey
}

function withOutput(
  fields: TransactionFields,
  at: number,
  change: (output: TransactionOutput) => TransactionOutput | undefined,
): TransactionFields | undefined {
  const output = fields.outputs[at]
  const changed = output && change(output)
  return changed && { ...fields, outputs: fields.outputs.with(at, changed) }
}

function changeAt({ outputs }: Transaction, { wallet }: Liar): number {
  return outputs.findIndex(({ script }) => script === pubkeyScript(wallet.pubkey ?? ''))
}

/** A coin of the wallet's key at its token address, of another token than the transaction moves. */
function otherToken({ inputs, outputs }: Transaction, { engine, wallet }: Liar) {
  const { state, rules } = engine
  const payload = decodeTokenPayload(outputs.at(-1)!.script)
  const moved = payload?.kind === 'transfer' ? payload.tokenid : ''
  const { script } = tokenOutput(undefined, 0n, wallet.pubkey ?? '')
  const key = indexKeyOf(engine, script, indexTypes.condition)
  for (const [place, { value }] of entriesUnder(state.chain.tables.addressCoins, key)) {
    const outpoint = outpointOf(place.slice(key.length))
    const isSpent = inputs.some((it) => it.txid === outpoint.txid && it.vout === outpoint.vout)
    const find = (txid: string) => findTransaction(state, rules, txid)
    const isOther = moved === '' || rules.modules.tokens.amountIn(outpoint, moved, find) === 0n
    if (!isSpent && isOther) return { ...outpoint, value }
  }
  return undefined
}

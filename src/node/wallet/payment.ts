// Ordinary payments, as the daemon's wallet makes them.

import {
  dustOfScript,
  expiryDelta,
  lockedSequence,
  outputBytes,
  relayFee,
  saplingVersionGroupId,
} from '../../chain/limits.ts'
import { compactSizeBytes } from '../../primitives/wire.ts'
import { pubkeyHashScript, pubkeyScript } from '../../script/key-script.ts'
import { signTransaction } from '../../signing/sign.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import type {
  TransactionFields,
  TransactionInput,
  TransactionOutput,
} from '../../transaction/types.ts'
import type { Engine } from '../engine.ts'
import { medianTime } from '../state/block.ts'
import { entriesFrom } from '../state/ordered-map.ts'
import { outputAt } from '../state/view.ts'
import { isLocked, type Wallet } from '../state/wallet.ts'
import { isFromWallet, toSign, type WalletCoin, walletCoins, wifsOf } from './coins.ts'
import { sum } from './condition-builder.ts'

/** Recorded: what payments of 289 to 559 bytes cost. Satoshis. */
const usualFee = 5_000n
/** With a signature and a key. */
const inputBytes = 148
/** Everything but inputs, outputs and their counts. */
const frameBytes = 28

export interface Payer {
  readonly engine: Engine
  readonly wallet: Wallet
}

interface Payment {
  readonly outputs: readonly TransactionOutput[]
  readonly inputs?: readonly TransactionInput[]
  /** Outputs of which the fee is taken, in equal parts. */
  readonly feeFrom?: 'outputs'
  readonly minConfirmations?: number
}

interface Made {
  readonly fields: TransactionFields
  readonly fee: bigint
  /** Index of the change output, -1 without. */
  readonly changeAt: number
}

/** A payment with its coins and change, unsigned; undefined if the coins do not reach. */
export function fundedPayment({ engine, wallet }: Payer, payment: Payment): Made | undefined {
  const { outputs, inputs: given = [] } = payment
  const { tip } = engine.state.chain
  const wanted = sum(outputs)
  const brought = sum(given.map((input) => outputAt(engine, input) ?? { value: 0n }))
  const coins = spendableCoins({ engine, wallet }, payment.minConfirmations ?? 1).filter(
    (coin) => !given.some((it) => it.txid === coin.txid && it.vout === coin.vout),
  )
  let fee = feeFor(wallet, given.length + 1, outputs)
  for (;;) {
    const target = wanted + (payment.feeFrom === undefined ? fee : 0n) - brought
    const picked = picks(coins, target)
    if (picked === undefined) return undefined
    const needed = feeFor(wallet, given.length + picked.length, outputs)
    if (needed > fee) {
      fee = needed
      continue
    }
    const total = brought + sum(picked)
    const paid = payment.feeFrom === undefined ? outputs : lessFee(outputs, fee)
    const change = total - fee - sum(paid)
    const script = changeScript(wallet)
    const hasChange = change > dustOfScript(script)
    const all = hasChange ? [...paid, { value: change, script }] : paid
    const chosen = picked.map(({ txid, vout }) => ({
      txid,
      vout,
      scriptSig: '',
      sequence: lockedSequence,
    }))
    return {
      fields: {
        version: 4,
        overwintered: true,
        versionGroupId: saplingVersionGroupId,
        inputs: [...given, ...chosen],
        outputs: all,
        lockTime: medianTime(tip),
        expiryHeight: tip.height + 1 + expiryDelta,
      },
      fee: hasChange ? fee : fee + change,
      changeAt: hasChange ? all.length - 1 : -1,
    }
  }
}

function lessFee(outputs: readonly TransactionOutput[], fee: bigint): TransactionOutput[] {
  const part = fee / BigInt(outputs.length)
  const rest = fee - part * BigInt(outputs.length)
  return outputs.map(({ value, script }, at) => ({
    value: value - part - (at === 0 ? rest : 0n),
    script,
  }))
}

/** @param outputs - without change, which the fee pays for as well */
function feeFor(wallet: Wallet, inputs: number, outputs: readonly TransactionOutput[]): bigint {
  const { feeRate, pubkey } = wallet
  const counts = compactSizeBytes(inputs) + compactSizeBytes(outputs.length + 1)
  const paid = outputs.reduce((sum, { script }) => sum + outputBytes(script), 0)
  const change = pubkey === undefined ? 34 : 44
  const bytes = frameBytes + counts + inputs * inputBytes + paid + change
  if (feeRate > 0n) return (feeRate * BigInt(bytes)) / 1000n
  const least = relayFee(bytes)
  return least > usualFee ? least : usualFee
}

/** Under -pubkey change goes back to that key. Recorded: as pay-to-pubkey. */
function changeScript({ pubkey, keys }: Wallet): string {
  if (pubkey !== undefined) return pubkeyScript(pubkey)
  const [first] = entriesFrom(keys)
  if (first === undefined) throw new RangeError('a wallet without keys has nowhere to send change')
  return pubkeyHashScript(first[1].publicKey)
}

/** Coins that may be spent: confirmed ones, and the wallet's own change before that. */
function spendableCoins({ engine, wallet }: Payer, minConfirmations: number): WalletCoin[] {
  const { maturity } = engine.rules.profile
  return [...walletCoins(engine, wallet)].filter(
    ({ txid, vout, ownership, confirmations, coinbase }) => {
      if (ownership !== 'spendable' || (coinbase && confirmations < maturity)) return false
      if (isLocked(wallet, { txid, vout })) return false
      if (confirmations >= minConfirmations) return true
      return confirmations === 0 && isFromWallet(engine, wallet, txid)
    },
  )
}

/** The smallest coin that reaches by itself, else the largest until they do. */
function picks(coins: readonly WalletCoin[], target: bigint): WalletCoin[] | undefined {
  if (target <= 0n) return []
  const ascending = coins.toSorted((one, other) =>
    one.value < other.value ? -1 : one.value > other.value ? 1 : 0,
  )
  const enough = ascending.find(({ value }) => value >= target)
  if (enough !== undefined) return [enough]
  const picked: WalletCoin[] = []
  let total = 0n
  for (const coin of ascending.toReversed()) {
    picked.push(coin)
    total += coin.value
    if (total >= target) return picked
  }
  return undefined
}

/** The signed hex of what a wallet made. */
export function signedPayment({ engine, wallet }: Payer, { fields }: Made): string {
  const { rules } = engine
  const prevouts = fields.inputs.map((input) => outputAt(engine, input)!)
  const spent = toSign(prevouts, wallet, rules.scripts)
  return signTransaction(encodeTransaction(fields), wifsOf(wallet), spent, rules.network).hex
}

// Payments of coins of A, with the transactions that these come from.

import {
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  type Network,
  networks,
  type Report,
  signTransaction,
  type TransactionFields,
  verifyPayment,
} from '../../src/index.ts'
import { madeUpFields as base, madeUpInputs } from './made-up.ts'
import { p2pkh } from './payments.ts'
import { a, b, p2pk, privateKeys } from './resigned.ts'

export const coin = 100_000_000n
export const tipHeight = 1000
export const keys = [privateKeys.get(a)!, privateKeys.get(b)!]

export interface Made {
  readonly txid: string
  readonly hex: string
  readonly outputs: TransactionFields['outputs']
}

export const made = (hex: string): Made => {
  const { txid, outputs } = decodeTransaction(hex)
  return { txid, hex, outputs }
}

/** Pays A, out of what nobody can look at. */
export function earned(value: bigint, more: Partial<TransactionFields> = {}): Made {
  // each of another outpoint
  const inputs = madeUpInputs.map((it) => ({ ...it, vout: (more.lockTime ?? 0) % 1000 }))
  return made(
    encodeTransaction({ ...base, inputs, outputs: [{ value, script: p2pk(a) }], ...more }),
  )
}

export type Coin = readonly [from: Made, vout: number]

/** Spends coins of A, rightly signed. */
export function spending(
  coins: readonly Coin[],
  values: readonly bigint[],
  more: Partial<TransactionFields> = {},
  network: Network = networks.assetChain,
): Made {
  const inputs = coins.map(([{ txid }, vout]) => {
    return { txid, vout, scriptSig: '', sequence: 0xffffffff }
  })
  const outputs = values.map((value) => ({ value, script: p2pk(a) }))
  const unsigned = encodeTransaction({ ...base, inputs, outputs, ...more })
  const prevouts = coins.map(([{ outputs }, vout]) => outputs[vout]!)
  return made(signTransaction(unsigned, keys, prevouts, network).hex)
}

export interface Given extends Partial<Evidence> {
  readonly network?: Network
}

/** A payment of some coins of A to B, and what is found beside its having no expiry near. */
export function pay(coins: readonly Coin[], given: readonly Made[], more: Given = {}): Report {
  const { network = networks.assetChain, ...evidence } = more
  const spent = coins.reduce((sum, [{ outputs }, vout]) => sum + outputs[vout]!.value, 0n)
  const payment = paymentOf(coins, network)
  return verifyPayment(
    payment.hex,
    {
      recipients: [{ script: p2pkh(b), amount: spent - 10_000n }],
      own: [a],
      fee: 10_000n,
      network,
      spendable: coins.map(([{ txid }, vout]) => ({ txid, vout })),
    },
    { previousTransactions: given.map((it) => it.hex), tipHeight, ...evidence },
  )
}

export function paymentOf(coins: readonly Coin[], network = networks.assetChain): Made {
  const spent = coins.reduce((sum, [{ outputs }, vout]) => sum + outputs[vout]!.value, 0n)
  const outputs = [{ value: spent - 10_000n, script: p2pkh(b) }]
  return spending(coins, [], { outputs, expiryHeight: tipHeight + 201 }, network)
}

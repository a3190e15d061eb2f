// The members of a request that follow from what a transaction spends: other keys that pay, and a
// large fee.

import { defaultFee, defaultMaxFee } from '../../chain/limits.ts'
import type { Network } from '../../chain/network.ts'
import type { AskedFor } from '../../request/case.ts'
import { addressOfScript } from '../../script/script.ts'
import { templateOf } from '../../script/template.ts'
import { addressOf } from '../../signing/key.ts'
import type { Transaction } from '../../transaction/types.ts'

/** A request, or the reason why none can be read. */
export type Observed = AskedFor | { readonly reason: string }

/** A transaction with the outputs that it spends. */
export interface Spending {
  readonly tx: Transaction
  readonly spent: Transaction['outputs']
  readonly network: Network
}

/** Returns the addresses of other keys that pay, because daemons take coins of the whole wallet. */
export function ownKeysOf(
  { spent, network }: Spending,
  from: string,
): { readonly ownKeys?: readonly string[] } {
  const addresses = spent.flatMap(({ script }) =>
    ['pubkey', 'pubkeyhash'].includes(templateOf(script).type)
      ? (addressOfScript(script, network) ?? [])
      : [],
  )
  const others = new Set(addresses)
  others.delete(addressOf(from, network))
  return others.size > 0 ? { ownKeys: [...others] } : {}
}

/** Returns the fee as `maxFee` if it is above the default limit of a request. */
export function feeOf({ tx, spent }: Pick<Spending, 'tx' | 'spent'>): { readonly maxFee?: bigint } {
  const sum = (outputs: Transaction['outputs']) =>
    outputs.reduce((total, { value }) => total + value, 0n)
  const fee = sum(spent) - sum(tx.outputs)
  return fee > defaultMaxFee(defaultFee) ? { maxFee: fee } : {}
}

// Transactions that a node built, changed and signed again as their builder would.

import { networks, signTransaction } from '../../../src/index.ts'
import type { DevNode } from '../../../src/node/index.ts'
import { decodeTransaction } from '../../../src/transaction/decode.ts'
import { encodeTransaction } from '../../../src/transaction/encode.ts'
import type { TransactionInput, TransactionOutput } from '../../../src/transaction/types.ts'

interface Parts {
  readonly inputs: readonly TransactionInput[]
  readonly outputs: readonly TransactionOutput[]
}

/** @param keys - private keys, in wallet import format or hex */
export async function resigned(
  node: DevNode,
  hex: string,
  keys: readonly string[],
  change: (made: Parts) => Partial<Parts>,
): Promise<string> {
  const made = decodeTransaction(hex)
  const changed = { ...made, ...change(made) }
  const inputs = changed.inputs.map((input) => ({ ...input, scriptSig: '' }))
  const prevouts = await Promise.all(
    inputs.map(async ({ txid, vout }) => {
      const spent = (await node.request('getrawtransaction', [txid])) as string
      return decodeTransaction(spent).outputs[vout]!
    }),
  )
  return signTransaction(encodeTransaction({ ...changed, inputs }), keys, prevouts, networks.tokel)
    .hex
}

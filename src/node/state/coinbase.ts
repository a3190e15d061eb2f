import { finalSequence, saplingVersionGroupId } from '../../chain/limits.ts'
import { zeroHex32 } from '../../primitives/hex-forms.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import { littleEndian } from './keys.ts'
import { type StoredTransaction, storedTransaction } from './stored-transaction.ts'

interface CoinbaseTerms {
  readonly height: number
  readonly time: number
  /** Satoshis. */
  readonly value: bigint
  /** The scriptPubKey that is paid. */
  readonly script: string
  /** Further outputs. */
  readonly faucetOutputs?: readonly { readonly script: string; readonly value: bigint }[]
}

/** The transaction that makes a block's coins. @see komodo src/miner.cpp, CreateNewBlock */
export function coinbaseOf({
  height,
  time,
  value,
  script,
  faucetOutputs = [],
}: CoinbaseTerms): StoredTransaction {
  return storedTransaction(
    encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: saplingVersionGroupId,
      inputs: [
        {
          txid: zeroHex32,
          vout: 0xffffffff,
          scriptSig: `${heightPush(height)}0101`,
          sequence: finalSequence,
        },
      ],
      outputs: [{ value, script }, ...faucetOutputs],
      lockTime: time,
      expiryHeight: 0,
    }),
  )
}

/** A script number: the shortest little-endian form whose top bit is not set. */
function heightPush(height: number): string {
  if (height <= 16) return (0x50 + height).toString(16)
  let bytes = littleEndian(height)
  while (bytes.endsWith('00')) bytes = bytes.slice(0, -2)
  if (Number.parseInt(bytes.slice(-2), 16) >= 0x80) bytes += '00'
  return `${littleEndian(bytes.length / 2).slice(0, 2)}${bytes}`
}

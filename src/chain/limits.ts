// Limits and fees of the chains, each with its source.

import { compactSizeBytes } from '../primitives/wire.ts'

/**
 * Satoshis: the fee of komodod's token and order transactions. source: komodo src/cc/CCtokens.cpp,
 * txfee
 */
export const defaultFee = 10_000n

/**
 * Returns the default limit of a fee in satoshis. It is twice the fee, because the daemon makes no
 * change of a surplus below twice its fee. It is at most 20,000, which is enough to relay the
 * largest transaction.
 *
 * @see komodo src/cc/CCtx.cpp, FinalizeCCTxExt
 */
export function defaultMaxFee(fee: bigint): bigint {
  const most = 2n * defaultFee
  return 2n * fee < most ? 2n * fee : most
}

/**
 * Satoshis: 0.01 coins, a hundred times the usual fee. The daemon's wallet warns of a higher fee,
 * too. source: komodo src/wallet/wallet.h, nHighTransactionFeeWarning
 */
export const highFee = 1_000_000n

/**
 * The most inputs that the daemon puts into one transaction. source: komodo src/cc/CCtx.cpp,
 * CC_MAXVINS
 */
export const inputsMax = 1024

/**
 * The most bytes of a transaction in a block. source: komodo src/consensus/consensus.h,
 * MAX_TX_SIZE_AFTER_SAPLING
 */
export const transactionBytesMax = 200_000

/**
 * The most satoshis that a transaction in a block pays on any chain, whatever its supply is. source:
 * komodo src/komodo_defs.h, KOMODO_VALUETOOBIG; src/main.cpp, ConnectBlock
 */
export const transactionValueMax: bigint = 10_000_000_001n * 100_000_000n

/**
 * The most signature checks of a transaction that nodes relay, a fifth of a block's. source: komodo
 * src/main.h, MAX_STANDARD_TX_SIGOPS
 */
export const sigopsMax = 4000

/**
 * The most bytes of a script that is executed. source: komodo src/script/script.h, MAX_SCRIPT_SIZE
 */
export const scriptBytesMax = 10_000

/**
 * The most bytes of a script in a block: more than an executed script may have, because an
 * OP_RETURN is never executed. source: komodo src/script/script.h, IGUANA_MAXSCRIPTSIZE
 */
export const storedScriptBytesMax = 10_001

/**
 * The most bytes that a script can push, which also limits redeem scripts. source: komodo
 * src/script/script.h, MAX_SCRIPT_ELEMENT_SIZE
 */
export const pushBytesMax = 520

/**
 * The most keys that can hold tokens v2 together: in the output's script, the condition of 16 keys
 * exceeds `pushBytesMax`.
 */
export const tokenKeysMax = 15

/**
 * The highest expiry height of an order of assets v2, an int32. source: tokel
 * src/cc/CCassetsUtils.cpp, DecodeAssetTokenOpRetV2
 */
export const orderHeightMax = 0x7fff_ffff

/** The sequence of a final input. source: komodo src/primitives/transaction.h, SEQUENCE_FINAL */
export const finalSequence = 0xffffffff

/** The highest sequence with which a lock time is enforced. */
export const lockedSequence: number = finalSequence - 1

/**
 * The version group ID of transactions of version 4. source: komodo src/primitives/transaction.h,
 * SAPLING_VERSION_GROUP_ID
 */
export const saplingVersionGroupId = 0x892f2085

/**
 * The output index that marks the only input of a coin import, which spends no real output. source:
 * komodo src/primitives/transaction.h, IsCoinImport
 */
export const importVout = 1_000_000_000

// komodo src/wallet/rpcwallet.cpp, tokencreate
export const tokenNameBytesMax = 32
export const tokenDescriptionBytesMax = 4096
export const tokenDataBytesMax = 10_001

/**
 * Satoshis of the marker, an output by which wallets find a token. They do not depend on the fee.
 *
 * @see komodo src/cc/CCtokens.cpp, CreateToken; tokel src/cc/CCtokens.h, TOKENS_MARKER_VALUE
 */
export const markerSats = 10_000n

/**
 * Blocks until a coinbase can be spent, on KMD. Asset chains may have another number, -ac_cbmaturity.
 * source: komodo src/consensus/consensus.h
 */
export const coinbaseMaturity = 100

/**
 * The number of blocks after which the daemon's transactions expire. source: komodo src/main.h,
 * DEFAULT_TX_EXPIRY_DELTA
 */
export const expiryDelta = 200

/**
 * The number of blocks after which a wallet's transactions should expire at the latest. It is twice
 * the daemon's, because the wallet's tip may be some blocks behind.
 */
export const expiryBlocksMax = 400

/**
 * Expiry heights are lower than this. source: komodo src/consensus/consensus.h,
 * TX_EXPIRY_HEIGHT_THRESHOLD
 */
export const expiryHeightThreshold = 500_000_000

/**
 * Lock times from here on are times; lower ones are heights. source: komodo src/script/script.h,
 * LOCKTIME_THRESHOLD
 */
export const lockTimeThreshold = 500_000_000

/**
 * Returns the smallest fee in satoshis with which nodes relay a transaction without the limits of
 * free ones.
 *
 * @see komodo src/main.cpp, AcceptToMemoryPool; DEFAULT_MIN_RELAY_TX_FEE, 100 satoshis per kB
 */
export function relayFee(bytes: number): bigint {
  return BigInt(Math.floor((100 * bytes) / 1000))
}

/** Returns the fee in satoshis for a size at a rate per 1000 bytes, and at least `relayFee`. */
export function feeAtRate(bytes: number, rate: bigint): bigint {
  const fee = (rate * BigInt(bytes) + 999n) / 1000n
  return fee > relayFee(bytes) ? fee : relayFee(bytes)
}

/** The highest rate, satoshis per 1000 bytes. source: native/core/select/pricing.h, fee_rate_max */
export const feeRateMax = 1_000_000_000

/** Returns the size of the largest transaction whose `relayFee` is at most `fee`. */
export function relayedBytesMax(fee: bigint): number {
  // A tenth of the bytes, rounded down, is at most the fee.
  const bytes = 10n * (fee + 1n) - 1n
  return bytes > BigInt(transactionBytesMax) ? transactionBytesMax : Number(bytes)
}

/**
 * Returns the highest fee in satoshis that nodes accept for a transaction of `bytes` bytes whose
 * outputs sum to `paid`. They call a fee absurd if it exceeds both 10,000 times the relay fee and a
 * nineteenth of the outputs.
 *
 * @see komodo src/main.cpp, AcceptToMemoryPool, fRejectAbsurdFee
 */
export function absurdFee(bytes: number, paid: bigint): bigint {
  const bySize = 10_000n * relayFee(bytes)
  const bySum = paid / 19n
  return bySize > bySum ? bySize : bySum
}

/**
 * Returns the smallest value in satoshis that nodes relay in an output of `outputBytes` bytes. It
 * is three times the relay fee of the output and of the input of 148 bytes that would spend it.
 *
 * @see komodo src/primitives/transaction.h, CTxOut::GetDustThreshold, at 100 satoshis per kB
 */
export function dustThreshold(outputBytes: number): bigint {
  return 3n * relayFee(outputBytes + 148)
}

/** Returns the smallest value that nodes relay in an output that pays `script`, hex. */
export function dustOfScript(script: string): bigint {
  return dustThreshold(outputBytes(script))
}

/** Returns the bytes of an output that pays `script`, hex. */
export function outputBytes(script: string): number {
  const bytes = script.length / 2
  return 8 + compactSizeBytes(bytes) + bytes
}

/** Bytes of an input whose scriptSig is empty: outpoint, length, sequence. */
export const unsignedInputBytes: number = 32 + 4 + 1 + 4

/** komodod's fee for everything. source: komodo src/cc/CCtokens.cpp, txfee */
export const defaultFee = 10_000n

/**
 * The most that a fee may come to unless more is allowed: twice the fee, which is where the daemon
 * begins to give change, but never over 20000 satoshis, with which the largest transaction relays.
 */
export function defaultMaxFee(fee: bigint): bigint {
  const most = 2n * defaultFee
  return 2n * fee < most ? 2n * fee : most
}

/**
 * Satoshis: 0.01 coins, a hundred times the usual fee. The daemon's wallet warns of a higher one too.
 * source: komodo src/wallet/wallet.h, nHighTransactionFeeWarning
 */
export const highFee = 1_000_000n

/** Inputs that the daemon puts into one transaction. source: komodo src/cc/CCtx.cpp, CC_MAXVINS */
export const inputsMax = 1024

/** Bytes of a transaction that is mined. source: komodo src/consensus/consensus.h, MAX_TX_SIZE_AFTER_SAPLING */
export const transactionBytesMax = 200_000

/** Bytes of a script that runs. source: komodo src/script/script.h, MAX_SCRIPT_SIZE */
export const scriptBytesMax = 10_000

/**
 * Bytes of a script in a mined transaction: longer than any that runs, because an OP_RETURN never
 * runs. source: komodo src/script/script.h, IGUANA_MAXSCRIPTSIZE
 */
export const storedScriptBytesMax = 10_001

/**
 * Bytes that a script can push, so also of a redeem script.
 * source: komodo src/script/script.h, MAX_SCRIPT_ELEMENT_SIZE
 */
export const pushBytesMax = 520

/**
 * Keys that can hold tokens v2 together: the condition of 16 keys exceeds `pushBytesMax` in the
 * output's script.
 */
export const tokenKeysMax = 15

/**
 * Height of the end of an order of assets v2, an int32.
 * source: tokel src/cc/CCassetsUtils.cpp, DecodeAssetTokenOpRetV2
 */
export const orderHeightMax = 0x7fff_ffff

/** The sequence of a final input. source: komodo src/primitives/transaction.h, SEQUENCE_FINAL */
export const finalSequence = 0xffffffff

/** The highest sequence with which a lock time counts. */
export const lockedSequence: number = finalSequence - 1

/**
 * Version group of transactions of version 4.
 * source: komodo src/primitives/transaction.h, SAPLING_VERSION_GROUP_ID
 */
export const saplingVersionGroupId = 0x892f2085

/** The largest CompactSize that is read. source: komodo src/serialize.h, MAX_SIZE */
export const compactSizeMax = 0x02000000

/** Index of the one input of a coin import. source: komodo src/primitives/transaction.h, IsCoinImport */
export const importVout = 1_000_000_000

// komodo src/wallet/rpcwallet.cpp, tokencreate
export const tokenNameBytesMax = 32
export const tokenDescriptionBytesMax = 4096
export const tokenDataBytesMax = 10_001

/**
 * Satoshis of the marker by which wallets find a token, whatever the fee.
 *
 * @see komodo src/cc/CCtokens.cpp, CreateToken; tokel src/cc/CCtokens.h, TOKENS_MARKER_VALUE
 */
export const markerSats = 10_000n

/**
 * Blocks that the daemon's transactions live, from the next one on. source: komodo src/main.h,
 * DEFAULT_TX_EXPIRY_DELTA
 */
export const expiryDelta = 200

/**
 * Blocks that a wallet should let a transaction live: twice the daemon's leaves room for one whose
 * tip is some blocks behind.
 */
export const expiryBlocksMax = 400

/**
 * Expiry heights are lower.
 * source: komodo src/consensus/consensus.h, TX_EXPIRY_HEIGHT_THRESHOLD
 */
export const expiryHeightMax = 500_000_000

/**
 * Lock times from here on are times, lower ones are heights.
 * source: komodo src/script/script.h, LOCKTIME_THRESHOLD
 */
export const lockTimeThreshold = 500_000_000

/**
 * The smallest fee with which nodes relay a transaction without counting it as a gift.
 *
 * @see komodo src/main.cpp, AcceptToMemoryPool; DEFAULT_MIN_RELAY_TX_FEE, 100 satoshis per kB
 */
export function relayFee(bytes: number): bigint {
  return BigInt(Math.floor((100 * bytes) / 1000))
}

/** The fee for a size at a rate, with what nodes relay at least; satoshis. */
export function feeAtRate(bytes: number, rate: bigint): bigint {
  const fee = (rate * BigInt(bytes) + 999n) / 1000n
  return fee > relayFee(bytes) ? fee : relayFee(bytes)
}

/** The largest transaction for which `fee` is enough, by `relayFee`. */
export function relayedBytesMax(fee: bigint): number {
  const bytes = 10n * (fee + 1n) - 1n
  return bytes > BigInt(transactionBytesMax) ? transactionBytesMax : Number(bytes)
}

/**
 * Satoshis beyond which nodes call a fee absurd, of a transaction of so many bytes whose outputs come
 * to `paid`.
 *
 * @see komodo src/main.cpp, AcceptToMemoryPool, fRejectAbsurdFee
 */
export function absurdFee(bytes: number, paid: bigint): bigint {
  const ofBytes = 10_000n * relayFee(bytes)
  const ofPaid = paid / 19n
  return ofBytes > ofPaid ? ofBytes : ofPaid
}

/**
 * The smallest output that nodes relay, in satoshis.
 *
 * @see komodo src/primitives/transaction.h, CTxOut::GetDustThreshold, at 100 satoshis per kB
 */
export function dustThreshold(outputBytes: number): bigint {
  return 3n * relayFee(outputBytes + 148)
}

/** Of an output that pays `script`, hex. */
export function dustOfScript(script: string): bigint {
  return dustThreshold(8 + 1 + script.length / 2)
}

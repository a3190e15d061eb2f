/** A transaction as data. Bytes are lower-case hex, txids in display order, amounts in satoshis. */
export interface Transaction extends TransactionFields {
  /**
   * Double SHA-256 of the wire form, computed at the first read. Spreading and `structuredClone` do
   * not copy it: write `{ ...tx, txid: tx.txid }`.
   */
  readonly txid: string
  readonly versionGroupId: number
  readonly expiryHeight: number
  readonly valueBalance: bigint
  readonly shieldedSpends: readonly ShieldedSpend[]
  readonly shieldedOutputs: readonly ShieldedOutput[]
  readonly joinSplits: readonly JoinSplit[]
}

/** The fields of a transaction. Absent optional members count as zero or empty. */
export interface TransactionFields {
  /** 1 or 2 (any up to 2^31 - 1 is read) before Overwinter, then 3 and 4. */
  readonly version: number
  readonly overwintered: boolean
  /** 0x03c48270 in version 3, 0x892f2085 in version 4, otherwise 0. */
  readonly versionGroupId?: number
  readonly inputs: readonly TransactionInput[]
  readonly outputs: readonly TransactionOutput[]
  readonly lockTime: number
  readonly expiryHeight?: number
  /** Satoshis that leave the shielded pool; negative when they enter it. */
  readonly valueBalance?: bigint
  readonly shieldedSpends?: readonly ShieldedSpend[]
  readonly shieldedOutputs?: readonly ShieldedOutput[]
  readonly joinSplits?: readonly JoinSplit[]
  readonly joinSplitPubKey?: string
  readonly joinSplitSig?: string
  readonly bindingSig?: string
}

/** An outpoint. Its value is read from its transaction, never taken on trust. */
export interface Outpoint {
  readonly txid: string
  readonly vout: number
}

export interface TransactionInput {
  /** Txid of the spent transaction, in display order. */
  readonly txid: string
  readonly vout: number
  readonly scriptSig: string
  readonly sequence: number
}

export interface TransactionOutput {
  /** Satoshis; for a token output its token units. */
  readonly value: bigint
  /** The scriptPubKey. */
  readonly script: string
}

/** 384 bytes. All members are hex in wire order. */
export interface ShieldedSpend {
  readonly cv: string
  readonly anchor: string
  readonly nullifier: string
  readonly rk: string
  readonly proof: string
  readonly spendAuthSig: string
}

/** 948 bytes. All members are hex in wire order. */
export interface ShieldedOutput {
  readonly cv: string
  readonly cmu: string
  readonly ephemeralKey: string
  readonly encCiphertext: string
  readonly outCiphertext: string
  readonly proof: string
}

/** Hex members are in wire order. The proof has 296 bytes (PHGR13), in version 4 192 (Groth16). */
export interface JoinSplit {
  readonly vpubOld: bigint
  readonly vpubNew: bigint
  readonly anchor: string
  readonly nullifiers: readonly [string, string]
  readonly commitments: readonly [string, string]
  readonly ephemeralKey: string
  readonly randomSeed: string
  readonly macs: readonly [string, string]
  readonly proof: string
  readonly ciphertexts: readonly [string, string]
}

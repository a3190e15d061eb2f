/** Ways in which a chain source contradicts itself or the bytes that it gives. */
export type SourceFindingCode =
  /** It lists an output that pays none of the wallet's scripts. */
  | 'source_foreign_coin'
  /** It lists an output that its transaction does not have. */
  | 'source_no_such_output'
  /** It lists one output more than once. */
  | 'source_repeated_coin'
  /** It lists an output of a transaction that it does not give, or gives other bytes. */
  | 'source_missing_transaction'
  /** It reports a block above its own last block. */
  | 'source_height_above_tip'
  /** It answers with something that is not an outpoint, txid or height. */
  | 'source_malformed_answer'
  /** It no longer lists a coin, and no transaction that it gives spends that coin. */
  | 'source_hidden_coin'
  /**
   * Its last block is so far above the one that it reported before that the times contradict it.
   */
  | 'source_tip_ahead'
  /** Its last block is far below one that it reported before. */
  | 'source_behind'
  /** It lists one transaction more than once. */
  | 'source_repeated_transaction'
  /** It lists a transaction that neither pays nor spends a script of the wallet. */
  | 'source_foreign_transaction'
  /** It reports an amount that the bytes of the transaction do not have. */
  | 'source_false_value'
  /** It reports two heights for one transaction while its last block is the same. */
  | 'source_changed_height'
  /** It shows payments to so many keys of a keychain that no more of them are watched. */
  | 'keychain_exhausted'
  /** It contradicts other sources of a quorum, although it has reached the same block. */
  | 'source_disagrees'
  /** It did not answer a call for 10 seconds. The call goes on. */
  | 'source_slow'

/** Something that a chain source reported and that the wallet did not use. */
export interface SourceFinding {
  readonly code: SourceFindingCode
  /** Name of the source. */
  readonly source: string
  readonly txid?: string
  readonly vout?: number
  readonly expected?: string
  readonly actual?: string
}

/** Findings that are kept: a source that invents millions of coins must not fill the memory. */
const findingsMax = 1000

/** Collects findings, each once. */
export interface Findings {
  add(finding: Omit<SourceFinding, 'source'>): void
  list(): readonly SourceFinding[]
}

export function createFindings(source: string): Findings {
  const found = new Map<string, SourceFinding>()
  return {
    add(finding) {
      const { code, txid, vout, actual } = finding
      const key = [code, txid, vout, txid === undefined ? actual : ''].join()
      if (found.size < findingsMax && !found.has(key)) found.set(key, { ...finding, source })
    },
    list: () => [...found.values()],
  }
}

// A file with the tokens of a chain. The prover checks the ancestry of one output on request; a ledger
// applies the same rules once to every transaction, in the order of the chain.

import { describeNetwork, type Network } from '../chain/network.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { AuditedBlock } from './block.ts'
import { SignatureChecks } from './signatures.ts'
import type { Database } from './sqlite.ts'
import {
  type BlockForm,
  blob,
  ChangedLedgerError,
  formAt,
  hexOf,
  indexStore,
  isIndexed,
  OtherChainError,
  openStore,
  otherForm,
  type Statements,
} from './store.ts'
import { TokenRecorder, type TransactionCounts } from './token-recorder.ts'
import { Txids } from './txids.ts'

interface LedgerOptions {
  readonly network: Network
  /** True to check the signatures of inputs that bring tokens or pay for a creation. */
  readonly signatures: boolean
  /** Where signatures are checked; by default on this thread. */
  readonly checks?: SignatureChecks
}

const optionNames = memberNames<LedgerOptions>({ network: true, signatures: true, checks: true })

/** Numbers of what was added. */
interface LedgerCounts extends TransactionCounts {
  blocks: number
}

/** A ledger of tokens in an SQLite file, to which blocks are added. */
export class Ledger {
  readonly counts: LedgerCounts = { blocks: 0, transactions: 0, tokenTransactions: 0, refused: 0 }
  readonly #database: Database
  readonly #sql: Statements
  #tip: { height: number; hash: string } | undefined
  readonly #txids: Txids
  readonly #recorder: TokenRecorder

  /** @throws {TypeError} for an unknown option */
  constructor(database: Database, options: LedgerOptions) {
    requireKnownMembers(options, optionNames, 'options')
    this.#database = database
    this.#sql = openStore(database)
    this.#txids = new Txids(database)
    this.#recorder = new TokenRecorder(this.#sql, this.#txids, {
      ...options,
      checks: options.checks ?? new SignatureChecks(),
      counts: this.counts,
    })
    this.#requireSame('network', describeNetwork(options.network))
    this.#requireSame('signatures', String(options.signatures))
    this.#readTip()
  }

  get tip(): { readonly height: number; readonly hash: string } | undefined {
    return this.#tip
  }

  hashAt(height: number): string | undefined {
    const row = this.#sql.blockAt.get(height)
    return row === undefined ? undefined : hexOf(row.hash)
  }

  /** Returns the form in which the ledger got a block. */
  formAt(height: number): BlockForm {
    return formAt(this.#database, height)
  }

  /**
   * Adds all of the blocks in one transaction, so a process that is killed adds all or none.
   *
   * @throws {OtherChainError} if a block does not follow the block before it
   * @throws {ChangedLedgerError} if the file has blocks that another ledger added; the next call
   *   begins at its last block
   */
  async add(blocks: readonly AuditedBlock[], firstHeight: number): Promise<void> {
    const before = { ...this.counts }
    const tip = this.#tip
    for (let isAdded = false; !isAdded; ) {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        this.#requireTip(tip)
        for (const [index, block] of blocks.entries()) this.#addBlock(block, firstHeight + index)
        this.#recorder.write()
        const isSigned = await this.#recorder.areSigned()
        if (isSigned && this.#txids.isFull) this.#txids.write()
        if (isSigned) this.#database.exec('COMMIT')
        isAdded = isSigned
      } finally {
        if (!isAdded) this.#takeBack(before)
      }
    }
  }

  /** Discards the batch; its ids are assigned again. */
  #takeBack(counts: LedgerCounts): void {
    this.#database.exec('ROLLBACK')
    Object.assign(this.counts, counts)
    this.#recorder.forget()
    this.#readTip()
  }

  /**
   * Completes the indexes. They make answers faster, and change none. You can add blocks before and
   * after.
   *
   * @throws {ChangedLedgerError} as `add`
   */
  index(): void {
    if (this.#txids.isWhole && isIndexed(this.#database)) return
    let isDone = false
    const before = { ...this.counts }
    const tip = this.#tip
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      this.#requireTip(tip)
      this.#txids.write()
      indexStore(this.#database)
      this.#database.exec('COMMIT')
      isDone = true
    } finally {
      if (!isDone) this.#takeBack(before)
    }
  }

  close(): void {
    this.#database.close()
  }

  #readTip(): void {
    const row = this.#sql.lastBlock.get()
    this.#tip =
      row === undefined ? undefined : { height: Number(row.height), hash: hexOf(row.hash) }
  }

  /** Requires that the file still ends at the block for which the caller chose the next ones. */
  #requireTip(tip: Ledger['tip']): void {
    this.#readTip()
    if (this.#tip?.hash === tip?.hash && this.#tip?.height === tip?.height) return
    throw new ChangedLedgerError(`the ledger has blocks up to ${this.#tip?.height} by now`)
  }

  /** If two ledgers are opened on a new file at once, the settings of the first one count. */
  #requireSame(name: string, value: string): void {
    this.#sql.setMeta.run(name, value)
    const known = this.#sql.meta.get(name)?.value
    if (known !== value) {
      throw new OtherChainError(`the ledger has ${name} ${known}, expected ${value}`)
    }
  }

  #addBlock({ hash, previousHash, transactions }: AuditedBlock, height: number): void {
    const tip = this.#tip
    const isNext = tip === undefined || height === tip.height + 1
    const follows = tip === undefined || previousHash === undefined || previousHash === tip.hash
    if (!isNext || !follows) {
      const isAfterList = isNext && this.formAt(tip.height) === 'list'
      if (isAfterList) throw new OtherChainError(otherForm.list)
      throw new OtherChainError(`block ${hash} at height ${height} does not follow ${tip?.hash}`)
    }
    for (const raw of transactions) this.#recorder.add(raw, height)
    this.#sql.addBlock.run(height, blob(hash))
    // The first block of a form decides; the others change nothing.
    this.#sql.setMeta.run(previousHash === undefined ? 'list' : 'headers', String(height))
    this.#tip = { height, hash }
    this.counts.blocks += 1
  }
}

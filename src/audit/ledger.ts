// The tokens of a chain. The prover checks the ancestry of one output on request; the ledger
// applies the same rules once to every transaction, in the order of the chain.

import type { Network } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { satsMax } from '../primitives/amount.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import {
  broken,
  type Checked,
  checkCreation,
  checkTransfer,
  foreign,
} from '../token/proof/check.ts'
import type { Disproof } from '../token/proof/proof.ts'
import { conditionsOf } from '../token/read/read.ts'
import { conditionScriptsOf } from '../token/rules/condition-script.ts'
import { type TokenInputOutpoint, tokenInputs } from '../token/rules/fulfillment.ts'
import { fundingOf } from '../token/rules/funding.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { Amounts, CreatedData, Seen, TokenRules } from '../token/rules/rules.ts'
import { droppedPayload } from '../token/rules/tokens-v2.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import type { AuditedBlock } from './block.ts'
import { type Holding, KnownTransactions } from './known.ts'
import { Places } from './places.ts'
import { notLookedAt, SignatureChecks } from './signatures.ts'
import type { Database } from './sqlite.ts'
import {
  blob,
  ChangedLedgerError,
  hexOf,
  indexStore,
  isIndexed,
  OtherChainError,
  openStore,
  type Statements,
} from './store.ts'
import { Txids } from './txids.ts'

interface LedgerOptions {
  readonly network: Network
  /** True to check the signatures of inputs that bring tokens or pay for a creation. */
  readonly signatures: boolean
  /** Where signatures are checked; by default on this thread. */
  readonly checks?: SignatureChecks
}

const optionNames = memberNames<LedgerOptions>({ network: true, signatures: true, checks: true })

/** Numbers of what was read. */
interface LedgerCounts {
  blocks: number
  transactions: number
  /** Transactions that create or move tokens, or claim to. */
  tokenTransactions: number
  /** Token transactions that break a rule; they move nothing. */
  refused: number
}

const rememberedMax = 4096
const noPayload = '6a'

/** A ledger of tokens in an SQLite file, to which blocks are added. */
export class Ledger {
  readonly counts: LedgerCounts = { blocks: 0, transactions: 0, tokenTransactions: 0, refused: 0 }
  readonly #database: Database
  readonly #sql: Statements
  readonly #rules: TokenRules
  readonly #options: LedgerOptions
  #tip: { height: number; hash: string } | undefined
  readonly #txids: Txids
  readonly #known: KnownTransactions
  readonly #places: Places
  readonly #created = new Map<string, { id: number; data: CreatedData } | undefined>()
  readonly #checks: SignatureChecks
  /** Transactions with a bad signature. The batch is read again, and then refuses them. */
  readonly #unsigned = new Map<string, Disproof>()

  /** @throws {TypeError} for an unknown option */
  constructor(database: Database, options: LedgerOptions) {
    requireKnownMembers(options, optionNames, 'options')
    this.#database = database
    this.#sql = openStore(database)
    this.#txids = new Txids(database)
    this.#known = new KnownTransactions(this.#sql, this.#txids)
    this.#places = new Places(this.#sql, options.network)
    this.#options = options
    this.#checks = options.checks ?? new SignatureChecks()
    this.#rules = rulesOf(options.network)
    this.#requireSame('network', options.network.name)
    this.#requireSame('signatures', String(options.signatures))
    this.#readTip()
  }

  /** The last block of the ledger. */
  get tip(): { readonly height: number; readonly hash: string } | undefined {
    return this.#tip
  }

  /** Returns the hash of a block of the ledger. */
  hashAt(height: number): string | undefined {
    const row = this.#sql.blockAt.get(height)
    return row === undefined ? undefined : hexOf(row.hash)
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
        this.#known.write()
        const isSigned = await this.#areSigned()
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
    this.#checks.forget()
    this.#known.forget()
    this.#places.forget()
    this.#created.clear()
    this.#readTip()
  }

  /**
   * Completes the indexes, which makes answers faster and none different. A ledger takes further
   * blocks before and after.
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

  /** Returns true if all pending signatures are valid, and remembers the transactions that fail. */
  async #areSigned(): Promise<boolean> {
    const before = this.#unsigned.size
    for (const disproof of await this.#checks.finish()) {
      this.#unsigned.set(disproof.txid, disproof)
    }
    return this.#unsigned.size === before
  }

  #addBlock({ hash, previousHash, transactions }: AuditedBlock, height: number): void {
    const tip = this.#tip
    const isNext = tip === undefined || height === tip.height + 1
    const follows = tip === undefined || previousHash === undefined || previousHash === tip.hash
    if (!isNext || !follows) {
      throw new OtherChainError(`block ${hash} at height ${height} does not follow ${tip?.hash}`)
    }
    for (const raw of transactions) this.#addTransaction(raw, height)
    this.#sql.addBlock.run(height, blob(hash))
    this.#tip = { height, hash }
    this.counts.blocks += 1
  }

  #addTransaction(raw: Uint8Array, height: number): void {
    const transaction = decodeWithTxid(raw)
    const { txid, outputs } = transaction
    this.counts.transactions += 1
    const seen: Seen = { txid, transaction, payload: this.#payloadOf(transaction) }
    const refusedBefore = this.counts.refused
    const moved = this.#moved(seen, { height, raw })
    const isKept = moved.length > 0
    const isRefused = this.counts.refused > refusedBefore
    if (isKept || isRefused) this.counts.tokenTransactions += 1
    if (isRefused) this.counts.refused = refusedBefore + 1
    const unspent = outputs.filter(({ script }) => !script.startsWith(noPayload)).length
    const holdings = isKept ? this.#holdings(seen, moved) : []
    this.#check(
      transaction,
      moved.flatMap((it) => it.inputs),
      raw,
    )
    const id = this.#known.add({ txid, height, raw, unspent, isKept, holdings })
    for (const input of transaction.inputs) this.#known.spend(input, id)
  }

  /** Returns the units that a transaction assigns to its outputs, for each token that it moves. */
  #moved(seen: Seen, position: Position): Moved[] {
    const { payload } = seen
    const created = payload?.kind === 'create' ? this.#create(seen, payload, position) : undefined
    const moved = this.#rules
      .tokensMoved(seen)
      .map((tokenid) => this.#transfer(seen, tokenid, position))
    return [created, ...moved].filter((it) => it !== undefined)
  }

  #payloadOf({ outputs }: Transaction): Seen['payload'] {
    return outputs.at(-1)?.script.startsWith(noPayload) ? this.#rules.payloadOf(outputs) : undefined
  }

  #create(seen: Seen, payload: CreatePayload, position: Position): Moved | undefined {
    const { txid, transaction } = seen
    const find = (other: string): Transaction => this.#known.transactionOf(other) ?? empty
    const checked = this.#checked(txid, () =>
      checkCreation(transaction, payload.owner, this.#rules, { find, signatures: false }),
    )
    if (checked.state !== 'sound') {
      this.#refuse(seen, txid, checked, position)
      return undefined
    }
    const { paying } = fundingOf(transaction, payload.owner, find)
    let supply = 0n
    for (const amount of checked.amounts.values()) supply += amount
    if (supply > satsMax) {
      throw new AntaraError('amount_out_of_range', {
        path: `block ${position.height}, ${txid}`,
        expected: `at most ${satsMax}`,
        actual: supply,
      })
    }
    const { name, owner } = payload
    const token = Number(
      this.#sql.addToken.run(blob(txid), position.height, supply, name, owner).lastInsertRowid,
    )
    this.#created.set(txid, { id: token, data: payload })
    for (const input of transaction.inputs) this.#known.keep(input.txid)
    return { amounts: checked.amounts, token, inputs: paying }
  }

  #transfer(seen: Seen, tokenid: string, position: Position): Moved | undefined {
    const created = this.#creationOf(tokenid)
    // A token without a valid creation cannot be moved.
    if (created === undefined) return undefined
    const { txid, transaction } = seen
    const inputs = tokenInputs(transaction, this.#rules.evalCode)
    const checked = this.#checked(txid, () => this.#checkedTransfer(seen, tokenid, inputs, created))
    if (checked.state !== 'sound') {
      this.#refuse(seen, tokenid, checked, position)
      return undefined
    }
    return { amounts: checked.amounts, token: created.id, inputs }
  }

  #checkedTransfer(
    seen: Seen,
    tokenid: string,
    inputs: readonly TokenInputOutpoint[],
    { id, data }: { id: number; data: CreatedData },
  ): Checked {
    const { txid, transaction } = seen
    const keys = [...new Set(inputs.map(({ key }) => key))]
    const { amounts, rule } = this.#rules.transferred(seen, tokenid, keys, data)
    if (rule !== undefined) return broken(amounts, { txid, rule })
    const parents = new Map(inputs.map((input) => [input.txid, this.#parent(input.txid, id)]))
    const find = (other: string): Transaction | undefined => this.#known.transactionOf(other)
    return checkTransfer({ transaction, amounts, inputs }, parents, { find, signatures: false })
  }

  /** Returns the unspent units that a transaction of the ledger has of a token. */
  #parent(txid: string, token: number): Checked {
    const amounts = new Map<number, bigint>()
    for (const { token: id, spentBy, vout, amount } of this.#known.holdingsOf(txid)) {
      if (id === token && spentBy === null) amounts.set(vout, amount)
    }
    return { ...foreign, amounts }
  }

  /** Checks a transaction, unless an earlier reading of the batch found a bad signature. */
  #checked(txid: string, check: () => Checked): Checked {
    const unsigned = this.#unsigned.get(txid)
    return unsigned === undefined ? check() : broken(new Map(), unsigned)
  }

  #refuse({ txid }: Seen, tokenid: string, { disproof }: Checked, { height }: Position): void {
    this.counts.refused += 1
    const { rule = 'unequal_amounts', expected, actual } = disproof ?? {}
    const textOf = (value: unknown): string | null => (value === undefined ? null : String(value))
    this.#sql.refuse.run(height, blob(txid), blob(tokenid), rule, textOf(expected), textOf(actual))
  }

  #holdings({ transaction, payload }: Seen, moved: readonly Moved[]): Holding[] {
    let read: ReturnType<typeof conditionsOf> | undefined
    const placeOf = (vout: number) => {
      const { script } = transaction.outputs[vout]!
      return this.#places.of(script, () => {
        // Without a payload the token's data stand in the condition of its output.
        const named = payload ?? droppedPayload(conditionScriptsOf(transaction.outputs)[vout]!)
        read ??= conditionsOf(transaction, named!)
        return read(script)?.pubkeys
      })
    }
    return moved.flatMap(({ amounts, token }) =>
      [...amounts].map(([vout, amount]) => {
        const place = placeOf(vout)
        return { vout, token, amount, place, spentBy: null }
      }),
    )
  }

  /** Queues the signatures of a transaction; they are checked before the batch is committed. */
  #check(transaction: Transaction, inputs: readonly Outpoint[], raw: Uint8Array): void {
    const { txid } = transaction
    if (!this.#options.signatures || inputs.length === 0) return
    const toCheck = new Set(inputs.map(({ txid: from, vout }) => `${from}:${vout}`))
    const prevouts = transaction.inputs.map((input) => {
      if (!toCheck.has(`${input.txid}:${input.vout}`)) return undefined
      return this.#known.outputOf(input) ?? notLookedAt
    })
    this.#checks.add({ txid, raw, prevouts })
  }

  #creationOf(tokenid: string): { id: number; data: CreatedData } | undefined {
    if (this.#created.has(tokenid)) return this.#created.get(tokenid)
    const token = this.#sql.tokenOf.get(blob(tokenid))
    const payload =
      token === undefined ? undefined : this.#payloadOf(this.#known.transactionOf(tokenid)!)
    const created =
      payload?.kind === 'create' ? { id: Number(token!.id), data: payload } : undefined
    if (this.#created.size >= rememberedMax) this.#created.clear()
    this.#created.set(tokenid, created)
    return created
  }
}

/** The block of a transaction, and its bytes. */
interface Position {
  readonly height: number
  readonly raw: Uint8Array
}

/** The units of one token that a transaction creates or moves, by output. */
interface Moved {
  readonly token: number
  readonly amounts: Amounts
  /** Inputs whose signatures authorize it. */
  readonly inputs: readonly Outpoint[]
}

/** Stands for a transaction that pays no key. */
const empty = { inputs: [], outputs: [] } as unknown as Transaction

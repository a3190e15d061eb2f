// Applies the rules of tokens to the transactions of a chain, one after the other. It records the
// tokens that they create, the outputs that hold units, and the transactions that break a rule.

import { type Network, networks } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { satsMax } from '../primitives/amount.ts'
import { isNulldata } from '../script/nulldata.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import {
  broken,
  type Checked,
  checkCreation,
  checkTransfer,
  foreign,
} from '../token/proof/check.ts'
import type { Disproof } from '../token/proof/proof.ts'
import { holderOf } from '../token/read/holder.ts'
import { conditionsOf } from '../token/read/read.ts'
import { conditionScriptsOf } from '../token/rules/condition-script.ts'
import { type TokenInputOutpoint, tokenInputs } from '../token/rules/fulfillment.ts'
import { fundingOf } from '../token/rules/funding.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { Amounts, CreatedData, Seen, TokenRules } from '../token/rules/rules.ts'
import { droppedPayload } from '../token/rules/tokens-v2.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import { type Holding, KnownTransactions } from './known.ts'
import { Places } from './places.ts'
import { notLookedAt, type SignatureChecks } from './signatures.ts'
import { blob, type Statements } from './store.ts'
import type { Txids } from './txids.ts'

interface RecorderOptions {
  readonly network: Network
  /** True to check the signatures of inputs that bring tokens or pay for a creation. */
  readonly signatures: boolean
  readonly checks: SignatureChecks
  /** Counts that each added transaction raises. */
  readonly counts: TransactionCounts
}

/** Numbers of the transactions that were added. */
export interface TransactionCounts {
  transactions: number
  /** Transactions that create or move tokens, or claim to. */
  tokenTransactions: number
  /** Token transactions that break a rule; they move nothing. */
  refused: number
}

const rememberedMax = 4096

export class TokenRecorder {
  readonly #sql: Statements
  readonly #rules: TokenRules
  readonly #options: RecorderOptions
  readonly #counts: TransactionCounts
  readonly #checks: SignatureChecks
  readonly #known: KnownTransactions
  readonly #places: Places
  readonly #created = new Map<string, { id: number; data: CreatedData } | undefined>()
  /** Transactions with a bad signature. The batch is read again, and then refuses them. */
  readonly #unsigned = new Map<string, Disproof>()

  constructor(sql: Statements, txids: Txids, options: RecorderOptions) {
    this.#sql = sql
    this.#known = new KnownTransactions(sql, txids)
    this.#places = new Places(sql, options.network)
    this.#rules = rulesOf(options.network)
    this.#options = options
    this.#counts = options.counts
    this.#checks = options.checks
  }

  /**
   * Adds a transaction. Its signatures are checked later, by `areSigned`.
   *
   * @throws {AntaraError} as `decodeTransaction`; `amount_out_of_range` for a supply that is too large;
   *   `repeated_transaction` for a creation that the ledger has
   */
  add(raw: Uint8Array, height: number): void {
    const transaction = decodeWithTxid(raw)
    const { txid, outputs } = transaction
    this.#counts.transactions += 1
    const seen: Seen = { txid, transaction, payload: this.#payloadOf(transaction) }
    const refusedBefore = this.#counts.refused
    const moved = this.#moved(seen, height)
    const isKept = moved.length > 0
    const isRefused = this.#counts.refused > refusedBefore
    if (isKept || isRefused) this.#counts.tokenTransactions += 1
    if (isRefused) this.#counts.refused = refusedBefore + 1
    const unspent = outputs.filter(({ script }) => !isNulldata(script)).length
    const holdings = this.#holdings(seen, moved)
    this.#check(
      transaction,
      moved.flatMap((it) => it.inputs),
      raw,
    )
    const id = this.#known.add({ txid, height, raw, unspent, isKept, holdings })
    for (const input of transaction.inputs) this.#known.spend(input, id)
  }

  /**
   * Writes the added transactions to the file.
   *
   * @throws {AntaraError} `repeated_transaction`
   */
  write(): void {
    this.#known.write()
  }

  /** Returns true if all pending signatures are valid, and remembers the transactions that fail. */
  async areSigned(): Promise<boolean> {
    const before = this.#unsigned.size
    for (const disproof of await this.#checks.finish()) {
      this.#unsigned.set(disproof.txid, disproof)
    }
    return this.#unsigned.size === before
  }

  /** Discards what is only in memory, for a batch that is not kept. Bad signatures stay known. */
  forget(): void {
    this.#checks.forget()
    this.#known.forget()
    this.#places.forget()
    this.#created.clear()
  }

  /** Returns the units that a transaction assigns to its outputs, for each token that it moves. */
  #moved(seen: Seen, height: number): Moved[] {
    const { payload } = seen
    if (payload === undefined && createsOther(seen.transaction)) {
      const disproof: Disproof = { txid: seen.txid, rule: 'other_module' }
      this.#refuse(seen, seen.txid, broken(new Map(), disproof), height)
    }
    const created = payload?.kind === 'create' ? this.#create(seen, payload, height) : undefined
    const moved = this.#rules
      .tokensMoved(seen)
      .map((tokenid) => this.#transfer(seen, tokenid, height))
    return [created, ...moved].filter((it) => it !== undefined)
  }

  #payloadOf({ outputs }: Transaction): Seen['payload'] {
    return isNulldata(outputs.at(-1)?.script ?? '') ? this.#rules.payloadOf(outputs) : undefined
  }

  #create(seen: Seen, payload: CreatePayload, height: number): Moved | undefined {
    const { txid, transaction } = seen
    const find = (other: string): Transaction => this.#known.transactionOf(other) ?? empty
    const checked = this.#checked(txid, () =>
      checkCreation(transaction, payload.owner, this.#rules, { find, signatures: false }),
    )
    if (checked.state !== 'sound') {
      this.#refuse(seen, txid, checked, height)
      return undefined
    }
    const { paying } = fundingOf(transaction, payload.owner, find)
    let supply = 0n
    for (const amount of checked.amounts.values()) supply += amount
    if (supply > satsMax) {
      throw new AntaraError('amount_out_of_range', {
        path: `block ${height}, ${txid}`,
        expected: `at most ${satsMax}`,
        actual: supply,
      })
    }
    if (this.#sql.tokenOf.get(blob(txid)) !== undefined) {
      throw new AntaraError('repeated_transaction', { path: `block ${height}`, actual: txid })
    }
    const { name, owner } = payload
    const token = Number(
      this.#sql.addToken.run(blob(txid), height, supply, name, owner).lastInsertRowid,
    )
    this.#created.set(txid, { id: token, data: payload })
    for (const input of transaction.inputs) this.#known.keep(input.txid)
    return { amounts: checked.amounts, token, inputs: paying }
  }

  #transfer(seen: Seen, tokenid: string, height: number): Moved | undefined {
    const created = this.#creationOf(tokenid)
    // A token without a valid creation cannot be moved.
    if (created === undefined) return undefined
    const { txid, transaction } = seen
    const inputs = tokenInputs(transaction, this.#rules.evalCode)
    const checked = this.#checked(txid, () => this.#checkedTransfer(seen, tokenid, inputs, created))
    if (checked.state !== 'sound') {
      this.#refuse(seen, tokenid, checked, height)
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
    const spent = new Set(inputs.map((input) => input.txid))
    const parents = new Map([...spent].map((parent) => [parent, this.#parent(parent, id)]))
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

  #refuse({ txid }: Seen, tokenid: string, { disproof }: Checked, height: number): void {
    this.#counts.refused += 1
    const { rule = 'unequal_amounts', expected, actual } = disproof ?? {}
    const textOf = (value: unknown): string | null => (value === undefined ? null : String(value))
    this.#sql.refuse.run(height, blob(txid), blob(tokenid), rule, textOf(expected), textOf(actual))
  }

  #holdings({ transaction, payload }: Seen, moved: readonly Moved[]): Map<number, Holding> {
    let read: ReturnType<typeof conditionsOf> | undefined
    const placeOf = (vout: number) => {
      const { script } = transaction.outputs[vout]!
      return this.#places.of(script, () => {
        // Without a payload the token's data stand in the condition of its output.
        const named = payload ?? droppedPayload(conditionScriptsOf(transaction.outputs)[vout]!)
        read ??= conditionsOf(transaction, named!)
        return holderOf(read(script) ?? {})
      })
    }
    const holdings = new Map<number, Holding>()
    for (const { amounts, token } of moved) {
      for (const [vout, amount] of amounts) {
        holdings.set(vout, { vout, token, amount, place: placeOf(vout), spentBy: null })
      }
    }
    return holdings
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

/** The units of one token that a transaction creates or moves, by output. */
interface Moved {
  readonly token: number
  readonly amounts: Amounts
  /** Inputs whose signatures authorize it. */
  readonly inputs: readonly Outpoint[]
}

/**
 * Returns true if a transaction that creates no token of the ledger claims to create one of another
 * module. A ledger that does not name it would seem to have all tokens of the chain.
 */
function createsOther({ outputs }: Transaction): boolean {
  if (!isNulldata(outputs.at(-1)?.script ?? '')) return false
  return rulesOf(networks.tokel, outputs).payloadOf(outputs)?.kind === 'create'
}

/** Stands for a transaction that pays no key. */
const empty = { inputs: [], outputs: [] } as unknown as Transaction

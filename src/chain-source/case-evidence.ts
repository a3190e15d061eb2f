import { isHex32 } from '../primitives/hex-forms.ts'
import type { Case } from '../request/case.ts'
import type { Evidence } from '../request/evidence.ts'
import { withLowerCaseHeights } from '../request/heights.ts'
import type { TransferIntent } from '../request/transfer.ts'
import type { RefusedEvidence } from '../rpc/safe-flow/evidence.ts'
import { readTransaction, worthwhileInputs } from '../rpc/safe-flow/transaction.ts'
import { isNulldata } from '../script/nulldata.ts'
import type { Transaction } from '../transaction/types.ts'
import { verifyCase } from '../verification/case.ts'
import { withTransactionCache } from './cached.ts'
import { type EvidenceOptions, evidenceFrom } from './evidence.ts'
import type { ChainOptions, ChainSource } from './source.ts'

/**
 * A case with evidence from a chain source, and the transactions that it lacked, or gave no height
 * for.
 */
export interface CompletedCase {
  readonly given: Case
  readonly missing: readonly RefusedEvidence[]
}

export type CaseCompleter = (given: Case, options?: ChainOptions) => Promise<CompletedCase>

/**
 * Returns a function that fetches the evidence of cases from a chain source.
 *
 * Transactions, claims and proofs of a case are kept, and its transactions are not fetched again.
 * Heights and times come from the source. If the case says that a transaction is in no block, that
 * stays unless the source has its block. A higher last block of the case counts only if it makes the
 * verdict worse, because neither a tampered case nor a source that is behind may improve it. The
 * source is asked once for a transaction while it is in the cache.
 */
export function createCaseCompleter(chain: ChainSource): CaseCompleter {
  const cached = withTransactionCache(chain)

  async function transaction(txid: string, options: ChainOptions): Promise<string | undefined> {
    const [hex] = await cached.transactions([txid], options)
    return hex
  }

  return async (given, options = {}) => {
    // The verifier reports what is wrong with the hex of the case.
    const read = await readTransaction(given.hex)
    if (read === undefined) return { given, missing: [] }
    const brought = await transactionsOf(given.evidence)
    const source: ChainSource = {
      ...chain,
      transactions: async (txids, limits = {}) =>
        Promise.all(txids.map((txid) => brought.get(txid) ?? transaction(txid, limits))),
    }
    // Asked before the last block is, so that no height is above it.
    const own = await ownHeight(chain, read, options)
    const { evidence: fetched, missing } = await evidenceFrom(
      source,
      given.hex,
      optionsFor(given, options),
    )
    const heights = { ...fetched.heights, ...own }
    // These transactions came with the case, so their bytes were not fetched. The source reports no
    // height if it lacks one, refuses the history of its script, or if all outputs are nulldata.
    const unknown = new Set(
      worthwhileInputs(read)
        .map(({ txid }) => txid)
        .filter((it) => brought.has(it)),
    )
    const evidence = merged(given.evidence, { ...fetched, heights })
    return {
      given: withLaterTip({ ...given, evidence } as Case, given.evidence.tipHeight),
      missing: [
        ...missing,
        ...[...unknown]
          .filter((txid) => !Object.hasOwn(heights, txid))
          .map((txid) => ({ txid, reason: 'unknown' }) as const),
      ],
    }
  }
}

/**
 * Returns the height of the transaction itself if it is in a block. It was then sent before, and
 * a caller that takes it for expired would pay twice.
 */
async function ownHeight(
  chain: ChainSource,
  { txid, inputs, outputs }: Transaction,
  options: ChainOptions,
): Promise<Record<string, number>> {
  const script = outputs.find((it) => !isNulldata(it.script))?.script
  // An unsigned transaction has another txid than the one that is sent.
  if (script === undefined || inputs.some(({ scriptSig }) => scriptSig === '')) return {}
  const height =
    chain.heights === undefined
      ? (await chain.history([script], options)).find((it) => it.txid === txid)?.height
      : (await chain.heights([{ txid, script }], options)).get(txid)
  return height === undefined || height === 0 ? {} : { [txid]: height }
}

/** Returns the transactions of a case by txid, without those that are malformed. */
async function transactionsOf(evidence: Evidence): Promise<ReadonlyMap<string, string>> {
  const { previousTransactions, tokenCreate } = evidence
  const byTxid = new Map<string, string>()
  for (const hex of [
    ...previousTransactions,
    ...(tokenCreate === undefined ? [] : [tokenCreate]),
  ]) {
    const txid = (await readTransaction(hex))?.txid
    if (txid !== undefined) byTxid.set(txid, hex)
  }
  return byTxid
}

function isTokenid(value: unknown): value is string {
  return typeof value === 'string' && isHex32(value.toLowerCase())
}

function optionsFor({ intent, evidence }: Case, { signal }: ChainOptions): EvidenceOptions {
  const { tokenid, tokenids } = intent as Pick<TransferIntent, 'tokenids'> & {
    readonly tokenid?: string
  }
  // A case brings its own proofs, or names the blocks that proofs lead to.
  const checkpoints = evidence.inclusion === undefined ? intent.chain?.checkpoints : undefined
  return {
    signal,
    // The verifier reports a tokenid of another form; the server is not asked for it.
    ...(tokenid !== undefined && isTokenid(tokenid) && { tokenid }),
    ...(Array.isArray(tokenids) && { tokenids: tokenids.filter(isTokenid) }),
    ...(checkpoints !== undefined && { checkpoints }),
  }
}

function merged(brought: Evidence, fetched: Evidence): Evidence {
  const transactions = [...brought.previousTransactions, ...fetched.previousTransactions]
  const { tokenCreate = brought.tokenCreate, inclusion = brought.inclusion } = fetched
  return {
    ...fetched,
    previousTransactions: [...new Set(transactions)],
    heights: { ...waitingOf(brought), ...fetched.heights },
    ...(tokenCreate !== undefined && { tokenCreate }),
    ...(brought.amounts !== undefined && { amounts: brought.amounts }),
    ...(inclusion !== undefined && { inclusion }),
  }
}

/** The blocks that a source may be behind, as for a wallet. */
const behindMax = 10

/**
 * Returns the case with its own last block, unless that takes a finding away. A source that is behind
 * would call an expired transaction valid. If the case is far above, it may be tampered with: its
 * holder must not take a live transaction for expired, and pay again. So the expiry is then left
 * open.
 */
function withLaterTip(given: Case, tipHeight: number | undefined): Case {
  const { tipHeight: last, ...rest } = given.evidence
  if (tipHeight === undefined || tipHeight <= last!) return given
  const evidence = tipHeight > last! + behindMax ? rest : { ...rest, tipHeight }
  const later = { ...given, evidence } as Case
  const found = findingsOf(later)
  return [...findingsOf(given)].every((it) => found.has(it)) ? later : given
}

/** Returns the code and the place of each finding of a case. */
function findingsOf(given: Case): ReadonlySet<string> {
  return new Set(verifyCase(given).findings.map(({ code, path }) => `${code} ${path}`))
}

/** Returns the transactions that a case says are in no block. */
function waitingOf(brought: Evidence): Record<string, number> {
  const { heights = {} } = withLowerCaseHeights(brought)
  return Object.fromEntries(Object.entries(heights).filter(([, height]) => height === 0))
}

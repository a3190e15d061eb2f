// Fetches from a chain source the evidence that a verifier needs.

import type { Checkpoint } from '../block/chains.ts'
import {
  requireArray,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { Evidence } from '../request/evidence.ts'
import { createFetched, fetchAncestors, type RefusedEvidence } from '../rpc/safe-flow/evidence.ts'
import { worthwhileInputs } from '../rpc/safe-flow/transaction.ts'
import { isNulldata } from '../script/nulldata.ts'
import { isNullOutpoint } from '../transaction/coinbase.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import {
  inclusionFrom,
  type ProvenEvidence,
  type UnprovenTransaction,
} from './inclusion-evidence.ts'
import type { ChainOptions, ChainSource, ChainTip, PaidScript } from './source.ts'

export interface EvidenceOptions extends ChainOptions {
  /** The token whose ancestors are fetched, back to its creation. */
  readonly tokenid?: string | undefined
  /** Further tokens that the transaction moves. Their ancestors are fetched within the same bound. */
  readonly tokenids?: readonly string[] | undefined
  /** The most ancestors to fetch. Default 300. */
  readonly ancestorsMax?: number | undefined
  /**
   * Blocks that are known to be on the chain, to which proofs of inclusion lead: those of
   * `intent.chain`, or of `komodoRules` for KMD. Without them no proofs are fetched.
   */
  readonly checkpoints?: readonly Checkpoint[] | undefined
  /** The most headers to fetch for one proof, 1,487 bytes each. Default 2,016. */
  readonly headersMax?: number | undefined
}

const headersMaxDefault = 2016

/** The evidence for a verdict, and the transactions that the source lacked. */
export interface ChainEvidence {
  /**
   * Transactions that hash to the requested txids, with the creations of named tokens. The height
   * and the time of the last block, and the heights of spent transactions, are not checked.
   */
  readonly evidence: Evidence
  /** Transactions that the source did not give, or gave other bytes for. */
  readonly missing: readonly RefusedEvidence[]
  /** Spent transactions, and the creations of named tokens, without a proof of inclusion. */
  readonly unproven: readonly UnprovenTransaction[]
}

/**
 * Fetches from a chain source the evidence for a transaction: the transactions that it spends, their
 * ancestors if you name the tokens, heights, and the last block.
 *
 * Every transaction is hashed here. Heights and the last block are as the source reports them. With
 * `checkpoints` it also fetches proofs that what is spent is in blocks; the verifier checks them.
 *
 * @param chain - a source of the chain on which the transaction is to be
 * @param hex - the transaction that is to be verified
 * @param options - the tokens, and bounds of what is fetched
 * @returns the evidence, and what is missing from it
 * @throws {AntaraError} as `decodeTransaction`
 * @throws {RpcError} as the source
 * @throws {TypeError} for wrong or unknown options
 * @example
 * const { evidence, missing } = await evidenceFrom(chain, hex)
 * missing // []
 */
export async function evidenceFrom(
  chain: ChainSource,
  hex: string,
  options: EvidenceOptions = {},
): Promise<ChainEvidence> {
  requireObject(chain, 'chain')
  requireString(hex, 'hex')
  requireObject(options, 'options')
  requireKnownMembers(options, optionNames, 'options')
  const { tokenid, tokenids = [], ancestorsMax, signal, checkpoints } = options
  const { headersMax = headersMaxDefault } = options
  if (tokenid !== undefined) requireString(tokenid, 'options.tokenid')
  requireArray(tokenids, 'options.tokenids')
  for (const [at, it] of tokenids.entries()) requireString(it, `options.tokenids[${at}]`)
  if (ancestorsMax !== undefined) requireUint32(ancestorsMax, 'options.ancestorsMax')
  if (checkpoints !== undefined) requireArray(checkpoints, 'options.checkpoints')
  requireUint32(headersMax, 'options.headersMax')
  const reading = { signal }
  const limits = { ...reading, ...(ancestorsMax !== undefined && { ancestorsMax }) }
  const fetched = createFetched(async (txid) => {
    const [given] = await chain.transactions([txid], reading)
    return typeof given === 'string' ? given : { reason: 'unknown' }
  }, limits)
  const spent = worthwhileInputs(decodeTransaction(hex))
    .filter((input) => !isNullOutpoint(input))
    .map(({ txid }) => txid)
  const first = tokenid?.toLowerCase()
  const named = [...(first === undefined ? [] : [first]), ...tokenids.map((it) => it.toLowerCase())]
  const creations = [...new Set(named)]
  const wanted = [...spent, ...creations]
  await fetched.fetch(wanted)
  if (creations.length > 0) await fetchAncestors(hex, creations, fetched, limits)
  const tokenCreate = first === undefined ? undefined : fetched.byTxid.get(first)
  const { tip, heights, inclusion, unproven } = await placesOf(chain, wanted, fetched.byTxid, {
    ...reading,
    checkpoints,
    headersMax,
  })
  const evidence: Evidence = {
    previousTransactions: [...fetched.byTxid.values()],
    ...(tokenCreate !== undefined && { tokenCreate }),
    tipHeight: tip.height,
    tipTime: tip.time,
    heights: Object.fromEntries(heights),
    ...(inclusion.length > 0 && { inclusion }),
  }
  return { evidence, missing: fetched.refused, unproven }
}

const optionNames = ['tokenid', 'tokenids', 'ancestorsMax', 'checkpoints', 'headersMax', 'signal']

interface PlaceOptions extends ChainOptions {
  readonly checkpoints: readonly Checkpoint[] | undefined
  readonly headersMax: number
}

interface Places extends ProvenEvidence {
  readonly tip: ChainTip
  readonly heights: ReadonlyMap<string, number>
}

/** How often proofs are fetched again because the last block changed meanwhile. */
const attemptsMax = 3

/**
 * Finds the blocks of transactions, and the last block of the chain. Without proofs, the last block
 * is read after the heights. A block that comes meanwhile then leaves no height above the last
 * block, which verification would reject.
 */
async function placesOf(
  chain: ChainSource,
  wanted: readonly string[],
  fetched: ReadonlyMap<string, string>,
  { checkpoints, headersMax, ...reading }: PlaceOptions,
): Promise<Places> {
  if (checkpoints === undefined) {
    const heights = await heightsOf(chain, wanted, fetched, reading)
    return { tip: await chain.tip(reading), heights, inclusion: [], unproven: [] }
  }
  let tip = await chain.tip(reading)
  for (let attempt = 1; ; attempt += 1) {
    const heights = await heightsOf(chain, wanted, fetched, reading)
    const known = { checkpoints, tipHeight: tip.height }
    const proven = await inclusionFrom(chain, heights, known, { ...reading, headersMax })
    const now = await chain.tip(reading)
    const isSame = now.height === tip.height && now.hash === tip.hash
    if (isSame || attempt === attemptsMax) return { tip, heights, ...proven }
    tip = now
  }
}

async function heightsOf(
  chain: ChainSource,
  wanted: readonly string[],
  fetched: ReadonlyMap<string, string>,
  options: ChainOptions,
): Promise<ReadonlyMap<string, number>> {
  const paid = [...new Set(wanted)].flatMap((txid): PaidScript[] => {
    const hex = fetched.get(txid)
    // No index has nulldata.
    const output = hex && decodeTransaction(hex).outputs.find(({ script }) => !isNulldata(script))
    return output ? [{ txid, script: output.script }] : []
  })
  if (paid.length === 0) return new Map()
  if (chain.heights !== undefined) return chain.heights(paid, options)
  const scripts = new Set(paid.map(({ script }) => script))
  const history = await chain.history([...scripts], options)
  return new Map(
    history.filter(({ txid }) => wanted.includes(txid)).map(({ txid, height }) => [txid, height]),
  )
}

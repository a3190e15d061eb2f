import { requireObject, requireString, requireUint32 } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { Evidence } from '../request/evidence.ts'
import { createFetched, fetchAncestors, type RefusedEvidence } from '../rpc/safe-flow/evidence.ts'
import { isNullOutpoint } from '../transaction/coinbase.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { ChainOptions, ChainSource } from './source.ts'

export interface EvidenceOptions extends ChainOptions {
  /** The token whose ancestors are fetched, back to its creation. */
  readonly tokenid?: string | undefined
  /** Ancestors that are fetched at most. Default 300. */
  readonly ancestorsMax?: number | undefined
}

/** The evidence for a verdict, and the transactions that the source lacked. */
export interface ChainEvidence {
  /**
   * Transactions that hash to what was asked for, the creation of a named token among them. The
   * height and time of the last block, and the heights of what is spent, are not checked.
   */
  readonly evidence: Evidence
  /** Transactions that the source did not give, or gave other bytes for. */
  readonly missing: readonly RefusedEvidence[]
}

/**
 * Fetches from a chain source what verifies a transaction: the transactions that it spends, those
 * that they come from if a token is named, heights, and the last block.
 *
 * Every transaction is hashed here. Heights and the last block are as the source reports them.
 *
 * @param hex - the transaction that is to be verified
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
  requireKnownMembers(options, ['tokenid', 'ancestorsMax', 'signal'], 'options')
  const { tokenid, ancestorsMax, signal } = options
  if (tokenid !== undefined) requireString(tokenid, 'options.tokenid')
  if (ancestorsMax !== undefined) requireUint32(ancestorsMax, 'options.ancestorsMax')
  const reading = { signal }
  const limits = { ...reading, ...(ancestorsMax !== undefined && { ancestorsMax }) }
  const fetched = createFetched(async (txid) => {
    const [given] = await chain.transactions([txid], reading)
    return typeof given === 'string' ? given : { reason: 'unknown' }
  }, limits)
  const spent = decodeTransaction(hex)
    .inputs.filter((input) => !isNullOutpoint(input))
    .map(({ txid }) => txid)
  const creation = tokenid?.toLowerCase()
  await fetched.fetch(creation === undefined ? spent : [...spent, creation])
  if (creation !== undefined) await fetchAncestors(hex, creation, fetched, limits)
  const { height, time } = await chain.tip(reading)
  const tokenCreate = creation === undefined ? undefined : fetched.byTxid.get(creation)
  const evidence: Evidence = {
    previousTransactions: [...fetched.byTxid.values()],
    ...(tokenCreate !== undefined && { tokenCreate }),
    tipHeight: height,
    tipTime: time,
    heights: await heightsOf(chain, spent, fetched.byTxid, reading),
  }
  return { evidence, missing: fetched.refused }
}

async function heightsOf(
  chain: ChainSource,
  spent: readonly string[],
  fetched: ReadonlyMap<string, string>,
  options: ChainOptions,
): Promise<Record<string, number>> {
  const scripts = spent.flatMap((txid) => {
    const hex = fetched.get(txid)
    // No index has nulldata.
    const paid =
      hex && decodeTransaction(hex).outputs.find(({ script }) => !script.startsWith('6a'))
    return paid ? [paid.script] : []
  })
  if (scripts.length === 0) return {}
  const history = await chain.history([...new Set(scripts)], options)
  return Object.fromEntries(
    history.filter(({ txid }) => spent.includes(txid)).map(({ txid, height }) => [txid, height]),
  )
}

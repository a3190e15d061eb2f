// Headers and proofs of inclusion from a daemon, which knows whole blocks and no branches.

import { headerBytesMax } from '../block/header.ts'
import { type InclusionFault, type InclusionProof, inclusionFault } from '../block/inclusion.ts'
import { merkleBranchOf } from '../block/merkle.ts'
import { isHex } from '../primitives/hex-forms.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import { memberOf, rowsOf, txidOf, wrongShape } from './daemon-answers.ts'
import type { ChainOptions, ProvenInclusion } from './source.ts'

/** Headers of one request: 1,487 bytes each in hex, so all of them have 300 kB. */
const headersAtOnce = 100
/** `RPC_INVALID_PARAMETER`: the chain has no block of this height. */
const noSuchHeight = -8
/** More transactions than a block of 4,000,000 bytes can have. */
const txidsMax = 2 ** 16

/** Reads headers one after the other, up to the last block of the daemon. */
export async function daemonHeaders(
  client: DaemonClient,
  start: number,
  count: number,
  { signal }: ChainOptions,
): Promise<readonly string[]> {
  const headers: string[] = []
  while (headers.length < count) {
    const first = start + headers.length
    const wanted = Math.min(headersAtOnce, count - headers.length)
    const heights = Array.from({ length: wanted }, (_, at) => first + at)
    const named = await client.batch(
      heights.map((height) => ({ method: 'getblockhash', params: [height] })),
      { signal },
    )
    const hashes: string[] = []
    for (const reply of named) {
      if (reply.status === 'fulfilled') hashes.push(txidOf(reply.value, 'getblockhash'))
      else if (isRpcError(reply.reason, 'daemon') && reply.reason.code === noSuchHeight) break
      else throw reply.reason
    }
    if (hashes.length === 0) break
    const given = await client.batch(
      hashes.map((hash) => ({ method: 'getblockheader', params: [hash, false] })),
      { signal },
    )
    for (const reply of given) {
      if (reply.status === 'rejected') throw reply.reason
      headers.push(headerText(reply.value))
    }
    if (hashes.length < wanted) break
  }
  return headers
}

/**
 * Computes the branch of a transaction from the list of its block's transactions.
 *
 * @throws {RpcError} of kind `daemon` if the block does not have it
 */
export async function daemonInclusion(
  client: DaemonClient,
  transactions: (
    txids: readonly string[],
    options: ChainOptions,
  ) => Promise<(string | undefined)[]>,
  { txid, height }: { readonly txid: string; readonly height: number },
  options: ChainOptions,
): Promise<ProvenInclusion> {
  const { signal } = options
  const wanted = txid.toLowerCase()
  const hash = txidOf(await client.call('getblockhash', [height], { signal }), 'getblockhash')
  const block = await client.call('getblock', [hash, 1], { signal })
  const txids = rowsOf(memberOf(block, 'tx'), 'getblock').map((it) => txidOf(it, 'getblock'))
  if (txids.length > txidsMax) throw wrongShape('getblock', `at most ${txidsMax} transactions`)
  const pos = txids.indexOf(wanted)
  const header = headerText(await client.call('getblockheader', [hash, false], { signal }))
  const [transaction, first] = await transactions([wanted, txids[0] ?? wanted], options)
  if (pos < 0 || transaction === undefined || first === undefined) {
    const message = `getblock: the block at height ${height} does not have transaction ${wanted}`
    throw new RpcError('daemon', message, { method: 'getblock' })
  }
  const proof: InclusionProof = {
    transaction,
    merkle: merkleBranchOf(txids, pos).branch,
    pos,
    coinbase: { transaction: first, merkle: merkleBranchOf(txids, 0).branch },
  }
  const fault = faultOf(wanted, proof, header)
  return { proof, header, ...(fault !== undefined && { fault }) }
}

function faultOf(txid: string, proof: InclusionProof, header: string): InclusionFault | undefined {
  try {
    return inclusionFault(txid, proof, header)
  } catch {
    throw wrongShape('getblockheader', 'the header of a block')
  }
}

function headerText(value: unknown): string {
  const isShort = typeof value === 'string' && value.length <= 2 * headerBytesMax
  if (isShort && isHex(value)) return value.toLowerCase()
  throw wrongShape('getblockheader', 'the header of a block, in hexadecimal digits')
}

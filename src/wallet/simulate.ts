// The question to a node, before a transaction is sent: would the network accept it?

import type { ChainOptions } from '../chain-source/source.ts'
import { argumentError, requireString } from '../primitives/arguments.ts'
import type { Case } from '../request/case.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import type { AcceptanceVerdict } from '../rpc/daemon/results.ts'
import { RpcError } from '../rpc/errors.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { requireReadOptions } from './options.ts'

/** A client of a development node that is forked from a live daemon. */
export type Simulator = Pick<DaemonClient, 'testmempoolaccept'>

/** The answer of a node to a signed transaction that nobody has sent. */
export interface Simulated {
  readonly txid: string
  /** The answer of one node at one moment; a verdict on the request is in the report. */
  readonly allowed: boolean
  /** Satoshis; present if the transaction is allowed. */
  readonly fee?: bigint
  /** The daemon's code and words; present if it is refused. */
  readonly code?: number
  readonly words?: string
  /** The reason of a contract module, or what the node lacks. */
  readonly reason?: string
}

/**
 * Asks a node about a signed transaction.
 *
 * @throws {TypeError} for a wallet without a simulator
 * @throws {AntaraError} for malformed hex, before anything is asked
 * @throws {RpcError} of the node; of kind `shape` if it answers about another transaction
 */
export async function simulated(
  simulator: Simulator | undefined,
  signed: Case | string,
  options: ChainOptions = {},
): Promise<Simulated> {
  requireReadOptions(options)
  if (typeof simulator?.testmempoolaccept !== 'function') {
    throw argumentError('simulator', 'a client of a forked development node', simulator)
  }
  const hex = typeof signed === 'string' ? signed : signed?.hex
  requireString(hex, 'signed')
  const { txid } = decodeTransaction(hex)
  const answers = await simulator.testmempoolaccept({ rawtxs: [hex] }, { signal: options.signal })
  const [answer] = answers
  if (answer === undefined || answer.txid !== txid) throw anotherTransaction(txid)
  return simulatedOf(txid, answer)
}

function simulatedOf(txid: string, answer: AcceptanceVerdict): Simulated {
  const { allowed, fee, code, 'reject-reason': words, reason } = answer
  return {
    txid,
    allowed,
    ...(fee !== undefined && { fee }),
    ...(code !== undefined && { code }),
    ...(words !== undefined && { words }),
    ...(typeof reason === 'string' && { reason }),
  }
}

function anotherTransaction(txid: string): RpcError {
  const message = `testmempoolaccept: the node did not answer about ${txid}`
  return new RpcError('shape', message, { method: 'testmempoolaccept', reason: 'wrong_txid', txid })
}

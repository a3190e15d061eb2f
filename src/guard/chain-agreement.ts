// Compares the network of a guard with the chain that its daemon claims to run. A disagreement
// refuses payments; an answer of the daemon allows nothing that the network does not.

import type { Network } from '../chain/network.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import { type ChainDifference, chainDifference } from '../rpc/daemon/chain-difference.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError } from '../rpc/errors.ts'
import { requireFirstBlock } from '../rpc/first-block.ts'
import type { Answer, Question } from '../rpc/safe-flow/at-once.ts'
import { daemonSource } from '../rpc/safe-flow/evidence.ts'
import { falseChains } from '../rpc/safe-flow/idempotent-send.ts'
import { guardFailure, Refusal } from './refusals.ts'

/** Thrown if the daemon runs another chain, so that nothing is paid. */
export class ChainFailure extends Refusal {}

export interface ChainAgreement {
  /**
   * Throws unless the daemon's chain agrees with the network. Call it before each payment: another
   * daemon may listen at the same port by then.
   *
   * @throws {ChainFailure}, {RpcError} as the calls of the client
   */
  require(): Promise<void>
  /** Returns the hash of block 1; `undefined` before the first payment, or if there is no block. */
  known(): string | undefined
  /** Asks for block 1. Give the answer to `compare`, once `known` returns a hash. */
  readonly question: Question
  /** Does what `require` does. Returns `false` for an answer that is not a hash. */
  compare(answer: Answer): boolean
}

/**
 * @param journal - has payments of the same chain, unless it has none
 * @param firstBlock - the hash of block 1, if the operator names it
 */
export function chainAgreement(
  client: DaemonClient,
  network: Network,
  journal: Journal,
  firstBlock?: string,
): ChainAgreement {
  let known: string | undefined
  const requireNamed = (hash: string | undefined): void => {
    try {
      requireFirstBlock(firstBlock, { by: 'the daemon', hash })
    } catch (error) {
      throw failed((error as Error).message)
    }
  }
  const compared = (found: string | undefined): void => {
    known ??= found
    if (found === known) return
    throw failed(
      'the daemon runs another chain than at the first payment. Start the guard again if you changed the chain, or if the daemon reported a false block 1 then',
    )
  }
  return {
    async require() {
      if (known === undefined) {
        const difference = chainDifference(await client.getinfo(), network)
        if (difference !== undefined) throw failed(wrongNetwork(network, difference))
      }
      const found = await firstBlockOf(client)
      requireNamed(found)
      if (known === undefined && found !== undefined) await requireJournalOf(found, journal, client)
      compared(found)
    },
    known: () => known,
    question,
    compare(answer) {
      const hash = hashIn(answer)
      if (hash === undefined) return false
      requireNamed(hash)
      compared(hash)
      return true
    },
  }
}

/** Attempts that are looked up before a journal counts as that of another chain. */
const lookedUpMax = 16

/**
 * A journal with payments of other chains only belongs to another guard. The earlier payments of this
 * chain are in another journal, so this guard would make them again.
 */
async function requireJournalOf(
  chain: string,
  journal: Journal,
  client: DaemonClient,
): Promise<void> {
  const book = bookOf(journal)
  await book.catchUp()
  const attempts = book.payments().flatMap((it) => [...it.past, ...it.attempts])
  const chains = new Set([...book.payments(), ...attempts].flatMap((it) => it.chain ?? []))
  if (chains.size === 0 || chains.has(chain) || book.forgottenTo(chain) > 0) return
  // A server may have reported another block 1 of this chain, when the payments were recorded.
  const latest = attempts.filter(({ fate }) => fate !== 'dead').slice(-lookedUpMax)
  if ((await falseChains(latest, daemonSource(client, {}))).size > 0) return
  throw failed(
    'the journal has payments of another chain only. Start the guard with the folder of this chain, or with a new one',
  )
}

function failed(reason: string): ChainFailure {
  const { code, message } = guardFailure(reason)
  return new ChainFailure(code, message, 'network')
}

/** Block 1 names a chain: asset chains share block 0. */
const question: Question = { method: 'getblockhash', params: [1] }

/** komodo src/rpc/protocol.h, RPC_INVALID_PARAMETER: no block has this height. */
const noSuchBlock = -8

async function firstBlockOf(client: DaemonClient): Promise<string | undefined> {
  try {
    return hashIn(await client.call(question.method, question.params))
  } catch (error) {
    if (isRpcError(error, 'daemon') && error.code === noSuchBlock) return undefined
    throw error
  }
}

function hashIn(answer: Answer): string | undefined {
  const hash = typeof answer === 'string' ? answer.toLowerCase() : undefined
  return isHex32(hash) ? hash : undefined
}

function wrongNetwork({ name }: Network, { fact, other }: ChainDifference): string {
  if (other === undefined) return `${fact}, so no payment is possible`
  return `${fact}, but the network of the guard is ${printable(name)}. Start the guard with the network of the chain, such as ${other}`
}

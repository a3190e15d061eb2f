// False answers of a hostile Electrum server.

import { hexFromBytes } from '../../primitives/hex.ts'
import type { FaultRule } from '../faults.ts'

/**
 * Returns an answer that is false in the way a fault names; the answer itself where the method has
 * nothing that could be false in that way.
 */
export function falseAnswer(kind: FaultRule['kind'], method: string, answer: unknown): unknown {
  switch (kind) {
    case 'wrong_txid':
      return method === 'blockchain.transaction.broadcast' ? otherHash(answer as string) : answer
    case 'false_branch':
      return method === 'blockchain.transaction.get_merkle' ? withFalseBranch(answer) : answer
    case 'false_header':
      return withFalseHeader(method, answer)
    case 'hidden':
      return Array.isArray(answer) ? answer.slice(1) : answer
    default:
      return answer
  }
}

/** The hash with its last byte changed, in display order. */
function otherHash(hash: string): string {
  const last = Number.parseInt(hash.slice(-2), 16) ^ 1
  return hash.slice(0, -2) + hexFromBytes(Uint8Array.of(last))
}

function withFalseBranch(answer: unknown): unknown {
  const { merkle, ...rest } = answer as { merkle: readonly string[] }
  // A block of one transaction has no branch: a hash is added then.
  const [first = '00'.repeat(32), ...others] = merkle
  return { ...rest, merkle: [otherHash(first), ...others] }
}

/** The Merkle root of a header stands after its version and the hash of the block before. */
const rootEnd = 2 * (4 + 32 + 32)

function otherHeader(hex: string): string {
  return otherHash(hex.slice(0, rootEnd)) + hex.slice(rootEnd)
}

function withFalseHeader(method: string, answer: unknown): unknown {
  if (method === 'blockchain.block.header' && typeof answer === 'string') return otherHeader(answer)
  if (method === 'blockchain.headers.subscribe') {
    const tip = answer as { readonly hex: string; readonly height: number }
    return { ...tip, hex: otherHeader(tip.hex) }
  }
  return answer
}

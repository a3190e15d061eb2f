// These methods are about notaries. The chains of this node have no notarizations.

import { positionOf } from '../state/view.ts'
import type { Answer } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { leadingInteger, lenientHash, type Params, text } from './params.ts'

/** komodo src/cc/CCutils.cpp, MIN_NON_NOTARIZED_CONFIRMS */
const confirmationsMin = 101
/** komodo src/rpc/blockchain.cpp, minerids: the span that it looks through */
const minersSpan = 2000

export const notaryMethods: Methods = {
  ...methodsIn('Util', [method('txnotarizedconfirmed txid', [1, 1], isSettled)]),
  ...methodsIn('Blockchain', [method('minerids needs height\n', [1, 1], minerIds)]),
}

/** @see komodo src/cc/CCutils.cpp, komodo_txnotarizedconfirmed */
function isSettled(context: Context, [given]: Params): Answer {
  const { state } = context
  const position = positionOf(state, lenientHash(text(given)))
  const height = position?.height ?? 0
  return { result: height > 0 && 1 + state.chain.tip.height - height >= confirmationsMin }
}

/**
 * A young chain has no block where the daemon looks for miners.
 *
 * @see komodo src/komodo_bitcoind.cpp, komodo_minerids
 */
function minerIds(context: Context, [given]: Params): Answer {
  const asked = Number(leadingInteger(text(given)))
  const height = asked > 0 ? asked : context.state.chain.tip.height
  if (2 * height < minersSpan) return { error: 'couldnt extract minerids' }
  throw failure('misc', 'minerids: this development node has no notaries')
}

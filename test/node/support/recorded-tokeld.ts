// Repeats the recorded calls of the tokelds to a node that has their keys and their chain.

import { storedTransaction } from '../../../src/node/state/stored-transaction.ts'
import { type Dated, datedExchanges, recordedBlock, tokeld } from '../timeline.ts'
import { type Ask, recordedNodeOf } from './recorded-node.ts'

const { heightOf } = tokeld

/** Makes every recorded call in order, and returns the node's answers. */
export async function replayTokeld(
  ask: Ask = (_, request, server) => server(request),
): Promise<(Dated & { readonly ours: { readonly status: number; readonly body: string } })[]> {
  const { engine, advanceTo, answer } = recordedNodeOf({
    recording: tokeld,
    profile: { network: 'tokel', nulldataBytesMax: 8192 },
    startedAt: [1795244731, 1795244733],
    rpcPorts: [18801, 18811],
  })
  const results = []
  for (const exchange of datedExchanges(tokeld)) {
    advanceTo(exchange.tip)
    const sent = heightOf.get(/"result":"([0-9a-f]{64})"/.exec(exchange.response)?.[1] ?? '')
    if (sent !== undefined) engine.state = { ...engine.state, time: timeOfBlock(sent) }
    const identity = exchange.identity === 'A' ? 0 : 1
    const ours = await ask(exchange, exchange.request, (body) => answer(identity, body))
    results.push({ ...exchange, ours })
  }
  return results
}

function timeOfBlock(height: number): number {
  return storedTransaction(recordedBlock(height, tokeld)[0]!).transaction.lockTime
}

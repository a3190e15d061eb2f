import { expect, test } from 'vitest'
import { broadcastPayment, sendHandedOver } from '../../../src/guard/sends.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { RpcError } from '../../../src/rpc/errors.ts'
import { orderBaselines } from '../../support/tokel-baselines.ts'
import { noon } from './support.ts'

/** Sends the first of two equal payments once more, after it was settled. */
async function sentAgain(settled: { readonly minedAs?: string }) {
  const [first, second] = orderBaselines.map(({ made }) => made)
  const journal = memoryJournal()
  const book = bookOf(journal)
  const about = { payment: 'terms k', at: new Date(noon).toISOString() }
  const attempt = ({ txid, hex }: NonNullable<typeof first>) =>
    book.append({ kind: 'attempt', ...about, terms: 'k', request: '{}', txid, hex }, book.next)
  await attempt(first!)
  await book.note({ kind: 'settled', ...about, txid: first!.txid, ...settled })
  await attempt(second!)

  const requested = { key: () => 'k' }
  type Arguments = Parameters<typeof sendHandedOver>
  const sent = sendHandedOver(
    { journal, requestedBy: async () => requested } as unknown as Arguments[0],
    { user: '', method: 'sendrawtransaction', methodClass: 'send' } as Arguments[1],
    { hex: first!.hex, refusal: 'daemon', elsewhere: 'not handed over' },
  )
  return { sent, txid: first!.txid }
}

test('a settled transaction is answered as before, after an equal payment too', async () => {
  const { sent, txid } = await sentAgain({})
  expect(await sent).toBe(txid)
})

test('a transaction that settled as a copy names the copy, and that another followed', async () => {
  const minedAs = 'cd'.repeat(32)
  const { sent } = await sentAgain({ minedAs })
  await expect(sent).rejects.toMatchObject({
    message: `guard: settled before as ${minedAs}; an equal payment followed`,
    reason: 'settled',
  })
})

test('a refused transaction is answered with the other attempts at its payment', async () => {
  const [own, other] = ['ab'.repeat(32), 'cd'.repeat(32)]
  type Run = Parameters<typeof broadcastPayment>[3]
  const run = async (send: Parameters<Run>[0]) => {
    const refusal = new RpcError('daemon', 'mempool full', { code: -26 })
    const refusing = { send: () => Promise.reject(refusal) }
    await send({ txid: own, hex: '', outpoints: new Set() }, refusing).catch(() => undefined)
    return { held: 'unsettled', unsettled: [{ txid: own }, { txid: other }] }
  }
  const parts = { journal: memoryJournal() }
  const sent = broadcastPayment(parts, 'daemon', { txid: own }, run as unknown as Run)
  await expect(sent).rejects.toMatchObject({
    code: -26,
    message: `mempool full. ${other} may be the same payment and may still be mined: look for it before you pay again`,
  })
})

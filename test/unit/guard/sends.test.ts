import { expect, test } from 'vitest'
import { sendHandedOver } from '../../../src/guard/sends.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
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

  const reasons: unknown[] = []
  const parts = { journal, onDecision: ({ reason }: { reason?: string }) => reasons.push(reason) }
  const requested = { key: () => 'k' }
  type Arguments = Parameters<typeof sendHandedOver>
  const sent = sendHandedOver(
    parts as unknown as Arguments[0],
    { user: '', method: 'sendrawtransaction', methodClass: 'send' } as Arguments[1],
    {
      hex: first!.hex,
      refusal: 'daemon',
      elsewhere: 'not handed over',
      requestedBy: async () => requested as Awaited<ReturnType<Arguments[2]['requestedBy']>>,
    },
  )
  return { sent, reasons, txid: first!.txid }
}

test('a settled transaction is answered as before, after an equal payment too', async () => {
  const { sent, reasons, txid } = await sentAgain({})
  expect(await sent).toBe(txid)
  expect(reasons).toEqual([])
})

test('a transaction that settled as a copy names the copy, and that another followed', async () => {
  const minedAs = 'cd'.repeat(32)
  const { sent, reasons } = await sentAgain({ minedAs })
  await expect(sent).rejects.toThrow(`settled before as ${minedAs}; an equal payment followed`)
  expect(reasons).toEqual(['settled'])
})

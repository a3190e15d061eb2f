// One look at the chain before a new payment: what a daemon of another chain answers is used
// nowhere.

import { describe, expect, test } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { chainAgreement } from '../../../src/guard/chain-agreement.ts'
import { look } from '../../../src/guard/look.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import type { RecordedHeights } from '../../../src/rpc/safe-flow/look-back.ts'
import type { SeenSpends } from '../../../src/rpc/safe-flow/own-spends.ts'

const [first, other] = ['11', '22'].map((byte) => byte.repeat(32))
const refusal = new RpcError('daemon', 'no', { code: -5, codeName: '' })

interface Answers {
  /** Block 1 in the request that has all questions; absent if the daemon refuses that question. */
  readonly together?: string | undefined
  /** Block 1 in a request of its own. */
  readonly alone?: string | undefined
  /** False if the daemon refuses requests with several questions. */
  readonly takesBatches?: boolean
  /** Ends before the request with all questions is answered. */
  readonly wait?: Promise<void>
  /** True if the chain had no block 1 at the first payment. */
  readonly isEmpty?: boolean
}

/** Looks at a chain on which a guard has paid, and whose daemon answers so now. */
async function looking({ together, alone = first, takesBatches = true, wait, isEmpty }: Answers) {
  let block = isEmpty === true ? undefined : first
  const asked: string[] = []
  const client = {
    getinfo: async () => ({ name: 'TOKTEST' }),
    async call(method: string) {
      asked.push(method)
      return block
    },
    async batch() {
      asked.push('batch')
      await wait
      if (!takesBatches) throw new RpcError('shape', 'no list', { reason: 'wrong_envelope' })
      const answer = (value: unknown) => ({ status: 'fulfilled', value })
      const chain =
        together === undefined ? { status: 'rejected', reason: refusal } : answer(together)
      return [chain, answer(7)]
    },
  } as unknown as DaemonClient
  const agreement = chainAgreement(client, networks.assetChain, memoryJournal())
  await agreement.require()
  asked.length = 0
  block = alone
  const seenBy: (SeenSpends | undefined)[] = []
  const spends = {
    questions: () => ({
      questions: [{ method: 'getblockcount', params: [] }],
      read: ([tip]: readonly unknown[]) => ({
        ...{ above: 3, waiting: [], tip: tip as number },
        ...{ mined: { spends: [], isWhole: true }, lag: 0 },
      }),
    }),
    async list(_: RecordedHeights, seen: SeenSpends | undefined) {
      seenBy.push(seen)
      return []
    },
  }
  return { it: look({ client, agreement, spends }), asked, seenBy }
}

const isOther = 'the daemon runs another chain than at the first payment'

describe('reports nothing of a chain that was exchanged', () => {
  test.each<[string, Answers]>([
    ['which the request with all questions shows', { together: other }],
    ['where that request does not tell it', { alone: other }],
    ['where the daemon refuses that request', { takesBatches: false, alone: other }],
  ])('%s', async (_, answers) => {
    const { it, seenBy } = await looking(answers)
    await expect(it.chain()).rejects.toThrow(isOther)
    await expect(it.spends({})).rejects.toThrow(isOther)
    await expect(it.tip()).rejects.toThrow(isOther)
    expect(seenBy).toEqual([])
  })
})

test('the answers to one request are used, if it shows the chain of the first payment', async () => {
  const { it, asked, seenBy } = await looking({ together: first })
  await it.chain()
  await it.spends({ first: 3 })
  expect(asked).toEqual(['batch'])
  expect(seenBy).toMatchObject([{ above: 3, tip: 7 }])
})

test('the first block 1 is asked for alone, because the journal has to be of its chain', async () => {
  const { it, asked, seenBy } = await looking({ together: first, isEmpty: true })
  await it.spends({})
  expect(asked).toEqual(['getblockhash'])
  expect(seenBy).toEqual([undefined])
})

test('answers are dropped if the one about the chain is missing', async () => {
  const { it, asked, seenBy } = await looking({})
  await it.spends({ first: 3 })
  expect(asked).toEqual(['batch', 'getblockhash'])
  expect(seenBy).toEqual([undefined])
  expect(await it.tip()).toBeUndefined()
})

test('a height is used once, because a second verification comes later', async () => {
  const { it } = await looking({ together: first })
  expect([await it.tip(), await it.tip()]).toEqual([7, undefined])
})

test('a second comparison asks again what the key spent', async () => {
  const { it, seenBy } = await looking({ together: first })
  await it.spends({ first: 3 })
  await it.spends({ first: 3 })
  expect(seenBy).toMatchObject([{ tip: 7 }, undefined])
})

test('the chain is not known before the daemon has answered', async () => {
  let answer = (): void => undefined
  const wait = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { it } = await looking({ together: other, wait })
  const ended = it.chain().then(
    () => 'known',
    () => 'refused',
  )
  answer()
  expect(await ended).toBe('refused')
})

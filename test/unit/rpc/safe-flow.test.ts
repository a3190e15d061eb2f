import { describe, expect, test } from 'vitest'
import { encodeTransaction, transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import { attemptDigitsMax, attemptsMax, attemptsOf } from '../../../src/rpc/safe-flow/attempts.ts'
import { check } from '../../../src/rpc/safe-flow/check.ts'
import {
  createFetched,
  daemonSource,
  evidenceBytesMax,
  fetchAncestors,
} from '../../../src/rpc/safe-flow/evidence.ts'
import { inTurn } from '../../../src/rpc/safe-flow/turns.ts'
import { decodeConditionScriptSig } from '../../../src/script/read-condition-script.ts'
import { createHex, transfer, transferHex } from '../../support/resigned.ts'

/** A transaction of about `bytes` bytes, another one for each `number`. */
function largeTransaction(bytes: number, number: number): string {
  return encodeTransaction({
    ...transfer,
    inputs: [{ txid: 'ab'.repeat(32), vout: number, scriptSig: '', sequence: 0 }],
    outputs: [{ value: 0n, script: '6a'.repeat(bytes - 100) }],
  })
}

function client(answers: ReadonlyMap<string, string | RpcError>) {
  const asked: string[] = []
  const limits = new Set<number | undefined>()
  const daemon = {
    getrawtransaction: async (
      { txid }: { txid: string },
      { maxResponseBytes }: { maxResponseBytes?: number },
    ) => {
      asked.push(txid)
      limits.add(maxResponseBytes)
      const answer = answers.get(txid)
      if (typeof answer === 'string') return answer
      throw answer ?? new RpcError('daemon', 'No information', { code: -5, codeName: '' })
    },
  }
  return { daemon: daemon as unknown as DaemonClient, asked, limits }
}

test('hashes transactions before it keeps them, and names those that are refused', async () => {
  const [kept, other, text, large, absent] = [
    transactionId(transferHex),
    ...['01', '02', '03', '04'].map((byte) => byte.repeat(32)),
  ] as [string, string, string, string, string]
  const tooLarge = new RpcError('shape', 'too large', { reason: 'reply_too_large' })
  const { daemon, asked, limits } = client(
    new Map<string, string | RpcError>([
      [kept, transferHex],
      [other, createHex],
      [text, 'abcd'],
      [large, tooLarge],
    ]),
  )
  const fetched = createFetched(daemonSource(daemon, {}), {})
  await fetched.fetch([kept, other, text, large, absent, kept])
  await fetched.fetch([kept, absent])
  expect([...fetched.byTxid]).toEqual([[kept, transferHex]])
  expect(fetched.refused).toEqual([
    { txid: other, reason: 'other-transaction' },
    { txid: text, reason: 'other-transaction' },
    { txid: large, reason: 'too-large' },
    { txid: absent, reason: 'unknown' },
  ])
  expect(asked).toHaveLength(5)
  // The limit is that of the method: reply-sizes.test.ts.
  expect([...limits]).toEqual([undefined])
})

test('the largest transactions are kept until they make up the sum', async () => {
  const excess = largeTransaction(199_000, 0).length / 2 - 199_000
  const count = evidenceBytesMax / 200_000
  const largest = Array.from({ length: count }, (_, at) => largeTransaction(200_000 - excess, at))
  expect(largest[0]?.length).toBe(400_000)
  const byTxid = new Map(largest.map((hex) => [transactionId(hex), hex]))
  const fetched = createFetched(daemonSource(client(byTxid).daemon, {}), {})
  await fetched.fetch([...byTxid.keys()])
  expect(fetched.refused).toEqual([])
  expect(fetched.byTxid).toEqual(byTxid)
})

test('an answer that is none is refused, and one that does not come ends the flow', async () => {
  const [none, lost] = ['01', '02'].map((byte) => byte.repeat(32)) as [string, string]
  const { daemon } = client(
    new Map([
      [none, new RpcError('shape', 'no hex', { reason: 'unusable_hex' })],
      [lost, new RpcError('transport', 'lost', { reason: 'connection_lost' })],
    ]),
  )
  const fetched = createFetched(daemonSource(daemon, {}), {})
  await fetched.fetch([none])
  expect(fetched.refused).toEqual([{ txid: none, reason: 'other-transaction' }])
  await expect(fetched.fetch([lost])).rejects.toMatchObject({ kind: 'transport' })
})

describe('the history of tokens', () => {
  const fulfilled = transfer.inputs.find(({ scriptSig }) =>
    decodeConditionScriptSig(scriptSig),
  )?.scriptSig
  const made: string[] = []
  /** A transaction that spends tokens of some, coins of others. */
  const spending = (tokens: readonly string[], coins: readonly string[]): string => {
    const input = (txid: string, scriptSig = '') => {
      return { txid, vout: 0, scriptSig, sequence: made.length }
    }
    const inputs = [
      ...coins.map((txid) => input(txid)),
      ...tokens.map((txid) => input(txid, fulfilled)),
    ]
    const hex = encodeTransaction({ ...transfer, inputs })
    made.push(hex)
    return transactionId(hex)
  }
  const stranger = 'ab'.repeat(32)
  const funding = spending([], [stranger])
  const creation = spending([], [funding])
  const first = spending([creation], [spending([], [stranger])])
  const [left, right] = [spending([first], []), spending([first], [])]
  const coin = spending([], [first])
  spending([left, right], [coin])
  const hex = made.at(-1) ?? ''
  const byTxid = new Map(made.map((one) => [transactionId(one), one]))

  test.each([
    [undefined, [first, funding]],
    [2, [first, funding]],
    [1, [first]],
    [0, []],
  ])('is asked for back to the creation and what paid for it, %s at most', async (most, wanted) => {
    const { daemon, asked } = client(byTxid)
    const fetched = createFetched(daemonSource(daemon, {}), {})
    await fetched.fetch([left, right, coin, creation])
    const before = asked.length
    const options = most === undefined ? {} : { ancestorsMax: most }
    await fetchAncestors(hex, [creation], fetched, options)
    expect(asked.slice(before)).toEqual(wanted)
  })
})

test('a transaction larger than a chain takes is not kept, however it arrives', async () => {
  const over = largeTransaction(200_200, 0)
  const txid = transactionId(over)
  const fetched = createFetched(daemonSource(client(new Map([[txid, over]])).daemon, {}), {})
  await fetched.fetch([txid])
  expect(fetched.refused).toEqual([{ txid, reason: 'too-large' }])
})

test('all that is kept is bounded, and nothing is asked for beyond', async () => {
  const all = Array.from({ length: 90 }, (_, at) => largeTransaction(199_000, at))
  const byTxid = new Map(all.map((hex) => [transactionId(hex), hex]))
  const { daemon, asked } = client(byTxid)
  const fetched = createFetched(daemonSource(daemon, {}), {})
  await fetched.fetch([...byTxid.keys()])
  const bytes = [...fetched.byTxid.values()].reduce((sum, hex) => sum + hex.length / 2, 0)
  expect(bytes).toBeLessThanOrEqual(evidenceBytesMax)
  expect(bytes).toBeGreaterThan(evidenceBytesMax - 200_000)
  expect(new Set(fetched.refused.map(({ reason }) => reason))).toEqual(new Set(['over-sum']))
  expect(fetched.byTxid.size + fetched.refused.length).toBe(90)
  expect(asked.length).toBeLessThanOrEqual(fetched.byTxid.size + 3)
})

/** Attempts whose transactions are texts: an id, and what it spends. */
function attemptsIn(journal: Journal, terms: string, id?: string) {
  const name = id === undefined ? `terms ${terms}` : `id ${id}`
  const read = (hex: string) => {
    const [txid = '', ...outpoints] = hex.split(' ')
    return { hex, txid, outpoints: new Set(outpoints) }
  }
  return attemptsOf(bookOf(journal), { name, terms, request: '{}', id }, read)
}

function spending(txid: string, ...outpoints: string[]) {
  return { hex: [txid, ...outpoints].join(' '), txid, outpoints: new Set(outpoints) }
}

test('attempts of one payment are recorded up to a number', async () => {
  const attempts = attemptsIn(memoryJournal(), 'one')
  for (let at = 0; at < attemptsMax; at += 1) {
    expect(await attempts.remember(spending(`tx${at}`, 'x:0'))).toBe('recorded')
  }
  expect(await attempts.remember(spending('more', 'x:0'))).toBe('too-many-attempts')
  expect(await attempts.remember(spending('tx3', 'x:0'))).toBe('recorded')
  expect(attempts.unsettled()).toHaveLength(attemptsMax)
  await attempts.forget()
  expect(await attempts.remember(spending('more', 'x:0'))).toBe('recorded')
})

test('a further attempt has to conflict with each that is unsettled, not with the last alone', async () => {
  const attempts = attemptsIn(memoryJournal(), 'one')
  await attempts.remember(spending('a', 'x:0', 'x:1'))
  await attempts.remember(spending('b', 'x:1', 'y:0'))
  expect(attempts.unsettled().map(({ txid }) => txid)).toEqual(['b', 'a'])
  expect(attempts.obstacle(spending('c', 'y:0'))).toBe('different-inputs')
  expect(attempts.obstacle(spending('c', 'x:0'))).toBe('different-inputs')
  expect(await attempts.remember(spending('c', 'x:0'))).toBe('different-inputs')
  expect(attempts.obstacle(spending('c', 'x:0', 'y:0'))).toBeUndefined()
  expect(attempts.obstacle(spending('c', 'x:1', 'z:0'))).toBeUndefined()
  await attempts.note('dead', 'a')
  expect(attempts.obstacle(spending('c', 'y:0'))).toBeUndefined()
  await attempts.forget()
  expect(attempts.unsettled()).toEqual([])
  expect(attempts.obstacle(spending('c', 'z:0'))).toBeUndefined()
})

test('an attempt spends nothing that another payment has reserved', async () => {
  const journal = memoryJournal()
  const [one, two] = [attemptsIn(journal, 'one'), attemptsIn(journal, 'two')]
  await one.remember(spending('a', 'x:0'))
  expect(two.obstacle(spending('b', 'x:0', 'y:0'))).toBe('reserved-inputs')
  // Two calls at once: the second meets what the first recorded.
  const both = [one.remember(spending('c', 'x:0', 'z:0')), two.remember(spending('d', 'z:0'))]
  expect(await Promise.all(both)).toEqual(['recorded', 'reserved-inputs'])
  await one.note('refused', 'a')
  expect(two.obstacle(spending('b', 'x:0', 'y:0'))).toBe('reserved-inputs')
  await one.note('settled', 'c')
  expect(two.obstacle(spending('b', 'x:0', 'y:0'))).toBeUndefined()
})

test('a payment with an id and the same one without exclude each other', async () => {
  const journal = memoryJournal()
  const [plain, named] = [attemptsIn(journal, 'one'), attemptsIn(journal, 'one', 'invoice-17')]
  await plain.remember(spending('a', 'x:0'))
  expect(await named.remember(spending('b', 'y:0'))).toBe('different-inputs')
  expect(await named.remember(spending('b', 'x:0'))).toBe('recorded')
  const other = attemptsIn(journal, 'one', 'invoice-18')
  expect(await other.remember(spending('c', 'y:0'))).toBe('different-inputs')
  await plain.note('settled', 'a')
  expect(await other.remember(spending('c', 'y:0'))).toBe('recorded')
})

test('an error during verification reaches the caller unchanged', async () => {
  const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })
  const [input] = transfer.inputs
  const { daemon } = client(new Map([[input?.txid ?? '', lost]]))
  const subject = { terms: {}, pubkey: '', verify: () => Promise.reject(new Error('unreached')) }
  const context = {
    client: { ...daemon, getblockcount: async () => 1 } as DaemonClient,
    options: { timeoutMs: 60_000 },
    subject,
  }
  await expect(check(context, transferHex)).rejects.toBe(lost)
})

test('a journal holds as many digits as it says, and no more', async () => {
  const journal = memoryJournal()
  const attempt = (txid: string, digits: number) => {
    return { hex: txid.padEnd(digits, '0'), txid, outpoints: new Set<string>() }
  }
  const wide = 3_000_000
  const count = Math.floor(attemptDigitsMax / wide)
  for (let at = 0; at < count; at += 1) {
    const attempts = attemptsIn(journal, `${at}`)
    expect(await attempts.remember(attempt(`tx${at}`, wide))).toBe('recorded')
  }
  const rest = attemptDigitsMax - count * wide
  expect(await attemptsIn(journal, 'a').remember(attempt('a', rest))).toBe('recorded')
  expect(await attemptsIn(journal, 'b').remember(attempt('b', 1))).toBe('too-many-attempts')
  // A settled attempt makes room.
  await attemptsIn(journal, '0').note('settled', `tx0`)
})

describe('calls for one intent', () => {
  /** Work that begins when it is its turn, and ends when it is told to. */
  const laneOf = () => {
    const client = {} as DaemonClient
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const call = (name: string, signal?: AbortSignal, key = 'same') =>
      inTurn(client, key, signal, async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return name
      })
    return { begun, call, end: (name: string) => ends.get(name)?.() }
  }
  const settle = () => new Promise(setImmediate)

  test('wait for the one before, with a signal and without', async () => {
    const { begun, call, end } = laneOf()
    const calls = [call('a'), call('b', new AbortController().signal)]
    await settle()
    expect(begun).toEqual(['a'])
    end('a')
    await settle()
    expect(begun).toEqual(['a', 'b'])
    // A call that comes now waits for the one that works, whichever others have ended meanwhile.
    calls.push(call('c'), call('other', undefined, 'another'))
    await settle()
    expect(begun).toEqual(['a', 'b', 'other'])
    end('b')
    await settle()
    expect(begun).toEqual(['a', 'b', 'other', 'c'])
    for (const name of ['c', 'other']) end(name)
    expect(await Promise.all(calls)).toEqual(['a', 'b', 'c', 'other'])
  })

  /** Expects that of the calls `a` and `c`, one begins only when the other has ended. */
  async function expectToFollow({
    begun,
    end,
    first,
    third,
  }: Pick<ReturnType<typeof laneOf>, 'begun' | 'end'> & {
    readonly first: Promise<string>
    readonly third: Promise<string>
  }): Promise<void> {
    await settle()
    expect(begun).toEqual(['a'])
    end('a')
    await first
    await settle()
    expect(begun).toEqual(['a', 'c'])
    end('c')
    expect(await third).toBe('c')
  }

  test('leave the line when they are aborted, and nobody passes who waited behind', async () => {
    const { begun, call, end } = laneOf()
    const controller = new AbortController()
    const first = call('a')
    const second = call('b', controller.signal)
    const third = call('c')
    controller.abort(new Error('enough'))
    await expect(second).rejects.toMatchObject({ kind: 'aborted', cause: { message: 'enough' } })
    await expectToFollow({ begun, end, first, third })
  })

  test('do not pass one that works because another has given up waiting for it', async () => {
    const { begun, call, end } = laneOf()
    const controller = new AbortController()
    const first = call('a')
    const second = call('b', controller.signal)
    controller.abort(new Error('enough'))
    await expect(second).rejects.toMatchObject({ kind: 'aborted' })
    const third = call('c')
    await expectToFollow({ begun, end, first, third })
  })

  test('go on after one that failed', async () => {
    const client = {} as DaemonClient
    const first = inTurn(client, 'same', undefined, () => Promise.reject(new Error('no')))
    const second = inTurn(client, 'same', undefined, async () => 'yes')
    await expect(first).rejects.toThrow('no')
    expect(await second).toBe('yes')
  })
})

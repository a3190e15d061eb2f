// The last steps before a broadcast, and what the journal gets of its result.

import { describe, expect, test } from 'vitest'

import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { RpcError } from '../../../src/rpc/errors.ts'
import { attemptsOf } from '../../../src/rpc/safe-flow/attempts.ts'
import type { Flow } from '../../../src/rpc/safe-flow/flow.ts'
import type { SafeFlowOptions } from '../../../src/rpc/safe-flow/options.ts'
import { release, verifiedAttempt } from '../../../src/rpc/safe-flow/release.ts'
import { isCallbackRunning } from '../../../src/rpc/safe-flow/turns.ts'
import { seal } from '../../../src/verification/sealed.ts'
import { transfer, transferHex } from '../../support/resigned.ts'

type Checked = Parameters<typeof release>[1]

interface World {
  readonly options?: SafeFlowOptions
  readonly optionsOf?: (journal: object) => SafeFlowOptions
  /** The error with which the server answers. */
  readonly answer?: unknown
  /** The error of the step before the broadcast. */
  readonly failure?: Error
  readonly remembered?: string
  /** Txids of attempts that may have been broadcast before. */
  readonly open?: readonly string[]
  /** More that is recorded of these. */
  readonly known?: { readonly isOpen?: false; readonly isHandedOver?: true }
  readonly isHandOver?: boolean
  readonly isDurable?: boolean
  readonly id?: string
  /** A journal that records no results. */
  readonly isFull?: boolean
}

/** Releases the attempt `aa`, and returns the result with all that happened. */
async function released(world: World = {}) {
  const { answer, remembered = 'recorded', open = [], isDurable = true, id } = world
  const log: string[] = []
  const journal = {}
  const options = world.optionsOf?.(journal) ?? world.options ?? {}
  const attempts = {
    unsettled: () => open.map((txid) => ({ txid, isOpen: true, ...world.known })),
    ofOtherIds: () => [],
    remember: async () => {
      log.push('remember')
      return remembered
    },
    note: async (kind: string, txid: string) => {
      if (world.isFull) throw new Error('the disk is full')
      log.push(`${kind} ${txid}`)
    },
    forget: async () => log.push('forget'),
  }
  const payment = {
    options,
    isHandOver: world.isHandOver,
    beforeSend: async () => {
      if (world.failure !== undefined) throw world.failure
    },
    send: async ({ txid }: { txid: string }) => {
      log.push(`send ${txid}`)
      if (answer !== undefined) throw answer
    },
  }
  const named = { name: 'payment', ...(id !== undefined && { id }) }
  const flow = { payment, attempts, journal, isDurable, named } as unknown as Flow
  const checked = { report: { ok: true, findings: [] } } as unknown as Checked
  const attempt = { txid: 'aa', hex: '00', outpoints: new Set<string>() }
  const result = await release(flow, checked, attempt).catch((error: unknown) => ({ error }))
  return { result, log }
}

describe('a transaction is not sent', () => {
  test('if it is a dry run', async () => {
    const { result, log } = await released({ options: { dryRun: true } })
    expect(result).toMatchObject({ held: 'dry-run' })
    expect(log).toEqual([])
  })

  test.each([false, undefined, 'yes'])('if its confirmation is %j', async (answer) => {
    const { result, log } = await released({ options: { confirm: () => answer as boolean } })
    expect(result).toMatchObject({ held: 'declined' })
    expect(log).toEqual([])
  })

  test('if another process has recorded something for its payment', async () => {
    const { result, log } = await released({ remembered: 'changed' })
    expect(result).toBe('changed')
    expect(log).toEqual(['remember'])
  })

  test('if the journal does not take it', async () => {
    const { result, log } = await released({ remembered: 'under-way' })
    expect(result).toMatchObject({ held: 'under-way' })
    expect(log).toEqual(['remember'])
  })

  test.each([
    ['a new one', {}, ['remember', 'refused aa']],
    [
      'one that was refused',
      { open: ['aa'], known: { isOpen: false } },
      ['remember', 'refused aa'],
    ],
    ['one that may have been sent', { open: ['aa'] }, ['remember']],
    [
      'one that was handed over',
      { open: ['aa'], known: { isHandedOver: true } },
      ['remember', 'refused aa'],
    ],
  ] as const)(
    'if the step before it fails, and nothing is left open: %s',
    async (_, world, expected) => {
      const failure = new Error('the disk is full')
      const { result, log } = await released({ ...world, failure })
      expect(result).toEqual({ error: failure })
      expect(log).toEqual(expected)
    },
  )

  test('if the step before it fails, and a journal has it as handed over again', async () => {
    const journal = memoryJournal()
    const book = bookOf(journal)
    const named = { name: 'payment', terms: '{}', request: '{}' }
    const attempts = attemptsOf(book, named, () => undefined)
    const attempt = { txid: 'aa', hex: '00', outpoints: new Set<string>() }
    await attempts.remember(attempt, { isHandOver: true })
    const failure = new Error('the disk is full')
    const payment = { options: {}, beforeSend: () => Promise.reject(failure) }
    const flow = { payment, attempts, journal, isDurable: true, named }
    const checked = { report: { ok: true, findings: [] } } as unknown as Checked
    await expect(release(flow as unknown as Flow, checked, attempt)).rejects.toBe(failure)
    const kinds = (await journal.read(0)).map((text) => JSON.parse(text).kind)
    expect(kinds).toEqual(['handed-over', 'sending', 'refused'])
    expect(book.payment('payment')?.attempts).toMatchObject([
      { isOpen: true, isAccepted: false, isHandedOver: true, firstSent: 'refused' },
    ])
  })

  test('if the call is aborted while an observer works, and nothing is left open', async () => {
    const stop = new AbortController()
    const onProgress = () => {
      stop.abort()
      return new Promise(() => undefined)
    }
    const { result, log } = await released({ options: { onProgress, signal: stop.signal } })
    expect(result).toMatchObject({ error: { kind: 'aborted' } })
    expect(log).toEqual(['remember', 'refused aa'])
  })
})

test('a transaction is sent after its observer has finished, and recorded as accepted', async () => {
  const steps: string[] = []
  const onProgress = async ({ step }: { step: string }) => {
    await new Promise((resolve) => setImmediate(resolve))
    steps.push(step)
  }
  const { result, log } = await released({ options: { confirm: () => true, onProgress } })
  expect(result).toMatchObject({ txid: 'aa' })
  expect(result).not.toHaveProperty('held')
  expect(steps).toEqual(['broadcasting'])
  expect(log).toEqual(['remember', 'send aa', 'accepted aa'])
})

describe('an error of the server', () => {
  const refused = new RpcError('daemon', 'refused', { code: -26 })
  const unknown = new RpcError('transport', 'lost', { uncertain: true })

  test('is recorded as a refusal, unless the attempt may have been sent before', async () => {
    const first = await released({ answer: refused })
    expect(first.result).toMatchObject({ error: { code: -26, txid: 'aa' } })
    expect(first.log).toEqual(['remember', 'send aa', 'refused aa'])
    const again = await released({ answer: refused, open: ['aa'] })
    expect(again.log).toEqual(['remember', 'send aa'])
    const beside = await released({ answer: refused, open: ['bb'] })
    expect(beside.log).toEqual(['remember', 'send aa', 'refused aa'])
  })

  test('is recorded as a refusal, except when the transaction is handed over again', async () => {
    const [open, known] = [['aa'], { isHandedOver: true }] as const
    const sent = await released({ answer: refused, open, known })
    expect(sent.log).toEqual(['remember', 'send aa', 'refused aa'])
    const again = await released({ answer: refused, open, known, isHandOver: true })
    expect(again.log).toEqual(['remember', 'send aa'])
    const first = await released({ answer: refused, isHandOver: true })
    expect(first.log).toEqual(['remember', 'send aa', 'refused aa'])
  })

  test.each([
    ['leaves it open whether it acted', unknown],
    ['is none of its protocol', new TypeError('a fault')],
  ])('is no refusal where it %s', async (_, answer) => {
    const { result, log } = await released({ answer })
    expect(result).toEqual({ error: answer })
    expect(log).toEqual(['remember', 'send aa'])
  })

  test('is the result although the journal cannot record it', async () => {
    const { result } = await released({ answer: refused, isFull: true })
    expect(result).toMatchObject({ error: { code: -26, txid: 'aa' } })
  })
})

test('a broadcast is the result although the journal cannot record it', async () => {
  expect((await released({ isFull: true })).result).toMatchObject({ txid: 'aa' })
})

test('a journal in memory settles a payment at once, and forgets one without an id', async () => {
  const named = await released({ isDurable: false, id: 'rent' })
  expect(named.log).toEqual(['remember', 'send aa', 'settled aa'])
  const nameless = await released({ isDurable: false })
  expect(nameless.log).toEqual(['remember', 'send aa', 'settled aa', 'forget'])
})

test('a further call can tell that a confirmation or an observer is at work', async () => {
  const running: boolean[] = []
  await released({
    id: 'rent',
    optionsOf(journal) {
      const look = (): true => {
        running.push(isCallbackRunning(journal, 'id rent'))
        return true
      }
      return { confirm: look, onProgress: look }
    },
  })
  expect(running).toEqual([true, true])
})

test('only what a verifier has sealed is sent, and no copy of it', async () => {
  const verified = seal(transferHex, transfer.txid)
  const attemptOf = (given: unknown) =>
    verifiedAttempt({ report: { verified: given } } as unknown as Checked)
  expect(await attemptOf(verified)).toMatchObject({ txid: transfer.txid, hex: transferHex })
  expect(await attemptOf({ ...verified })).toBeUndefined()
  expect(await attemptOf(undefined)).toBeUndefined()
})

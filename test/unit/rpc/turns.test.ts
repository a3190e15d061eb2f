// Calls for one payment work one after another, and one that would wait for itself is noticed.

import { describe, expect, test } from 'vitest'

import { inTurn, isCallbackRunning, runCallback } from '../../../src/rpc/safe-flow/turns.ts'

/** Work that lasts until it is told to end. */
function lasting(log: string[], name: string) {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = async (): Promise<string> => {
    log.push(`${name} begins`)
    await over
    log.push(`${name} ends`)
    return name
  }
  return { work, end }
}
const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('calls for one payment', () => {
  test('wait for each other, and those for another do not', async () => {
    const [journal, log] = [{}, [] as string[]]
    const first = lasting(log, 'first')
    const calls = [
      inTurn(journal, 'payment', undefined, first.work),
      inTurn(journal, 'payment', undefined, async () => log.push('second')),
      inTurn(journal, 'other', undefined, async () => log.push('other')),
      inTurn({}, 'payment', undefined, async () => log.push('journal of its own')),
    ]
    await soon()
    expect(log).toEqual(['first begins', 'other', 'journal of its own'])
    first.end()
    expect((await Promise.all(calls))[0]).toBe('first')
    expect(log.slice(3)).toEqual(['first ends', 'second'])
  })

  test('wait too if they come while a later one than the first works', async () => {
    const [journal, log] = [{}, [] as string[]]
    const [first, second] = [lasting(log, 'first'), lasting(log, 'second')]
    const calls = [
      inTurn(journal, 'payment', undefined, first.work),
      inTurn(journal, 'payment', undefined, second.work),
    ]
    first.end()
    await soon()
    calls.push(inTurn(journal, 'payment', undefined, lasting(log, 'third').work))
    await soon()
    const before = [...log]
    second.end()
    await Promise.all(calls.slice(0, 2))
    expect(before).toEqual(['first begins', 'first ends', 'second begins'])
  })

  test('go on after one that failed', async () => {
    const journal = {}
    const failed = inTurn(journal, 'payment', undefined, () => Promise.reject(new Error('full')))
    const next = inTurn(journal, 'payment', undefined, async () => 'done')
    await expect(failed).rejects.toThrow('full')
    expect(await next).toBe('done')
  })

  test('leave the line when they are aborted, and nobody passes who waited behind', async () => {
    const [journal, log, stop] = [{}, [] as string[], new AbortController()]
    const first = lasting(log, 'first')
    const begun = inTurn(journal, 'payment', undefined, first.work)
    const aborted = inTurn(journal, 'payment', stop.signal, async () => log.push('aborted'))
    const last = inTurn(journal, 'payment', new AbortController().signal, async () =>
      log.push('last'),
    )
    const left = aborted.catch(({ kind }) => kind)
    stop.abort()
    const outcome = await Promise.race([left, soon()])
    const before = [...log]
    first.end()
    await Promise.all([begun, last, left])
    expect(outcome).toBe('aborted')
    expect(before).toEqual(['first begins'])
    expect(log).toEqual(['first begins', 'first ends', 'last'])
  })
})

test('a callback is running from its first line to its last, also where it fails', async () => {
  const journal = {}
  const running = () => isCallbackRunning(journal, 'payment')
  expect(running()).toBe(false)
  const seen = await runCallback(journal, 'payment', async () => {
    await soon()
    return [running(), isCallbackRunning(journal, 'other'), isCallbackRunning({}, 'payment')]
  })
  expect(seen).toEqual([true, false, false])
  expect(running()).toBe(false)
  const failed = runCallback(journal, 'payment', () => Promise.reject(new Error('declined')))
  await expect(failed).rejects.toThrow('declined')
  expect(running()).toBe(false)
})

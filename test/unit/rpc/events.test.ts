// Lines of the event stream of a framework, in whatever pieces they come.

import { expect, test, vi } from 'vitest'
import { openEventStream } from '../../../src/rpc/framework/events.ts'
import type { Fetch } from '../../../src/rpc/transport.ts'

/** Opens a stream of pieces, and returns how often the task 7 was announced once all are read. */
async function wakesBy(pieces: Iterable<string>): Promise<number> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.iterator]()
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const isRead = vi.fn()
  const body = {
    getReader: () => ({
      async read() {
        await begun
        const { done, value } = iterator.next()
        if (done) isRead()
        return { done: done === true, value: done ? undefined : encoder.encode(value) }
      },
      cancel: async () => undefined,
    }),
  }
  const fetch = (async () => ({ status: 200, body })) as unknown as Fetch
  const stream = await openEventStream('http://127.0.0.1:1', fetch, 1)
  let wakes = 0
  stream.listen(7, () => {
    wakes += 1
  })
  begin()
  await vi.waitFor(() => expect(isRead).toHaveBeenCalled(), { timeout: 4_000 })
  stream.close()
  return wakes
}

const event = 'data: {"_type":"TASK:7"}'

test.each([
  ['a line', [`${event}\n\n`]],
  ['single characters', [...`${event}\r\n\r\n`]],
  ['a piece that ends two lines', ['x', `\r${event}\n`, 'data: {}']],
  ['a line that ends with the next piece', [event, '\n']],
])('a task is announced once by %s', async (_, pieces) => {
  expect(await wakesBy(pieces)).toBe(1)
})

test.each([
  ['of another task', ['data: {"_type":"TASK:77"}\n']],
  ['that does not end', [event]],
  ['of another field', [`: ${event}\n`]],
])('a line %s announces nothing', async (_, pieces) => {
  expect(await wakesBy(pieces)).toBe(0)
})

test('a long line of single characters takes work in proportion to its length', async () => {
  const length = 3_000
  let searched = 0
  const { split } = String.prototype
  const counting = vi.spyOn(String.prototype, 'split').mockImplementation(function (
    this: string,
    ...given: unknown[]
  ) {
    searched += this.length
    return Reflect.apply(split, this, given)
  } as typeof split)
  const wakes = await wakesBy([...'x'.repeat(length), `\n${event}\n`])
  counting.mockRestore()
  expect(wakes).toBe(1)
  expect(searched).toBeLessThan(2 * length)
})

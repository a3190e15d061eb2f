// These tests cover what is copied of a request, so that nothing changes it while a call waits.

import { describe, expect, test } from 'vitest'

import { LosslessNumber } from '../../../src/primitives/json.ts'
import { notified, notify } from '../../../src/primitives/observers.ts'
import { snapshot, snapshotOptions } from '../../../src/primitives/snapshot.ts'

const copy = <Value>(value: Value) => snapshot(value, 'request')

describe('a copy', () => {
  test('has the values, and is not changed with the original', () => {
    const given = { a: 1, b: 'two', c: [3n, { d: null }], e: undefined }
    const taken = copy(given)
    expect(taken).toEqual(given)
    given.c[1] = { d: null }
    ;(given as { a: number }).a = 2
    given.c.push(4n)
    expect(taken).toEqual({ a: 1, b: 'two', c: [3n, { d: null }], e: undefined })
  })

  test.each([7, 'text', 7n, true, null, undefined])('a copy of %s is the value itself', (value) => {
    expect(copy(value)).toBe(value)
  })

  test('leaves functions, exact numbers and signals as they are', () => {
    const own = () => true
    const exact = new LosslessNumber('1.0')
    const { signal } = new AbortController()
    const taken = copy({ own, exact, signal, map: new Map([[1, 2]]) })
    expect(taken.own).toBe(own)
    expect(taken.exact).toBe(exact)
    expect(taken.signal).toBe(signal)
    expect(taken.map).toEqual(new Map([[1, 2]]))
  })

  test('reads a member once, a getter too', () => {
    let reads = 0
    const given = {
      get amount() {
        reads += 1
        return BigInt(reads)
      },
    }
    const taken = copy(given)
    expect([taken.amount, taken.amount, reads]).toEqual([1n, 1n, 1])
  })

  test('reads a proxy once for each member', () => {
    const reads: string[] = []
    const given = new Proxy(
      { a: 1, b: [2] },
      {
        get(target, name, receiver) {
          if (typeof name === 'string' && name.length === 1) reads.push(name)
          return Reflect.get(target, name, receiver)
        },
      },
    )
    expect(copy(given)).toEqual({ a: 1, b: [2] })
    expect(reads).toEqual(['a', 'b'])
  })

  test('a copy of a class has its members and getters, of every class above it, and its methods', () => {
    class Base {
      get inherited() {
        return 'base'
      }
      greet() {
        return `of ${this.inherited}`
      }
    }
    class Request extends Base {
      own = [1]
      get computed() {
        return this.own.length
      }
    }
    const given = new Request()
    const taken = copy(given)
    expect(taken).toBeInstanceOf(Request)
    given.own.push(2)
    expect([taken.own, taken.computed, taken.inherited, taken.greet()]).toEqual([
      [1],
      1,
      'base',
      'of base',
    ])
    expect(Object.keys(taken)).toEqual(['own'])
  })

  test('a copy of a class has what its getters return, also of private members', () => {
    class Base {
      #amount = 1
      get amount() {
        return this.#amount
      }
      pay() {
        this.#amount += 1
      }
    }
    class Request extends Base {
      readonly own = 'x'
    }
    const given = new Request()
    const taken = copy(given)
    given.pay()
    expect([given.amount, taken.amount]).toEqual([2, 1])
    expect(Object.getOwnPropertyNames(taken).toSorted()).toEqual(['amount', 'own'])
    expect(Object.assign(taken, { amount: 5, own: 'y' })).toMatchObject({ amount: 5, own: 'y' })
    expect(Reflect.deleteProperty(taken, 'own')).toBe(true)
  })

  test('leaves an object of the platform as it is, unless it can be written as JSON', () => {
    const odd = Object.assign(new Map(), { toJSON: 5 })
    expect(copy(odd)).toBe(odd)
    const named = Object.assign(Object.create(null), { a: [1], [Symbol.toStringTag]: 'Module' })
    const taken = copy(named) as { a: number[] }
    named.a.push(2)
    expect(taken.a).toEqual([1])
  })

  test('has a member called __proto__ as a member, and sets nothing by it', () => {
    const taken = copy(JSON.parse('{"__proto__":{"isAllowed":true},"a":1}')) as { a: number }
    expect(Object.keys(taken)).toEqual(['__proto__', 'a'])
    expect('isAllowed' in taken).toBe(false)
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype)
  })

  test('a copy of an object without a prototype has none either', () => {
    const given = Object.assign(Object.create(null), { a: [1] }) as { a: number[] }
    const taken = copy(given)
    expect(Object.getPrototypeOf(taken)).toBe(null)
    given.a.push(2)
    expect(taken.a).toEqual([1])
  })

  test('has bytes of its own, and the text of a date or an address', () => {
    const bytes = Uint8Array.of(1, 2)
    const date = new Date(0)
    const url = new URL('http://localhost/a')
    const taken = copy({ bytes, date, url })
    bytes[0] = 9
    date.setTime(1)
    url.pathname = '/b'
    expect(taken.bytes).toEqual(Uint8Array.of(1, 2))
    expect([taken.date, taken.url]).toEqual(['1970-01-01T00:00:00.000Z', 'http://localhost/a'])
  })

  test('a copy of a list keeps its length, and a hole', () => {
    const holed = [1, 2, 3]
    delete holed[1]
    const taken = copy(holed)
    expect(taken).toHaveLength(3)
    expect([0 in taken, 1 in taken, 2 in taken]).toEqual([true, false, false])
    const growing: unknown[] = [1]
    growing.push({
      get grow() {
        growing.push(0)
        return 1
      },
    })
    expect(copy(growing)).toEqual([1, { grow: 1 }])
  })

  test('is of nothing nested deeper than 128, or in a circle', () => {
    const nested = (depth: number) => {
      let value: object = {}
      for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? { value } : [value]
      return value
    }
    expect(copy(nested(128))).toEqual(nested(128))
    const message = 'request: nested deeper than 128'
    expect(() => copy(nested(129))).toThrow(new TypeError(message))
    const circle: { self?: object } = {}
    circle.self = circle
    expect(() => copy(circle)).toThrow(new TypeError(message))
    class Linked {
      next: object = this
    }
    expect(() => copy(new Linked())).toThrow(new TypeError(message))
    const list: unknown[] = []
    list.push(list)
    expect(() => copy(list)).toThrow(TypeError)
  })
})

describe('a copy of options', () => {
  test('keeps a signal and a journal of any kind, and copies the rest', () => {
    const signal = { aborted: false }
    const journal = { read: [1] }
    const given = { signal, journal, retry: { attempts: 1 } }
    const taken = snapshotOptions(given, 'options')
    given.retry.attempts = 2
    expect(taken).toEqual({ signal, journal, retry: { attempts: 1 } })
    expect(taken.signal).toBe(signal)
    expect(taken.journal).toBe(journal)
  })

  test('a copy of options that are none is the given value', () => {
    for (const value of [null, undefined, 7, 'text']) {
      expect(snapshotOptions(value as never, 'options')).toBe(value)
    }
  })

  test('names the member that is nested too deep', () => {
    const circle: { self?: object } = {}
    circle.self = circle
    expect(() => snapshotOptions({ circle }, 'options')).toThrow(
      new TypeError('options.circle: nested deeper than 128'),
    )
  })
})

describe('an observer', () => {
  const failure = new Error('observer')
  const ways: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw failure
      },
    ],
    ['rejects', () => Promise.reject(failure)],
    [
      'answers a thenable that rejects later',
      () =>
        Object.defineProperty({}, 'then', {
          value: (_: unknown, reject: (error: unknown) => void) => setTimeout(reject, 1, failure),
        }),
    ],
    [
      'answers something whose `then` throws',
      () => Object.defineProperty({}, 'then', { get: ways[0]![1] }),
    ],
  ]

  test.each(ways)('an observer that %s disturbs nobody', async (_, observer) => {
    expect(notify(observer, 1)).toBeUndefined()
    expect(await notified(observer, 1)).toBeUndefined()
  })

  test('hears the event at once, and may be missing', async () => {
    const heard: number[] = []
    notify((event: number) => heard.push(event), 7)
    expect(heard).toEqual([7])
    notify(undefined, 8)
    await notified(undefined, 8)
  })

  test('is waited for where that is asked', async () => {
    let isDone = false
    await notified(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      isDone = true
    }, 1)
    expect(isDone).toBe(true)
  })
})

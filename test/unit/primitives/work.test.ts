// Work in steps, lines of a stream, values that are kept, and points of the curve.

import { Point, verify } from '@noble/secp256k1'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { batchMax, createCache, detached } from '../../../src/primitives/cache.ts'
import { isPoint } from '../../../src/primitives/curve-point.ts'
import { LineError, LineReader } from '../../../src/primitives/line-reader.ts'
import { notified, notify } from '../../../src/primitives/observers.ts'
import { patternOnUse } from '../../../src/primitives/pattern-on-use.ts'
import { recentValues } from '../../../src/primitives/recent.ts'
import {
  isPrivateKey,
  otherFormOf,
  publicKeyFormsOf,
  signHash,
} from '../../../src/primitives/secp256k1.ts'
import { finish, inSlices, type Steps, startSlices, turn } from '../../../src/primitives/steps.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a cache', () => {
  const lengthsOf = (asked: string[][]) => (missing: string[]) => {
    asked.push(missing)
    return missing.map((key) => key.length)
  }

  test('computes what is missing together, and each key once', () => {
    const cache = createCache<number>(10)
    const asked: string[][] = []
    expect(cache.getAll(['a', 'bb', 'a'], lengthsOf(asked))).toEqual([1, 2, 1])
    expect(cache.getAll(['bb', 'ccc', 'a'], lengthsOf(asked))).toEqual([2, 3, 1])
    expect(cache.getAll(['ccc'], lengthsOf(asked))).toEqual([3])
    expect(cache.getAll([], lengthsOf(asked))).toEqual([])
    expect(asked).toEqual([['a', 'bb'], ['ccc']])
    expect([cache.get('bb'), cache.get('dddd')]).toEqual([2, undefined])
  })

  test('empties itself before it would hold too many, and then holds as many as it may', () => {
    const cache = createCache<number>(3)
    const known = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key) !== undefined)
    cache.getAll(['a', 'b'], lengthsOf([]))
    cache.getAll(['c'], lengthsOf([]))
    expect(known()).toEqual(['a', 'b', 'c'])
    cache.getAll(['d'], lengthsOf([]))
    expect(known()).toEqual(['d'])
    expect(cache.getAll(['a', 'b', 'c', 'e'], lengthsOf([]))).toEqual([1, 1, 1, 1])
    expect(known()).toEqual(['a', 'b', 'c'])
  })

  test('computes many keys in batches', () => {
    const keys = Array.from({ length: 2 * batchMax }, (_, at) => `${at}`)
    const asked: string[][] = []
    const cache = createCache<number>(10 * batchMax)
    expect(cache.getAll(keys, lengthsOf(asked))).toEqual(keys.map((key) => key.length))
    expect(asked.map(({ length }) => length)).toEqual([batchMax, batchMax])
    expect(asked.flat()).toEqual(keys)
  })

  test('keeps a copy of a key, with the same text', () => {
    expect(detached('é🪙'.slice(0, 3))).toBe('é🪙')
  })
})

test('recent values begin with room for all once they are cleared', () => {
  const values = recentValues<string>(2)
  values.add('a', 'A', 1)
  values.add('b', 'B', 1)
  values.clear()
  expect([values.get('a'), values.get('b')]).toEqual([undefined, undefined])
  values.add('c', 'C', 1)
  values.add('d', 'D', 1)
  expect([values.get('c'), values.get('d')]).toEqual(['C', 'D'])
})

describe('lines of a stream', () => {
  function readerOf(max: number) {
    const lines: string[] = []
    const reader = new LineReader(
      () => max,
      (line) => lines.push(line),
    )
    return { lines, push: (text: string | Uint8Array) => reader.push(Buffer.from(text)) }
  }

  test('are the same however the bytes arrive', () => {
    const text = 'one\n\nthree é🪙\nlast'
    const bytes = Buffer.from(text)
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const { lines, push } = readerOf(100)
      for (let at = 0; at < bytes.length; at += size) push(bytes.subarray(at, at + size))
      expect(lines).toEqual(['one', '', 'three é🪙'])
      push('\n')
      expect(lines.at(-1)).toBe('last')
    }
  })

  test('may have as many bytes as are allowed at the moment', () => {
    const { lines, push } = readerOf(4)
    push('1234\n12')
    push('34\n')
    expect(lines).toEqual(['1234', '1234'])
    const refused = { fault: 'too_long', bytesMax: 4, message: 'a line over 4 bytes' }
    expect(() => push('12345')).toThrow(expect.objectContaining(refused))
    const pieces = readerOf(4)
    pieces.push('123')
    expect(() => pieces.push('45\n')).toThrow(LineError)
  })

  test('are refused where they are no UTF-8', () => {
    const { push } = readerOf(9)
    push(Uint8Array.of(0x61, 0xff))
    const refused = {
      name: 'LineError',
      fault: 'malformed_text',
      bytesMax: 9,
      message: 'a line that is not UTF-8',
    }
    expect(() => push('\n')).toThrow(expect.objectContaining(refused))
  })

  test('do not change with the memory of a chunk that is used again', () => {
    const lines: string[] = []
    const reader = new LineReader(
      () => 9,
      (line) => lines.push(line),
    )
    const chunk = Buffer.from('one')
    reader.push(chunk)
    chunk.fill('x')
    reader.push(Buffer.from('\n'))
    expect(lines).toEqual(['one'])
  })
})

describe('an observer', () => {
  test('may be absent, and its failure is nobody else’s', async () => {
    const seen: number[] = []
    await notified((event: number) => seen.push(event), 1)
    await notified(undefined, 2)
    await notified(() => Promise.reject(new Error('late')), 3)
    await notified(() => {
      throw new Error('at once')
    }, 4)
    notify((event: number) => seen.push(event), 5)
    expect(seen).toEqual([1, 5])
  })

  test('an observer that takes its time is waited for', async () => {
    let isDone = false
    await notified(async () => {
      await turn()
      isDone = true
    }, 1)
    expect(isDone).toBe(true)
  })
})

test('a pattern is made once, when it is used first', () => {
  const pattern = patternOnUse('a+', 'gi')
  expect(pattern().source + pattern().flags).toBe('a+gi')
  expect(pattern()).toBe(pattern())
})

describe('work in steps', () => {
  function* counting(steps: number, seen: number[]): Steps<string> {
    for (let at = 0; at < steps; at += 1) {
      seen.push(at)
      yield
    }
    return 'done'
  }
  /** Lets each look at the clock take so many milliseconds. */
  function clockOf(ms: number) {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += ms
      return now
    })
  }

  test('runs to its end at once, or in slices', async () => {
    for (const run of [finish, inSlices]) {
      const seen: number[] = []
      expect(await run(counting(3, seen))).toBe('done')
      expect(seen).toEqual([0, 1, 2])
    }
  })

  test('stops before its next step if a signal aborts', async () => {
    const stop = new AbortController()
    const seen: number[] = []
    function* aborting(): Steps<void> {
      seen.push(1)
      stop.abort(new Error('enough'))
      yield
      seen.push(2)
    }
    await expect(inSlices(aborting(), { signal: stop.signal })).rejects.toThrow('enough')
    await expect(inSlices(aborting(), { signal: stop.signal })).rejects.toThrow('enough')
    expect(seen).toEqual([1])
  })

  test.each([
    [14, [undefined, Promise]],
    [15, [Promise, Promise]],
  ])('ends a slice after 15 ms: a step of %d ms', (ms, kinds) => {
    clockOf(ms)
    const pause = startSlices()
    const ends = [pause(), pause()].map((it) => it?.constructor)
    expect(ends).toEqual(kinds)
  })

  test('has a new slice after each pause', async () => {
    clockOf(10)
    const pause = startSlices()
    const ends: boolean[] = []
    for (let step = 0; step < 6; step += 1) {
      const others = pause()
      ends.push(others !== undefined)
      await others
    }
    expect(ends).toEqual([false, true, false, true, false, true])
  })

  test.each([
    ['in Node', true],
    ['in a page, which has no immediates', false],
  ])('lets timers run between two slices, %s', async (_, hasImmediates) => {
    if (!hasImmediates) vi.stubGlobal('setImmediate', undefined)
    try {
      clockOf(20)
      const seen: string[] = []
      setTimeout(() => seen.push('timer'))
      function* working(): Steps<void> {
        for (let step = 0; step < 40; step += 1) {
          const until = process.hrtime.bigint() + 200_000n
          while (process.hrtime.bigint() < until);
          yield
        }
        seen.push('end')
      }
      await inSlices(working())
      expect(seen).toEqual(['timer', 'end'])
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test.each([
    ['in Node', true],
    ['in a page, which has no immediates', false],
  ])('a turn comes after what waits already, %s', async (_, hasImmediates) => {
    const seen: string[] = []
    setTimeout(() => seen.push('timer'))
    setImmediate(() => seen.push('immediate'))
    if (!hasImmediates) vi.stubGlobal('setImmediate', undefined)
    await turn()
    vi.unstubAllGlobals()
    expect(seen).toContain('timer')
    if (hasImmediates) expect(seen).toContain('immediate')
  })
})

describe('a point of the curve', () => {
  const hexOf = (scalar: bigint, isCompressed: boolean) =>
    Point.BASE.multiply(scalar).toHex(isCompressed)
  // SEC 2, section 2.4.1
  const prime = 2n ** 256n - 2n ** 32n - 977n
  const hex = (number: bigint) => number.toString(16).padStart(64, '0')

  test('is one in each of its forms', () => {
    for (const scalar of [1n, 2n, 3n, 99n]) {
      for (const isCompressed of [true, false]) {
        const text = hexOf(scalar, isCompressed)
        expect([isPoint(text), isPoint(text.toUpperCase())]).toEqual([true, true])
        expect(otherFormOf(text)).toBe(hexOf(scalar, !isCompressed))
      }
    }
  })

  test('is none with another second coordinate, or one beyond the prime', () => {
    const [, x, y] = /^04(.{64})(.{64})$/.exec(hexOf(5n, false))!
    const value = BigInt(`0x${y}`)
    expect(isPoint(`04${x}${hex(prime - value)}`)).toBe(true)
    for (const other of [value + 1n, 0n, prime, 2n ** 256n - 1n]) {
      expect(isPoint(`04${x}${hex(other)}`)).toBe(false)
    }
  })

  test('is none where its first coordinate has no second, or is the prime or more', () => {
    // Every number below 2^32 + 977 has a second spelling with 32 bytes: that number and the prime.
    const small = Array.from({ length: 20 }, (_, at) => BigInt(at))
    const onCurve = small.filter((x) => isPoint(`02${hex(x)}`))
    const expected = small.filter((x) => {
      try {
        Point.fromHex(`02${hex(x)}`).assertValidity()
        return true
      } catch {
        return false
      }
    })
    expect(onCurve).toEqual(expected)
    expect(onCurve.length).toBeGreaterThan(5)
    for (const x of small) expect(isPoint(`02${hex(prime + x)}`)).toBe(false)
  })

  test('can have a second coordinate that is small, but spelled once', () => {
    // Solve x^3 = y^2 - 7 for small y: cube roots exist for a third of all numbers.
    const power = (base: bigint, exponent: bigint) => {
      let [result, square] = [1n, base % prime]
      for (let left = exponent; left > 0n; left >>= 1n) {
        if (left & 1n) result = (result * square) % prime
        square = (square * square) % prime
      }
      return result
    }
    const found = Array.from({ length: 40 }, (_, at) => BigInt(at + 3)).flatMap((y) => {
      const cube = y * y - 7n
      // The prime is 7 modulo 9, so a cube root is a power of the number itself.
      const x = power(cube, (prime + 2n) / 9n)
      return power(x, 3n) === cube % prime ? [[x, y] as const] : []
    })
    expect(found.length).toBeGreaterThan(3)
    for (const [x, y] of found) {
      expect(isPoint(`04${hex(x)}${hex(y)}`)).toBe(true)
      expect(isPoint(`04${hex(x)}${hex(y + prime)}`)).toBe(false)
    }
  })

  test.each(['', '02', '05', 'text', `02${'g'.repeat(64)}`])('is no text like %j', (text) => {
    expect(isPoint(text)).toBe(false)
    expect(isPoint(`${hexOf(1n, true)}00`)).toBe(false)
    expect(isPoint(`00${hexOf(1n, true)}`)).toBe(false)
  })
})

describe('a private key', () => {
  const bytesOf = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
  // SEC 2, section 2.4.1
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

  test.each([
    [0n, false],
    [1n, true],
    [order - 1n, true],
    [order, false],
    [order + 1n, false],
    [2n ** 256n - 1n, false],
    [2n ** 255n, true],
    [order - 2n ** 128n, true],
    [order + 2n ** 128n, false],
  ])('is a number from one to below the order: %d', (number, isOne) => {
    expect(isPrivateKey(bytesOf(number))).toBe(isOne)
  })

  test('has 32 bytes', () => {
    expect(isPrivateKey(new Uint8Array(31).fill(1))).toBe(false)
    expect(isPrivateKey(new Uint8Array(33).fill(1))).toBe(false)
  })

  test('has a public key in two forms, and signs hashes with low S', async () => {
    const isLow = (signature: Uint8Array) =>
      BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`) <= order / 2n
    for (const number of [1n, 2n, 3n, 4n, 5n, 6n]) {
      const forms = publicKeyFormsOf(bytesOf(number)).map((it) => Buffer.from(it).toString('hex'))
      expect(forms).toEqual([true, false].map((it) => Point.BASE.multiply(number).toHex(it)))
      const hash = bytesOf(number * 12_345n)
      const signature = signHash(hash, bytesOf(number))
      expect([signature.length, isLow(signature)]).toEqual([64, true])
      const options = { prehash: false, lowS: true, format: 'compact' } as const
      expect(verify(signature, hash, Buffer.from(forms[0]!, 'hex'), options)).toBe(true)
      expect(signHash(hash, bytesOf(number))).toEqual(signature)
    }
  })
})

// The decoder of the embedded WebAssembly against files of xz.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { decompressLzma } from '../../../src/engine/lzma.ts'
import { root } from '../../support/built.ts'
import { placesOf } from '../../support/share.ts'
import { readVectors } from '../../support/vectors.ts'

interface Input {
  readonly name: string
  readonly size: number
  readonly sha256: string
  /** By the options of xz, its file. */
  readonly files: Readonly<Record<string, string>>
}
const { inputs } = readVectors<{ readonly inputs: readonly Input[] }>('lzma/xz.json')

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

const files = inputs.flatMap(({ files, ...input }) =>
  Object.entries(files).map(([options, file]) => ({ ...input, options, file: bytesOf(file) })),
)

test.each(files)('decompresses $name of xz with $options', ({ file, size, sha256: expected }) => {
  expect(sha256(decompressLzma(file, size))).toBe(expected)
})

test('the compressed module of bundles decompresses to the module of packages', () => {
  const wasm = readFileSync(`${root}native/wasm/antara_tx.wasm`)
  const compressed = readFileSync(`${root}native/wasm/antara_tx.lzma`)
  expect(sha256(decompressLzma(compressed, wasm.length))).toBe(sha256(wasm))
})

test('data that is cut, or of another size, is an error', () => {
  const { file, size } = files[0]!
  expect(size).toBeLessThan(file.length * 10)
  expect(() => decompressLzma(file.subarray(0, -20), size)).toThrow(RangeError)
  expect(() => decompressLzma(file, size + 1000)).toThrow(RangeError)
  for (let length = 0; length < 20; length += 1) {
    expect(() => decompressLzma(file.subarray(0, length), size)).toThrow(RangeError)
  }
})

test('damaged data is an error or other bytes, and never runs on', () => {
  for (const { file, size } of files.filter(({ size }) => size < 5000)) {
    for (const at of placesOf(file.length)) {
      const damaged = Uint8Array.from(file)
      damaged[at]! ^= 0x55
      try {
        expect(decompressLzma(damaged, size)).toHaveLength(size)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
  }
})

import { expect, test } from 'vitest'

import { equihashFault } from '../../../src/electrum/index.ts'
import { equihashSolutions } from '../../../src/node/state/equihash.ts'
import { headersOf } from '../../support/headers.ts'

const puzzleDigits = 2 * 140
const lengthDigits = 2
const puzzleOf = (header: string) => Buffer.from(header.slice(0, puzzleDigits), 'hex')
const mined = headersOf('komodod-headers.txt').slice(1, 41)

test('the solutions of a recorded header have the one that its miner found', () => {
  const missing = mined.filter((header) => {
    const found = equihashSolutions(puzzleOf(header))
    return !found.includes(header.slice(puzzleDigits + lengthDigits))
  })
  expect(missing).toEqual([])
})

test('every solution holds, and two of three nonces have one', () => {
  const puzzle = puzzleOf(mined[0]!)
  const headers = Array.from({ length: 100 }, (_, nonce) => {
    puzzle.writeUInt32LE(nonce, 136)
    const digits = puzzle.toString('hex')
    return equihashSolutions(puzzle).map((solution) => `${digits}24${solution}`)
  }).flat()
  expect(headers.filter((it) => equihashFault(it, { n: 48, k: 5 }) !== undefined)).toEqual([])
  expect(headers.length).toBeGreaterThan(50)
  expect(new Set(headers).size).toBe(headers.length)
})

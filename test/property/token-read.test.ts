import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AntaraError } from '../../src/errors/antara-error.ts'
import { decodeTokenTransaction } from '../../src/token/read/read.ts'
import { daemonMade } from '../support/komodod.ts'
import { share } from '../support/share.ts'

test('a token transaction with any bytes changed reads, or is refused with a typed error', () => {
  const flip = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
  fc.assert(
    fc.property(
      fc.constantFrom(...daemonMade.map(({ hex }) => hex)),
      fc.array(flip, { minLength: 1, maxLength: 4 }),
      (hex, flips) => {
        const bytes = Buffer.from(hex, 'hex')
        for (const [at, mask] of flips) bytes[at % bytes.length]! ^= mask
        try {
          const found = decodeTokenTransaction(bytes)
          expect(found === undefined || found.outputs.at(-1)?.role === 'nulldata').toBe(true)
        } catch (error) {
          if (!(error instanceof AntaraError)) throw error
        }
      },
    ),
    { numRuns: share(1000) },
  )
})

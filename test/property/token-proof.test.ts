import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AntaraError } from '../../src/errors/antara-error.ts'
import { createTokenProver } from '../../src/token/proof/prove.ts'
import { decodeTransaction, transactionId } from '../../src/transaction/decode.ts'
import { readVectors } from '../support/komodod.ts'

const { transactions } = readVectors<{ transactions: { txid: string; hex: string }[] }>(
  'komodod/90-chain-dump.json',
)
const chain = transactions.map(({ hex }) => hex)
const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
/** Transfers of one token, that rest on each other. */
const transfers = chain.filter((hex) => hex.includes(`f274${tokenid}`))
const whole = createTokenProver(chain)

function verdictsOf(prover: typeof whole, hex: string) {
  const txid = transactionId(hex)
  return decodeTransaction(hex).outputs.map((_, vout) => prover.prove(txid, vout, tokenid).verdict)
}

test('what is proven stays so without what it does not rest on, and is never disproven', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...transfers),
      fc.subarray(chain, { minLength: chain.length / 2 }),
      (hex, some) => {
        const verdicts = verdictsOf(createTokenProver([...some, hex]), hex)
        for (const [vout, known] of verdictsOf(whole, hex).entries()) {
          if (verdicts[vout] === known) continue
          expect(known).not.toBe('incomplete')
          expect(verdicts[vout]).toBe('incomplete')
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('a transfer with any bytes changed proves at most what went in, or is refused', () => {
  const flip = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
  fc.assert(
    fc.property(
      fc.constantFrom(...transfers),
      fc.array(flip, { minLength: 1, maxLength: 3 }),
      (original, flips) => {
        const bytes = Buffer.from(original, 'hex')
        for (const [at, mask] of flips) bytes[at % bytes.length]! ^= mask
        const hex = bytes.toString('hex')
        try {
          const prover = createTokenProver([...chain, hex])
          const { inputs, outputs } = decodeTransaction(hex)
          const sum = (txids: readonly { txid: string; vout: number }[]) =>
            txids.reduce((total, { txid, vout }) => {
              const proof = prover.prove(txid, vout, tokenid)
              return proof.verdict === 'proven' ? total + proof.amount : total
            }, 0n)
          const txid = transactionId(hex)
          const paid = sum(outputs.map((_, vout) => ({ txid, vout })))
          expect(paid === 0n || paid <= sum(inputs)).toBe(true)
        } catch (error) {
          if (!(error instanceof AntaraError)) throw error
        }
      },
    ),
    { numRuns: 150 },
  )
})

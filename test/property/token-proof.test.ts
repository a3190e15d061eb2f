import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AntaraError } from '../../src/errors/antara-error.ts'
import { createTokenProver } from '../../src/token/proof/prove.ts'
import { fulfillmentsOf } from '../../src/token/rules/fulfillment.ts'
import { decodeTransaction, transactionId } from '../../src/transaction/decode.ts'
import { encodeTransaction } from '../../src/transaction/encode.ts'
import { readVectors } from '../support/komodod.ts'
import { share } from '../support/share.ts'

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

test('a proof holds without unrelated transactions, and is never disproven', () => {
  let compared = 0
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
        compared += verdicts.length
      },
    ),
    { numRuns: share(100) },
  )
  expect(compared).toBeGreaterThan(0)
})

/** Transfers that were made up from mined ones: with another lock time, and some resting on what nobody has. */
const madeUp = transfers.flatMap((hex, at) => {
  const tx = decodeTransaction(hex)
  const first = tx.inputs.find((_, index) => fulfillmentsOf(tx)[index] !== undefined)
  if (first === undefined) return []
  const beyond = { ...first, txid: 'ee'.repeat(32), vout: at }
  return [
    { ...tx, lockTime: 1 },
    { ...tx, inputs: [...tx.inputs, beyond] },
    { ...tx, inputs: [beyond, ...tx.inputs], lockTime: 2 },
  ].map(encodeTransaction)
})
const everything = [...chain, ...madeUp]
const outpoints = [...transfers, ...madeUp].flatMap((hex) => {
  const txid = transactionId(hex)
  return decodeTransaction(hex).outputs.map((_, vout) => ({ txid, vout }))
})

test.each([false, true])(
  'a verdict depends neither on the order of calls nor on what else was given, signatures: %s',
  (signatures) => {
    const order = fc.shuffledSubarray(outpoints, { minLength: 2, maxLength: 40 })
    fc.assert(
      fc.property(order, fc.shuffledSubarray(everything), (asked, given) => {
        const shared = createTokenProver(everything, { signatures })
        const fewer = createTokenProver(given, { signatures })
        for (const { txid, vout } of asked) {
          const alone = createTokenProver(everything, { signatures }).prove(txid, vout, tokenid)
          expect(shared.prove(txid, vout, tokenid)).toEqual(alone)
          // A missing ancestor may leave a proof open, but never reverses it.
          const part = fewer.prove(txid, vout, tokenid)
          if (part.verdict !== 'incomplete') expect(part).toEqual(alone)
        }
      }),
      { numRuns: share(15) },
    )
  },
)

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
    { numRuns: share(150) },
  )
})

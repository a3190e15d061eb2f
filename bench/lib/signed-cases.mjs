import { randomSource } from './random.mjs'
import { signedSpend } from './spends.mjs'

/** Inputs, and how many different transactions take turns. */
const specimensOf = { 1: 16, 10: 8, 100: 2, 1000: 1 }

/**
 * Signed v4 transactions of P2PKH inputs, those that must be refused among what is proved.
 *
 * @param {(keyof typeof specimensOf)[]} sizes how many inputs
 */
export const signedCases = (sizes) =>
  sizes.map((inputs) => {
    const name = `inputs-${inputs}`
    const random = randomSource(`verify-inputs/${name}`)
    const spends = Array.from({ length: specimensOf[inputs] }, () => signedSpend(random, inputs))
    return {
      name,
      description: `${inputs} P2PKH input${inputs === 1 ? '' : 's'}, v4`,
      items: spends.map(({ signed }) => signed),
      alsoProved: spends[0].tampered,
      unitsPerItem: inputs,
    }
  })

import { shapeOf } from '../shapes.mjs'

/** One case whose only item is a whole batch of 10,000 mixed transactions. */
export const batchCases = () => {
  const { specimens, ...shape } = shapeOf('mixed')
  return [{ ...shape, items: [specimens], unitsPerItem: specimens.length }]
}

/** @param {import('../shapes.mjs').Specimen[]} specimens */
export const hexesOf = (specimens) => specimens.map(({ hex }) => hex)

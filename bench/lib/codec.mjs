import { codecShapes, shapeOf } from '../shapes.mjs'

/** Cases of the codec tasks: the specimens of each shape. @param {readonly string[]} [names] */
export const codecCases = (names = codecShapes) =>
  names.map((name) => {
    const { specimens, ...shape } = shapeOf(name)
    return { ...shape, items: specimens }
  })

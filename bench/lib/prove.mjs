/**
 * Runs one peer over every item of a case, timed or not, and compares each answer with the reference.
 *
 * @param {import('./define.mjs').Task<any, any>} task
 * @param {import('./define.mjs').Case<any>} benchCase
 * @param {import('./define.mjs').Peer<any, any, any, any>} peer
 * @returns {Promise<{ inputs: unknown[] } | { refused: string }>} prepared inputs, or the first difference
 */
export async function prove(task, benchCase, peer) {
  const { items, alsoProved = [] } = benchCase
  const inputs = []
  for (const [index, item] of [...items, ...alsoProved].entries()) {
    try {
      const input = peer.prepare(item)
      const actual = peer.answer(await peer.run(input))
      const difference = task.compare(task.reference(item), actual)
      if (difference !== undefined) return { refused: `item ${index}, ${difference}` }
      if (index < items.length) inputs.push(input)
    } catch (error) {
      return { refused: `item ${index}, threw ${error}` }
    }
  }
  return { inputs }
}

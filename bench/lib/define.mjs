/**
 * Definitions of a task and of a peer. `README.md` shows how to add one.
 *
 * @template Item, Answer
 * @typedef {{
 *   name: string,
 *   question: string,
 *   unit: string,
 *   cases: () => Case<Item>[],
 *   reference: (item: Item) => Answer,
 *   compare?: (expected: Answer, actual: Answer) => string | undefined,
 *   clock?: 'cpu' | 'wall',
 *   warmUpMs?: number,
 *   goals?: Goal[],
 * }} Task
 *   `question` says what is timed, from what to what. `unit` is what times are given per.
 *   `reference` is the answer every peer must give, from a source that is not a peer.
 *   `compare` names the first field that differs; by default `firstDifference`.
 *   `clock` decides ratios: CPU time of the whole process, or wall time for work on other threads.
 *   `warmUpMs` is how long a peer runs before it is timed: until all that it uses is compiled.
 */
/**
 * @template Item
 * @typedef {{ name: string, description: string, bytes?: number, items: Item[], unitsPerItem?: number, alsoProved?: Item[] }} Case
 *   Peers get one prepared item per run, in turn; an item that holds a batch says how many units it is.
 *   `alsoProved` are answered before anything is timed, and not timed: what must be refused, say.
 */
/** @typedef {{ case: string, peer: string, ratio: number }} Goal at least `ratio` times faster than `peer` */
/**
 * @template Item, Input, Output, Answer
 * @typedef {{
 *   name: string,
 *   package?: string,
 *   note?: string,
 *   cannot?: (item: Item) => string | undefined,
 *   prepare?: (item: Item) => Input,
 *   run: (input: Input) => Output | Promise<Output>,
 *   answer?: (output: Output) => Answer,
 *   close?: () => Promise<void> | void,
 * }} Peer
 *   `cannot` gives the reason a case is out of reach. `prepare` is not timed; `run` is, and only it.
 *   `answer` brings what `run` returned into the reference's form; it is not timed either. `close` ends
 *   a server of its own after the last case.
 */

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** @template Item, Answer @param {Task<Item, Answer>} task */
export function defineTask(task) {
  if (!kebab.test(task.name)) throw new TypeError(`task name ${task.name} is not kebab-case`)
  return Object.freeze({
    clock: 'cpu',
    warmUpMs: 250,
    goals: [],
    compare: firstDifference,
    ...task,
  })
}

/** @template Item, Input, Output, Answer @param {Peer<Item, Input, Output, Answer>} peer */
export function definePeer(peer) {
  return Object.freeze({
    package: peer.name,
    cannot: () => undefined,
    prepare: (/** @type {unknown} */ item) => item,
    answer: (/** @type {unknown} */ output) => output,
    close: () => undefined,
    ...peer,
  })
}

/** @param {unknown} value */
const shown = (value) => {
  const text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

/**
 * The first place, in the order of `expected`'s members, where two plain values differ.
 *
 * @param {unknown} expected
 * @param {unknown} actual
 * @param {string} [path]
 * @returns {string | undefined} the path with both values
 */
export function firstDifference(expected, actual, path = 'answer') {
  if (Object.is(expected, actual)) return undefined
  const comparable = [expected, actual].every((side) => typeof side === 'object' && side !== null)
  if (!comparable || Array.isArray(expected) !== Array.isArray(actual)) {
    return typeof expected === 'string' && typeof actual === 'string'
      ? textDifference(expected, actual, path)
      : `${path}: expected ${shown(expected)}, got ${shown(actual)}`
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const inner = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`
    const difference = firstDifference(expected[key], actual[key], inner)
    if (difference !== undefined) return difference
  }
  return undefined
}

/** @param {string} expected @param {string} actual @param {string} path */
function textDifference(expected, actual, path) {
  let at = 0
  while (at < expected.length && expected[at] === actual[at]) at++
  const from = Math.max(0, at - 20)
  return `${path}: differs at character ${at}, expected ${shown(expected.slice(from, at + 30))}, got ${shown(actual.slice(from, at + 30))}`
}

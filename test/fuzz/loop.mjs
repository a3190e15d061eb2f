/**
 * Runs a target on mutated seeds until an end is reached or an input fails.
 *
 * @typedef {import('./random.mjs').Random} Random
 */
/**
 * @template Input
 * @typedef {{
 *   seeds: readonly Input[],
 *   mutate: (input: Input, random: Random) => Input,
 *   execute: (input: Input) => void | Promise<void>,
 * }} Target
 *   `execute` throws, or rejects, when the input shows something that must not be.
 */
import { randomFrom } from './random.mjs'

/** No input here is large; one that takes this long does not end in time that grows with it. */
const inputMsMaxByDefault = 1000

/**
 * @template Input
 * @param {Target<Input>} target
 * @param {{
 *   seed: number,
 *   seconds?: number,
 *   executions?: number,
 *   inputMsMax?: number,
 *   say?: (line: string) => void,
 * }} options it ends after so many seconds or executions, but not before every seed has run
 * @returns {Promise<{ executions: number, seconds: number, slowestMs: number, failure?: { input: Input, error: unknown } }>}
 */
export async function fuzz({ seeds, mutate, execute }, options) {
  const {
    seed,
    seconds = Number.POSITIVE_INFINITY,
    executions: executionsMax = Number.POSITIVE_INFINITY,
    inputMsMax = inputMsMaxByDefault,
    say = () => {},
  } = options
  const random = randomFrom(seed)
  const start = performance.now()
  let slowestMs = 0
  let executions = 0
  let reported = start
  const done = () => ({ executions, seconds: (performance.now() - start) / 1000, slowestMs })
  for (const input of seeds) {
    const failure = await attempt(input)
    if (failure !== undefined) return { ...done(), failure }
  }
  for (
    let now = start;
    now - start < 1000 * seconds && executions < executionsMax;
    now = performance.now()
  ) {
    const failure = await attempt(mutate(random.one(seeds), random))
    if (failure !== undefined) return { ...done(), failure }
    if (now - reported < 10_000) continue
    reported = now
    say(`${executions} executions in ${Math.round((now - start) / 1000)} s`)
  }
  return done()

  /** @param {Input} input */
  async function attempt(input) {
    executions += 1
    try {
      let ms = await timeOf(input)
      // once may be a collection of garbage, or code that is compiled
      if (ms >= inputMsMax) ms = await timeOf(input)
      slowestMs = Math.max(slowestMs, ms)
      if (ms >= inputMsMax) throw new Error(`took ${Math.round(ms)} ms`)
    } catch (error) {
      return { input, error }
    }
    return undefined
  }

  /** Milliseconds of the processor, because others may have it meanwhile. @param {Input} input */
  async function timeOf(input) {
    const begun = process.cpuUsage()
    await execute(input)
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }
}

/** An input as text that `parse` reads again. @param {unknown} input */
export const format = (input) =>
  JSON.stringify(
    input,
    (_, value) => (typeof value === 'bigint' ? { bigint: `${value}` } : value),
    2,
  )

/** @param {string} text */
export const parse = (text) =>
  JSON.parse(text, (_, value) => (typeof value?.bigint === 'string' ? BigInt(value.bigint) : value))

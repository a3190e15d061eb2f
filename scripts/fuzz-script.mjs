import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const out = fileURLToPath(new URL('../out/', import.meta.url))

/** Targets of test/fuzz: they mutate recordings or seeds, and run on dist/. */
export const scriptTargets = [
  'engines',
  'observers',
  'order',
  'payload',
  'payment',
  'verifier',
  'withdraw',
]

/**
 * Runs one of them, or tries one input again.
 *
 * @param {string} name
 * @param {{ seconds: number, seed?: string, input?: string }} options
 * @returns {Promise<number>} exit status
 */
export async function runScriptTarget(name, { seconds, seed, input }) {
  const library = {
    ...(await import('../dist/index.js')),
    ...(await import('../dist/rpc/index.js')),
  }
  const { format, fuzz, parse } = await import('../test/fuzz/loop.mjs')
  const target = await (await import(`../test/fuzz/${name}.mjs`)).target(library)
  if (input !== undefined) {
    await target.execute(parse(readFileSync(input, 'utf8')))
    console.log('nothing wrong with it')
    return 0
  }
  const number = seed === undefined ? Date.now() % 2 ** 32 : Number(seed)
  console.log(`seed ${number}, ${target.seeds.length} inputs to start from`)
  const options = { seed: number, seconds, say: console.log }
  const { executions, seconds: took, slowestMs, failure } = await fuzz(target, options)
  const rate = Math.round(executions / took)
  console.log(
    `${executions} executions in ${took.toFixed(1)} s, ${rate}/s, the slowest ${slowestMs.toFixed(1)} ms`,
  )
  if (failure === undefined) return 0
  const file = `${out}fuzz-${name}.json`
  mkdirSync(out, { recursive: true })
  writeFileSync(file, `${format(failure.input)}\n`)
  console.error(failure.error)
  console.error(`wrote the input to ${file}`)
  return 1
}

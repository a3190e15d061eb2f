// Keeps the fuzz targets of test/fuzz alive: a short run from a fixed seed. Long ones are for
// `npm run fuzz`.

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { seamFunctions } from '../../../src/engine/table.ts'
import * as library from '../../../src/index.ts'
import * as rpc from '../../../src/rpc/index.ts'
import { share } from '../../support/share.ts'

const folder = new URL('../../fuzz/', import.meta.url)
const { fuzz, format, parse } = await import(new URL('loop.mjs', folder).href)

// All of them, however long they take: other programs may use the machine.
const changed = share(1000)

test.each(['order', 'payload', 'payment', 'verifier', 'withdraw'])(
  `%s: nothing is found in the seeds and ${changed} inputs`,
  async (name) => {
    const { target } = await import(new URL(`${name}.mjs`, folder).href)
    const tried = target(library)
    const executions = tried.seeds.length + changed
    const limits = { seed: 4, executions, inputMsMax: Number.POSITIVE_INFINITY }
    const found = await fuzz(tried, limits)
    expect(found.failure).toBeUndefined()
    expect(found.executions).toBe(executions)
  },
)

// Each is several calls of a safe flow.
const observed = share(20)

test(`observers: nothing is found in ${observed} inputs`, async () => {
  const { target } = await import(new URL('observers.mjs', folder).href)
  const limits = { seed: 4, executions: observed, inputMsMax: Number.POSITIVE_INFINITY }
  const found = await fuzz(target({ ...library, ...rpc }), limits)
  expect(found.failure).toBeUndefined()
})

test('an input that fails is found, and can be read again', async () => {
  const target = {
    seeds: [{ amount: 0n, hex: '00' }],
    mutate: () => ({ amount: 7n, hex: 'ff' }),
    execute: ({ amount }: { amount: bigint }) => {
      if (amount === 7n) throw new Error('seven')
    },
  }
  const { executions: tried, failure } = await fuzz(target, { seed: 1, executions: 2 })
  expect(tried).toBe(2)
  expect(failure).toMatchObject({ error: { message: 'seven' } })
  expect(parse(format(failure.input))).toEqual({ amount: 7n, hex: 'ff' })
})

test('the command knows every target', async () => {
  const command = new URL('../../../scripts/fuzz-script.mjs', import.meta.url).href
  const { scriptTargets } = await import(command)
  const helpers = [
    ...['contradictions.mjs', 'corpora.mjs', 'hostile-change.mjs', 'inclusion.mjs', 'loop.mjs'],
    ...['memory-daemon.mjs', 'random.mjs', 'resigned.mjs'],
  ]
  const files = readdirSync(folder).filter((it) => it.endsWith('.mjs') && !helpers.includes(it))
  expect(files.sort()).toEqual(scriptTargets.map((name: string) => `${name}.mjs`))
})

test('every folder of seeds is a target, and every function of the seam', async () => {
  const command = new URL('../../../scripts/fuzz-targets.mjs', import.meta.url).href
  const { fuzzTargets, nativeTarget } = await import(command)
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const { scriptTargets } = await import(new URL('fuzz-script.mjs', command).href)
  const native = fuzzTargets(root).filter((name: string) => !scriptTargets.includes(name))
  const seeds = native.map((name: string) => nativeTarget(root, name).seeds)
  const corpus = `${root}native/fuzz/corpus`
  const folders = (path: string) => readdirSync(path).map((name) => `${path}/${name}`)
  const expected = [
    ...folders(corpus).filter((path) => !path.endsWith('/seam')),
    ...folders(`${corpus}/seam`),
  ]
  expect(seeds.sort()).toEqual(expected.sort())
  const functions = seamFunctions.map(({ name }) => `seam-${name}`)
  expect(native.filter((name: string) => name.startsWith('seam-')).sort()).toEqual(functions.sort())
})

// Keeps the fuzz targets of test/fuzz alive: a short run from a fixed seed. Long ones are for
// `npm run fuzz`.

import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

import * as library from '../../src/index.ts'

const folder = new URL('../fuzz/', import.meta.url)
const { fuzz, format, parse } = await import(new URL('loop.mjs', folder).href)

// So many inputs, however long they take: another program may have the machine meanwhile.
const executions = 1000

test.each(['payload', 'verifier'])('%s: nothing is found in a thousand inputs', async (name) => {
  const { target } = await import(new URL(`${name}.mjs`, folder).href)
  const limits = { seed: 4, executions, inputMsMax: Number.POSITIVE_INFINITY }
  const found = fuzz(target(library), limits)
  expect(found.failure).toBeUndefined()
  expect(found.executions).toBe(executions)
})

test('an input that fails is found, and can be read again', () => {
  const target = {
    seeds: [{ amount: 0n, hex: '00' }],
    mutate: () => ({ amount: 7n, hex: 'ff' }),
    execute: ({ amount }: { amount: bigint }) => {
      if (amount === 7n) throw new Error('seven')
    },
  }
  const { executions: tried, failure } = fuzz(target, { seed: 1, executions })
  expect(tried).toBe(2)
  expect(failure).toMatchObject({ error: { message: 'seven' } })
  expect(parse(format(failure.input))).toEqual({ amount: 7n, hex: 'ff' })
})

test('the command knows every target', async () => {
  const command = new URL('../../scripts/fuzz-script.mjs', import.meta.url).href
  const { scriptTargets } = await import(command)
  const files = readdirSync(folder).filter((file) => !['loop.mjs', 'random.mjs'].includes(file))
  expect(files.sort()).toEqual(scriptTargets.map((name: string) => `${name}.mjs`))
})

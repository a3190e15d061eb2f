import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { compileSources, isWasm, root, runProgram } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

const { entry, env } = compileSources('memory')

function outputOf(program: string, ...args: string[]): string {
  const file = `${root}test/memory/${program}`
  const all = ['--expose-gc', file, '--module', fileURLToPath(entry), ...args]
  return runProgram(process.execPath, all, { env }).stdout
}

test('decoding a hundred thousand transactions leaves the process as large as it was', () => {
  expect(outputOf('decode.mjs', '--count', '100000')).toMatch(/^100000 transactions in /m)
})

testUnless(isWasm && 'WebAssembly releases indexes only between tasks')(
  'a thousand indexes that nobody keeps leave no memory behind',
  () => {
    expect(outputOf('coin-index.mjs')).toMatch(/^1000 indexes of 20000 coins/m)
  },
)

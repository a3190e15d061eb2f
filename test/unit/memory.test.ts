import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { compileSources, root, runProgram } from '../support/built.ts'

test('decoding a hundred thousand transactions leaves the process as large as it was', () => {
  const { entry, env } = compileSources('memory')
  const { stdout } = runProgram(
    process.execPath,
    [
      '--expose-gc',
      `${root}test/memory/decode.mjs`,
      '--count',
      '100000',
      '--module',
      fileURLToPath(entry),
    ],
    { env },
  )
  expect(stdout).toMatch(/^100000 transactions in /m)
})

// The addon and WebAssembly, of the same sources by two compilers for two machines: every seed of the
// fuzz targets has the same outcome, words and text on both. `npm run fuzz -- --target engines` goes on.

import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

import { seamFunctions } from '../../../src/engine/table.ts'
import { compileWasm, wasmEngine } from '../../../src/engine/wasm.ts'
import * as words from '../../../src/engine/words.ts'
import { share } from '../../support/share.ts'
import { testUnless } from '../../support/skip.ts'

const { corpora } = await import(new URL('../../fuzz/corpora.mjs', import.meta.url).href)
const { fuzz } = await import(new URL('../../fuzz/loop.mjs', import.meta.url).href)
const { hasBoth, target } = await import(new URL('../../fuzz/engines.mjs', import.meta.url).href)

testUnless(!hasBoth && 'no addon was built: npm run build:native')(
  'both engines give the same outcome, words and text',
  async () => {
    const parts = { seamFunctions, compileWasm, wasmEngine, words }
    const both = await target(undefined, parts)
    const executions = both.seeds.length + share(5000)
    const limits = { seed: 7, executions, inputMsMax: Number.POSITIVE_INFINITY }
    const found = await fuzz(both, limits)
    expect(found.failure).toBeUndefined()
    expect(found.executions).toBe(executions)
    // All but those that only threads call, and those that differ by design.
    const others = [
      ...['engineFeatures', 'startVerification', 'takeVerification'],
      ...['derivePublicKey', 'signHash', 'answerLines'],
    ]
    const all = seamFunctions.map(({ name }) => name).filter((name) => !others.includes(name))
    expect([...both.answered].sort()).toEqual(all)
  },
)

test('every corpus is among them, but those of selections, which the seam has its own of', () => {
  const folders = readdirSync(new URL('../../../native/fuzz/corpus', import.meta.url))
  expect(folders.sort()).toEqual(
    [...Object.keys(corpora), 'seam', 'select', 'select_tokens'].sort(),
  )
})

// Both engines choose the same coins from a pool that is so large that a product of two sizes needs
// more than 32 bits. In WebAssembly, a size has 32 bits.

import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'

import { compileSources } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

const { hasBoth } = await import(new URL('../../fuzz/engines.mjs', import.meta.url).href)
const { entry, env } = compileSources('selection-engines')

const program = `
  const { selectCoins } = await import(process.argv[1])
  let state = 1
  const values = BigInt64Array.from({ length: 530_000 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return BigInt(10_000 + (state % 1_000_000_007))
  })
  const terms = { feeRate: 20_000, baseBytes: 44, changeBytes: 34, changeSpendBytes: 148 }
  for (const target of [777_777_777n, 5_000_000_000n, 12_345_678_901n]) {
    const { picked, change, waste } = selectCoins({ values, inputBytes: 148 }, { ...terms, target })
    console.log(target, picked.join(), change, waste)
  }`

function selectedWith(engine: 'native' | 'wasm'): string[] {
  const args = ['--input-type=module', '-e', program, String(entry)]
  const options = { encoding: 'utf8', env: { ...env, ANTARA_TX_ENGINE: engine } } as const
  return execFileSync(process.execPath, args, options).trimEnd().split('\n')
}

testUnless(!hasBoth && 'no addon was built: npm run build:native')(
  'both engines choose the same of 530,000 coins',
  () => {
    const chosen = selectedWith('native')
    expect(chosen).toHaveLength(3)
    expect(selectedWith('wasm')).toEqual(chosen)
  },
)

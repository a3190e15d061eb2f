// Both engines choose the same coins from pools that are so large that a product of two sizes needs
// more than 32 bits, and for transactions whose size does. In WebAssembly, a size has 32 bits.

import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'

import { compileSources, root } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

const { hasBoth } = await import(new URL('../../fuzz/engines.mjs', import.meta.url).href)
const { entry, env } = compileSources('selection-engines')

const program = `
  const { selectCoins } = await import(process.argv[1])
  const terms = { feeRate: 20_000, baseBytes: 44, changeBytes: 34, changeSpendBytes: 148 }
  for (const length of [530_000, 1_073_743]) {
    let state = 1
    const values = BigInt64Array.from({ length }, () => {
      state = (state * 48_271) % 2_147_483_647
      return BigInt(10_000 + (state % 1_000_000_007))
    })
    for (const target of [777_777_777n, 5_000_000_000n, 12_345_678_901n]) {
      const chosen = selectCoins({ values, inputBytes: 148 }, { ...terms, target })
      const { picked, change, waste } = chosen
      if (new Set(picked).size !== picked.length) console.log('a coin is there twice')
      console.log(length, target, picked.join(), change, waste)
    }
  }
  const values = new BigInt64Array(1100).fill(100_000n)
  const large = { ...terms, feeRate: undefined, fixedFee: 1000n, target: 109_900_000n }
  console.log(selectCoins({ values, inputBytes: 4_000_000 }, large).bytes)`

function selectedWith(engine: 'native' | 'wasm'): string[] {
  const args = ['--input-type=module', '-e', program, String(entry)]
  // A run on WebAssembly names no addon.
  const { ANTARA_TX_ADDON: addon = `${root}build/Release/antara_tx.node` } = env
  const both = { ...env, ANTARA_TX_ENGINE: engine, ANTARA_TX_ADDON: addon }
  const options = { encoding: 'utf8', env: both } as const
  return execFileSync(process.execPath, args, options).trimEnd().split('\n')
}

testUnless(!hasBoth && 'no addon was built: npm run build:native')(
  'both engines choose the same coins from a million, and none of them twice',
  () => {
    const chosen = selectedWith('native')
    expect(chosen).toHaveLength(7)
    expect(chosen.at(-1)).toBe('4400000078')
    expect(selectedWith('wasm')).toEqual(chosen)
  },
)

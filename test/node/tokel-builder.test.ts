// The order of inputs in transactions of tokeld's modules.

import { expect, test } from 'vitest'
import { networks } from '../../src/index.ts'
import { emptyMap, withEntry } from '../../src/node/state/ordered-map.ts'
import { assembledTokel, type TokelAssembly } from '../../src/node/wallet/tokel-builder.ts'
import { conditionScript, moduleCondition } from '../../src/script/condition-script.ts'
import { pubkeyScript } from '../../src/script/key-script.ts'
import { a, b } from '../support/resigned.ts'

const txid = '11'.repeat(32)
const trees = [a, b].map((key) => moduleCondition([key], { evalCodes: [0xf2] }))
const outputs = [
  ...[1n, 2n, 3n].map((value) => ({ value: value * 100_000n, script: pubkeyScript(a) })),
  ...trees.map((tree) => ({ value: 7n, script: conditionScript(tree) })),
]
const selected = (...vouts: number[]) =>
  vouts.map((vout) => ({ txid, vout, value: outputs[vout]!.value }))
/** A node whose mempool has one transaction, with the outputs above. */
const mempool = { transactions: withEntry(emptyMap(), txid, { transaction: { outputs } }) }
const state = { mempool, chain: { tip: { height: 100 } } }
const builder = { engine: { state, rules: { network: networks.tokel } }, pubkey: a } as never

function assembled(version: 1 | 2) {
  const assembly: TokelAssembly = {
    version,
    coins: selected(0, 1, 2),
    spends: selected(3, 4),
    outputs: [],
    nulldata: '',
    trees: new Map([[1, trees[1]!]]),
  }
  const { fields, prevouts } = assembledTokel(builder, assembly)
  return { vouts: fields.inputs.map(({ vout }) => vout), prevouts }
}

// tokel src/cc/CCtx.cpp, FinalizeCCTxExt
test.each([
  [1, [0, 3, 4, 1, 2]],
  [2, [0, 1, 2, 3, 4]],
] as const)('a tree stays with its condition in the order of version %i', (version, order) => {
  const { vouts, prevouts } = assembled(version)
  expect(vouts).toEqual(order)
  expect(prevouts.map(({ value }) => value)).toEqual(order.map((at) => outputs[at]!.value))
  expect(prevouts.map(({ condition }) => condition)).toEqual(
    order.map((at) => (at === 4 ? trees[1] : undefined)),
  )
})

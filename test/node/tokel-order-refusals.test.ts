// Fills and cancellations of orders of tokens v2 that pay the wrong party, or too much of the order.
// Source: tokel src/cc/assets.cpp, AssetsValidateInternal.

import { beforeEach, expect, test } from 'vitest'
import { assetsV2EvalCode, moduleOfEvalCode } from '../../src/chain/modules.ts'
import { networks } from '../../src/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import { pubkeyScript } from '../../src/script/key-script.ts'
import { markerScriptOfV2 } from '../../src/token/rules/order-layout-v2.ts'
import { keyScriptV2 } from '../../src/token/rules/tokens-v2.ts'
import type { TransactionOutput } from '../../src/transaction/types.ts'
import { resigned } from './support/resigned.ts'
import { builtBy, sentBy } from './support/tokel-calls.ts'

/** Published with the module of orders, so everybody has it. */
const moduleKey = moduleOfEvalCode(assetsV2EvalCode)!.key!.privateKey
const maker = 0
const taker = 1
const unitPrice = 'a086010000000000'
const otherPrice = 'a186010000000000'
let node: DevNode<readonly [DevIdentity, DevIdentity]>
let tokenid: string

beforeEach(async () => {
  node = await createDevNode({ listen: false, network: networks.tokel, time: 1_800_000_000 })
  const data = '{"royalty":50}'
  tokenid = await sentBy(node, maker, 'tokenv2createtokel', 'ART', '0.000001', 'a picture', data)
  return () => node.close()
})

type Outputs = readonly TransactionOutput[]
/** @param pubkeys - of the maker and of the taker */
type Change = (outputs: Outputs, pubkeys: readonly [string, string]) => Outputs

const moved =
  (value: bigint, from: number, to: number): Change =>
  (outputs) =>
    outputs.map((output, at) => {
      if (at === from) return { ...output, value: output.value - value }
      return at === to ? { ...output, value: output.value + value } : output
    })
const paying =
  (vout: number, scriptOf: (pubkey: string) => string): Change =>
  (outputs, [, other]) =>
    outputs.with(vout, { ...outputs[vout]!, script: scriptOf(other) })
const claiming =
  (before: (keys: readonly [string, string]) => string, after: typeof before): Change =>
  (outputs, keys) => {
    const payload = outputs.at(-1)!
    expect(payload.script).toContain(before(keys))
    return outputs.with(-1, {
      ...payload,
      script: payload.script.replace(before(keys), after(keys)),
    })
  }
const otherTerms = claiming(
  () => unitPrice,
  () => otherPrice,
)
const otherMaker = claiming(
  ([own]) => `21${own}`,
  ([, other]) => `21${other}`,
)

async function verdictOn(hex: string, change: Change): Promise<unknown> {
  const [own, other] = node.identities
  const keys = [own.wif, other.wif, moduleKey]
  const changed = await resigned(node, hex, keys, ({ outputs }) => ({
    outputs: change(outputs, [own.pubkey, other.pubkey]),
  }))
  return node.testMempoolAccept(changed)
}

test.each<[string, string, Change]>([
  ['at another price', 'mismatched unit price for fillask', otherTerms],
  ['of another maker', 'mismatched origpubkeys for fillask', otherMaker],
  [
    'that keeps the rest of the order',
    'invalid vout0 should pay to tokens/assets global address for fillask',
    paying(0, keyScriptV2),
  ],
  [
    'that takes more units than it pays for',
    'mismatched vout0 remainder for fillask',
    moved(1n, 0, 1),
  ],
])('refuses a fill of an ask %s', async (_, reason, change) => {
  const order = await sentBy(node, maker, 'tokenv2ask', '60', tokenid, '0.001')
  const hex = await builtBy(node, taker, 'tokenv2fillask', tokenid, order, '10')
  expect(await verdictOn(hex, change)).toMatchObject({ ok: false, reason })
})

test.each<[string, string, Change]>([
  ['at another price', 'mismatched unit price for fillbid', otherTerms],
  ['that keeps the royalty', 'vout2 invalid royalty amount for fillask', moved(1n, 2, 1)],
  [
    'that keeps the rest of the coins',
    'mismatched vout0 global assets CC addr for fillbid',
    paying(0, markerScriptOfV2),
  ],
  [
    'that takes more coins than its units are worth',
    'vout0 mismatched remainder for fillbid',
    moved(4_000n, 0, 1),
  ],
  [
    'that leaves coins to the miner',
    'input cc value does not equal to vout0+1+2 for fillbid',
    moved(4_000n, 0, -1),
  ],
  [
    'that gives the units to somebody else',
    'vout3 tokens value should go to originator pubkey for fillbid',
    (outputs, [own]) => outputs.with(3, { ...outputs[3]!, script: keyScriptV2(own) }),
  ],
])('refuses a fill of a bid %s', async (_, reason, change) => {
  const order = await sentBy(node, taker, 'tokenv2bid', '10', tokenid, '0.001')
  const hex = await builtBy(node, maker, 'tokenv2fillbid', tokenid, order, '4')
  expect(await verdictOn(hex, change)).toMatchObject({ ok: false, reason })
})

test('refuses to give the units of an ended ask to another key than its maker', async () => {
  const end = String(node.height + 3)
  const order = await sentBy(node, maker, 'tokenv2ask', '60', tokenid, '0.001', end)
  node.mine(3)
  const hex = await builtBy(node, taker, 'tokenv2cancelask', tokenid, order)
  expect(await verdictOn(hex, (outputs) => outputs)).toMatchObject({ ok: true })
  expect(await verdictOn(hex, paying(0, keyScriptV2))).toMatchObject({
    ok: false,
    reason: 'invalid vout0 for cancelask',
  })
})

test('refuses to give the coins of an ended bid to another key than its maker', async () => {
  const end = String(node.height + 3)
  const order = await sentBy(node, maker, 'tokenv2bid', '10', tokenid, '0.001', end)
  node.mine(3)
  const hex = await builtBy(node, taker, 'tokenv2cancelbid', tokenid, order)
  expect(await verdictOn(hex, (outputs) => outputs)).toMatchObject({ ok: true })
  expect(await verdictOn(hex, paying(0, pubkeyScript))).toMatchObject({
    ok: false,
    reason: 'invalid refund for cancelbid',
  })
})

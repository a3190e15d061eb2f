// Transfers and burns of tokens v2 that tokeld's module of tokens refuses.
// Source: tokel src/cc/CCtokens_impl.h, TokensExactAmounts, CheckMarkerSpending.

import { beforeEach, describe, expect, test } from 'vitest'
import { moduleOfEvalCode, tokensV2EvalCode } from '../../src/chain/modules.ts'
import { networks } from '../../src/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import { resigned } from './support/resigned.ts'
import { builtBy, sentBy } from './support/tokel-calls.ts'

/** Published with the module of tokens v2, so everybody has it. */
const moduleKey = moduleOfEvalCode(tokensV2EvalCode)!.key!.privateKey
let node: DevNode<readonly [DevIdentity, DevIdentity]>
let keys: string[]

beforeEach(async () => {
  node = await createDevNode({ listen: false, network: networks.tokel, time: 1_800_000_000 })
  keys = [node.identities[0].wif, moduleKey]
  return () => node.close()
})

const built = (method: string, ...params: string[]) => builtBy(node, 0, method, ...params)
const created = (name: string, supply: string, ...data: string[]) =>
  sentBy(node, 0, 'tokenv2create', name, supply, 'a token', ...data)
const gold = () => created('GOLD', '0.00001')
/** One unit with data of no module. */
const art = () => created('ART', '0.00000001', '00aa')
const refused = (reason: string) => ({ ok: false, reason })

test('refuses a transfer that takes one of two tokens for nothing', async () => {
  const tokenids = [await gold(), await created('SILVER', '0.00001')]
  const { pubkey } = node.identities[1]
  const hex = await built('tokenv2transfermany', ...tokenids, pubkey, '1000')
  expect(node.testMempoolAccept(hex)).toMatchObject({ ok: true })
  const taken = await resigned(node, hex, keys, ({ outputs }) => ({
    outputs: outputs.toSpliced(1, 1),
  }))
  expect(node.testMempoolAccept(taken)).toMatchObject(refused('no tokens cc vins or cc vouts'))
})

test('refuses a transfer that adds a marker', async () => {
  const tokenid = await gold()
  const [marker] = decodeTransaction(await built('tokenv2create', 'X', '0.00001')).outputs
  const hex = await built('tokenv2transfer', tokenid, node.identities[1].pubkey, '1')
  const added = await resigned(node, hex, keys, ({ outputs }) => ({
    outputs: outputs.toSpliced(-1, 0, marker!),
  }))
  expect(node.testMempoolAccept(added)).toMatchObject(refused('tokentransfer cannot have markers'))
})

test('refuses a transfer that creates a token too', async () => {
  const tokenid = await gold()
  const creation = decodeTransaction(await built('tokenv2create', 'X', '0.00001')).outputs
  const hex = await built('tokenv2transfermany', tokenid, node.identities[1].pubkey, '1000')
  const change = decodeTransaction(hex).outputs.at(-1)
  const both = await resigned(node, hex, keys, ({ outputs }) => ({
    outputs: [
      outputs[0]!,
      creation[1]!,
      { ...change!, value: change!.value - creation[1]!.value },
      creation.at(-1)!,
    ],
  }))
  expect(node.testMempoolAccept(both)).toMatchObject(
    refused("can't have both create and transfer vouts"),
  )
})

describe('the marker of a token', () => {
  const refusedFor = (tokenid: string) =>
    refused(`marker spending is not allowed for tokenid=${tokenid}`)

  test('is spent with the burn of the only unit, if the token has data', async () => {
    const hex = await built('tokenv2burn', await art(), '1', 'true')
    expect(node.testMempoolAccept(hex)).toMatchObject({ ok: true })
  })

  test('is not spent if the token has no data', async () => {
    const tokenid = await created('ONE', '0.00000001')
    const hex = await built('tokenv2burn', tokenid, '1', 'true')
    expect(node.testMempoolAccept(hex)).toMatchObject(refusedFor(tokenid))
  })

  test('is not spent if the token has several units', async () => {
    const tokenid = await created('MANY', '0.00000002', '00aa')
    const hex = await built('tokenv2burn', tokenid, '1', 'true')
    expect(node.testMempoolAccept(hex)).toMatchObject(refusedFor(tokenid))
  })

  test('is not spent without the burn', async () => {
    const tokenid = await art()
    const transfer = decodeTransaction(
      await built('tokenv2transfer', tokenid, node.identities[1].pubkey, '1'),
    )
    const hex = await resigned(
      node,
      await built('tokenv2burn', tokenid, '1', 'true'),
      keys,
      ({ outputs }) => ({ outputs: outputs.with(0, transfer.outputs[0]!) }),
    )
    expect(node.testMempoolAccept(hex)).toMatchObject(refusedFor(tokenid))
  })

  test('is not spent with the burn of another token', async () => {
    const [tokenid, other] = [await art(), await art()]
    const hex = await resigned(
      node,
      await built('tokenv2burn', tokenid, '1', 'true'),
      keys,
      ({ inputs }) => ({
        inputs: inputs.map((it) =>
          it.txid === tokenid && it.vout === 0 ? { ...it, txid: other } : it,
        ),
      }),
    )
    expect(node.testMempoolAccept(hex)).toMatchObject(refusedFor(tokenid))
  })
})

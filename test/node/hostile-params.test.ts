// Every method, whatever it is given: an answer or an error of the daemon's, and the node goes on.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networks } from '../../src/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { methodsOf } from '../../src/node/methods/table.ts'

const txid = 'ab'.repeat(32)
const likely = fc.constantFrom<unknown>(
  '',
  'zz',
  '1',
  '-1',
  '1e400',
  'R',
  '6a',
  txid,
  '00'.repeat(33),
  '0'.repeat(64),
  'RSdxyihSZf74DuvBi1oeWS91sRVyguUMf8',
  '0400008085202f89000000000000000000000000000000000000000000',
  -1,
  0,
  1,
  2 ** 31,
  1e300,
  0.1,
  null,
  true,
  [],
  {},
  [txid],
  [{ txid, vout: 0 }],
  { addresses: ['R'] },
  { addresses: [[]] },
  { txid, index: 0 },
  { data: 'zz' },
  [[]],
)
const param = fc.oneof(
  { weight: 4, arbitrary: likely },
  // A member called __proto__ is refused before any method sees it (http.test.ts).
  {
    weight: 1,
    arbitrary: fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => !JSON.stringify(value).includes('__proto__')),
  },
)
const silent = new Set(['stop', 'generate', 'setgenerate'])
const countMax = 6

/** Mostly as many parameters as a method takes, or the count is all that is looked at. */
function callsOf(network: typeof networks.tokel, isAsked: (name: string) => boolean) {
  const methods = methodsOf({ engine: { rules: { network } } } as never)
  const names = Object.keys(methods).filter((name) => !silent.has(name) && isAsked(name))
  return fc.constantFrom(...names).chain((name) => {
    const [least, most] = methods[name]!.params
    const own = fc.array(param, { minLength: least, maxLength: Math.min(most, countMax) })
    const any = fc.array(param, { maxLength: countMax })
    return fc.tuple(
      fc.constant(name),
      fc.oneof({ weight: 9, arbitrary: own }, { weight: 1, arbitrary: any }),
    )
  })
}

test.each([
  ['a komodod', networks.assetChain, () => true, 5000],
  ["a tokeld's tokens", networks.tokel, (name: string) => /token|assets|ccv2/.test(name), 1500],
])(
  'no method falls over what it is given: %s',
  { timeout: 120_000 },
  async (_, network, isAsked, numRuns) => {
    const calls = callsOf(network, isAsked)
    await using node = await createDevNode({ listen: false, network, time: 1_800_000_000 })
    const start = node.snapshot()
    const faults = new Map<string, string>()
    await fc.assert(
      fc.asyncProperty(calls, async ([name, params]) => {
        const body = JSON.stringify({ id: 1, method: name, params })
        const response = await node.fetch('http://127.0.0.1/', { method: 'POST', body })
        const { error } = (await response.json()) as {
          error: { code: number; message: string } | null
        }
        if (error?.code === -32603 && error.message !== 'Insufficient funds') {
          faults.set(`${name}: ${error.message}`, JSON.stringify(params))
        }
        node.revert(start)
      }),
      { numRuns },
    )
    expect([...faults]).toEqual([])
    expect(await node.request('getblockcount')).toBe(1)
  },
)

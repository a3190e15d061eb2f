// The client has a type for every method that the development node serves, so that none is forgotten.

import { expect, test } from 'vitest'
import { networks } from '../../../src/index.ts'
import { methodsOf } from '../../../src/node/methods/table.ts'
import { daemonMethodNames, isTypedMethod } from '../../../src/rpc/daemon/methods.ts'

const servedOn = (network: (typeof networks)['tokel' | 'assetChain']) =>
  Object.keys(methodsOf({ engine: { rules: { network } } } as never))

/** The node refuses these by name on a chain of tokeld, so nobody gets an answer that needs a type. */
const refusedOnTokel = ['createccevaltx', 'tokentransfermany']

test.each([
  ['komodod', networks.assetChain, 117, []],
  ['tokeld', networks.tokel, 145, refusedOnTokel],
] as const)('every method that a node of %s serves has a type', (_, network, count, refused) => {
  const served = servedOn(network)
  expect(served.length).toBe(count)
  expect(served.filter((method) => !isTypedMethod(method))).toEqual(refused)
})

test('every method with a type is served by one of the two', () => {
  const served = new Set([...servedOn(networks.assetChain), ...servedOn(networks.tokel)])
  expect(daemonMethodNames.filter((method) => !served.has(method))).toEqual([])
})

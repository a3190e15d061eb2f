import { expect, test } from 'vitest'
import { createDevNode } from '../../../src/node/index.ts'
import { classedMethods, classOfMethod } from '../../../src/rpc/daemon/method-classes.ts'
import { daemonMethodNames } from '../../../src/rpc/daemon/methods.ts'
import { recordings } from '../../contract/support/recordings.ts'
import { readVectors } from '../../support/vectors.ts'

const tables = readVectors<{ komodod: string[]; tokeld: string[] }>('rpc/command-tables.json')
const unclassed = (names: readonly string[]) =>
  names.filter((name) => classOfMethod(name) === 'unknown')

function namesOfHelp(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('=='))
    .map((line) => line.split(' ')[0]!)
}

test('every method of the daemons has a class', () => {
  expect(tables.komodod.length).toBeGreaterThan(280)
  expect(tables.tokeld.length).toBeGreaterThan(360)
  expect(unclassed([...tables.komodod, ...tables.tokeld])).toEqual([])
})

test('every method of the recorded help has a class', () => {
  const help = recordings('komodod').find(({ note }) => note === 'help help')!
  const names = namesOfHelp(JSON.parse(help.response).result)
  expect(names.length).toBeGreaterThan(270)
  expect(unclassed(names)).toEqual([])
})

test('every method of the development node and of the client has a class', async () => {
  const node = await createDevNode({ listen: false })
  const names = namesOfHelp((await node.request('help')) as string)
  await node.close()
  expect(names.length).toBeGreaterThan(80)
  expect(unclassed([...names, ...daemonMethodNames])).toEqual([])
})

test('a method has one class, and names are case-sensitive', () => {
  expect(new Set(classedMethods()).size).toBe(classedMethods().length)
  expect(classOfMethod('TokenList')).toBe('unknown')
  expect(classOfMethod('toString')).toBe('unknown')
  expect(classOfMethod('')).toBe('unknown')
})

test.each([
  // names that sound harmless and spend
  'kvupdate opreturn_burn nspv_broadcast jumblr_deposit oraclesdata faucetget dicestatus',
  // ways to send without sending
  'getblocktemplate submitblock addnode setban settxfee lockunspent cleanwallettransactions',
  'invalidateblock setpubkey stop resendwallettransactions prioritisetransaction',
  // the method is a parameter
  'cclib',
  // keys
  'dumpprivkey importprivkey z_exportkey gatewaysdumpprivkey signmessage walletpassphrase',
])('reads have none of %s', (names) => {
  for (const name of names.split(' ')) {
    expect(classOfMethod(name), name).not.toMatch(/read|unknown/)
  }
})

// Names of a wallet's addresses, which the daemon calls accounts. Texts and codes are those of komodo's
// src/wallet/rpcwallet.cpp.

import { describe, expect, test } from 'vitest'
import { useDevNode } from '../../src/node/vitest.ts'

const node = useDevNode({ time: 1_800_000_000, mine: 'manual' })
const ask = (method: string, ...params: unknown[]) => node().request(method, params as never)

describe('accounts', () => {
  test('keep their address until it is paid', async () => {
    const first = await ask('getaccountaddress', 'shop')
    expect(await ask('getaccountaddress', 'shop')).toBe(first)
    expect(await ask('getaccount', first)).toBe('shop')
    await ask('sendtoaddress', first, 1)
    const second = await ask('getaccountaddress', 'shop')
    expect(second).not.toBe(first)
    expect(await ask('getaddressesbyaccount', 'shop')).toEqual([first, second].sort())
    const { address } = node().identities[0]!
    expect(await ask('getaccount', address)).toBe('')
    await expect(ask('getaccount', 'nonsense')).rejects.toMatchObject({
      code: -5,
      message: 'Invalid Komodo address',
    })
  })

  test('get a new address if setaccount gives theirs to another account', async () => {
    const current = await ask('getaccountaddress', 'shop')
    await ask('setaccount', current, 'kiosk')
    expect(await ask('getaccount', current)).toBe('kiosk')
    expect(await ask('getaccountaddress', 'shop')).not.toBe(current)
    await expect(ask('setaccount', node().identities[1]!.address, 'x')).rejects.toMatchObject({
      code: -1,
      message: 'setaccount can only be used with own address',
    })
  })

  test('keep their addresses in a dump', async () => {
    const current = await ask('getaccountaddress', 'shop')
    node().load(node().dump())
    expect(await ask('getaccountaddress', 'shop')).toBe(current)
  })
})

// komodo src/wallet/rpcdump.cpp, importprivkey, importaddress
describe('imports', () => {
  test.each<[params: readonly unknown[], code: number, message: string]>([
    [['x', true, -5], -4, 'Rescan height is out of range.'],
    [['x', true, 1_000_000], -4, 'Rescan height is out of range.'],
    [['x', 'no'], -1, 'JSON value is not a boolean as expected'],
    [['x', true, 0, 128], -1, 'this node imports no keys of other chains'],
  ])('refuse a key with %j', async (more, code, message) => {
    const { wif } = node().identities[1]!
    await expect(ask('importprivkey', wif, ...more)).rejects.toMatchObject({ code, message })
    await expect(ask('dumpprivkey', node().identities[1]!.address)).rejects.toMatchObject({
      code: -4,
    })
  })

  test('read no height without a rescan', async () => {
    const { wif, address } = node().identities[1]!
    expect(await ask('importprivkey', wif, 'x', false, -5)).toBe(address)
  })

  test('name an address, and no script', async () => {
    const { pubkey, address } = node().identities[1]!
    await ask('importaddress', `5121${pubkey}51ae`, 'shelf')
    expect(await ask('getaddressesbyaccount', 'shelf')).toEqual([])
    await ask('importaddress', address, 'shelf', false)
    expect(await ask('getaddressesbyaccount', 'shelf')).toEqual([address])
    await expect(ask('importaddress', address, '', 5)).rejects.toMatchObject({ code: -1 })
  })
})

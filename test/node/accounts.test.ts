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

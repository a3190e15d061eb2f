// signrawtransaction, where it is asked for something else than to sign all of it with all it has.

import { beforeAll, describe, expect, test } from 'vitest'
import {
  addressOfScript,
  decodeTransaction,
  encodeWif,
  networks,
  signMessage,
} from '../../src/index.ts'
import { useDevNode } from '../../src/node/vitest.ts'

const node = useDevNode({ listen: false, time: 1_800_000_000 })
let raw = ''
beforeAll(async () => {
  const [coin] = (await node().request('listunspent')) as { txid: string; vout: number }[]
  const { txid, vout } = coin!
  raw = (await node().request('createrawtransaction', [
    [{ txid, vout }],
    { [node().identities[1]!.address]: 1 },
  ])) as string
})
const sign = (...params: readonly unknown[]) =>
  node().request('signrawtransaction', params) as Promise<{ hex: string; complete: boolean }>

describe('signrawtransaction', () => {
  test('takes null for what is left out', async () => {
    const { wif } = node().identities[0]!
    const signed = await sign(raw)
    expect(signed.complete).toBe(true)
    expect(await sign(raw, null, [wif])).toEqual(signed)
    expect(await sign(raw, null, null, null, null)).toEqual(signed)
    expect(await sign(raw, [], [wif], 'ALL', '76b809bb')).toEqual(signed)
    await expect(sign(null)).rejects.toMatchObject({ code: -8 })
  })

  test.each([
    ['a hash type that there is not', ['BOGUS'], -8, 'Invalid sighash param'],
    ['one that this node does not sign with', ['SINGLE'], -1, 'with ALL alone, not with SINGLE'],
    ['another branch', ['ALL', '5ba81b19'], -1, 'of 76b809bb alone, not of 5ba81b19'],
  ])('signs nothing with %s', async (_, more, code, message) => {
    const answer = sign(raw, null, null, ...more)
    await expect(answer).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('signs over no coins where no amount is given, as the daemon does', async () => {
    const [coin] = (await node().request('listunspent')) as Record<string, unknown>[]
    const { txid, vout, scriptPubKey, amount } = coin!
    const prevout = { txid, vout, scriptPubKey }
    const paid = { [node().identities[1]!.address]: (amount as number) - 0.0001 }
    const spend = await node().request('createrawtransaction', [[{ txid, vout }], paid] as never)
    const without = await sign(spend, [prevout])
    expect(without).toEqual(await sign(spend, [{ ...prevout, amount: 0 }]))
    expect(await node().request('testmempoolaccept', [without.hex])).toMatchObject({
      allowed: false,
      'reject-reason': expect.stringContaining('16: mandatory-script-verify-flag-failed'),
    })
    expect(await sign(spend, [{ ...prevout, amount }])).toEqual(await sign(spend))
    for (const wrong of [null, true]) {
      await expect(sign(spend, [{ ...prevout, amount: wrong }])).rejects.toMatchObject({
        code: -3,
        message: 'Amount is not a number or string',
      })
    }
  })

  test('reads all that it is given', async () => {
    await expect(sign(`${raw}00`)).rejects.toMatchObject({ code: -22, message: 'TX decode failed' })
    await expect(sign(raw + raw)).rejects.toMatchObject({ code: -1 })
    await expect(sign('')).rejects.toMatchObject({ code: -8 })
    await expect(sign('zz')).rejects.toMatchObject({
      code: -8,
      message: "argument 1 must be hexadecimal string (not 'zz')",
    })
  })
})

test('fundrawtransaction keeps the version of what it funds', async () => {
  const output = `00e1f50500000000${'19'}76a914${'11'.repeat(20)}88ac`
  const old = `0100000000${'01'}${output}00000000`
  const { hex } = (await node().request('fundrawtransaction', [old])) as { hex: string }
  const decoded = await node().request('decoderawtransaction', [hex])
  expect(decoded).toMatchObject({ version: 1, overwintered: false, vin: [{}] })
  expect(decodeTransaction(hex).outputs[0]).toMatchObject({ value: 100_000_000n })
})

// komodo src/pubkey.cpp, CPubKey::RecoverCompact: the header tells the form of the key too
test('verifymessage answers as verifyMessage does, of either form of key', async () => {
  const network = networks.assetChain
  const wif = encodeWif('1'.padStart(64, '0'), network, { isCompressed: false })
  const address = addressOfScript('76a91491b24bf9f5288532960ac687abb035127b1d28a588ac', network)!
  const signature = signMessage('text', wif, network)
  const bytes = Buffer.from(signature, 'base64')
  const verdicts: unknown[] = []
  for (const change of [0, 8, 4, 1]) {
    bytes[0] = Buffer.from(signature, 'base64')[0]! + change
    verdicts.push(
      await node().request('verifymessage', [address, bytes.toString('base64'), 'text']),
    )
  }
  expect(verdicts).toEqual([true, true, false, false])
})

test.each([
  ['a character that Base64 does not have', (text: string) => `${text.slice(0, -1)}*`],
  ['padding in the middle', (text: string) => `${text.slice(0, 10)}=${text.slice(11)}`],
  ['padding that is missing', (text: string) => text.slice(0, -1)],
  ['padding that is too long', (text: string) => `${text}====`],
  ['bits left over that are not zero', (text: string) => `${text.slice(0, -2)}x=`],
])('verifymessage refuses %s', async (_, change) => {
  const { wif, address } = node().identities[0]!
  const signature = signMessage('text', wif, networks.assetChain)
  expect(await node().request('verifymessage', [address, signature, 'text'])).toBe(true)
  // komodo src/rpc/misc.cpp, verifymessage; src/utilstrencodings.cpp, DecodeBase64
  const answer = node().request('verifymessage', [address, change(signature), 'text'])
  await expect(answer).rejects.toMatchObject({ code: -5, message: 'Malformed base64 encoding' })
})

test('verifymessage reads the header byte modulo 8, and refuses other lengths', async () => {
  const { wif, address } = node().identities[0]!
  const bytes = Buffer.from(signMessage('text', wif, networks.assetChain), 'base64')
  const verdict = (some: Uint8Array) =>
    node().request('verifymessage', [address, Buffer.from(some).toString('base64'), 'text'])
  // komodo src/pubkey.cpp, RecoverCompact
  for (const more of [8, 16, 200]) {
    expect(await verdict(Uint8Array.of(bytes[0]! + more, ...bytes.subarray(1)))).toBe(true)
  }
  expect(await verdict(bytes.subarray(0, 64))).toBe(false)
})

// These tests cover the share of a price that the creator of a token receives. The expected numbers
// are calculated by hand, from tokel src/cc/CCassetsUtils.cpp, AssetsFillOrderIsDust, and
// src/cc/assets.cpp. The royalty is a number of whole thousandths of the price. If one share is 500
// or less, the larger share takes the whole price.

import { expect, test } from 'vitest'

import { encodeTokenPayload, networks, verifyTokenOrder } from '../../../src/index.ts'
import { a, b, c } from '../../support/sign-tokel.ts'
import * as market from '../../support/tokel-market.ts'

const network = networks.tokel
const million = 100_000_000n

/** A token by C with that royalty, all of which A has. */
function tokenOf(thousandths: number, owner = c): { token: market.Made; given: market.Made } {
  const size = thousandths < 0xfd ? thousandths.toString(16).padStart(2, '0') : ''
  const long = Buffer.from(Uint16Array.of(thousandths).buffer).toString('hex')
  const data = thousandths === 0 ? 'f701' : `f70103${size || `fd${long}`}`
  const script = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'create',
    owner,
    name: `${thousandths}`,
    description: '',
    extras: [{ kind: 'nonFungible', data }],
  })
  const token = market.make(
    [market.free.c],
    [
      { value: 10_000n, script: market.tokenMarker },
      { value: 1000n, script: market.keyTokens(c) },
      { value: million - 21_000n, script: market.p2pk(c) },
      { value: 0n, script },
    ],
  )
  const given = market.make(
    [
      [token, 2],
      [token, 1],
    ],
    [
      { value: 1000n, script: market.hashTokens(a) },
      { value: million - 31_000n, script: market.p2pk(c) },
      market.nulldata(token.txid),
    ],
  )
  return { token, given }
}

interface Trade {
  readonly royalty: number
  readonly unitPrice: bigint
  readonly offered: bigint
  readonly bought: bigint
  /** The creator of the token, if not C by the compressed key. */
  readonly owner?: string
}

function buy(
  { royalty, unitPrice, offered, bought, owner }: Trade,
  paid: readonly market.Output[],
) {
  const { token, given } = tokenOf(royalty, owner)
  const ask = market.make(
    [market.spare.a(0), [given, 0]],
    [
      { value: offered, script: market.asks },
      { value: 10_000n, script: market.markerOf(a) },
      { value: 1000n - offered, script: market.keyTokens(a) },
      { value: million - 20_000n, script: market.p2pk(a) },
      market.nulldata(token.txid, market.orderBytes('s', unitPrice, a)),
    ],
  )
  const left = offered - bought
  const marker = left > 0n ? [{ value: 10_000n, script: market.markerOf(a) }] : []
  const spent = [...paid, ...marker].reduce((sum, { value }) => sum + value, 10_000n)
  const { hex } = market.make(
    [market.spare.b(0), [ask, 0]],
    [
      { value: left, script: market.asks },
      { value: bought, script: market.keyTokens(b) },
      ...paid,
      ...marker,
      { value: million - spent, script: market.p2pk(b) },
      market.nulldata(token.txid, market.orderBytes('S', unitPrice, a)),
    ],
  )
  return verifyTokenOrder(
    hex,
    {
      kind: 'fillAsk',
      tokenid: token.txid,
      order: ask.txid,
      units: bought,
      price: bought * unitPrice,
      from: b,
      network,
    },
    market.evidenceOf(hex, token.hex),
  )
}

const one = { offered: 1n, bought: 1n }
const seller = (value: bigint) => ({ value, script: market.p2pk(a) })
const creator = (value: bigint) => ({ value, script: market.p2pk(c) })

test.each<[string, Trade, market.Output[]]>([
  ['none', { royalty: 0, unitPrice: 501_000n, ...one }, [seller(501_000n)]],
  ['a thousandth', { royalty: 1, unitPrice: 501_000n, ...one }, [seller(500_499n), creator(501n)]],
  ['too little for it', { royalty: 1, unitPrice: 500_999n, ...one }, [seller(500_999n)]],
  ['too little for the rest', { royalty: 999, unitPrice: 500_999n, ...one }, [creator(500_999n)]],
  [
    'all but a thousandth',
    { royalty: 999, unitPrice: 501_000n, ...one },
    [seller(501n), creator(500_499n)],
  ],
  ['half of a little', { royalty: 500, unitPrice: 1001n, ...one }, [creator(1001n)]],
  ['less than half of it', { royalty: 499, unitPrice: 1001n, ...one }, [seller(1001n)]],
  [
    'of whole thousands',
    { royalty: 253, unitPrice: 2999n, ...one },
    [seller(2493n), creator(506n)],
  ],
  [
    'of a part',
    { royalty: 100, unitPrice: 600n, offered: 10n, bought: 2n },
    [seller(1100n), creator(100n)],
  ],
])('%s', (_, trade, paid) => {
  const report = buy(trade, paid)
  expect(report.findings.filter(({ code }) => code !== 'fill_price')).toEqual([])
  expect(report.ok).toBe(true)
  // Whichever party gets it, the first that is paid is output 2.
  const reported = report.findings.map(({ path }) => path)
  expect(reported).toEqual(['outputs[2].value'])
  const other = buy(trade, [seller(paid.reduce((sum, { value }) => sum + value, 0n) + 1n)])
  expect(other.ok).toBe(false)
})

test('a part whose royalty comes to nothing, nobody relays', () => {
  const trade = { royalty: 100, unitPrice: 600n, offered: 10n, bought: 1n }
  const { findings } = buy(trade, [seller(600n)])
  expect(findings).toContainEqual(expect.objectContaining({ code: 'order_fill' }))
})

test("the buyer's report names the royalty", () => {
  const trade = { royalty: 100, unitPrice: 600n, offered: 10n, bought: 2n }
  const { findings } = buy(trade, [seller(1100n), creator(100n)])
  const reported = findings.find(({ code }) => code === 'fill_price')
  expect(reported).toMatchObject({
    actual: '2 units for 1200 satoshis, 600 each, 100 of them royalty; 8 for 4800 stay',
  })
})

// tokel src/cc/CCassetstx_impl.h, FillSell: CScript() << the key as it stands << OP_CHECKSIG
test('goes to a creator whose key has 65 bytes by a push of 65', () => {
  // The key is not the coins': this test is not about who paid for the creation.
  const owner = `04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`
  const trade = { royalty: 100, unitPrice: 10_000n, offered: 10n, bought: 10n, owner }
  const codesFor = (script: string) =>
    buy(trade, [seller(90_000n), { value: 10_000n, script }])
      .findings.map(({ code }) => code)
      .filter((code) => !['fill_price', 'fake_token_input', 'creation_not_funded'].includes(code))
  expect(codesFor(`41${owner}ac`)).toEqual([])
  // a push of 33 bytes of it, and the rest as opcodes: nobody could spend that
  expect(codesFor(`21${owner}ac`)).toEqual(['royalty'])
})

// Each builder returns a case, which the signer, the verifier and the case writer accept as it is.

import { expect, test } from 'vitest'

import { createElectrumClient } from '../../../src/electrum/index.ts'
import * as library from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { textOf } from '../../support/files.ts'

const wif = textOf('examples/throw-away-key.txt').trim()
const { note: _, ...transfer } = JSON.parse(textOf('examples/transfer-request.json'))
const { note: __, ...create } = JSON.parse(textOf('examples/create-request.json'))
const given = JSON.parse(textOf('examples/transfer.json'))
const from = transfer.from as string

/** The prevout of a coinbase, which nobody signs. */
const mined = { txid: '00'.repeat(32), vout: 0xffffffff }

let height = 0

/** Mined coins of the wallet: a value each, of a block of their own. */
function coinsOf(...values: readonly bigint[]) {
  height += 1
  const hex = library.encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [{ ...mined, scriptSig: (0x50 + height).toString(16), sequence: 0xffffffff }],
    outputs: values.map((value) => ({ value, script: `21${from}ac` })),
    lockTime: 0,
  })
  const txid = library.transactionId(hex)
  return { hex, coins: values.map((___, vout) => ({ txid, vout })) }
}
const native = coinsOf(10_00000000n, 5_00000000n)
const { recipients: ___, tokenCoins, ...common } = transfer
const order = {
  ...common,
  coins: native.coins,
  previousTransactions: [
    ...given.previousTransactions,
    ...transfer.previousTransactions,
    native.hex,
  ],
  tokenCreate: given.tokenCreate,
}
const offer = { ...order, units: 100n, price: 1_000_000n }
const ask = library.signCase(library.buildTokenAsk({ ...offer, tokenCoins }), [wif])
const bid = library.signCase(library.buildTokenBid({ ...offer, allowUnenforcedPrice: true }), [wif])

/** The same wallet takes its own order: coins that the order did not spend. */
function taking({ hex, txid }: library.Report) {
  const fresh = coinsOf(3_00000000n)
  const previousTransactions = [...order.previousTransactions, hex, fresh.hex]
  return { ...order, coins: fresh.coins, previousTransactions, order: txid! }
}
const payment = {
  own: [from],
  coins: native.coins,
  previousTransactions: [native.hex],
  tipHeight: 223,
}
const address = library.addressOf(from, library.networks.assetChain)

const built: { readonly [builder: string]: () => library.UnsignedTransaction } = {
  buildTokenTransfer: () => library.buildTokenTransfer(transfer),
  buildTokenCreate: () => library.buildTokenCreate(create),
  buildTokenAsk: () => library.buildTokenAsk({ ...offer, tokenCoins }),
  buildTokenBid: () => library.buildTokenBid({ ...offer, allowUnenforcedPrice: true }),
  buildTokenFillAsk: () =>
    library.buildTokenFillAsk({ ...taking(ask), units: 30n, price: 300_000n }),
  buildTokenFillBid: () =>
    library.buildTokenFillBid({ ...taking(bid), units: 30n, price: 300_000n, tokenCoins }),
  buildTokenCancelAsk: () => library.buildTokenCancelAsk(taking(ask)),
  buildTokenCancelBid: () => library.buildTokenCancelBid(taking(bid)),
  buildPayment: () =>
    library.buildPayment({ ...payment, recipients: [{ address, amount: 100_000n }] }),
  buildConsolidation: () => library.buildConsolidation(payment),
}

const rejectsOf = ({ findings }: library.Report) =>
  findings.filter(({ severity }) => severity === 'reject').map(({ code }) => code)

test('every builder has a row', () => {
  const builders = Object.keys(library).filter((name) => name.startsWith('build'))
  expect(Object.keys(built).toSorted()).toEqual(builders.toSorted())
})

test.each(Object.entries(built))(
  '%s returns a case that is signed and verified as it is',
  (_name, build) => {
    const unsigned: library.Case = build()
    expect(new Set(rejectsOf(library.verifyCase(unsigned)))).toEqual(new Set(['unsigned']))
    const signed = library.signCase(unsigned, [wif])
    expect(rejectsOf(signed)).toEqual([])
    expect(signed.ok).toBe(true)
    expect(library.formatReport(signed, { given: unsigned })).toMatch(/^AGREES/)
    const read = library.parseCase(library.formatCase(unsigned))
    expect(library.signCase(read, [wif]).hex).toBe(signed.hex)
  },
)

test.each(Object.entries(built))(
  '%s gives as evidence what it has of it beside',
  (_name, build) => {
    const unsigned = build()
    const { evidence } = unsigned
    expect(Object.keys(evidence).length).toBeGreaterThan(1)
    expect(unsigned).toMatchObject(evidence)
    expect(evidence.previousTransactions.length).toBeGreaterThan(0)
    expect(evidence.tipHeight).toBe(unsigned.tipHeight)
    expect('hex' in evidence || 'coins' in evidence || 'intent' in evidence).toBe(false)
  },
)

test('empty lists are told as what they are', () => {
  const reported = (run: () => unknown) => expect(run)
  reported(() => library.buildPayment({ ...payment, recipients: [] })).toThrow(
    new TypeError('recipients: expected at least one recipient, got an empty array'),
  )
  const own = new TypeError('own: expected at least one key, address or script, got an empty array')
  const recipients = [{ address, amount: 1n }]
  reported(() => library.buildPayment({ ...payment, recipients, own: [] })).toThrow(own)
  reported(() => library.buildConsolidation({ ...payment, own: [] })).toThrow(own)
  const max = { address, amount: 'max' } as const
  reported(() => library.buildPayment({ ...payment, recipients: [max, max] })).toThrow(
    new TypeError('recipients: expected the amount max once, got it several times'),
  )
  reported(() => createElectrumClient({ servers: [] })).toThrow(
    new TypeError('options.servers: expected at least one URL, got an empty array'),
  )
})

test.each([
  [0, '0'],
  [[], 'an empty array'],
])('a node with %j identities is told so', async (identities, given) => {
  await expect(createDevNode({ listen: false, identities })).rejects.toThrow(
    new TypeError(`identities: expected at least one, got ${given}`),
  )
})

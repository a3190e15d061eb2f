// A small chain of tokeld's, written out by hand from the sources of its transactions: what no
// recording has, such as royalties, whole fills and keys that hold together. Amounts are by hand.

import {
  addressOfScript,
  decodeTransaction,
  type Evidence,
  encodeTokenPayload,
  encodeTransaction,
  networks,
  publicKeyOf,
  scriptOfAddress,
  type TransactionFields,
  tokenScript,
  transactionId,
} from '../../src/index.ts'
import { hashOfKey } from '../../src/script/public-key.ts'
import { push } from './sign.ts'
import { a, assets, b, c, mixedScript, signTokel, tokens } from './sign-tokel.ts'

export const tipHeight = 1000
const expiryHeight = tipHeight + 201
/** The expiry height of orders: four weeks of blocks. */
export const orderEnd = tipHeight + 40_320

export type Output = { value: bigint; script: string }

export const p2pk = (key: string) => `21${key}ac`

/** Returns the dropped data of an output that names its keys. */
export const shown = (
  evalCode: string,
  keys: readonly string[],
  required = 1,
  data: string[] = [],
) => {
  const count = (n: number) => n.toString(16).padStart(2, '0')
  const header = `02${evalCode}${count(required)}${count(keys.length)}`
  return `${push([header, ...keys, ...data].map(push).join(''))}75`
}

export const keyTokens = (key: string) => mixedScript([key], [0xf5], { params: shown('f5', [key]) })
export const hashTokens = (key: string) =>
  mixedScript([key], [0xf5], { form: 'N', params: '050402f5010075' })
export const sharedTokens = (required: number, keys: readonly string[]) =>
  mixedScript(keys, [0xf5], { required, params: shown('f5', keys, required) })
export const namedTokens = (key: string, tokenid: string) =>
  mixedScript([key], [0xf5], { params: shown('f5', [key], 1, [`f57401${tokenid}`]) })
export const asks = mixedScript([assets], [0xf5, 0xf6], { params: shown('f6', [assets]) })
export const bids = mixedScript([assets], [0xf6])
export const markerOf = (key: string) => mixedScript([key, assets], [0xf6])
export const tokenMarker = mixedScript([tokens], [0xf5])
// tokel src/cc/CCcustom.cpp
export const tokenMarkerV1 =
  '2ea22c8020432de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cc'

const price = (sats: bigint) => Buffer.from(BigUint64Array.of(sats).buffer).toString('hex')
const height = (n: number) => Buffer.from(Uint32Array.of(n).buffer).toString('hex')
export const nulldata = (tokenid: string, order = '') => {
  const blob = `f57401${tokenid}${order === '' ? '' : varBytes(order)}`
  return { value: 0n, script: `6a${push(blob)}` }
}
const varBytes = (hex: string) => `${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
export const orderBytes = (letter: string, unitPrice: bigint, origin: string, end = orderEnd) =>
  `f6${Buffer.from(letter).toString('hex')}01${price(unitPrice)}21${origin}${height(end)}`

export interface Made {
  readonly tx: TransactionFields
  readonly hex: string
  readonly txid: string
}

const chain = new Map<string, Made>()

export function prevoutsOf({ inputs }: TransactionFields): Output[] {
  return inputs.map(({ txid, vout }) => chain.get(txid)!.tx.outputs[vout]!)
}

function fieldsOf(spent: readonly [Made, number][], outputs: readonly Output[]): TransactionFields {
  return {
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: spent.map(([{ txid }, vout]) => ({ txid, vout, scriptSig: '', sequence: 0xffffffff })),
    outputs: [...outputs],
    lockTime: 0,
    expiryHeight,
    valueBalance: 0n,
    shieldedSpends: [],
    shieldedOutputs: [],
    joinSplits: [],
  }
}

function onChain(tx: TransactionFields, hex: string): Made {
  const made = { tx, hex, txid: transactionId(hex) }
  chain.set(made.txid, made)
  return made
}

export function make(spent: readonly [Made, number][], outputs: readonly Output[]): Made {
  const tx = fieldsOf(spent, outputs)
  return onChain(tx, signTokel(tx, prevoutsOf(tx)))
}

const coin = 100_000_000n
const coinsOf = (key: string) =>
  Array.from({ length: 16 }, () => ({ value: coin, script: p2pk(key) }))
const fundingTx = {
  ...fieldsOf([], [...coinsOf(a), ...coinsOf(b), ...coinsOf(c)]),
  inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0xffffffff }],
}
export const funding = onChain(fundingTx, encodeTransaction(fundingTx))
const coinA = (at: number): [Made, number] => [funding, at]
const coinB = (at: number): [Made, number] => [funding, 16 + at]
const coinC = (at: number): [Made, number] => [funding, 32 + at]

/** url x, royalty 100 thousandths */
export const tokenData = 'f70102017803' + '64'

function creation(name: string, data: string, from: [Made, number]): Made {
  const script = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'create',
    owner: c,
    name,
    description: '',
    extras: data === '' ? [] : [{ kind: 'nonFungible', data }],
  })
  return make(
    [from],
    [
      { value: 10_000n, script: tokenMarker },
      { value: 1000n, script: keyTokens(c) },
      { value: coin - 21_000n, script: p2pk(c) },
      { value: 0n, script },
    ],
  )
}

/** By C, with a royalty of a tenth. */
export const token = creation('ART', tokenData, coinC(0))
/** By C, without. */
export const otherToken = creation('PLAIN', '', coinC(1))
export const tokenid = token.txid
export const otherTokenid = otherToken.txid

const shared = (it: Made, from: [Made, number]) =>
  make(
    [from, [it, 1]],
    [
      { value: 400n, script: hashTokens(a) },
      { value: 400n, script: hashTokens(b) },
      { value: 200n, script: hashTokens(c) },
      { value: coin - 10_000n, script: p2pk(c) },
      nulldata(it.txid),
    ],
  )
export const given = shared(token, coinC(2))
export const otherGiven = shared(otherToken, coinC(3))

/** A offers 100 of its 400 for 10000 satoshis each. */
export const ask = make(
  [coinA(0), [given, 0]],
  [
    { value: 100n, script: asks },
    { value: 10_000n, script: markerOf(a) },
    { value: 300n, script: keyTokens(a) },
    { value: coin - 20_000n, script: p2pk(a) },
    nulldata(tokenid, orderBytes('s', 10_000n, a)),
  ],
)

/** B wants 10 for 100000 satoshis each. */
export const bid = make(
  [coinB(0)],
  [
    { value: 1_000_000n, script: bids },
    { value: 10_000n, script: markerOf(b) },
    { value: coin - 1_020_000n, script: p2pk(b) },
    nulldata(tokenid, orderBytes('b', 100_000n, b)),
  ],
)

/** B buys 30: 300000, of which C gets 30000. */
export const fillAsk = make(
  [coinB(1), [ask, 0]],
  [
    { value: 70n, script: asks },
    { value: 30n, script: keyTokens(b) },
    { value: 270_000n, script: p2pk(a) },
    { value: 30_000n, script: p2pk(c) },
    { value: 10_000n, script: markerOf(a) },
    { value: coin - 320_000n, script: p2pk(b) },
    nulldata(tokenid, orderBytes('S', 10_000n, a)),
  ],
)

/** B buys all 100: a million, of which C gets a tenth. Nothing stays, and so no marker. */
export const fillAskWhole = make(
  [coinB(2), [ask, 0]],
  [
    { value: 0n, script: asks },
    { value: 100n, script: keyTokens(b) },
    { value: 900_000n, script: p2pk(a) },
    { value: 100_000n, script: p2pk(c) },
    { value: coin - 1_010_000n, script: p2pk(b) },
    nulldata(tokenid, orderBytes('S', 10_000n, a)),
  ],
)

/** A sells 4 to the bid: 400000, of which C gets 40000. */
export const fillBid = make(
  [coinA(1), [bid, 0], [ask, 2]],
  [
    { value: 600_000n, script: bids },
    { value: 360_000n, script: p2pk(a) },
    { value: 40_000n, script: p2pk(c) },
    { value: 4n, script: keyTokens(b) },
    { value: 10_000n, script: markerOf(b) },
    { value: 296n, script: keyTokens(a) },
    { value: coin - 20_000n, script: p2pk(a) },
    nulldata(tokenid, orderBytes('B', 100_000n, b)),
  ],
)

/** A sells all 10 that the bid wants. */
export const fillBidWhole = make(
  [coinA(2), [bid, 0], [ask, 2]],
  [
    { value: 0n, script: bids },
    { value: 900_000n, script: p2pk(a) },
    { value: 100_000n, script: p2pk(c) },
    { value: 10n, script: keyTokens(b) },
    { value: 290n, script: keyTokens(a) },
    { value: coin - 10_000n, script: p2pk(a) },
    nulldata(tokenid, orderBytes('B', 100_000n, b)),
  ],
)

/** A takes its ask back: the marker pays the fee. */
export const cancelAsk = make(
  [
    [ask, 0],
    [ask, 1],
  ],
  [{ value: 100n, script: keyTokens(a) }, nulldata(tokenid, 'f67801')],
)

/** A cancels the rest that B left of the ask, whose marker comes after the royalty. */
export const cancelRest = make(
  [
    [fillAsk, 0],
    [fillAsk, 4],
  ],
  [{ value: 70n, script: keyTokens(a) }, nulldata(tokenid, 'f67801')],
)

/** B takes its bid back. */
export const cancelBid = make(
  [
    [bid, 0],
    [bid, 1],
  ],
  [{ value: 1_000_000n, script: p2pk(b) }, nulldata(tokenid, 'f66f01')],
)

/** The address of C, of which nothing but the hash is known. */
export const addressOfC = 'RUC4vHRqYCsaUMgWp6f7o1pQQYg99a8vtK'
export const hashOfC = scriptOfAddress(addressOfC, networks.tokel).slice(6, 46)

/** A gives 150 to an address. */
export const toAddress = make(
  [coinA(3), [given, 0]],
  [
    { value: 150n, script: hashTokens(c) },
    { value: 250n, script: hashTokens(a) },
    { value: coin - 10_000n, script: p2pk(a) },
    nulldata(tokenid),
  ],
)

/** A gives 120 to any two of three keys. */
export const toKeys = make(
  [coinA(4), [given, 0]],
  [
    { value: 120n, script: sharedTokens(2, [a, b, c]) },
    { value: 280n, script: hashTokens(a) },
    { value: coin - 10_000n, script: p2pk(a) },
    nulldata(tokenid),
  ],
)

/** Two of them give 50 of it to C, whose key is named; A pays. */
export const fromKeys = make(
  [coinA(5), [toKeys, 0]],
  [
    { value: 50n, script: keyTokens(c) },
    { value: 70n, script: sharedTokens(2, [a, b, c]) },
    { value: coin - 10_000n, script: p2pk(a) },
    nulldata(tokenid),
  ],
)

/** A gives 25 of either token to B. */
export const toOneOfMany = make(
  [coinA(6), [given, 0], [otherGiven, 0]],
  [
    { value: 25n, script: namedTokens(b, tokenid) },
    { value: 375n, script: namedTokens(a, tokenid) },
    { value: 25n, script: namedTokens(b, otherTokenid) },
    { value: 375n, script: namedTokens(a, otherTokenid) },
    { value: coin - 10_000n, script: p2pk(a) },
  ],
)

/** A burns 40 as tokenv2burn does. */
export const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaa'
export const burned = make(
  [coinA(7), [given, 0]],
  [
    { value: 40n, script: keyTokens(burnKey) },
    { value: 360n, script: hashTokens(a) },
    { value: coin - 10_000n, script: p2pk(a) },
    nulldata(tokenid),
  ],
)

const v1Payload = (kind: string, rest: string) => ({
  value: 0n,
  script: `6a${push(`f2${kind}01${rest}`)}`,
})

/** By B, of tokens v1. */
export const oldToken = make(
  [coinB(3)],
  [
    { value: 10_000n, script: tokenMarkerV1 },
    { value: 1000n, script: tokenScript(b) },
    { value: coin - 21_000n, script: p2pk(b) },
    v1Payload('43', `21${b}034f4c4400`),
  ],
)

/** B gives 10 of it to A. */
export const oldTransfer = make(
  [coinB(4), [oldToken, 1]],
  [
    { value: 10n, script: tokenScript(a) },
    { value: 990n, script: tokenScript(b) },
    { value: coin - 10_000n, script: p2pk(b) },
    v1Payload('54', `${oldToken.txid}0121${a}`),
  ],
)

export const everything = () => [...chain.values()].map(({ hex }) => hex)

export function evidenceOf(hex: string, tokenCreate = token.hex): Evidence {
  return { previousTransactions: besides(hex), tokenCreate, tipHeight }
}

/** Returns the hex of all transactions that can be on one chain with the given one. */
function besides(hex: string): string[] {
  const { txid, inputs } = decodeTransaction(hex)
  const ancestors = new Set(inputs.map((it) => it.txid))
  const spent = new Set(inputs.map(nameOf))
  for (const ancestor of ancestors) {
    for (const input of chain.get(ancestor)?.tx.inputs ?? []) {
      ancestors.add(input.txid)
      spent.add(nameOf(input))
    }
  }
  const isBeside = (it: Made): boolean =>
    it.txid !== txid &&
    (ancestors.has(it.txid) || it.tx.inputs.every((input) => !spent.has(nameOf(input))))
  return [...chain.values()].filter(isBeside).map((it) => it.hex)
}

const nameOf = ({ txid, vout }: { txid: string; vout: number }): string => `${txid}:${vout}`

/** Coins that nothing else spends. */
export const free = { a: coinA(8), b: coinB(8), c: coinC(8) }

/** More of them, for what a test makes up. */
export const spare = { a: (at: number) => coinA(9 + at), b: (at: number) => coinB(9 + at) }

export const made = (txid: string): Made => chain.get(txid)!
export const hexOf = (txid: string): string => made(txid).hex

/** Returns the address of a key. Nobody should pay the addresses below. */
const addressOf = (key: string) => addressOfScript(`76a914${hashOfKey(key)}88ac`, networks.tokel)!
export const assetsKey = assets
export const burnAddress = addressOf(burnKey)
export const moduleAddress = addressOf(assets)

/** Sixteen points of the curve. */
export const manyKeys: readonly string[] = Array.from({ length: 16 }, (_, n) =>
  publicKeyOf((n + 1).toString(16).padStart(64, '0')),
)

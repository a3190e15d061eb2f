// A daemon or a server with the wallet's keys changes whatever it likes of a payment and signs it
// rightly. A second opinion, written from docs/verify.md alone, says whether the wallet
// asked for that.

import fc from 'fast-check'
import { test } from 'vitest'

import { decodeTransaction, type TransactionFields } from '../../src/index.ts'
import { expectOneOpinion, fieldChanges, onOutputs, outputChanges } from '../support/changes.ts'
import { chainTransaction, keys } from '../support/komodod.ts'
import {
  checkPayment,
  note,
  p2pkh,
  p2sh,
  payment,
  sharedCoin,
  spendToo,
  tipHeight,
  tipTime,
  twoOfThree,
  worthOf,
} from '../support/payments.ts'
import {
  a,
  b,
  burnedToken,
  type Change,
  c,
  markerOfToken,
  othersNative,
  p2pk,
} from '../support/resigned.ts'

const own = [p2pk(a), p2pkh(a), p2sh(twoOfThree)]
const wanted = [`120000000 ${p2pkh(b)}`, `295000000 ${p2sh('51')}`, `0 6a05${note}`]
const listed = new Set(
  [
    ...payment.inputs,
    ...[othersNative, burnedToken, markerOfToken].map(([txid, vout]) => ({ txid, vout })),
  ].map(({ txid, vout }) => `${txid}:${vout}`),
)

/** Returns true if a signed transaction does what the intent requests and nothing else. */
function isAskedFor(tx: TransactionFields): boolean {
  const { inputs, outputs, expiryHeight = 0, lockTime } = tx
  const scripts = inputs.map(({ txid, vout }) => {
    return decodeTransaction(chainTransaction(txid)).outputs[vout]!.script
  })
  const spent = inputs.reduce((sum, input) => sum + worthOf(input), 0n)
  const paid = spent - outputs.reduce((sum, { value }) => sum + value, 0n)
  const lines = outputs.map(({ value, script }) => `${value} ${script}`)
  const rest = [...lines]
  for (const line of wanted) {
    const at = rest.indexOf(line)
    if (at < 0) return false
    rest.splice(at, 1)
  }
  const areChange = rest.every((line) => own.includes(line.split(' ')[1]!))
  // One change output; to a script shared with others returns at most what was spent from it.
  const shared = p2sh(twoOfThree)
  const fromShared = inputs.reduce((sum, input, at) => {
    return scripts[at] === shared ? sum + worthOf(input) : sum
  }, 0n)
  const mayReturn = rest.every((line) => {
    const [value, script] = line.split(' ')
    return script !== shared || BigInt(value!) <= fromShared || scripts.every((it) => it === shared)
  })
  return (
    tx.version === 4 &&
    (lockTime === 0 || lockTime <= (lockTime < 500_000_000 ? tipHeight : tipTime)) &&
    (tx.valueBalance ?? 0n) === 0n &&
    (expiryHeight === 0 || (expiryHeight > tipHeight && expiryHeight <= tipHeight + 400)) &&
    new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`)).size === inputs.length &&
    inputs.every(({ txid, vout }) => listed.has(`${txid}:${vout}`)) &&
    scripts.every((script) => own.includes(script)) &&
    areChange &&
    rest.length <= 1 &&
    mayReturn &&
    (rest.length > 0 ? paid === 10_000n : paid >= 10_000n && paid < 10_054n)
  )
}

const place = fc.nat(6)
const script = fc.constantFrom(
  p2pk(a),
  p2pkh(a),
  p2sh(twoOfThree),
  p2pk(b),
  p2pkh(b),
  p2pkh(c),
  p2sh('51'),
  p2sh('52'),
  twoOfThree,
  `6a05${note}`,
  `6a05${note}51`,
)
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 10_000n, 120_000_000n, 295_000_000n, 14_959_000n),
  fc.bigInt({ min: 0n, max: 5n * 10n ** 8n }),
)
const sendmany = payment.inputs[1]!.txid
const coin = fc.constantFrom<[string, number]>(
  othersNative,
  burnedToken,
  markerOfToken,
  [sendmany, 0],
  [keys.txids.fungible!, 2],
  sharedCoin,
)

/** Some of these change nothing, or put right again what another one did. */
const change: fc.Arbitrary<Change> = fc.oneof(
  ...outputChanges({ place, amount, script }),
  fc
    .tuple(place, place, amount, script)
    .map(([at, payer, value, added]) =>
      onOutputs((all) =>
        all
          .map((it, index) => (index === payer ? { ...it, value: it.value - value } : it))
          .toSpliced(at, 0, { value, script: added }),
      ),
    ),
  fc.tuple(coin, place).map(([outpoint, at]) => spendToo(outpoint, at)),
  ...fieldChanges({
    place,
    expiryHeights: [0, tipHeight, tipHeight + 1, tipHeight + 400, tipHeight + 401],
    lockTimes: [0, 1, tipHeight, tipHeight + 1, tipTime, tipTime + 1],
  }),
)

test('a changed and signed payment passes exactly when it was requested', () => {
  expectOneOpinion({ original: payment, change, check: checkPayment, isAskedFor, askedMin: 50 })
})

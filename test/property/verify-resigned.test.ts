// A daemon that holds the wallet's keys changes whatever it likes and signs it rightly. A second
// opinion, written from docs/verify.md alone, says whether the wallet asked for that.

import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { test } from 'vitest'

import { type TransactionFields, tokenScript } from '../../src/index.ts'
import { expectOneOpinion, fieldChanges, onOutputs, outputChanges } from '../support/changes.ts'
import {
  a,
  b,
  burnedToken,
  type Change,
  c,
  checkTransfer,
  markerOfToken,
  nftCoin,
  othersNative,
  ownNative,
  p2pk,
  spend,
  tokenid,
  transfer,
  transferIntent,
} from '../support/resigned.ts'
import { prevoutsOf } from '../support/sign.ts'

const tipHeight = 12
const fee = 10_000n
const nulldata = transfer.outputs[3]!.script
const p2pkh = `76a914${bytesToHex(ripemd160(sha256(hexToBytes(a))))}88ac`

/** Returns true if a signed transaction does what `transferIntent` requests and nothing else. */
function isAskedFor(tx: TransactionFields): boolean {
  const { inputs, outputs, expiryHeight = 0 } = tx
  const spent = prevoutsOf(tx)
  const isToken = (at: number) =>
    inputs[at]!.txid === tokenid && spent[at]!.script === tokenScript(a)
  const isOwnCoin = (script: string) => script === p2pk(a) || script === p2pkh
  const tokens = spent.reduce((sum, { value }, at) => sum + (isToken(at) ? value : 0n), 0n)
  const change = outputs.filter(({ script }) => isOwnCoin(script))
  const paid = total(spent) - total(outputs)
  const expected = [
    `${transferIntent.amount} ${tokenScript(b)}`,
    ...(tokens > transferIntent.amount
      ? [`${tokens - transferIntent.amount} ${tokenScript(a)}`]
      : []),
    ...change.map(({ value, script }) => `${value} ${script}`),
    `0 ${nulldata}`,
  ]
  return (
    tx.version === 4 &&
    tx.lockTime === 0 &&
    tx.valueBalance === 0n &&
    (expiryHeight === 0 || (expiryHeight > tipHeight && expiryHeight <= tipHeight + 400)) &&
    new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`)).size === inputs.length &&
    spent.every(({ script }, at) => isToken(at) || isOwnCoin(script)) &&
    outputs.at(-1)?.script === nulldata &&
    tokens >= transferIntent.amount &&
    sorted(outputs.map(({ value, script }) => `${value} ${script}`)) === sorted(expected) &&
    (change.length === 1 ? paid === fee : change.length === 0 && paid >= fee && paid < 2n * fee)
  )
}

function total(items: readonly { value: bigint }[]): bigint {
  return items.reduce((sum, { value }) => sum + value, 0n)
}

function sorted(lines: readonly string[]): string {
  return lines.toSorted().join('\n')
}

const place = fc.nat(5)
const script = fc.constantFrom(
  tokenScript(a),
  tokenScript(b),
  tokenScript(c),
  tokenScript([a, b]),
  tokenScript(b, { evalCodes: [0xf1, 0xf2] }),
  p2pk(a),
  p2pk(b),
  p2pkh,
  nulldata,
  `${nulldata}51`,
  `6a${(nulldata.length / 2).toString(16)}${nulldata}`,
)
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 100n, 5_000n, 9_999n, 10_000n, 900n),
  fc.bigInt({ min: 0n, max: 10n ** 8n }),
)
const coin = fc.constantFrom(ownNative, othersNative, burnedToken, nftCoin, markerOfToken)

/** Some of these change nothing, or put right again what another one did. */
const change: fc.Arbitrary<Change> = fc.oneof(
  ...outputChanges({ place, amount, script }),
  fc
    .tuple(place, amount, script)
    .map(([at, value, added]) =>
      onOutputs((all) => all.toSpliced(at, 0, { value, script: added })),
    ),
  fc.tuple(coin, place).map(([[txid, vout], at]) => spend(txid, vout, at)),
  ...fieldChanges({
    place,
    expiryHeights: [0, 12, 13, 412, 413],
    lockTimes: [0, 1, 500_000_000],
  }),
)

test('a changed and signed transaction passes exactly when it was requested', () => {
  expectOneOpinion({ original: transfer, change, check: checkTransfer, isAskedFor, askedMin: 0 })
})

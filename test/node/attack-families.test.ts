// Every attack of the threat model is sent to the development node. The expected answers follow
// from the order of the daemon's checks (komodo src/main.cpp, AcceptToMemoryPool). A daemon accepts
// most attacks, which is why there is a verifier, so most answers are a txid.

import { expect, test } from 'vitest'
import { createDevNode } from '../../src/node/index.ts'
import {
  base,
  hex as baseHex,
  type Given,
  rejected,
  reported,
  signed,
  tipHeight,
} from '../support/attacks.ts'
import { ancestors } from '../support/komodod.ts'

const falseOnTop =
  '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)'

/** The daemon's answer, and optionally the reason that only its log has. */
type Answer = { code: number; message: string; reason?: string }
const invalid = (reason: string): Answer => ({ code: -26, message: falseOnTop, reason })
const tokens = (words: string) => invalid(`CC Eval EVAL_TOKENS Invalid: ${words}`)
const rejectedAs = (message: string): Answer => ({ code: -26, message })

/**
 * By the attack's number; by its words too, where attacks of one number are answered differently.
 */
const answers: [answer: Answer, attacks: (number | string)[]][] = [
  [{ code: -22, message: 'TX decode failed' }, [1, 2, 4, 5, 8, 9, 12, 16]],
  // the check of a transaction by itself: bytes after one are not a part of it, so zeros are a
  // version 0
  [rejectedAs('16: bad-txns-vin-empty'), [10]],
  [rejectedAs('16: bad-txns-version-too-low'), [13]],
  [rejectedAs('16: bad-txns-valuebalance-nonzero'), [22]],
  [rejectedAs('16: bad-txns-inputs-duplicate'), [26]],
  [rejectedAs('16: bad-txns-prevout-null'), [27]],
  [rejectedAs('16: bad-txns-vout-negative'), [58]],
  [rejectedAs('16: bad-txns-vout-toolarge'), ['a sum beyond all amounts', 60]],
  [rejectedAs('16: bad-tx-expiry-height-too-high'), ['expires beyond all heights']],
  // at the next height
  [rejectedAs('16: tx-overwinter-active'), [14, 15]],
  [rejectedAs('16: tx-overwinter-expired'), [17]],
  [rejectedAs('16: bad-txns-sprout-expired'), [24]],
  // standardness
  [rejectedAs('64: scriptsig-not-pushonly'), [90, 'an opcode']],
  [rejectedAs('64: scriptpubkey'), [83]],
  [rejectedAs('64: multi-op-return'), [73]],
  [rejectedAs('64: non-final'), [20]],
  // coins
  [rejectedAs('18: bad-txns-inputs-spent'), [30, 'one more own token, for the attacker', 44, 45]],
  [{ code: -25, message: '' }, [85, 'one more push']],
  [
    { code: -25, message: 'AcceptToMemoryPool: absurdly high fees' },
    ['one more own coin, for the miners', 'no change', 66],
  ],
  [rejectedAs('16: bad-txns-in-belowout'), ['a coin of less than nothing']],
  // scripts, first with what is policy
  [
    rejectedAs(
      '64: non-mandatory-script-verify-flag (Non-canonical signature: S value is unnecessarily high)',
    ),
    [89],
  ],
  [
    rejectedAs('64: non-mandatory-script-verify-flag (Data push larger than necessary)'),
    ['a signature pushed in a longer form'],
  ],
  [
    rejectedAs('16: mandatory-script-verify-flag-failed (Crypto-Condition payload is invalid)'),
    [91],
  ],
  [invalid('signature_mismatch'), ['signed for another branch', 'a bit of a signature', 93]],
  [invalid('condition_mismatch'), [86, 87]],
  // The verdict of the modules.
  [
    tokens('tokens cc inputs != cc outputs'),
    [43, 49, 50, 51, 52, 53, 54, 55, 68, 'no key', "the attacker's key"],
  ],
  [
    tokens('TokenValidate: invalid opreturn payload'),
    [
      71,
      72,
      'function c',
      'function i',
      'function b',
      'function l',
      'function T',
      78,
      'three keys',
      'a payload cut short',
      84,
    ],
  ],
  // its chain has no other token
  [tokens('cant find token create txid'), [41, 75, 76, 'a creation']],
  [
    invalid('CC Eval EVAL_ASSETS Invalid: AssetValidate: invalid opreturn payload'),
    ["another module's coin"],
  ],
]

/** The answer to what this node refuses, and a daemon might accept with a proof. */
const unproven = rejectedAs('16: bad-txns-sapling-spend-description-invalid')

const accepted: (number | string)[] = [
  // The daemon knows neither the request nor the evidence.
  'signed for another chain',
  28,
  29,
  'another amount is told',
  'another script is told',
  'more than there can be',
  // bytes after the transaction
  6,
  11,
  // theft and waste by a holder of the keys
  'expires in a year',
  35,
  37,
  38,
  42,
  47,
  48,
  56,
  57,
  61,
  62,
  'just enough for change, and none',
  65,
  67,
  74,
  'two keys',
  'a byte after it',
  82,
  // every hash type of a condition's signature, and the defined ones of a plain input
  88,
  // forms that cost nothing
  18,
  21,
  'an own coin comes back in full',
  'a token coin comes back in full',
  39,
  46,
  64,
  69,
  80,
  'a fulfillment pushed in a longer form',
]

const rows = [...rejected, ...reported].map(([id, attack, given]) => ({ id, attack, given }))
const applies = (keys: readonly (number | string)[], { id, attack }: (typeof rows)[number]) =>
  keys.includes(attack) || (keys.includes(id) && !named.has(attack))
const named = new Set([...answers.flatMap(([, keys]) => keys), ...accepted].filter(isText))

function isText(key: number | string): key is string {
  return typeof key === 'string'
}

/** A node on whose chain is everything that a transaction descends from. */
async function answerTo({ hex, evidence }: Given) {
  await using node = await createDevNode({ listen: false, time: 1_800_000_000 })
  const reported = evidence?.previousTransactions ?? []
  node.importTransactions(descent(hex))
  for (const one of [...reported.flatMap(descent), ...reported]) {
    try {
      node.importTransactions([one])
    } catch (error) {
      // Evidence that contradicts the chain is on no chain.
      if (!(error instanceof RangeError)) throw error
    }
  }
  while (node.height < tipHeight) node.mine()
  return node.testMempoolAccept(hex)
}

function descent(hex: string): string[] {
  try {
    return ancestors(hex)
  } catch {
    return ancestors(baseHex)
  }
}

test('the transfer itself is accepted', async () => {
  expect(await answerTo(signed((tx) => tx))).toMatchObject({ ok: true, fee: 10_000n })
  expect(await answerTo({ hex: baseHex })).toMatchObject({ ok: true, txid: base.txid })
})

test.each(rows)('$id, $attack: answered as a daemon does', async (row) => {
  const answer = await answerTo(row.given())
  const found = answers.filter(([, keys]) => applies(keys, row)).map(([it]) => it)
  if (row.id === 23) found.push(unproven)
  const isAccepted = applies(accepted, row)
  expect(found.length + (isAccepted ? 1 : 0)).toBe(1)
  if (isAccepted) return expect(answer).toMatchObject({ ok: true })
  const [expected] = found
  expect(answer).toMatchObject({ ok: false, code: expected!.code })
  if (answer.ok) return
  if (expected!.message.startsWith('AcceptToMemoryPool')) {
    expect(answer.message).toMatch(
      /^AcceptToMemoryPool: absurdly high fees [0-9a-f]{64}, \d+ > \d+$/,
    )
  } else expect(answer.message).toBe(expected!.message)
  if (expected!.reason !== undefined) expect(answer.reason).toContain(expected!.reason)
})

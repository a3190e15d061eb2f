// These tests verify transactions of a real tokeld by the intents that made them: tokens v1 in
// tokeld's spelling, tokens v2, and their orders.

import { expect, test } from 'vitest'
import { networks, type Report } from '../../../src/index.ts'
import { acceptedFlips, least, shareOf } from '../../support/share.ts'
import { inMutationRun, testUnless } from '../../support/skip.ts'
import { checkTokeld, partlySigned, tokeldCases } from '../../support/tokeld-cases.ts'

function codes({ findings }: Report, severity: string): string[] {
  return findings.filter((it) => it.severity === severity).map(({ code }) => code)
}

/**
 * Refused when they were sent: "validation not supported for eval code", "invalid opreturn
 * payload".
 */
const refused = ['tokenv2create v2 NFT data 010203', 'tokenv2create v2 NFT data e3']

test('every answer that held a transaction is here', () => {
  expect(tokeldCases).toHaveLength(42)
  const methods = tokeldCases.map(({ method }) => method)
  expect(new Set(methods)).toEqual(
    new Set([
      'tokencreate',
      'tokentransfer',
      'tokenv2create',
      'tokenv2createtokel',
      'tokenv2transfer',
      'tokenv2transfermany',
      'tokenv2transferMofN',
      'tokenv2burn',
      'tokenv2ask',
      'tokenv2bid',
      'tokenv2fillask',
      'tokenv2fillbid',
      'tokenv2cancelask',
    ]),
  )
})

test.each(shareOf(tokeldCases))('$name agrees', (given) => {
  const report = checkTokeld(given, given.hex)
  expect(codes(report, 'reject')).toEqual([])
  expect(codes(report, 'warn')).toEqual(refused.includes(given.name) ? ['data_eval_code'] : [])
  expect(report).toMatchObject({ ok: true, fee: 10_000n, feeKnown: 'proven' })
  expect(report.effects.map(({ role }) => role)).not.toContain('unexpected')
})

test('a signature of one of two owners is not enough', () => {
  const report = checkTokeld(partlySigned, partlySigned.hex)
  expect(codes(report, 'reject')).toEqual(['signature'])
})

test('a burn goes to the key that tokeld burns with, and only when it was asked for', () => {
  const given = tokeldCases.find(({ method }) => method === 'tokenv2burn')!
  const check = (change: object) => {
    const intent = { ...given.intent, ...change }
    return codes(checkTokeld({ ...given, intent } as typeof given, given.hex), 'reject')
  }
  expect(check({})).toEqual([])
  expect(check({ burn: false })).toEqual(['intent_burn'])
  expect(check({ network: networks.assetChain })).toEqual(['intent_not_burn'])
})

/** Each bit of what is flipped in turn, from a start that differs from case to case. */
const stride = 23

testUnless(inMutationRun).each(tokeldCases.map((given, at) => ({ ...given, at })))(
  'no bit of $name can be flipped: every 23rd',
  (given) => {
    const step = process.env.ANTARA_EVERY_BIT === undefined ? stride : 1
    const isAccepted = (hex: string) => checkTokeld(given, hex).ok
    const from = given.at % step
    const { accepted, flipped } = acceptedFlips(given.hex, isAccepted, { from, step })
    expect(accepted).toEqual([])
    expect(flipped).toBeGreaterThan(least(50))
    if (step === 1) console.log(`${given.name}: ${flipped}`)
  },
)

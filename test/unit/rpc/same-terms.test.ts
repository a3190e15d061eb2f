// The same payment by a wallet and by a flow of a daemon. Each writes the terms in a form of its own,
// as test/unit/wallet/recorded-terms.test.ts has them from recorded payments.

import { expect, test } from 'vitest'
import { areSameTerms } from '../../../src/rpc/safe-flow/same-terms.ts'

const [token, order, payer] = ['11'.repeat(32), '22'.repeat(32), `02${'33'.repeat(32)}`]
const [script, other] = ['76a914aa88ac', '76a914bb88ac']
const [holder, another] = ['44'.repeat(20), '55'.repeat(20)]

type Terms = readonly (string | null)[]
const isSame = (one: Terms, two: Terms) => {
  const [first, second] = [JSON.stringify(one), JSON.stringify(two)]
  const answers = [areSameTerms(first, second), areSameTerms(second, first)]
  expect(answers[0]).toBe(answers[1])
  return answers[0]
}

const flowTransfer = (...paid: string[]) => ['transfer', token, payer, holder, ...paid]
const flowOrder = (kind: string, of: string, ...rest: string[]) => {
  return ['order', kind, token, payer, of, ...rest]
}

test.each<[string, Terms, Terms, Terms]>([
  [
    'coins',
    ['pay', `${script} 100`, ''],
    ['payment', '', `${script} 100`],
    ['payment', '', `${script} 101`],
  ],
  [
    'coins for two payees, and data',
    ['pay', `${script} 100`, `${other} max`, 'f1ab'],
    ['payment', 'f1ab', `${script} 100`, `${other} max`],
    ['payment', '', `${script} 100`, `${other} max`],
  ],
  [
    'units of a token',
    ['transfer', token, holder, '5'],
    flowTransfer(`${holder} 5`),
    flowTransfer(`${another} 5`),
  ],
  [
    'units of a token for two holders',
    ['transferMany', token, `${holder} 5`, `${another} 6`],
    flowTransfer(`${holder} 5`, `${another} 6`),
    flowTransfer(`${holder} 5`),
  ],
  [
    'a burn',
    ['burn', token, holder, '2'],
    flowTransfer(`${holder} 2`),
    flowTransfer(`${holder} 3`),
  ],
  [
    'a new token',
    ['create', 'IRON', '700', 'ore', 'f1ab', null],
    ['create', payer, 'IRON', '700', 'ore', 'f1ab', '1'],
    ['create', payer, 'IRON', '700', 'ore', 'f1ac', '1'],
  ],
  [
    'an ask',
    ['ask', token, '6', '12000'],
    flowOrder('ask', '', '6', '12000', '0'),
    // The wallet offers without an end.
    flowOrder('ask', '', '6', '12000', '500'),
  ],
  [
    'a bid',
    ['bid', token, '6', '12000'],
    flowOrder('bid', '', '6', '12000', '0'),
    flowOrder('ask', '', '6', '12000', '0'),
  ],
  [
    'a purchase from an ask',
    ['fill', order, '2', '1000'],
    flowOrder('fillAsk', order, '2'),
    flowOrder('fillAsk', order, '3'),
  ],
  [
    'a sale to a bid',
    ['fill', order, '2', '1000'],
    flowOrder('fillBid', order, '2'),
    flowOrder('cancelBid', order, '0'),
  ],
  [
    'the end of an ask',
    ['cancel', order],
    flowOrder('cancelAsk', order, '0'),
    flowOrder('cancelAsk', token, '0'),
  ],
  [
    'the end of a bid',
    ['cancel', order],
    flowOrder('cancelBid', order, '0'),
    flowOrder('fillBid', order, '0'),
  ],
])('are one payment: %s', (_, wallet, flow, different) => {
  expect(isSame(wallet, flow)).toBe(true)
  expect(isSame(wallet, different)).toBe(false)
})

test('are two payments where a term is missing', () => {
  const transfer = ['transfer', token, holder, '5']
  expect(isSame([...transfer, '6'], flowTransfer(`${holder} 5`))).toBe(false)
  const flow = ['create', payer, 'IRON', '700', 'ore', 'f1ab', '1']
  expect(isSame(['create', 'IRON', '700', 'ore', 'f1ab'], flow)).toBe(false)
})

test.each([
  ['a merge', ['merge', payer], ['payment', '', `${script} max`]],
  ['terms of a program of its own', ['rent', '5'], ['payment', '', '5']],
])('are two payments: %s', (_, one, two) => {
  expect(isSame(one, two)).toBe(false)
})

test('are two payments if nobody can read their terms', () => {
  expect(areSameTerms('rent', 'rent of May')).toBe(false)
  expect(areSameTerms('rent', 'rent')).toBe(true)
})

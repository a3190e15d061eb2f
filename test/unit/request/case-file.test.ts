// These tests cover what each member of a case file may contain.

import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  buildTokenTransfer,
  formatCase,
  networks,
  parseCase,
  signCase,
  verifyCase,
} from '../../../src/index.ts'
import { verifyCaseAsync } from '../../../src/verification/case.ts'
import { textOf } from '../../support/files.ts'

const { note: _, ...request } = JSON.parse(textOf('examples/transfer-request.json'))
const key = textOf('examples/throw-away-key.txt').trim()
const file = JSON.parse(formatCase(buildTokenTransfer(request)))
const pubkey = `02${'11'.repeat(32)}`

const withMembers = (members: object) => JSON.stringify({ ...file, ...members })
const withIntent = (members: object) => withMembers({ intent: { ...file.intent, ...members } })

function refusal(text: string): Record<string, unknown> {
  try {
    parseCase(text)
  } catch (error) {
    const { code, context } = error as AntaraError
    return { code, ...context }
  }
  return { code: 'none' }
}

describe('members that may be absent', () => {
  test('transactions, the creation, a height', () => {
    const { operation, network, intent, hex } = file
    const { evidence } = parseCase(JSON.stringify({ operation, network, intent, hex }))
    expect(evidence).toEqual({ previousTransactions: [] })
  })

  test('recipients, burn and fees', () => {
    const { tokenid, destination, amount, from } = file.intent
    const { intent } = parseCase(withMembers({ intent: { tokenid, destination, amount, from } }))
    expect(Object.keys(intent).sort()).toEqual([
      'amount',
      'destination',
      'from',
      'network',
      'tokenid',
    ])
  })

  test('members that may be absent are kept if they are there', () => {
    const recipients = [{ pubkey, amount: '5' }]
    const { intent } = parseCase(withIntent({ burn: true, fee: '1', maxFee: '3', recipients }))
    expect(intent).toMatchObject({
      burn: true,
      fee: 1n,
      maxFee: 3n,
      recipients: [{ pubkey, amount: 5n }],
    })
    expect(parseCase(withMembers({ tipHeight: 7 })).evidence.tipHeight).toBe(7)
  })
})

test.each<[string, string, string]>([
  ['another operation', withMembers({ operation: 'tokenburn' }), 'operation'],
  ['no operation', withMembers({ operation: undefined }), 'operation'],
  ['an operation in a list', withMembers({ operation: ['tokentransfer'] }), 'operation'],
  ['burn in words', withIntent({ burn: 'yes' }), 'intent.burn'],
  ['burn as a number', withIntent({ burn: 1 }), 'intent.burn'],
  ['a network nobody knows', withMembers({ network: 'bitcoin' }), 'network'],
  ['a network that is inherited', withMembers({ network: 'constructor' }), 'network'],
  ['a network with a branch id', withMembers({ network: { branchId: 1 } }), 'network.branchId'],
  ['a network with a wrong member', withMembers({ network: { nulldataBytesMax: 'x' } }), 'network'],
  ['money as a fraction', withMembers({ network: { maxMoney: 0.5 } }), 'network.maxMoney'],
  ['recipients that are none', withIntent({ recipients: {} }), 'intent.recipients'],
  [
    'a recipient without an amount',
    withIntent({ recipients: [{ pubkey }] }),
    'intent.recipients[0].amount',
  ],
  [
    'a recipient with a name',
    withIntent({ recipients: [{ pubkey, amount: 1, name: 'x' }] }),
    'intent.recipients[0].name',
  ],
])('%s is refused', (_, text, path) => {
  expect(refusal(text)).toMatchObject({ code: 'malformed_case', path })
})

test('a network is an asset chain with members of its own', () => {
  const networkOf = (network: unknown) => parseCase(withMembers({ network })).intent.network
  expect(networkOf({ maxMoney: '1000' })).toMatchObject({ maxMoney: 1000n })
  expect(networkOf({ nulldataBytesMax: 100 })).toMatchObject({
    nulldataBytesMax: 100,
    maxMoney: networks.assetChain.maxMoney,
  })
  expect(networkOf('tokel')).toBe(networks.tokel)
  expect(networkOf({ name: 'assetChain' })).toBe(networks.assetChain)
  expect(networkOf({ name: 'assetChain', pubKeyHashPrefix: 60 })).toBe(networks.assetChain)
  const prefixes = { pubKeyHashPrefix: 85, scriptHashPrefix: 60, conditionPrefix: 85 }
  const named = { name: 'TOKTEST', ...prefixes, conditions: 'tokel' }
  expect(networkOf(named)).toEqual({ ...networks.assetChain, ...named })
  expect(networkOf({ name: 'toString' })).toMatchObject({ name: 'toString' })
  expect(networkOf(undefined)).toBe(networks.assetChain)
})

test('an operation that there is not is misuse', () => {
  const given = parseCase(JSON.stringify(file))
  for (const operation of ['tokenburn', ['tokentransfer'], 7, undefined, 'constructor']) {
    expect(() => verifyCase({ ...given, operation } as never)).toThrow(/^operation: /)
  }
})

test('a value that is no case is an argument error that names what was expected', async () => {
  for (const given of [undefined, null, 7, 'text']) {
    const expected = /^case: expected an object, got /
    expect(() => verifyCase(given as never)).toThrow(expected)
    expect(() => signCase(given as never, [key])).toThrow(expected)
    await expect(verifyCaseAsync(given as never, {})).rejects.toThrow(expected)
  }
})

test.each([undefined, {}, 'text', new Set([key])])('keys to sign with are a list: %o', (keys) => {
  const given = parseCase(JSON.stringify(file))
  expect(() => signCase(given, keys as never)).toThrow(/^keys: expected an array, got /)
})

test('a case with useless previous transactions can be signed', () => {
  const given = parseCase(JSON.stringify(file))
  const { previousTransactions } = given.evidence
  const evidence = {
    ...given.evidence,
    previousTransactions: ['', 'zz', file.hex, ...previousTransactions],
  }
  expect(signCase({ ...given, evidence }, [key]).ok).toBe(true)
})

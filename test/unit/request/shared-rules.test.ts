// Rules for a request that builders and verifiers once applied differently.

import { describe, expect, test } from 'vitest'
import { burnPublicKeys } from '../../../src/chain/modules.ts'
import {
  buildTokenTransfer,
  type Case,
  encodeTokelData,
  networks,
  parseCase,
  verifyCase,
  verifyTokenCreate,
  verifyTokenOrder,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { readRequest } from '../../../src/request/members.ts'
import { transferRequestForms } from '../../../src/request/transfer.ts'
import { verifyCaseAsync } from '../../../src/verification/case.ts'
import { refusal } from '../../support/bobs-tokens.ts'
import { build, made } from '../../support/built-orders.ts'
import { textOf } from '../../support/files.ts'
import { keys } from '../../support/komodod.ts'
import { intentOf } from '../../support/orders.ts'

const evidence = { previousTransactions: [] }
const { A, B } = keys
const tokenid = 'ab'.repeat(32)
const amount = 5n
const transfer = readRequest(
  JSON.parse(textOf('examples/transfer-request.json')),
  transferRequestForms,
)

function placesOf({ findings }: ReturnType<typeof verifyTokenTransfer>): string[] {
  return findings
    .filter(({ severity }) => severity === 'reject')
    .map((it) => `${it.code} ${it.path}`)
}

describe('a fill', () => {
  test.each([
    ['fillAsk', 'price', 56n],
    ['fillAsk', 'priceMax', 56n],
    ['fillBid', 'priceMin', 56n],
    ['fillBid', 'priceMin', 1n],
  ] as const)('%s with a %s that no node relays is refused', (kind, member, price) => {
    const changes = { price: undefined, [member]: price }
    expect(refusal(() => build(made(kind), changes))).toMatchObject({
      code: 'amount_out_of_range',
      path: member,
      expected: 'at least 57',
      actual: price,
    })
    const intent = { ...intentOf(made(kind)), ...changes } as never
    expect(placesOf(verifyTokenOrder('00', intent, evidence))).toContain(
      `intent_price intent.${member}`,
    )
  })

  test('a fill with a bound of as much as nodes relay looks at the order', () => {
    const changes = { price: undefined, priceMax: 57n }
    expect(refusal(() => build(made('fillAsk'), changes)).code).toBe('order_price')
  })
})

describe('a burn', () => {
  const pubkeys = [A.pubkey, B.pubkey]
  const shared = { required: 2, pubkeys }

  test('goes to no keys that hold tokens together', () => {
    const request = {
      ...transfer,
      network: networks.tokel,
      recipients: [{ keys: shared, amount }],
      burn: true,
    }
    expect(refusal(() => buildTokenTransfer(request))).toMatchObject({
      code: 'not_burn_key',
      path: 'recipients[0].keys.pubkeys[0]',
    })
    const intent = {
      tokenid,
      destination: A.pubkey,
      destinationKeys: shared,
      amount,
      from: A.pubkey,
      burn: true,
      network: networks.tokel,
    }
    expect(placesOf(verifyTokenTransfer('00', intent, evidence))).toContain(
      'intent_not_burn intent.destination',
    )
  })

  test.each(Object.values(burnPublicKeys))('comes from no burn key such as %s', (from) => {
    expect(refusal(() => buildTokenTransfer({ ...transfer, from })).code).toBe('burn_key')
    const intent = { tokenid, destination: A.pubkey, amount, from }
    expect(placesOf(verifyTokenTransfer('00', intent, evidence))).toContain(
      'intent_burn intent.from',
    )
    const creation = { name: 'A', supply: 1n, description: '', owner: from }
    expect(placesOf(verifyTokenCreate('00', creation, evidence))).toContain(
      'intent_burn intent.owner',
    )
  })
})

test('properties that are longer than data may be are rejected', () => {
  const propertiesOf = (bytes: number) => ({ arbitrary: '00'.repeat(bytes) })
  const frame = encodeTokelData(propertiesOf(9000)).length / 2 - 9000
  const creation = { name: 'A', supply: 1n, description: '', owner: A.pubkey }
  const places = (bytes: number) => {
    const properties = propertiesOf(bytes)
    const intent = { ...creation, properties, network: networks.tokel }
    return placesOf(verifyTokenCreate('00', intent, evidence))
  }
  expect(places(10_001 - frame)).not.toContain('intent_properties intent.properties')
  expect(places(10_002 - frame)).toContain('intent_properties intent.properties')
})

describe('a case', () => {
  const order = parseCase(textOf('examples/order.json')) as Case<'tokenask'>

  test('is verified in slices as at once', async () => {
    expect(await verifyCaseAsync(order, {})).toEqual(verifyCase(order))
    const unknown = { ...order, operation: 'toString' } as unknown as Case
    await expect(verifyCaseAsync(unknown, {})).rejects.toThrow('operation: expected ')
  })

  test('is not verified as another step than its operation names', () => {
    expect(verifyCase(order).ok).toBe(true)
    const other = { ...order, operation: 'tokenbid' } as unknown as Case
    expect(() => verifyCase(other)).toThrow('intent.kind: expected bid, got a string')
    const { kind: _, ...without } = order.intent
    const unnamed = { ...order, intent: without } as unknown as Case
    expect(() => verifyCase(unnamed)).toThrow('intent.kind: expected ask, got undefined')
  })
})

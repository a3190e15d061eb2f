// Request files are read, and arguments of builders are checked, by the tables of src/request.

import { describe, expect, test } from 'vitest'
import { parseOrderRequest } from '../../../src/cli/request-file.ts'
import { buildTokenAsk, buildTokenCreate, buildTokenTransfer } from '../../../src/index.ts'
import { createRequestForms } from '../../../src/request/create.ts'
import { readRequest } from '../../../src/request/members.ts'
import { transferRequestForms } from '../../../src/request/transfer.ts'
import { refusal } from '../../support/bobs-tokens.ts'
import { textOf } from '../../support/files.ts'

type Json = Record<string, unknown>
const fileOf = (name: string): Json => JSON.parse(textOf(`examples/${name}-request.json`))
const transfer = fileOf('transfer')
const create = fileOf('create')
const order = fileOf('order')
const keys = { required: 1, pubkeys: [transfer.from] }

const readers = {
  transfer: (changes: Json) => readRequest({ ...transfer, ...changes }, transferRequestForms),
  create: (changes: Json) => readRequest({ ...create, ...changes }, createRequestForms),
  order: (changes: Json) => parseOrderRequest(JSON.stringify({ ...order, ...changes })).request,
}

describe('a request file', () => {
  test.each<[keyof typeof readers, Json, string, string]>([
    ['transfer', { tipHeight: undefined }, 'tipHeight', 'tipHeight or expiryHeight'],
    ['create', { supplyCoins: '1' }, 'supply', 'either supply or supplyCoins'],
    ['create', { supply: undefined }, 'supply', 'either supply or supplyCoins'],
    ['create', { nativeChange: 'some' }, 'nativeChange', 'exact or daemon'],
    ['create', { spend: 'some' }, 'spend', 'selected, needed or all'],
    ['create', { fee: 5 }, 'fee', 'a string of 1 to 20 decimal digits'],
    ['order', { kind: 'buy' }, 'kind', 'ask, bid, fillAsk, fillBid, cancelAsk or cancelBid'],
    [
      'order',
      { order: transfer.tokenid },
      'order',
      'it only where kind is fillAsk, fillBid, cancelAsk or cancelBid',
    ],
    [
      'transfer',
      { recipients: [{ pubkey: transfer.from, keys, amount: '1' }] },
      'recipients[0].pubkey',
      'either pubkey or keys',
    ],
    [
      'transfer',
      { recipients: [{ amount: '1' }] },
      'recipients[0].pubkey',
      'either pubkey or keys',
    ],
  ])('a request file of a %s with %j is refused', (name, changes, path, expected) => {
    const { code, ...context } = refusal(() => readers[name](changes))
    expect(code).toBe('malformed_case')
    expect(context).toMatchObject({ path, expected })
  })

  test.each(Object.keys(readers) as (keyof typeof readers)[])(
    'a request file of a %s has a note and no eval codes',
    (name) => {
      expect(readers[name]({ note: 'to read' })).not.toHaveProperty('note')
      expect(refusal(() => readers[name]({ dataCodes: [1] })).path).toBe('request.dataCodes')
    },
  )

  test('may have both heights', () => {
    const heights = { tipHeight: 5, expiryHeight: 100 }
    expect(readers.create(heights)).toMatchObject(heights)
  })
})

describe('a builder refuses', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a creation with two supplies',
      () => buildTokenCreate({ ...readers.create({}), supplyCoins: '1' }),
      'supply: expected supply or supplyCoins, not both',
    ],
    [
      'a creation without a supply',
      () => buildTokenCreate({ ...readers.create({}), supply: undefined } as never),
      'supply: expected supply or supplyCoins, got undefined',
    ],
    [
      'a transfer without a height',
      () => buildTokenTransfer({ ...readers.transfer({}), tipHeight: undefined } as never),
      'tipHeight: expected tipHeight or expiryHeight, got undefined',
    ],
    [
      'eval codes that are not bytes',
      () => buildTokenTransfer({ ...readers.transfer({}), dataCodes: [256] }),
      'dataCodes[0]: expected an integer from 0 to 255, got 256',
    ],
    [
      'a limit that is null',
      () => buildTokenAsk({ ...readers.order({}), maxFee: null } as never),
      'maxFee: expected a bigint, got null',
    ],
    [
      'another word for the change',
      () => buildTokenAsk({ ...readers.order({}), nativeChange: 'some' } as never),
      "nativeChange: expected 'exact' or 'daemon', got a string",
    ],
  ])('%s', (_, build, message) => {
    expect(build).toThrow(new TypeError(message))
  })
})

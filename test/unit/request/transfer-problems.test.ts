// The rules for a transfer of tokens, called directly, on both sides of each limit.

import { describe, expect, test } from 'vitest'

import { burnPublicKeys } from '../../../src/chain/modules.ts'
import { addressOf, type Network, networks } from '../../../src/index.ts'
import { satsMax } from '../../../src/primitives/amount.ts'
import { tokenidsProblems } from '../../../src/request/holders.ts'
import { transferProblems } from '../../../src/request/transfer-problems.ts'
import { codes, errorsIn } from '../../support/problems.ts'
import { a, b, c, moduleKey } from '../../support/resigned.ts'

const { assetChain, tokel } = networks
const id = (digit: string) => digit.repeat(64)
const hidden = 'what may be a private key'
const { komodo: burn } = burnPublicKeys

describe('a transfer of tokens', () => {
  const plain = { tokenid: id('1'), destination: b, amount: 5n, from: a }
  const one = { pubkey: b, amount: 5n }
  const of = (changes: object, network: Network = assetChain) =>
    transferProblems(
      { ...plain, ...changes },
      { recipients: [one], fromKeys: undefined, destinationKeys: undefined, ...changes },
      network,
    )

  test('has no problem as it should be', () => {
    expect(of({})).toEqual([])
    expect(of({ recipients: [one, { pubkey: c, amount: 1n }] })).toEqual([])
    expect(of({ destination: b.toUpperCase() })).toEqual([])
    expect(
      of({ destination: burn, burn: true, recipients: [{ pubkey: burn, amount: 5n }] }),
    ).toEqual([])
  })

  test('names every member that is wrong', () => {
    const changes = { tokenid: 'ff', destination: 'zz', amount: 0n, from: moduleKey }
    expect(codes(of({ ...changes, recipients: [{ pubkey: 'zz', amount: 0n }] }))).toEqual([
      'tokenid tokenid',
      'pubkey destination',
      'moduleKey from',
      'amount amount',
    ])
  })

  test.each<[string, readonly object[]]>([
    ['none', []],
    ['another key', [{ pubkey: c, amount: 5n }]],
    ['another amount', [{ pubkey: b, amount: 6n }]],
  ])('lists its destination first, not %s', (_, recipients) => {
    expect(of({ recipients })).toEqual([
      { code: 'recipients', path: 'recipients[0]', expected: `5 to ${b}` },
    ])
  })

  test('names its destination as a key or as the address of it', () => {
    const address = addressOf(b, tokel)
    expect(
      of({ destination: address, recipients: [{ pubkey: address, amount: 5n }] }, tokel),
    ).toEqual([])
    const mixed = of({ destination: b, recipients: [{ pubkey: address, amount: 5n }] }, tokel)
    expect(codes(mixed)).toEqual(['recipients recipients[0]'])
  })

  test('has several recipients that each are possible, and together', () => {
    const others = (...recipients: object[]) => of({ recipients: [one, ...recipients] })
    expect(codes(others({ pubkey: burn, amount: 0n }))).toEqual([
      'burn recipients[1].pubkey',
      'amount recipients[1].amount',
    ])
    expect(codes(others({ pubkey: c, amount: satsMax - 4n }))).toEqual(['amount recipients'])
    expect(others({ pubkey: c, amount: satsMax - 5n })).toEqual([])
    const burns = { burn: true, destination: burn, recipients: [{ pubkey: burn, amount: 5n }, one] }
    expect(codes(of(burns))).toEqual(['notBurn recipients[1].pubkey'])
  })

  test('names two keys besides the own one in tokens v1', () => {
    const three = [one, { pubkey: c, amount: 1n }, { pubkey: a.toUpperCase(), amount: 1n }]
    expect(of({ recipients: three, from: a.toUpperCase() })).toEqual([])
    const other = '02' + '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
    const four = three.with(2, { pubkey: other, amount: 1n })
    expect(of({ recipients: four })).toEqual([
      { code: 'namedKeys', path: 'recipients', expected: 'at most 2 keys', actual: 3 },
    ])
    expect(of({ recipients: four }, tokel)).toEqual([])
  })

  describe('for keys that hold tokens together', () => {
    const keys = { required: 1, pubkeys: [b, c] }

    test('has its first key as the one destination', () => {
      expect(of({ destinationKeys: keys }, tokel)).toEqual([])
      expect(of({ destinationKeys: keys, destination: b.toUpperCase() }, tokel)).toEqual([])
      const refused = [
        { code: 'keyCount', path: 'destinationKeys', expected: `${b} alone as destination` },
      ]
      const two = [one, { pubkey: c, amount: 1n }]
      expect(of({ destinationKeys: keys, recipients: two }, tokel)).toEqual(refused)
      const recipients = [{ pubkey: c, amount: 5n }]
      expect(of({ destinationKeys: keys, destination: c, recipients }, tokel)).toEqual(refused)
    })

    test('burns nothing', () => {
      const recipients = [{ pubkey: burn, amount: 5n }]
      const burning = { destination: burn, recipients, burn: true }
      const destinationKeys = { required: 1, pubkeys: [burn] }
      expect(codes(of({ ...burning, destinationKeys }, tokel))).toEqual([
        'burn destinationKeys.pubkeys[0]',
        'keyCount destinationKeys',
      ])
    })

    test('is possible with tokens of tokeld alone, and names some key', () => {
      expect(codes(of({ destinationKeys: keys }))).toEqual(['keyNetwork destinationKeys'])
      expect(codes(of({ fromKeys: keys }))).toEqual(['keyNetwork fromKeys'])
      expect(of({ fromKeys: keys }, tokel)).toEqual([])
      const none = of({ destinationKeys: { required: 1, pubkeys: [] } }, tokel)
      expect(none.at(-1)).toMatchObject({ expected: 'a key alone as destination' })
    })
  })

  test('has one key on each side if it moves several tokens', () => {
    const tokenids = [id('1'), id('2')]
    expect(of({ tokenids }, tokel)).toEqual([])
    const refused = ['tokenids tokenids']
    const keys = { required: 1, pubkeys: [b] }
    expect(codes(of({ tokenids, fromKeys: keys }, tokel))).toEqual(refused)
    expect(codes(of({ tokenids, destinationKeys: keys }, tokel))).toEqual(refused)
    const two = [one, { pubkey: c, amount: 1n }]
    expect(codes(of({ tokenids, recipients: two }, tokel))).toEqual(refused)
    const pubkey = addressOf(b, tokel)
    const byAddress = { destination: pubkey, recipients: [{ pubkey, amount: 5n }] }
    expect(codes(of({ tokenids, ...byAddress }, tokel))).toEqual(refused)
    expect(codes(of({ tokenids }))).toEqual(refused)
  })
})

describe('several tokens', () => {
  const [tokenid, second] = [id('1'), id('2')]
  const of = (tokenids: readonly string[], first = tokenid) =>
    tokenidsProblems(tokenids, { tokenid: first, isOneKey: true, network: tokel })

  test('are different, the first of them the named one', () => {
    expect(of([id('A'), second], id('a'))).toEqual([])
    expect(of([id('a'), second], id('A'))).toEqual([])
    expect(of([second, tokenid])).toMatchObject([
      { code: 'tokenids', path: 'tokenids[0]', expected: tokenid, actual: hidden },
    ])
    expect(of([])).toMatchObject([{ path: 'tokenids[0]', actual: '' }])
    expect(of([tokenid, id('F'), id('f')])).toMatchObject([
      { code: 'tokenids', path: 'tokenids', expected: 'each once' },
    ])
    expect(codes(of([tokenid, 'ff']))).toEqual(['tokenid tokenids[1]'])
  })

  test('move between one key and another, on a chain of tokeld', () => {
    const refused = [{ code: 'tokenids', path: 'tokenids', expected: 'one key for all of them' }]
    const given = { tokenid, isOneKey: true, network: assetChain }
    expect(tokenidsProblems([tokenid], given)).toMatchObject(refused)
    const shared = { tokenid, isOneKey: false, network: tokel }
    expect(tokenidsProblems([tokenid], shared)).toMatchObject(refused)
    expect(errorsIn(tokenidsProblems([tokenid], shared))).toEqual([
      "tokenids: expected different ones of tokeld's, the first of them tokenid, got an array",
    ])
  })
})

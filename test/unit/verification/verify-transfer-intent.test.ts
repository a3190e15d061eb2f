// These tests cover which transfers an intent may request, and the findings for the others: a row
// for each side of each limit. They verify no transaction: the hex is empty, and reported as empty.

import { describe, expect, test } from 'vitest'
import { burnPublicKeys, chainModules } from '../../../src/chain/modules.ts'
import {
  addressOfScript,
  defineNetwork,
  networks,
  publicKeyOf,
  type TransferIntent,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { transferKey } from '../../../src/rpc/safe-flow/payment-keys.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { tokenTransfer } from '../../../src/verification/operations/transfer.ts'
import { checkTransferIntent, needsV2 } from '../../../src/verification/transfer-intent.ts'
import { a, b, c, moduleKey } from '../../support/resigned.ts'

const tokenid = 'ab'.repeat(32)
const other = 'cd'.repeat(32)
const intent: TransferIntent = { tokenid, destination: b, amount: 5n, from: a }
const { tokel } = networks

/** The address of a tokeld's wallet. */
const address = 'RUC4vHRqYCsaUMgWp6f7o1pQQYg99a8vtK'
/** The address of a multisig of the same daemon. */
const scriptAddress = 'bCkCPqpKnYUYXoBxeNxBjtMcLTf4jjbnDV'
const manyKeys = Array.from({ length: 16 }, (_, n) => publicKeyOf(`${n + 1}`.padStart(64, '0')))

type Asked = Partial<TransferIntent> | object

const check = (changed: Asked) =>
  verifyTokenTransfer('', { ...intent, ...changed } as TransferIntent, { previousTransactions: [] })
const reported = (changed: Asked) =>
  check(changed)
    .findings.filter(({ code }) => code !== 'empty_input')
    .map(({ code, path }) => [code, path])

const to = (...pubkeys: string[]) => pubkeys.map((pubkey) => ({ pubkey, amount: 5n }))
const keysOf = (required: number, ...pubkeys: string[]) => ({ required, pubkeys })

describe('of the wrong type, told by its place', () => {
  test.each<[string, unknown]>([
    ['intent', null],
    ['intent.tokenid', { tokenid: 7 }],
    ['intent.destination', { destination: 7 }],
    ['intent.amount', { amount: 7 }],
    ['intent.from', { from: 7 }],
    ['intent.burn', { burn: 1 }],
    ['intent.burn', { burn: null }],
    ['intent.recipients', { recipients: 'x' }],
    ['intent.recipients[1]', { recipients: [...to(b), 'x'] }],
    ['intent.recipients[0].pubkey', { recipients: [{ amount: 5n }] }],
    ['intent.recipients[1].amount', { recipients: [...to(b), { pubkey: c, amount: 5 }] }],
    ...['fromKeys', 'destinationKeys'].flatMap((name): [string, unknown][] => [
      [`intent.${name}`, { [name]: 7 }],
      [`intent.${name}`, { [name]: null }],
      [`intent.${name}.required`, { [name]: keysOf(-1, b) }],
      [`intent.${name}.required`, { [name]: { required: '1', pubkeys: [b] } }],
      [`intent.${name}.pubkeys`, { [name]: { required: 1, pubkeys: b } }],
      [`intent.${name}.pubkeys[1]`, { [name]: { required: 1, pubkeys: [b, 7] } }],
    ]),
    ['intent.tokenids', { tokenids: tokenid }],
    ['intent.tokenids', { tokenids: null }],
    ['intent.tokenids[1]', { tokenids: [tokenid, 7] }],
  ])('%s', (path, changed) => {
    const given = changed === null ? null : { ...intent, ...(changed as object) }
    const call = () => verifyTokenTransfer('', given as never, { previousTransactions: [] })
    expect(call).toThrow(TypeError)
    expect(call).toThrow(new RegExp(`^${path.replace(/[[\].]/g, '\\$&')}:? `))
  })
})

test('hex in either case of letters is the same', () => {
  const upper = (text: string) => text.toUpperCase()
  const keys = keysOf(1, upper(b), upper(c))
  expect(reported({ tokenid: upper(tokenid), destination: upper(b), from: upper(a) })).toEqual([])
  expect(reported({ destination: b, recipients: to(upper(b), upper(c)) })).toEqual([])
  expect(reported({ network: tokel, destination: upper(b), destinationKeys: keys })).toEqual([])
  expect(reported({ network: tokel, destination: b, fromKeys: keys })).toEqual([])
  expect(reported({ network: tokel, tokenids: [upper(tokenid), other] })).toEqual([])
  expect(reported({ network: tokel, tokenids: [tokenid, upper(tokenid)] })).toEqual([
    ['intent_tokenids', 'intent.tokenids'],
  ])
  const { intent: ready } = checkTransferIntent({
    tokenid: upper(tokenid),
    destination: upper(b),
    amount: 5n,
    from: upper(a),
    recipients: to(upper(b), upper(c)),
  })
  expect(ready).toMatchObject({ tokenid, from: a, owner: a })
  expect(ready.recipients.map(({ holder }) => holder)).toEqual([b, c])
})

// published in komodo and tokel src/cc/CCcustom.cpp: anybody can move what such a key holds
test.each(
  chainModules.flatMap(({ name, key }) => (key === undefined ? [] : [[name, key.publicKey]])),
)('the key of the module %s is nobody’s own', (name, from) => {
  const { findings } = check({ from: from.toUpperCase() })
  const refused = { code: 'intent_module_key', path: 'intent.from', actual: name }
  expect(findings[0]).toMatchObject(refused)
  expect(reported({ from })).toEqual([['intent_module_key', 'intent.from']])
  expect(reported({ network: tokel, from })).toEqual([['intent_module_key', 'intent.from']])
})

// tokel src/cc/CCtokenrpc.cpp: tokeld's tokenv2transfer takes an R-address, komodod none
describe('an address', () => {
  test('an address of a key is paid on tokeld’s chains', () => {
    expect(reported({ network: tokel, destination: address })).toEqual([])
    expect(reported({ network: tokel, destination: address, recipients: to(address, c) })).toEqual(
      [],
    )
    expect(reported({ network: tokel, recipients: to(b, address) })).toEqual([])
  })

  test.each([
    ['on komodod’s', address, networks.assetChain],
    ['of a script', scriptAddress, tokel],
    ['of another network', address, defineNetwork({ conditions: 'tokel', pubKeyHashPrefix: 61 })],
    ['in the wrong case', address.toLowerCase(), tokel],
    ['mistyped', `${address.slice(0, -1)}L`, tokel],
    ['of a hundred thousand letters', '1'.repeat(100_000), tokel],
    ['written as a hash', '11'.repeat(20), tokel],
  ])('%s is not', (_, destination, network) => {
    expect(reported({ network, destination })).toEqual([['intent_pubkey', 'intent.destination']])
  })

  // The addresses of komodo's and tokel's src/cc/CCcustom.cpp
  test.each(
    chainModules.flatMap(({ name, key }) => (key?.keyAddress ? [[name, key.keyAddress]] : [])),
  )('a key of the module %s is refused: anyone has it', (_, destination) => {
    expect(reported({ network: tokel, destination })).toEqual([
      ['intent_module_key', 'intent.destination'],
    ])
    expect(reported({ network: tokel, destination, burn: true })).toEqual([
      ['intent_not_burn', 'intent.destination'],
    ])
  })
})

// komodo src/cc/CCcustom.cpp: on komodod's chains these look like addresses of keys
test.each(
  chainModules.flatMap(({ name, key }) =>
    key?.conditionAddress ? [[name, key.conditionAddress]] : [],
  ),
)("the address of the condition of %s is nobody's", (_, destination) => {
  expect(reported({ network: tokel, destination })).toEqual([['intent_burn', 'intent.destination']])
  expect(reported({ network: tokel, destination, burn: true })).toEqual([
    ['intent_not_burn', 'intent.destination'],
  ])
})

describe('a burn', () => {
  // the hashes of the two keys that komodo's and tokel's sources burn with
  test.each([
    [networks.assetChain, burnPublicKeys.komodo, true],
    [networks.assetChain, burnPublicKeys.tokel, false],
    [tokel, burnPublicKeys.komodo, true],
    [tokel, burnPublicKeys.tokel, true],
    [tokel, b, false],
    [tokel, address, false],
  ])('a burn on $name to %s is recognised', (network, destination, isBurn) => {
    expect(reported({ network, destination, burn: true })).toEqual(
      isBurn ? [] : [['intent_not_burn', 'intent.destination']],
    )
  })

  test.each(Object.values(burnPublicKeys))('a burn to the address of %s is one as well', (key) => {
    const destination = addressOfScript(pubkeyHashScript(key), tokel)!
    expect(reported({ network: tokel, destination, burn: true })).toEqual([])
    expect(reported({ network: tokel, destination })).toEqual([
      ['intent_burn', 'intent.destination'],
    ])
  })

  test('is not a burn of what another gets', () => {
    const destination = burnPublicKeys.komodo
    expect(reported({ destination, burn: true, recipients: to(destination, b) })).toEqual([
      ['intent_not_burn', 'intent.recipients[1].pubkey'],
    ])
    expect(reported({ recipients: to(b, destination) })).toEqual([
      ['intent_burn', 'intent.recipients[1].pubkey'],
    ])
  })
})

describe('recipients', () => {
  const first = [['intent_recipients', 'intent.recipients[0]']]
  test.each<[string, Asked, string[][]]>([
    ['the destination alone', { recipients: to(b) }, []],
    ['the destination first', { recipients: to(b, c) }, []],
    ['the destination second', { recipients: to(c, b) }, first],
    ['none', { recipients: [] }, first],
    ['with another amount first', { recipients: [{ pubkey: b, amount: 4n }] }, first],
    ['with another amount second', { recipients: [...to(b), { pubkey: c, amount: 4n }] }, []],
    [
      'with nothing second',
      { recipients: [...to(b), { pubkey: c, amount: 0n }] },
      [['intent_amount', 'intent.recipients[1].amount']],
    ],
    [
      'with no key second',
      { recipients: to(b, '02') },
      [['intent_pubkey', 'intent.recipients[1].pubkey']],
    ],
    [
      'with the key of a module third',
      { recipients: to(b, b, moduleKey) },
      [['intent_module_key', 'intent.recipients[2].pubkey']],
    ],
    // tokens.md section 2: ccType counts 0 to 2 keys; change of the sender's is found without its
    // key
    ['two', { recipients: to(b, c) }, []],
    ['two and the sender', { recipients: to(b, c, a) }, []],
    ['two, one of them twice', { recipients: to(b, c, b) }, []],
    ['three', { recipients: to(b, c, manyKeys[0]!) }, [['intent_recipients', 'intent.recipients']]],
    ['three on tokeld’s chains', { recipients: to(b, c, manyKeys[0]!), network: tokel }, []],
  ])('%s', (_, asked, expected) => {
    expect(reported(asked)).toEqual(expected)
  })

  test('are reported with what the intent says beside them', () => {
    const { findings } = check({ recipients: to(c) })
    expect(findings[0]).toMatchObject({ expected: `5 to ${b}` })
    const { findings: many } = check({ recipients: to(b, c, ...manyKeys) })
    expect(many[0]).toMatchObject({ expected: 'at most 2 keys', actual: 18 })
  })
})

// tokel src/cc/CCtokenrpc.cpp, tokenv2transferMofN; src/script/script.h, MAX_SCRIPT_ELEMENT_SIZE
describe('keys that hold together', () => {
  const of = (name: 'fromKeys' | 'destinationKeys', keys: object, more: object = {}) =>
    reported({ network: tokel, destination: manyKeys[0]!, [name]: keys, ...more })

  test.each<[string, object, boolean]>([
    ['one of one', keysOf(1, ...manyKeys.slice(0, 1)), true],
    ['none of one', keysOf(0, ...manyKeys.slice(0, 1)), false],
    ['two of one', keysOf(2, ...manyKeys.slice(0, 1)), false],
    ['two of two', keysOf(2, ...manyKeys.slice(0, 2)), true],
    ['three of two', keysOf(3, ...manyKeys.slice(0, 2)), false],
    ['one of fifteen', keysOf(1, ...manyKeys.slice(0, 15)), true],
    ['fifteen of fifteen', keysOf(15, ...manyKeys.slice(0, 15)), true],
    ['one of sixteen', keysOf(1, ...manyKeys), false],
    ['one of two alike', keysOf(1, manyKeys[0]!, manyKeys[0]!), false],
    ['one of two alike but for case', keysOf(1, manyKeys[0]!, manyKeys[0]!.toUpperCase()), false],
  ])('%s', (_, keys, isRight) => {
    for (const name of ['fromKeys', 'destinationKeys'] as const) {
      expect(of(name, keys)).toEqual(isRight ? [] : [['intent_keys', `intent.${name}`]])
    }
  })

  test('are none of none', () => {
    expect(of('fromKeys', keysOf(0))).toEqual([['intent_keys', 'intent.fromKeys']])
    expect(of('destinationKeys', keysOf(1))).toEqual([
      ['intent_keys', 'intent.destinationKeys'],
      ['intent_keys', 'intent.destinationKeys'],
    ])
  })

  test('are reported with their numbers', () => {
    const { findings } = check({ network: tokel, fromKeys: keysOf(3, b, c, b) })
    const details = { expected: '1 to 15 keys', actual: '3 of 3, 2 of them different' }
    expect(findings[0]).toMatchObject(details)
  })

  test.each([
    ['no key', '02', 'intent_pubkey'],
    ['no point of the curve', `02${'00'.repeat(32)}`, 'intent_pubkey'],
    ['an address', address, 'intent_pubkey'],
    ['a module’s key', moduleKey, 'intent_module_key'],
    ['a key that burns', burnPublicKeys.komodo, 'intent_burn'],
    ['another key that burns', burnPublicKeys.tokel, 'intent_burn'],
  ])('are not keys with %s among them', (_, pubkey, code) => {
    const [first] = manyKeys
    for (const name of ['fromKeys', 'destinationKeys'] as const) {
      const expected = [[code, `intent.${name}.pubkeys[1]`]]
      expect(of(name, keysOf(1, first!, pubkey))).toEqual(expected)
    }
  })

  test('are not known to komodod', () => {
    const network = networks.assetChain
    expect(of('fromKeys', keysOf(1, ...manyKeys.slice(0, 2)), { network })).toEqual([
      ['intent_keys', 'intent.fromKeys'],
    ])
    expect(of('destinationKeys', keysOf(1, ...manyKeys.slice(0, 2)), { network })).toEqual([
      ['intent_keys', 'intent.destinationKeys'],
    ])
  })

  const two = keysOf(1, ...manyKeys.slice(0, 2))
  const [first, second] = manyKeys
  const beside = [['intent_keys', 'intent.destinationKeys']]
  test.each<[string, object, string[][]]>([
    ['alone', { recipients: to(first!) }, []],
    ['beside another recipient', { recipients: to(first!, c) }, beside],
    ['whose first is not the destination', { destination: second }, beside],
  ])('keys that hold together as destination have findings: %s', (_, more, expected) => {
    expect(of('destinationKeys', two, more)).toEqual(expected)
  })

  test('burn nothing', () => {
    const asked = { burn: true, destination: burnPublicKeys.komodo }
    const keys = keysOf(1, burnPublicKeys.komodo)
    expect(of('destinationKeys', keys, asked)).toContainEqual(beside[0])
  })

  test('are reported by the first, and that not where it may be a private key', () => {
    const expectedOf = (...pubkeys: string[]) =>
      check({ network: tokel, destinationKeys: keysOf(1, ...pubkeys) })
        .findings.filter(({ path }) => path === 'intent.destinationKeys')
        .map(({ expected }) => expected)
    expect(expectedOf(c, b)).toEqual([`${c} alone as destination`])
    expect(expectedOf()).toContain('a key alone as destination')
    const [reported] = expectedOf('11'.repeat(32))
    expect(reported).toBe('what may be a private key alone as destination')
  })
})

// tokel src/cc/CCtokenrpc.cpp, tokenv2transfermany: each token to one key, from one
describe('several tokens', () => {
  const both = { tokenids: [tokenid, other], network: tokel }
  const one = keysOf(1, b)
  const refused = [['intent_tokenids', 'intent.tokenids']]
  test.each<[string, Asked, string[][]]>([
    ['of one key', both, []],
    ['one alone', { ...both, tokenids: [tokenid] }, []],
    ['to the destination by name', { ...both, recipients: to(b) }, []],
    ['to two', { ...both, recipients: to(b, c) }, refused],
    ['to nobody', { ...both, recipients: [] }, [['intent_recipients', 'intent.recipients[0]']]],
    ['from several keys', { ...both, fromKeys: one }, refused],
    ['to several keys', { ...both, destinationKeys: one }, refused],
    ['to an address', { ...both, destination: address }, refused],
    ['on komodod', { ...both, network: networks.assetChain }, refused],
    ['on a network that is not named', { ...both, network: undefined }, refused],
    ['none', { ...both, tokenids: [] }, [['intent_tokenids', 'intent.tokenids[0]']]],
    [
      'another first',
      { ...both, tokenids: [other, tokenid] },
      [['intent_tokenids', 'intent.tokenids[0]']],
    ],
    ['one twice', { ...both, tokenids: [tokenid, other, other] }, refused],
    [
      'one that is none',
      { ...both, tokenids: [tokenid, '00'] },
      [['intent_tokenid', 'intent.tokenids[1]']],
    ],
    [
      'none that is one',
      { ...both, tokenid: '00', tokenids: ['00'] },
      [
        ['intent_tokenid', 'intent.tokenid'],
        ['intent_tokenid', 'intent.tokenids[0]'],
      ],
    ],
  ])('%s', (_, asked, expected) => {
    expect(reported(asked)).toEqual(expected)
  })

  test('are reported with the one that should be first', () => {
    const firstOf = (tokenids: string[]) => check({ tokenids, network: tokel }).findings[0]
    expect(firstOf([])).toMatchObject({ expected: tokenid, actual: '' })
    expect(firstOf(['zz'])).toMatchObject({ expected: tokenid, actual: 'zz' })
  })
})

// tokens.md section 2: payloads of tokens v1 name keys, and nothing else
test.each<[string, Asked, boolean]>([
  ['a key', {}, false],
  ['two keys', { recipients: to(b, c) }, false],
  ['an address', { destination: address }, true],
  ['a key and an address', { recipients: to(b, address) }, true],
  ['several keys', { destinationKeys: keysOf(1, b, c) }, true],
  ['a key, from several', { fromKeys: keysOf(1, b, c) }, true],
  ['several tokens', { tokenids: [tokenid, other] }, true],
])('whether only tokens v2 can be paid: to %s', (_, asked, expected) => {
  const given = { ...intent, network: tokel, ...asked }
  expect(needsV2(checkTransferIntent(given).intent)).toBe(expected)
})

describe('two transfers are the same payment', () => {
  // as text, which is how the safe flow remembers them
  const termsOf = (asked: Asked) =>
    transferKey(checkTransferIntent({ ...intent, network: tokel, ...asked }).intent)
  const terms = termsOf({})

  test.each<[string, Asked]>([
    ['at another fee', { fee: 1n, maxFee: 2n }],
    ['with the destination as recipient', { recipients: to(b) }],
    ['with the one token as one of several', { tokenids: [tokenid] }],
    ['in the other case of letters', { destination: b.toUpperCase(), from: a.toUpperCase() }],
    ['with a burn not asked for', { burn: false }],
  ])('%s', (_, asked) => {
    expect(termsOf(asked)).toBe(terms)
  })

  test.each<[string, Asked]>([
    ['of another token', { tokenid: other }],
    ['of another token besides', { tokenids: [tokenid, other] }],
    ['of another amount', { amount: 6n }],
    ['to another', { destination: c }],
    ['to another besides', { recipients: to(b, c) }],
    ['to an address', { destination: address }],
    ['to keys', { destinationKeys: keysOf(1, b, c) }],
    ['from another', { from: c }],
    ['from several keys', { fromKeys: keysOf(1, a, c) }],
  ])('two transfers are not the same payment: %s', (_, asked) => {
    expect(termsOf(asked)).not.toBe(terms)
  })

  test.each<[string, object, object]>([
    ['both sign', keysOf(1, b, c), keysOf(2, b, c)],
    ['others sign', keysOf(1, b, c), keysOf(1, b, a)],
    ['one more signs', keysOf(1, b), keysOf(1, b, c)],
  ])(
    'two transfers of keys that hold together are not the same payment if %s',
    (_, one, another) => {
      for (const name of ['fromKeys', 'destinationKeys']) {
        expect(termsOf({ [name]: one })).not.toBe(termsOf({ [name]: another }))
      }
    },
  )
})

describe('people see what was asked for', () => {
  const lines = (asked: Asked) =>
    tokenTransfer.lines({ ...intent, ...asked }, { previousTransactions: [] })
  test.each<[string, Asked, (readonly [string, string])[]]>([
    [
      'a transfer',
      {},
      [
        ['transfer', `5 units of token ${tokenid}`],
        ['to', b],
        ['from', a],
      ],
    ],
    [
      'no burn',
      { burn: false },
      [
        ['transfer', `5 units of token ${tokenid}`],
        ['to', b],
        ['from', a],
      ],
    ],
    [
      'a burn',
      { burn: true },
      [
        ['burn', `5 units of token ${tokenid}`],
        ['to', b],
        ['from', a],
      ],
    ],
    [
      'one recipient by name',
      { recipients: to(b) },
      [
        ['transfer', `5 units of token ${tokenid}`],
        ['to', b],
        ['from', a],
      ],
    ],
    [
      'two recipients, each with its share',
      { recipients: [...to(b), { pubkey: c, amount: 2n }] },
      [
        ['transfer', `7 units of token ${tokenid}`],
        ['to', `${b}, 5 units`],
        ['to', `${c}, 2 units`],
        ['from', a],
      ],
    ],
    [
      'several tokens',
      { tokenids: [tokenid, other] },
      [
        ['transfer', `5 units of token ${tokenid}`],
        ['and', `5 units of token ${other}`],
        ['to', b],
        ['from', a],
      ],
    ],
    [
      'keys that hold together',
      { destinationKeys: keysOf(1, b, c), fromKeys: keysOf(2, a, c) },
      [
        ['transfer', `5 units of token ${tokenid}`],
        ['to', `1 of ${b}, ${c}`],
        ['owned by', `2 of ${a}, ${c}`],
        ['from', a],
      ],
    ],
  ])('%s', (_, asked, expected) => {
    expect(lines(asked)).toEqual(expected)
  })

  test('people see nothing that may be a private key', () => {
    const key = '11'.repeat(32)
    const keys = keysOf(1, key)
    for (const asked of [
      { destination: key },
      { from: key },
      { recipients: to(b, key) },
      { destinationKeys: keys },
      { fromKeys: keys },
    ]) {
      expect(JSON.stringify(lines(asked))).not.toContain(key)
    }
  })
})

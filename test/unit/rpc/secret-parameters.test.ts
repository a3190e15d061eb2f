// These tests cover which parameters are secrets. komodo src/wallet/rpcdump.cpp, rpcwallet.cpp

import { describe, expect, test } from 'vitest'

import {
  isSecretMember,
  isSecretParameter,
  secretsOfMembers,
  secretsOfParameters,
} from '../../../src/rpc/secret-parameters.ts'

/** A private key that everybody knows: the number 1. */
const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'

describe('a parameter of a daemon', () => {
  test.each<[string, number[]]>([
    ['channelspayment', [2]],
    ['channelsclose', []],
    ['convertpassphrase', [0]],
    ['encryptwallet', [0]],
    ['importprivkey', [0]],
    // rpcwallet.cpp, kvupdate: the key that may update the entry is made from it
    ['kvupdate', [3]],
    ['nspv_login', [0]],
    ['signrawtransaction', [2]],
    ['walletpassphrase', [0]],
    ['walletpassphrasechange', [0, 1]],
    ['z_importkey', [0]],
    ['z_importviewingkey', [0]],
    ['getinfo', []],
    ['toString', []],
  ])('a parameter of a daemon of %s is secret at %j', (method, secret) => {
    expect([0, 1, 2, 3].filter((index) => isSecretParameter(method, index))).toEqual(secret)
  })

  test('is secret with everything in it', () => {
    const keys = ['one', ['two', { any: 'three' }], '']
    expect(secretsOfParameters('signrawtransaction', ['00', [], keys])).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  test('is secret as a private key, wherever it is', () => {
    expect(secretsOfParameters('validateaddress', [wif, 'R9', { a: [wif] }])).toEqual([wif, wif])
    const found = (text: string) => secretsOfParameters('validateaddress', [text])
    expect(found(wif.slice(1))).toEqual([wif.slice(1)])
    for (const text of [`${wif}1`, wif.slice(2), `0${wif.slice(1)}`, ` ${wif}`, `${wif} `]) {
      expect(found(text), text).toEqual([])
    }
  })

  test('is no secret as a number, as nothing, or in a method that has none', () => {
    expect(secretsOfParameters('walletpassphrase', [7, 60])).toEqual([])
    expect(secretsOfParameters('walletpassphrase', [null, undefined, true])).toEqual([])
    expect(secretsOfParameters('walletpassphrase', ['horse', 'sixty'])).toEqual(['horse'])
    expect(secretsOfParameters('getblock', ['horse'])).toEqual([])
  })
})

describe('a member of the framework', () => {
  test.each([
    ...['password', 'wallet_password', 'PassPhrase', 'pin', 'PIN', 'mnemonic', 'seed'],
    ...['privkey', 'priv_key', 'private_key', 'privatekey', 'secret', 'client_secret', 'wif'],
  ])('called %s is a secret', (name) => {
    expect(isSecretMember(name)).toBe(true)
    expect(secretsOfMembers({ params: { [name]: 'horse', other: 'cart' } })).toEqual(['horse'])
    expect(secretsOfMembers({ [name]: { deep: ['horse', { er: 'cart' }] } })).toEqual([
      'horse',
      'cart',
    ])
  })

  test.each([
    ...['pass', 'pinned', 'spin', 'seednode', 'seednodes', 'mnemonic_name', 'priv_key_policy'],
    ...['wifi', 'coin', 'pubkey'],
  ])('called %s is none', (name) => {
    expect(isSecretMember(name)).toBe(false)
    expect(secretsOfMembers({ [name]: 'horse' })).toEqual([])
  })

  test('is none in what is not an object', () => {
    for (const params of [undefined, null, 'horse', 7]) expect(secretsOfMembers(params)).toEqual([])
  })
})

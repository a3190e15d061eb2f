// The rules for a creation of a token, called directly, on both sides of each limit.

import { describe, expect, test } from 'vitest'

import { burnPublicKeys } from '../../../src/chain/modules.ts'
import { type Network, networks } from '../../../src/index.ts'
import {
  createProblems,
  movableProblems,
  tokenDataProblems,
} from '../../../src/request/create-problems.ts'
import { encodeTokelData } from '../../../src/token/payload/tokel-data.ts'
import { codes, error, errorsIn } from '../../support/problems.ts'
import { a } from '../../support/resigned.ts'

const { assetChain, tokel } = networks
const { komodo: burn } = burnPublicKeys

describe('a creation of a token', () => {
  const plain = { name: 'A', supply: 1n, description: '', owner: a }
  const of = (changes: object, network: Network = assetChain) =>
    createProblems({ ...plain, ...changes }, network)

  test('has no problem as it should be', () => {
    expect(of({})).toEqual([])
    expect(of({ data: 'f3', version: undefined })).toEqual([])
    expect(of({ version: 1, supply: 5n, data: 'f3' }, tokel)).toEqual([])
  })

  test('names every member that is wrong', () => {
    expect(codes(of({ name: '', supply: 0n, owner: burn, version: 2 }))).toEqual([
      'burn owner',
      'amount supply',
      'name name',
      'version version',
    ])
  })

  test('has a name of 1 to 32 bytes, and a description of at most 4096', () => {
    expect(of({ name: 'é'.repeat(16), description: 'é'.repeat(2048) })).toEqual([])
    expect(of({ name: '' })).toEqual([
      {
        code: 'name',
        path: 'name',
        actual: '0 bytes',
        inError: { expected: '1 to 32 bytes', actual: 0 },
      },
    ])
    expect(of({ name: `${'é'.repeat(16)}e` })).toMatchObject([{ actual: '33 bytes' }])
    expect(of({ description: 'e'.repeat(4097) })).toEqual([
      {
        code: 'description',
        path: 'description',
        actual: '4097 bytes',
        inError: { expected: '0 to 4096 bytes', actual: 4097 },
      },
    ])
  })

  test('has no half of a character in its name', () => {
    expect(of({ name: 'a\ud800' })).toMatchObject([
      {
        code: 'name',
        path: 'name',
        actual: 'half of a character',
        inError: error({ path: 'name' }),
      },
    ])
  })

  test('has data that are hex, of 1 to 10001 bytes', () => {
    expect(of({ data: 'F3'.repeat(10_001) })).toEqual([])
    expect(of({ data: 'AB'.repeat(10_002) })).toMatchObject([
      {
        code: 'data',
        path: 'data',
        actual: 'ab'.repeat(50),
        inError: error({ code: 'data_length', expected: '1 to 10001 bytes', actual: 10_002 }),
      },
    ])
    expect(of({ data: '' })).toMatchObject([
      { code: 'data', inError: error({ code: 'data_length' }) },
    ])
    expect(of({ data: 'zz' })).toMatchObject([
      { code: 'data', inError: error({ code: 'malformed_hex', path: 'data' }) },
    ])
  })

  test('has one unit if it has data and komodod counts it', () => {
    const data = 'f3'
    expect(of({ data, supply: 2n })).toEqual([
      { code: 'nftSupply', path: 'supply', expected: 1n, actual: 2n },
    ])
    expect(of({ data, supply: 2n }, tokel)).toEqual([])
  })

  test('has properties on a chain of tokeld, and not beside data', () => {
    const properties = { royalty: 5 }
    expect(of({ properties }, tokel)).toEqual([])
    const both = of({ properties, data: 'f3' }, tokel)
    expect(both).toMatchObject([
      { code: 'properties', path: 'properties', expected: 'no data beside them' },
    ])
    expect(errorsIn(both)).toEqual(['properties: expected nothing beside data, got Object'])
    const elsewhere = of({ properties })
    expect(elsewhere).toMatchObject([{ expected: 'a chain that tokeld runs' }])
    expect(errorsIn(elsewhere)).toEqual([
      "properties: expected none but on tokeld's chains, got Object",
    ])
  })

  test('has properties that can be written, and are no longer than data', () => {
    expect(of({ properties: { royalty: 1000 } }, tokel)).toMatchObject([
      { code: 'properties', path: 'properties', inError: error({ code: expect.any(String) }) },
    ])
    const long = (bytes: number) => ({ arbitrary: '00'.repeat(bytes) })
    const frame = encodeTokelData(long(9000)).length / 2 - 9000
    expect(of({ properties: long(10_001 - frame) }, tokel)).toEqual([])
    expect(of({ properties: long(10_002 - frame) }, tokel)).toMatchObject([
      { code: 'properties', inError: error({ code: 'data_length' }) },
    ])
  })

  test('has a version on a chain of tokeld alone', () => {
    expect(of({ version: 2 }, tokel)).toEqual([])
    const refused = of({ version: 2 })
    expect(refused).toMatchObject([
      { code: 'version', path: 'version', expected: 'none, on this network', actual: 2 },
    ])
    expect(errorsIn(refused)).toEqual([
      "version: expected 1 or 2, on tokeld's chains alone, got a number",
    ])
  })
})

describe('the data of a token', () => {
  test('begin with a byte that no module refuses', () => {
    expect(movableProblems('', 'data', 'komodo-v1')).toEqual([])
    expect(movableProblems('f1aa', 'data', 'komodo-v1')).toEqual([])
    expect(movableProblems('f2aa', 'data', 'komodo-v1')).toEqual([
      { code: 'dataCode', path: 'data', expected: 'f1 or f3', actual: 'f2' },
    ])
    expect(movableProblems('f2', 'data', 'tokel-v1')).toEqual([])
    expect(movableProblems('f2', 'data', 'tokens-v2')).toHaveLength(1)
    expect(movableProblems('e4', 'here', 'komodo-v1', [0xe4])).toEqual([])
    expect(movableProblems('e5', 'here', 'komodo-v1', [0xe4])).toEqual([
      { code: 'dataCode', path: 'here', expected: 'e4', actual: 'e5' },
    ])
    expect(tokenDataProblems('e4', 'komodo-v1', [0xe4])).toEqual([])
    expect(codes(tokenDataProblems('e4', 'komodo-v1'))).toEqual(['dataCode data'])
  })

  // tokel src/cc/CCTokelData.cpp: data that begin with f7 must be properties
  test('are properties if they begin like properties, on a chain of tokeld', () => {
    expect(tokenDataProblems(encodeTokelData({ royalty: 5 }), 'tokens-v2')).toEqual([])
    expect(tokenDataProblems('f7ff', 'tokens-v2')).toMatchObject([
      { code: 'tokelData', path: 'data', actual: expect.any(String), inError: expect.any(Error) },
    ])
    expect(codes(tokenDataProblems('f7ff', 'tokel-v1'))).toEqual(['tokelData data'])
    expect(tokenDataProblems('f7ff', 'komodo-v1', [0xf7])).toEqual([])
    expect(tokenDataProblems('00ff', 'tokens-v2')).toEqual([])
  })
})

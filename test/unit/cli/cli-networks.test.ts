// Commands that take a public key or make one, on every network: also where there are no tokens.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  addressOfScript,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  scriptOfAddress,
} from '../../../src/index.ts'
import { runCommand } from '../../support/cli.ts'

const key = '03dd'.padEnd(64, '7')
const names = Object.keys(networks) as (keyof typeof networks)[]

test.each(names)('keys and addresses of %s', async (name) => {
  const network = ['--network', name, '--json']
  const shown = await runCommand(['key', 'show', ...network], key)
  expect(shown).toMatchObject({ status: 0, errors: '' })
  const { publicKey, address, tokenAddress } = JSON.parse(shown.output)
  const described = await runCommand(['address', publicKey, ...network])
  expect(described).toMatchObject({ status: 0, errors: '' })
  expect(JSON.parse(described.output)).toMatchObject({ pubkey: publicKey, address })
  const hasTokens = networks[name].conditions !== 'none'
  expect([shown, described].map(({ output }) => 'tokenAddress' in JSON.parse(output))).toEqual([
    hasTokens,
    hasTokens,
  ])
  expect(tokenAddress === undefined).toBe(!hasTokens)

  const folder = mkdtempSync(`${tmpdir()}/antara-tx-key-`)
  try {
    const made = await runCommand(['key', 'new', '--out', `${folder}/key`, ...network])
    expect(made).toMatchObject({ status: 0, errors: '' })
    expect(existsSync(`${folder}/key`)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a key that is not the one asked for is named by its address', async () => {
  const folder = mkdtempSync(`${tmpdir()}/antara-tx-key-`)
  try {
    const { hex, ...example } = JSON.parse(readFileSync('examples/transfer.json', 'utf8'))
    const unsigned = encodeTransaction({
      ...decodeTransaction(hex),
      inputs: decodeTransaction(hex).inputs.map((input) => ({ ...input, scriptSig: '' })),
    })
    writeFileSync(`${folder}/case.json`, JSON.stringify({ ...example, hex: unsigned }))
    writeFileSync(`${folder}/key`, key, { mode: 0o600 })
    const tried = await runCommand(['sign', `${folder}/case.json`, '--key-file', `${folder}/key`])
    expect(tried).toMatchObject({ status: 1, output: '' })
    const publicKey = publicKeyOf(key, networks.assetChain)
    const address = addressOf(publicKey, networks.assetChain)
    expect(tried.errors).toContain(`The key from --key-file is that of ${address} (${publicKey})`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ['REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhc', 'a checksum that does not match'],
  [' REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', 'blanks around it'],
  ['REjg0TbqFVXQMMxSv3x5fwuKxkGAYm2yhb', 'a character that Base58 does not have'],
  [`02${'ab'.repeat(32)}`, 'a public key'],
  ['REjgJ', '5 characters'],
])('why %s is not an address', (text, why) => {
  expect(() => scriptOfAddress(text, networks.assetChain)).toThrow(why)
})

// A tokeld answered this to tokenv2indexkey (test/vectors/rpc/tokeld.json).
test('the token address of tokel is where a tokeld looks for tokens v2', async () => {
  const pubkey = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
  const indexKeys = ['CSuk2aCaZ4maXmXr6GYWmXdL6iWe8ccSbM', 'CZJGcu9qRTLQBoWGhNRKaU7r3RFKYU49Qr']
  const { output } = await runCommand(['address', pubkey, '--network', 'tokel', '--json'])
  const { tokenAddress, tokenAddresses, tokenScript } = JSON.parse(output)
  expect(indexKeys).toContain(tokenAddress)
  expect(tokenAddresses).toEqual(expect.arrayContaining(indexKeys))
  expect(addressOfScript(tokenScript, networks.tokel)).toBe(tokenAddress)
  const shown = await runCommand(['key', 'show', '--network', 'tokel', '--json'], key)
  const { publicKey, tokenAddress: own } = JSON.parse(shown.output)
  const same = await runCommand(['address', publicKey, '--network', 'tokel', '--json'])
  expect(own).toBe(JSON.parse(same.output).tokenAddress)
})

describe('--network FILE.json', () => {
  const folder = mkdtempSync(`${tmpdir()}/antara-tx-network-`)
  afterAll(() => rmSync(folder, { recursive: true }))
  let files = 0
  const fileOf = (text: string): string => {
    files += 1
    writeFileSync(`${folder}/${files}.json`, text)
    return `${folder}/${files}.json`
  }
  // The prefixes of Bitcoin, and what its documents print for the key 1.
  const prefixes = { pubKeyHashPrefix: 0, scriptHashPrefix: 5, conditionPrefix: 0 }
  const mine = { name: 'MINE', ...prefixes, privateKeyPrefix: 128 }
  const one = '1'.padStart(64, '0')
  const publicKey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
  const address = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH'

  test('names a chain with prefixes of its own', async () => {
    const network = ['--network', fileOf(JSON.stringify(mine))]
    const wif = await runCommand(['key', 'wif', ...network], one)
    expect(wif.output).toBe('KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn\n')
    const shown = await runCommand(['key', 'show', ...network, '--json'], wif.output)
    expect(JSON.parse(shown.output)).toMatchObject({ publicKey, address })
    const script = await runCommand(['address', address, ...network, '--json'])
    expect(JSON.parse(script.output).script).toBe(
      '76a914751e76e8199196d454941c45d1b3a323f1433bd688ac',
    )
  })

  test('is the network of each line too, and of a checkpoint', async () => {
    const network = ['--network', fileOf(JSON.stringify({ ...mine, maxMoney: '2100000000000000' }))]
    const { hex } = JSON.parse(readFileSync('examples/transfer.json', 'utf8'))
    const alone = await runCommand(['decode', '--json', ...network, hex])
    const lines = await runCommand(['decode', '--json', '--lines', ...network, '-'], `${hex}\n`)
    expect(lines).toMatchObject({ status: 0, errors: '' })
    expect(lines.output).toContain('"1')
    expect(JSON.parse(lines.output)).toEqual(JSON.parse(alone.output))
  })

  test.each([
    ['no JSON', 'MINE', 'expected "JSON"'],
    ['an unknown member', '{ "pubkeyPrefix": 0 }', 'network.pubkeyPrefix'],
    ['a number that is no byte', '{ "pubKeyHashPrefix": 256 }', 'pubKeyHashPrefix'],
    ['the name of another network', '{ "name": "komodo", "pubKeyHashPrefix": 0 }', 'is known'],
    ['a branch id, which no case may name either', '{ "branchId": 1 }', 'network.branchId'],
    ['a case file', readFileSync('examples/transfer.json', 'utf8'), 'antara-tx verify accepts'],
  ])('is refused with %s', async (_, text, reason) => {
    const { status, output, errors } = await runCommand([
      'address',
      publicKey,
      '--network',
      fileOf(text),
    ])
    expect([status, output]).toEqual([2, ''])
    expect(errors).toContain('malformed_case')
    expect(errors).toContain(reason)
  })

  test('is a usage error if it is not there', async () => {
    const { status, errors } = await runCommand(['address', publicKey, '--network', './none.json'])
    expect([status, errors]).toEqual([64, expect.stringContaining('no such file: ./none.json')])
  })
})

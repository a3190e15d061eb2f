// Commands that take a public key or make one, on every network: also where there are no tokens.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
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

// Keys of HD wallets and passphrases, by the recipe of docs/signing.md. The address is from
// komodo-defi-framework mm2_main/tests/mm2_tests/mm2_tests_inner.rs. The passphrases are those of the
// recorded komodod, which made its keys by convertpassphrase.

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { expect, test } from 'vitest'

import {
  addressOf,
  buildPayment,
  decodeWif,
  encodeTransaction,
  networks,
  publicKeyOf,
  scriptOfAddress,
  signCase,
  transactionId,
  verifyPayment,
} from '../../../src/index.ts'
import { readVectors } from '../../support/vectors.ts'

const network = networks.komodo
// source: the same test
const mnemonic = 'tank abandon bind salon remove wisdom net size aspect direct source fossil'
const account = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive("m/44'/141'/0'")
const keyAt = (chain: number, index: number) => account.deriveChild(chain).deriveChild(index)
const scriptAt = (chain: number, index: number) =>
  scriptOfAddress(addressOf(bytesToHex(keyAt(chain, index).publicKey!), network), network)

test('the first address of an account is the framework’s', () => {
  const { publicKey, privateKey } = keyAt(0, 0)
  expect(addressOf(bytesToHex(publicKey!), network)).toBe('RXNtAyDSsY3DS3VxTpJegzoHU9bUX54j56')
  expect(publicKeyOf(bytesToHex(privateKey!), network)).toBe(bytesToHex(publicKey!))
})

test('convertpassphrase and the recipe make the same key of a passphrase', () => {
  const keys =
    readVectors<Record<'A' | 'B' | 'C', { wif: string; privkey: string }>>('komodod/keys.json')
  for (const name of ['A', 'B', 'C'] as const) {
    const key = sha256(utf8ToBytes(`oracle key ${name}`))
    key[0]! &= 248
    key[31] = (key[31]! & 127) | 64
    expect(bytesToHex(key)).toBe(keys[name].privkey)
    expect(decodeWif(keys[name].wif, network).privateKey).toBe(bytesToHex(key))
  }
})

test('a payment from two addresses with change to a third is built, signed and verified', () => {
  const outputs = [0, 1].map((index) => ({ value: 50_000n, script: scriptAt(0, index) }))
  const parent = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    // An ancestor without any scriptSig would be rejected as unsigned.
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0xffffffff }],
    outputs,
    lockTime: 0,
    expiryHeight: 0,
  })
  const txid = transactionId(parent)
  const built = buildPayment({
    recipients: [{ address: 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2', amount: 60_000n }],
    own: [scriptAt(0, 0), scriptAt(0, 1)],
    change: scriptAt(1, 0),
    coins: outputs.map((_, vout) => ({ txid, vout })),
    previousTransactions: [parent],
    tipHeight: 7,
    network,
  })
  const keys = [0, 1].map((index) => bytesToHex(keyAt(0, index).privateKey!))
  const { hex, ok } = signCase({ ...built, evidence: built }, keys)
  expect(ok).toBe(true)
  const handedOut = new Set([scriptAt(0, 0), scriptAt(0, 1), scriptAt(1, 0)])
  const check = (own: (script: string) => boolean) =>
    verifyPayment(hex, { ...built.intent, own }, built).findings.map(({ code }) => code)
  expect(check((script) => handedOut.has(script))).toEqual([])
  expect(check((script) => script === scriptAt(0, 0))).toContain('unexpected_input')
})

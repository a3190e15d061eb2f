import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  decodeScript,
  decodeTransaction,
  encodeTransaction,
  type InputVerdict,
  networks,
  type Prevout,
  publicKeyOf,
  signatureHashes,
  type Transaction,
  type TransactionFields,
  verifyInputs,
  verifyInputsAsync,
  verifyTransactionsAsync,
} from '../../../src/index.ts'
import { signHash } from '../../../src/primitives/secp256k1.ts'
import { derOfCompact } from '../../../src/signing/der.ts'
import { verifyInputsWhereFaster } from '../../../src/signing/verify.ts'
import { shareOf } from '../../support/share.ts'

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
}

interface Spend {
  readonly txid: string
  readonly hex: string
  readonly transaction: Transaction
  readonly prevouts: readonly Prevout[]
}

/** Every transaction of a recorded chain but the coinbases, with what it spends. */
function spendsOf(daemon: string): Spend[] {
  const rows: { txid: string; hex: string }[] = vectors(`${daemon}/90-chain-dump.json`).transactions
  const transactions = new Map(rows.map(({ txid, hex }) => [txid, decodeTransaction(hex)]))
  return rows.flatMap(({ txid, hex }) => {
    const transaction = transactions.get(txid)!
    if (transaction.inputs[0]!.vout === 0xffffffff) return []
    const prevouts = transaction.inputs.map(
      (input) => transactions.get(input.txid)!.outputs[input.vout]!,
    )
    return [{ txid, hex, transaction, prevouts }]
  })
}

interface RecordedSignature {
  txid: string
  input: number
  kind: string
  sighash: string
  hashType: number
  pubkey: string
  signature_verifies: boolean
}

/** Every bit when ANTARA_TX_ALL_BITS is set (minutes), else a fixed sample of them. */
function bitsToFlip(bits: number, seed: number): number[] {
  if (process.env.ANTARA_TX_ALL_BITS) return Array.from({ length: bits }, (_, bit) => bit)
  let state = seed
  return Array.from({ length: Math.min(bits, 6) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bits)
  })
}

function flipped(hex: string, bit: number): string {
  const bytes = Buffer.from(hex, 'hex')
  bytes[bit >> 3]! ^= 1 << (bit & 7)
  return bytes.toString('hex')
}

function replaced<Item>(items: readonly Item[], index: number, item: Item): Item[] {
  return items.map((old, position) => (position === index ? item : old))
}

/** How much of an output's script signatures depend on: dropped data after a condition are not. */
function committedBytes(script: string): number {
  const bytes = Buffer.from(script, 'hex')
  const pushed = bytes[0]! < 0x4c ? 1 + bytes[0]! : bytes[0] === 0x4c ? 2 + bytes[1]! : -1
  return bytes[pushed] === 0xcc ? pushed + 1 : bytes.length
}

describe.each([
  {
    daemon: 'komodod',
    network: networks.assetChain,
    types: { pubkey: 330, cryptocondition: 52, pubkeyhash: 27, scripthash: 1 },
  },
  {
    daemon: 'tokeld',
    network: networks.tokel,
    types: { pubkey: 45, cryptocondition: 34, pubkeyhash: 1 },
  },
])('the chain of $daemon', ({ daemon, network, types }) => {
  const spends = spendsOf(daemon)
  const some = shareOf(spends)

  test('every input is rightly signed, with ALL, by a known key', () => {
    const counts: Record<string, number> = {}
    for (const { txid, hex, prevouts } of spends) {
      verifyInputs(hex, prevouts, network).forEach((verdict, index) => {
        counts[verdict.type] = (counts[verdict.type] ?? 0) + 1
        expect(verdict, `${txid} input ${index}`).toMatchObject({ ok: true, hashType: 1 })
        expect(verdict.publicKeys.length).toBeGreaterThan(0)
        expect(verdict.fulfillment !== undefined).toBe(verdict.type === 'cryptocondition')
      })
    }
    expect(counts).toEqual(types)
  })

  test('hashes and keys are those that were recorded', () => {
    const byTxid = new Map(spends.map((spend) => [spend.txid, spend]))
    const recorded: RecordedSignature[] = vectors(`${daemon}/91-sighash.json`).vectors
    for (const { txid, input, sighash, pubkey, kind } of recorded) {
      const { hex, prevouts } = byTxid.get(txid)!
      expect(signatureHashes(hex, prevouts)[input]).toBe(sighash)
      expect(signatureHashes(Buffer.from(hex, 'hex'), prevouts)[input]).toBe(sighash)
      const verdict = verifyInputs(hex, prevouts, network)[input]!
      expect(verdict.type).toBe(kind)
      // The multisig input was recorded without its keys.
      if (pubkey !== '') expect(verdict.publicKeys).toContain(pubkey)
    }
  })

  test('the network is assetChain if none is given, as everywhere', async () => {
    for (const { hex, prevouts } of some) {
      const expected = verifyInputs(hex, prevouts, networks.assetChain)
      expect(verifyInputs(hex, prevouts)).toEqual(expected)
      expect(await verifyInputsAsync(hex, prevouts)).toEqual(expected)
      expect(await verifyInputsWhereFaster(hex, prevouts, undefined, {})).toEqual(expected)
      expect(await verifyTransactionsAsync([{ source: hex, prevouts }])).toEqual([expected])
      for (const { script } of prevouts) {
        expect(decodeScript(script)).toEqual(decodeScript(script, networks.assetChain))
      }
    }
    const refused = spends.flatMap(({ hex, prevouts }) =>
      verifyInputs(hex, prevouts).filter(({ ok }) => !ok),
    )
    // only tokeld has tokens v2, whose form asset chains refuse
    expect(refused.length > 0).toBe(daemon === 'tokeld')
  })

  test('bytes, upper case and the threads give the same verdicts', async () => {
    for (const { hex, prevouts } of some) {
      const expected = verifyInputs(hex, prevouts, network)
      const upper = prevouts.map(({ value, script }) => ({ value, script: script.toUpperCase() }))
      expect(verifyInputs(hex.toUpperCase(), upper, network)).toEqual(expected)
      expect(verifyInputs(Buffer.from(hex, 'hex'), prevouts, network)).toEqual(expected)
      expect(await verifyInputsAsync(hex, prevouts, network)).toEqual(expected)
      expect(await verifyInputsWhereFaster(hex, prevouts, network, {})).toEqual(expected)
    }
    const batch = spends.map(({ hex, prevouts }) => ({ source: hex, prevouts }))
    expect(await verifyTransactionsAsync(batch, network)).toEqual(
      spends.map(({ hex, prevouts }) => verifyInputs(hex, prevouts, network)),
    )
  })

  test('refuses an input with a flipped bit of its scriptSig', () => {
    for (const [seed, { transaction, prevouts, txid }] of some.entries()) {
      for (const [index, input] of transaction.inputs.entries()) {
        for (const bit of bitsToFlip(4 * input.scriptSig.length, seed)) {
          const changed = { ...input, scriptSig: flipped(input.scriptSig, bit) }
          const inputs = replaced(transaction.inputs, index, changed)
          const hex = encodeTransaction({ ...transaction, inputs })
          const verdict = verifyInputs(hex, prevouts, network)[index]!
          expect(verdict, `${txid} input ${index} bit ${bit}`).toMatchObject({ ok: false })
          expect(verdict.publicKeys).toEqual([])
        }
      }
    }
  })

  test('refuses an input with a flipped bit of its hash type', () => {
    for (const { transaction, prevouts } of some) {
      for (const [index, input] of transaction.inputs.entries()) {
        // The hash type ends the first push: the whole scriptSig, but for P2PKH and multisig.
        const { type } = verifyInputs(encodeTransaction(transaction), prevouts, network)[index]!
        if (type !== 'pubkey' && type !== 'cryptocondition') continue
        for (let bit = 0; bit < 8; bit += 1) {
          const last = 4 * input.scriptSig.length - 8 + bit
          const changed = { ...input, scriptSig: flipped(input.scriptSig, last) }
          const inputs = replaced(transaction.inputs, index, changed)
          const hex = encodeTransaction({ ...transaction, inputs })
          const verdict = verifyInputs(hex, prevouts, network)[index]!
          expect(verdict.ok).toBe(false)
          expect(verdict.hashType).toBe(1 ^ (1 << bit))
        }
      }
    }
  })

  test('refuses an input with a flipped bit of its amount', () => {
    for (const [seed, { hex, prevouts, txid }] of some.entries()) {
      for (const [index, prevout] of prevouts.entries()) {
        for (const bit of bitsToFlip(63, seed)) {
          const changed = { ...prevout, value: prevout.value ^ (1n << BigInt(bit)) }
          const verdicts = verifyInputs(hex, replaced(prevouts, index, changed), network)
          expect(verdicts[index], `${txid} ${index} ${bit}`).toMatchObject({
            ok: false,
            code: 'signature_mismatch',
          })
        }
      }
    }
  })

  test('refuses an input with a flipped bit of the script or condition that it spends', () => {
    for (const [seed, { hex, prevouts, txid }] of some.entries()) {
      for (const [index, prevout] of prevouts.entries()) {
        for (const bit of bitsToFlip(8 * committedBytes(prevout.script), seed)) {
          const changed = { ...prevout, script: flipped(prevout.script, bit) }
          const verdicts = verifyInputs(hex, replaced(prevouts, index, changed), network)
          expect(verdicts[index], `${txid} ${index} ${bit}`).toMatchObject({ ok: false })
        }
      }
    }
  })

  test('refuses an input with a flipped bit of anything that it signs', () => {
    for (const [seed, { hex, transaction, prevouts, txid }] of some.entries()) {
      const isSigned = signedBytes(hex, transaction)
      for (const bit of bitsToFlip(4 * hex.length, seed)) {
        if (!isSigned[bit >> 3]) continue
        const verdicts = verdictsOrCode(flipped(hex, bit), prevouts)
        if (typeof verdicts === 'string') continue
        for (const verdict of verdicts) expect(verdict.ok, `${txid} bit ${bit}`).toBe(false)
      }
    }
  })

  function verdictsOrCode(hex: string, prevouts: readonly Prevout[]): InputVerdict[] | string {
    try {
      return verifyInputs(hex, prevouts, network)
    } catch (error) {
      return (error as AntaraError).code
    }
  }

  /** Everything but the scriptSigs themselves. */
  function signedBytes(hex: string, { inputs }: Transaction): boolean[] {
    const signed = Array.from({ length: hex.length / 2 }, () => true)
    let from = 0
    for (const { scriptSig } of inputs) {
      from = hex.indexOf(scriptSig, from)
      signed.fill(false, from / 2, (from + scriptSig.length) / 2)
      from += scriptSig.length
    }
    return signed
  }
})

// source: komodo src/script/interpreter.cpp, EvalScript, OP_CHECKMULTISIG: the last signature and
// the last key are compared first, and a key that is no point has made no signature.
test.each([
  ['a data key before it', (key: string) => [`02${'ff'.repeat(32)}`, key], undefined],
  ['a data key after it', (key: string) => [key, `02${'ff'.repeat(32)}`], undefined],
  ['a hybrid key before it', (key: string) => [hybrid, key], undefined],
  ['a hybrid key after it', (key: string) => [key, hybrid], 'malformed_public_key'],
] as const)('a key of a 1 of 2 signs as nodes read it: %s', (_, keysOf, code) => {
  const privateKey = '11'.repeat(32)
  const key = publicKeyOf(privateKey)
  const script = `51${keysOf(key)
    .map((it) => (it.length / 2).toString(16) + it)
    .join('')}52ae`
  const prevout = { value: 5n, script }
  const unsigned = { ...spending, inputs: [{ ...spending.inputs[0]!, scriptSig: '' }] }
  const [hash] = signatureHashes(encodeTransaction(unsigned), [prevout])
  const compact = signHash(Buffer.from(hash!, 'hex'), Buffer.from(privateKey, 'hex'))
  const signature = `${derOfCompact(Buffer.from(compact).toString('hex'))}01`
  const scriptSig = `00${(signature.length / 2).toString(16)}${signature}`
  const inputs = [{ ...spending.inputs[0]!, scriptSig }]
  const [verdict] = verifyInputs(encodeTransaction({ ...spending, inputs }), [prevout])
  expect(verdict).toMatchObject(
    code === undefined ? { ok: true, publicKeys: [key] } : { ok: false, code },
  )
})

const hybrid = `06${'11'.repeat(64)}`
const spending: TransactionFields = {
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  inputs: [{ txid: '22'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
  outputs: [{ value: 5n, script: '51' }],
  lockTime: 0,
}

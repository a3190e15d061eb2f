import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  addressOf,
  addressOfScript,
  defineNetwork,
  encodeWif,
  networks,
  publicKeyOf,
  signMessage,
  verifyMessage,
} from '../../../src/index.ts'
import { anyText } from '../../support/any-text.ts'
import { acceptedFlips, share, shareOf } from '../../support/share.ts'

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
}

const { bitcoin, komodod } = vectors('signing/messages.json')
const keys = vectors('komodod/keys.json')

/** bitcoin/bitcoin src/kernel/chainparams.cpp, CMainParams */
const bitcoinNetwork = defineNetwork({
  name: 'bitcoin',
  pubKeyHashPrefix: 0,
  scriptHashPrefix: 5,
  privateKeyPrefix: 128,
  messageMagic: bitcoin.magic,
})

test("a daemon's signature of a text is verified, and made again byte for byte", () => {
  const { signer, address, message, signature } = komodod
  const { privkey, wif } = keys[signer]
  expect(verifyMessage(message, signature, address, networks.assetChain)).toBe(true)
  expect(signMessage(message, privkey, networks.assetChain)).toBe(signature)
  expect(signMessage(message, wif, networks.komodo)).toBe(signature)
})

test("Bitcoin's vectors hold with Bitcoin's magic", () => {
  for (const { privateKey, address, message, signature } of bitcoin.signed) {
    expect(signMessage(message, privateKey, bitcoinNetwork)).toBe(signature)
    expect(verifyMessage(message, signature, address, bitcoinNetwork)).toBe(true)
    const otherMagic = defineNetwork({ ...bitcoinNetwork, messageMagic: 'Komodo' })
    expect(verifyMessage(message, signature, address, otherMagic)).toBe(false)
  }
  for (const { address, message, signature } of bitcoin.valid) {
    expect(verifyMessage(message, signature, address, bitcoinNetwork)).toBe(true)
  }
  for (const { name, address, message, signature } of bitcoin.unverified) {
    expect(verifyMessage(message, signature, address, bitcoinNetwork), name).toBe(false)
  }
})

test('an address that signs nothing is refused', () => {
  for (const address of bitcoin.refusedAddresses) {
    expect(() => verifyMessage('text', 'signature', address, bitcoinNetwork)).toThrow(
      expect.objectContaining({ code: 'unknown_address' }),
    )
  }
})

test.each(['\ud800', 'half \udc00', '\udc00\ud800', 'ok \ud83d'])(
  'half of a character is refused, for its bytes would be those of another text: %j',
  (text) => {
    const [key, network] = ['11'.repeat(32), networks.komodo]
    const address = addressOf(publicKeyOf(key), network)
    // an encoder writes this in place of a lone surrogate
    const signature = signMessage(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'), key, network)
    const reported = { code: 'text_mismatch', context: { path: 'text' } }
    const refused = (run: () => unknown) => {
      try {
        return run()
      } catch (error) {
        return error
      }
    }
    expect(refused(() => verifyMessage(text, signature, address, network))).toMatchObject(reported)
    expect(refused(() => signMessage(text, key, network))).toMatchObject(reported)
    expect(
      verifyMessage('\u{1f600}', signMessage('\u{1f600}', key, network), address, network),
    ).toBe(true)
  },
)

test('a changed bit of the signature, of the text or of the address never verifies', () => {
  const { address, message, signature } = komodod
  const hex = Buffer.from(signature, 'base64').toString('hex')
  const verifies = (changed: string) => {
    const spelled = Buffer.from(changed, 'hex').toString('base64')
    return verifyMessage(message, spelled, address, networks.assetChain)
  }
  // The daemon does not look at the high bits of the first byte: the next test has all of its
  // values.
  const { accepted } = acceptedFlips(hex, verifies)
  expect(accepted.filter((bit) => bit < 3 || bit >= 8)).toEqual([])
  expect(verifyMessage(`${message} `, signature, address, networks.assetChain)).toBe(false)
  expect(verifyMessage(message, signature, keys.B.address, networks.assetChain)).toBe(false)
})

// komodo src/pubkey.cpp, CPubKey::RecoverCompact: (vchSig[0] - 27) & 3 is the key, & 4 its form
test('the first byte counts modulo 8, as at the daemon', () => {
  const { address, message, signature } = komodod
  const bytes = Buffer.from(signature, 'base64')
  const recorded = bytes[0]!
  expect(recorded).toBeGreaterThanOrEqual(27)
  const headers = shareOf(Array.from({ length: 256 }, (_, header) => header))
  const taken = headers.filter((header) => {
    bytes[0] = header
    return verifyMessage(message, bytes.toString('base64'), address, networks.assetChain)
  })
  expect(taken).toEqual(headers.filter((header) => header % 8 === recorded % 8))
  expect(taken.length).toBeGreaterThan(5)
})

test('only the canonical spelling of a signature is one', () => {
  const { address, message, signature } = komodod
  const spellings = [
    signature.slice(0, -1),
    ` ${signature}`,
    `${signature}\n`,
    signature.replace('/', '_').replace('+', '-'),
    // The last digit before the padding has two bits that mean nothing.
    signature.replace('8=', '9='),
    '',
  ]
  for (const spelling of spellings) {
    expect(verifyMessage(message, spelling, address, networks.assetChain), spelling).toBe(false)
  }
})

test('every key verifies what it signed, in the form of public key that its WIF names', () => {
  fc.assert(
    fc.property(
      fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .filter((key) => key[0]! < 0xff && key[31]! > 0),
      anyText({ maxLength: 300 }),
      fc.boolean(),
      (key, text, isCompressed) => {
        const privateKey = Buffer.from(key).toString('hex')
        const wif = encodeWif(privateKey, networks.komodo, { isCompressed })
        const signature = signMessage(text, wif, networks.komodo)
        const header = Buffer.from(signature, 'base64')[0]!
        expect(header >= 31).toBe(isCompressed)
      },
    ),
    { numRuns: share(50) },
  )
})

test('an uncompressed key signs for the address of its 65 bytes', () => {
  // The public key of 1: SEC 2, secp256k1's generator.
  const privateKey = `${'0'.repeat(63)}1`
  const uncompressed = '76a91491b24bf9f5288532960ac687abb035127b1d28a588ac'
  const compressed = '76a914751e76e8199196d454941c45d1b3a323f1433bd688ac'
  const wif = encodeWif(privateKey, networks.komodo, { isCompressed: false })
  const signature = signMessage('text', wif, networks.komodo)
  const verifies = (script: string) =>
    verifyMessage('text', signature, addressOfScript(script, networks.komodo)!, networks.komodo)
  expect(verifies(uncompressed)).toBe(true)
  expect(verifies(compressed)).toBe(false)
})

test('long texts have their length before them in three and in five bytes', () => {
  for (const length of [252, 253, 65_535, 65_536]) {
    const text = 'x'.repeat(length)
    const signature = signMessage(text, keys.A.privkey, networks.komodo)
    expect(verifyMessage(text, signature, keys.A.address, networks.komodo)).toBe(true)
    expect(verifyMessage(`${text}x`, signature, keys.A.address, networks.komodo)).toBe(false)
  }
})

test('misuse is a TypeError, and a wrong key an error that tells nothing of it', () => {
  expect(() => signMessage(1 as never, keys.A.privkey, networks.komodo)).toThrow(TypeError)
  expect(() => verifyMessage('text', 1 as never, keys.A.address, networks.komodo)).toThrow(
    TypeError,
  )
  const wrong = keys.A.wif.slice(1)
  try {
    signMessage('text', wrong, networks.komodo)
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'malformed_private_key' })
    expect(String(error)).not.toContain(wrong)
  }
})

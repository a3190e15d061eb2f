// The rules for keys, addresses and sets of keys that get or own tokens, for amounts, and for several
// tokens at once. Builders throw the first problem; verifiers list all.

import { tokenKeysMax } from '../chain/limits.ts'
import { burnKeysOf, burnPublicKeys, moduleNames } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { satsMax } from '../primitives/amount.ts'
import { argumentError } from '../primitives/arguments.ts'
import { redactKey, redactPublicKey } from '../primitives/redact-key.ts'
import { keyHashScript } from '../script/addressed-script.ts'
import { whyBurned } from '../script/burned-scripts.ts'
import { hashOfKey, isCompressedPoint, learnPublicKeys } from '../script/public-key.ts'
import { decodeAddress } from '../script/read-address.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Problem } from './problem.ts'
import { tokenidProblems } from './terms.ts'
import { namedKeys, namedKeysMax, type Recipient } from './transfer.ts'

const burnKeys = Object.values(burnPublicKeys)
const moduleKeys = [...moduleNames.keys()]

export interface Payment {
  /** True if the request burns the tokens. */
  readonly burn: boolean
  readonly network: Network
}

/** Checks an own key. A module publishes its private key, so anyone can spend its coins. */
function ownKeyProblems(given: string, path: string): Problem[] {
  const pubkey = given.toLowerCase()
  const module = moduleNames.get(pubkey)
  if (module !== undefined) return [{ code: 'moduleKey', path, actual: module }]
  if (isCompressedPoint(pubkey)) return []
  return [{ code: 'pubkey', path, actual: redactPublicKey(given) }]
}

/** Returns problems of a key that a person must be able to sign with. */
export function keyProblems(given: string, path: string): Problem[] {
  const pubkey = given.toLowerCase()
  if (!burnKeys.includes(pubkey)) return ownKeyProblems(given, path)
  return [{ code: 'burn', path, actual: redactKey(pubkey) }]
}

/** Returns problems of the recipient of tokens: a key, or on tokeld's chains the address of one. */
export function recipientProblems(given: string, path: string, payment: Payment): Problem[] {
  const hash = hashOfAddress(given, payment.network)
  if (hash !== undefined) return addressProblems(given, hash, path, payment)
  if (!payment.burn) return keyProblems(given, path)
  const keys = burnKeysOf[payment.network.conditions]
  return keys?.includes(given.toLowerCase()) ? [] : [notBurn(given, path, payment)]
}

function notBurn(given: string, path: string, { network }: Payment): Problem {
  const expected = burnKeysOf[network.conditions]?.join(' or ')
  return { code: 'notBurn', path, expected, actual: redactPublicKey(given) }
}

/** The address of a key that must not be paid counts as that key. */
function addressProblems(given: string, hash: string, path: string, payment: Payment): Problem[] {
  learnPublicKeys([...burnKeys, ...moduleKeys])
  const isBurn = burnKeys.some((key) => hashOfKey(key) === hash)
  if (isBurn && !payment.burn) return [{ code: 'burn', path, actual: redactKey(given) }]
  if (!isBurn && payment.burn) {
    return [{ ...notBurn(given, path, payment), actual: redactKey(given) }]
  }
  const moduleKey = moduleKeys.find((key) => hashOfKey(key) === hash)
  if (moduleKey !== undefined) {
    return [{ code: 'moduleKey', path, actual: moduleNames.get(moduleKey) }]
  }
  // The address of a condition looks like that of a key which nobody has.
  const why = isBurn ? undefined : whyBurned(keyHashScript(hash), payment.network)
  return why === undefined ? [] : [{ code: 'burn', path, actual: `${redactKey(given)}: ${why}` }]
}

/** Returns the key hash of an address, where tokens may be paid to one. */
export function hashOfAddress(
  given: string,
  { conditions, pubKeyHashPrefix }: Network,
): string | undefined {
  if (conditions !== 'tokel') return undefined
  const address = decodeAddress(given)
  return address?.prefix === pubKeyHashPrefix ? address.hash160 : undefined
}

/** Returns a key in lower case, or the key hash of an address where tokens may be paid to one. */
export function holderOf(given: string, network: Network): string {
  return hashOfAddress(given, network) ?? given.toLowerCase()
}

export function keySetProblems(
  { required, pubkeys }: KeySet,
  path: string,
  network: Network,
): Problem[] {
  const { conditions, name } = network
  if (conditions !== 'tokel') {
    return [{ code: 'keyNetwork', path, expected: 'one key, on this network', actual: name }]
  }
  const count = new Set(pubkeys.map((it) => it.toLowerCase())).size
  if (count !== pubkeys.length || count > tokenKeysMax || required < 1 || required > count) {
    const actual = `${required} of ${pubkeys.length}, ${count} of them different`
    const expected = `1 to ${tokenKeysMax} keys`
    const inError = { expected: `some of 1 to ${tokenKeysMax} different keys` }
    return [{ code: 'keyCount', path, expected, actual, inError }]
  }
  return pubkeys.flatMap((pubkey, at) => keyProblems(pubkey, `${path}.pubkeys[${at}]`))
}

/** Checks the count of keys, for which a payload of tokens v1 has little room. */
export function namedKeysProblems(recipients: readonly Recipient[], from: string): Problem[] {
  const lowerCase = recipients.map(({ pubkey, amount }) => ({
    pubkey: pubkey.toLowerCase(),
    amount,
  }))
  const actual = namedKeys(lowerCase, from).length
  if (actual <= namedKeysMax) return []
  return [
    { code: 'namedKeys', path: 'recipients', expected: `at most ${namedKeysMax} keys`, actual },
  ]
}

export function amountProblems(amount: bigint, path: string, smallest = 1n): Problem[] {
  if (amount >= smallest && amount <= satsMax) return []
  const expected = amount < smallest ? `at least ${smallest}` : `at most ${satsMax}`
  return [{ code: 'amount', path, actual: amount, inError: { expected } }]
}

/** Returns a problem of the sum of amounts that are right one by one. */
export function sumProblems(recipients: readonly { readonly amount: bigint }[]): Problem[] {
  if (recipients.some(({ amount }) => amountProblems(amount, '').length > 0)) return []
  const sum = recipients.reduce((total, { amount }) => total + amount, 0n)
  return amountProblems(sum, 'recipients')
}

interface SeveralTokens {
  readonly tokenid: string
  /** True if one key gives, and one key gets. */
  readonly isOneKey: boolean
  readonly network: Network
}

/** Returns problems of the tokens that move at once, of which the first is `tokenid`. */
export function tokenidsProblems(
  tokenids: readonly string[],
  { tokenid, isOneKey, network }: SeveralTokens,
): Problem[] {
  const path = 'tokenids'
  const expected = "different ones of tokeld's, the first of them tokenid"
  const problem = { code: path, path, inError: argumentError(path, expected, tokenids) } as const
  if (!isOneKey || network.conditions !== 'tokel') {
    return [{ ...problem, expected: 'one key for all of them' }]
  }
  const ids = tokenids.map((it) => it.toLowerCase())
  const [first = ''] = ids
  if (first !== tokenid.toLowerCase()) {
    return [{ ...problem, path: `${path}[0]`, expected: tokenid, actual: redactKey(first) }]
  }
  if (new Set(ids).size < ids.length) return [{ ...problem, expected: 'each once' }]
  return ids.flatMap((id, at) => tokenidProblems(id, `${path}[${at}]`))
}

// A payee has one name, however it is paid or spelled: the hash of its key, of its redeem script or
// of its condition. A denied key is then denied as address, public key, P2PK and holder of tokens. A key
// has two hashes, one for each of its forms: a policy that denies it means both.

import { networks } from '../../chain/network.ts'
import { isPoint } from '../../primitives/curve-point.ts'
import { isPublicKey } from '../../primitives/hex-forms.ts'
import { otherFormOf } from '../../primitives/secp256k1.ts'
import { addressedScript } from '../../script/addressed-script.ts'
import { hashOfKey } from '../../script/public-key.ts'
import { decodeAddress } from '../../script/read-address.ts'
import type { Outflow } from '../decision.ts'
import type { RecipientRules } from './rules.ts'

/** Prefixes of addresses that pay a script. Chains that share keys share these too. */
const scriptPrefixes = new Set(Object.values(networks).map((it) => it.scriptHashPrefix))

/**
 * Returns the name of the payee that a policy file gives as a public key, an address of any chain,
 * or a locking script in hex. Returns `undefined` for any other text.
 */
function payeeOfText(text: string): string | undefined {
  const hex = text.toLowerCase()
  if (isPublicKey(hex)) return isPoint(hex) ? keyName(hashOfKey(hex)) : undefined
  return payeeOfAddress(text) ?? (isScriptHex(hex) ? payeeOfScript(hex) : undefined)
}

/** Returns the names of a payee that a policy allows: a key is allowed in the form that it names. */
export function allowedNamesOf(text: string): readonly string[] | undefined {
  const name = payeeOfText(text)
  return name === undefined ? undefined : [name]
}

/** Returns the payees that a denied text names: a public key in both forms, which have one owner. */
export function deniedNamesOf(text: string): readonly string[] | undefined {
  const name = payeeOfText(text)
  const hex = text.toLowerCase()
  if (name === undefined) return undefined
  return isPublicKey(hex) ? [name, keyName(hashOfKey(otherFormOf(hex)))] : [name]
}

/** A locking script. Text of 32 bytes may be a private key, and is refused. */
function isScriptHex(hex: string): boolean {
  return /^(?:[0-9a-f]{2}){2,10000}$/.test(hex) && hex.length !== 64
}

function payeeOfAddress(text: string): string | undefined {
  const payload = decodeAddress(text)
  if (payload === undefined) return undefined
  const { prefix, hash160 } = payload
  return scriptPrefixes.has(prefix) ? scriptName(hash160) : keyName(hash160)
}

function payeeOfScript(script: string): string {
  const usual = addressedScript(script)
  if (usual === undefined) return `hex:${script}`
  if (usual.type === 'scripthash') return scriptName(usual.hash)
  return keyName(usual.type === 'pubkey' ? hashOfKey(usual.key) : usual.hash)
}

function keyName(hash: string): string {
  return `key:${hash}`
}

function scriptName(hash: string): string {
  return `script:${hash}`
}

/** Returns every name under which a policy can mean an output as a whole. */
function namesOfWhole({ script, address }: Outflow): string[] {
  const named = address === undefined ? undefined : payeeOfAddress(address)
  return [payeeOfScript(script), `hex:${script}`, ...(named === undefined ? [] : [named])]
}

/** Decides whether an output may be paid. */
export function mayPay(
  outflow: Outflow,
  { allow, deny }: RecipientRules,
): 'yes' | 'denied' | 'unknown' {
  const whole = namesOfWhole(outflow)
  const keys = outflow.keyHashes.map(keyName)
  if ([...whole, ...keys].some((name) => deny.has(name))) return 'denied'
  if (allow === undefined) return 'yes'
  // Each key of a script of several may be able to spend it alone.
  const isEachKey = keys.length > 0 && keys.every((name) => allow.has(name))
  return isEachKey || whole.some((name) => allow.has(name)) ? 'yes' : 'unknown'
}

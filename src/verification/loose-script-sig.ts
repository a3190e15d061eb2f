// ScriptSigs in forms that chains accept and nodes do not relay: further pushes, longer ones, high
// S. They are normalized to the one form that the engine checks. That changes no verdict, because
// no signature commits to a scriptSig.

import { byteHex } from '../primitives/wire.ts'
import { pubkeyHashScript, scriptHashOf } from '../script/key-script.ts'
import { pushOf, type ScriptStep } from '../script/push.ts'
import { isSignable, type ScriptTemplate, stepsOf, templateOf } from '../script/template.ts'
import { derInteger } from '../signing/der.ts'

/**
 * The scriptSig in the engine's form. `refused`: no chain accepts it. `open`: only running it would
 * show that. `other`: the spent script is of a kind that is not checked.
 */
export type Tightened = { readonly scriptSig: string } | 'refused' | 'open' | 'other'

/**
 * Normalizes a scriptSig.
 *
 * @param scriptSig - of an input, hex
 * @param script - of the spent output, hex
 * @see komodo src/script/interpreter.cpp, VerifyScript, EvalScript
 */
export function tightened(scriptSig: string, script: string): Tightened {
  const template = templateOf(script)
  const steps = stepsOf(scriptSig)
  if (steps === undefined) return 'refused'
  if (steps.some(({ opcode }) => opcode > highestPush || opcode === reserved)) {
    // script hashes require a scriptSig of pushes; other scripts allow any operation
    if (template.type === 'scripthash') return 'refused'
    return isSignable(template) ? 'open' : 'other'
  }
  const stack = steps.map(itemOf)
  if (template.type !== 'scripthash') return formOf(template, stack, script)
  const redeemScript = stack.pop()
  if (redeemScript === undefined || scriptHashOf(redeemScript) !== script) return 'refused'
  const inner = formOf(templateOf(redeemScript), stack, redeemScript)
  return typeof inner === 'string'
    ? inner
    : { scriptSig: `${inner.scriptSig}${pushOf(redeemScript)}` }
}

const highestPush = 0x60
const reserved = 0x50

/** Returns the bytes that a push leaves on the stack, hex. */
function itemOf({ opcode, data }: ScriptStep): string {
  if (opcode <= 0x4e) return data
  return opcode === 0x4f ? '81' : byteHex(opcode - reserved)
}

/** Uses the top of the stack only, as the interpreter does. */
function formOf(template: ScriptTemplate, stack: readonly string[], script: string): Tightened {
  switch (template.type) {
    case 'pubkey':
      return signedBy(stack.slice(-1), 1, '')
    case 'pubkeyhash': {
      const key = stack.at(-1) ?? ''
      if (pubkeyHashScript(key) !== script) return 'refused'
      return signedBy(stack.slice(-2, -1), 1, pushOf(key))
    }
    case 'multisig': {
      // the interpreter pops one item more and ignores it
      if (stack.length <= template.required) return 'refused'
      const signed = signedBy(stack.slice(-template.required), template.required, '')
      return typeof signed === 'string' ? signed : { scriptSig: `00${signed.scriptSig}` }
    }
    default:
      return 'other'
  }
}

/** Bytes of the shortest strict DER signature, with its hash type. */
const signatureBytesMin = 9

function signedBy(signatures: readonly string[], count: number, rest: string): Tightened {
  const isShort = (it: string) => it.length / 2 < signatureBytesMin
  if (signatures.length < count || signatures.some(isShort)) return 'refused'
  return { scriptSig: `${signatures.map((it) => pushOf(lowS(it))).join('')}${rest}` }
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Returns the equivalent signature with low S. */
function lowS(signature: string): string {
  const sAt = 8 + 2 * Number.parseInt(signature.slice(6, 8), 16)
  const hashTypeAt = sAt + 4 + 2 * Number.parseInt(signature.slice(sAt + 2, sAt + 4), 16)
  const given = signature.slice(sAt, hashTypeAt)
  const digits = given.slice(4).replace(/^00/, '')
  if (digits.length !== 64 || given !== derInteger(digits)) return signature
  const s = BigInt(`0x${digits}`)
  if (s <= order / 2n || s >= order) return signature
  const low = derInteger((order - s).toString(16).padStart(64, '0'))
  const content = `${signature.slice(4, sAt)}${low}`
  const length = byteHex(content.length / 2)
  // a wrong length must stay wrong
  const isRight = 2 * Number.parseInt(signature.slice(2, 4), 16) === hashTypeAt - 4
  return isRight ? `30${length}${content}${signature.slice(hashTypeAt)}` : signature
}

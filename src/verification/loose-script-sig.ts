// ScriptSigs in forms that chains take and no node relays: further pushes, longer ones, high S.
// Brought into the one form that the engine checks, they are as right or as wrong as they were,
// because no signature commits to them.

import { isAntaraError } from '../errors/antara-error.ts'
import { pubkeyHashScript, scriptHashOf } from '../script/key-script.ts'
import { pushOf, type ScriptStep, splitScript } from '../script/push.ts'
import { type ScriptTemplate, templateOf } from '../script/template.ts'
import { derInteger } from '../signing/der.ts'

/**
 * The scriptSig in the engine's form; or that no chain takes it; or that only running it would tell;
 * or that what it spends is a script of another kind.
 */
export type Tightened = { readonly scriptSig: string } | 'refused' | 'open' | 'other'

/**
 * @param scriptSig - of an input, hex
 * @param script - what it spends, hex
 * @see komodo src/script/interpreter.cpp, VerifyScript, EvalScript
 */
export function tightened(scriptSig: string, script: string): Tightened {
  const template = templateOf(script)
  const steps = stepsOf(scriptSig)
  if (steps === undefined) return 'refused'
  if (steps.some(({ opcode }) => opcode > highestPush || opcode === reserved)) {
    // what a script hash stands for is pushed; other scriptSigs may compute
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

function isSignable({ type }: ScriptTemplate): boolean {
  return type === 'pubkey' || type === 'pubkeyhash' || type === 'multisig'
}

const highestPush = 0x60
const reserved = 0x50

function stepsOf(script: string): ScriptStep[] | undefined {
  try {
    return splitScript(script)
  } catch (error) {
    if (isAntaraError(error, 'truncated')) return undefined
    throw error
  }
}

/** Returns the bytes that a push leaves on the stack, hex. */
function itemOf({ opcode, data }: ScriptStep): string {
  if (opcode <= 0x4e) return data
  return opcode === 0x4f ? '81' : (opcode - reserved).toString(16).padStart(2, '0')
}

/** Only what lies on top of the stack counts. */
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
      // one item more is taken from the stack, whatever it is
      if (stack.length <= template.required) return 'refused'
      const signed = signedBy(stack.slice(-template.required), template.required, '')
      return typeof signed === 'string' ? signed : { scriptSig: `00${signed.scriptSig}` }
    }
    default:
      return 'other'
  }
}

/** The least bytes of a strict DER signature, with its hash type. */
const signatureBytesMin = 9

function signedBy(signatures: readonly string[], count: number, rest: string): Tightened {
  const isShort = (it: string) => it.length / 2 < signatureBytesMin
  if (signatures.length < count || signatures.some(isShort)) return 'refused'
  return { scriptSig: `${signatures.map((it) => pushOf(lowS(it))).join('')}${rest}` }
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other of the two signatures that verify alike, if that is the one with low S. */
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
  const length = (content.length / 2).toString(16).padStart(2, '0')
  // a length that was wrong stays as wrong as it was
  const isRight = 2 * Number.parseInt(signature.slice(2, 4), 16) === hashTypeAt - 4
  return isRight ? `30${length}${content}${signature.slice(hashTypeAt)}` : signature
}

/**
 * Change that a server sends where the wallet cannot spend it, splits, shrinks or inflates: each
 * rightly signed. Every family but the honest ones must be rejected, for a reason of its own.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const keys = JSON.parse(
  readFileSync(new URL('../vectors/komodod/keys.json', import.meta.url), 'utf8'),
)
const [a, b, c] = [keys.A.pubkey, keys.B.pubkey, keys.C.pubkey]
const module = keys.tokens_global_pubkey

const hash160 = (/** @type {string} */ hex) =>
  createHash('ripemd160').update(createHash('sha256').update(hex, 'hex').digest()).digest('hex')
const p2sh = (/** @type {string} */ script) => `a914${hash160(script)}87`
const p2pkh = (/** @type {string} */ key) => `76a914${hash160(key)}88ac`

/** Locking scripts that the key A alone does not spend now, as they are or behind their hash. */
const locks = [
  // times and heights, past and to come
  `04ffffff7fb17521${a}ac`,
  `51b17521${a}ac`,
  `51b175${p2pkh(a)}`,
  `51b16d21${a}ac`,
  `51b27521${a}ac`,
  // hashes
  `a914${'11'.repeat(20)}8821${a}ac`,
  `a8200${'1'.repeat(63)}8821${a}ac`,
  // others, alone or together with A
  `21${b}ac`,
  p2pkh(c),
  `5121${a}21${b}52ae`,
  `5221${a}21${b}52ae`,
  `5221${a}21${b}21${c}53ae`,
  `5321${a}21${a}52ae`,
  // anyone and nobody
  '51',
  '52',
  '6a',
  '00',
  `6a21${a}ac`,
  `21${a}ad`,
  `5121${a}2102${'00'.repeat(31)}0552ae`,
  // published keys
  `21${module}ac`,
  p2pkh(module),
  `5121${module}51ae`,
  `5121${a}21${module}52ae`,
  `5221${a}21${module}52ae`,
  // a hash behind a hash, and more than a script may push
  p2sh(`21${a}ac`),
  `${'61'.repeat(487)}21${a}ac`,
]
const isNamable = /^(?:76a914.{40}88ac|a914.{40}87|5[1-9a-f](?:..)+ae)$/
const lockCodes = [
  ...['change_locked', 'unexpected_output', 'multiple_nulldata', 'nulldata_value'],
  ...['intent_module_key', 'intent_own_keys'],
]

/**
 * @param {import('./resigned.mjs').Library} library
 * @param {import('./resigned.mjs').Resign} resign
 */
export function hostileChange({ decodeTransaction, networks }, resign) {
  const network = networks.assetChain

  /**
   * A payment with hostile change; undefined where it has none, or not enough.
   *
   * @param {{ hex: string, intent: any, evidence: any }} payment
   * @param {import('./random.mjs').Random} random
   */
  return ({ hex, intent, evidence }, random) => {
    const tx = decodeTransaction(hex)
    const at = tx.outputs.findIndex(
      ({ script }) =>
        script === `21${a}ac` &&
        intent.recipients.every((/** @type {any} */ it) => it.script !== script),
    )
    const change = tx.outputs[at]
    if (change === undefined || change.value < 1_000_000n) return undefined
    const made = random.one([lock, lock, lock, split, rate, inflate, shrink, another, own])(change)
    const outputs = tx.outputs.toSpliced(at, 1, ...made.outputs)
    const signed = resign({ ...tx, outputs }, evidence.previousTransactions, network)
    if (signed === undefined) return undefined
    const { expects, asked = {}, stuff = '' } = made
    const family = `${made.family} ${made.outputs.map(({ script }) => script)}`
    return {
      hex: stuff === '' ? signed : stuffed(signed, stuff),
      intent: { ...intent, ...asked },
      evidence,
      expects,
      family,
    }

    /** @param {{ value: bigint, script: string }} change @returns {Made} */
    function lock({ value, script: back }) {
      const inner = random.one(locks)
      const isBehind = random.chance(2)
      const script = isBehind ? p2sh(inner) : inner
      const kept = random.chance(4) ? value / 2n : 0n
      const rest = kept === 0n ? [] : [{ value: kept, script: back }]
      const isNamed = isNamable.test(script) && !isForeignKey(inner, isBehind) && random.chance(3)
      return {
        family: 'lock',
        outputs: random.one([
          [{ value: value - kept, script }, ...rest],
          [...rest, { value: value - kept, script }],
        ]),
        asked: {
          ...(isBehind && random.below(3) > 0 && { redeemScripts: [inner] }),
          ...(isNamed && { own: [...intent.own, script] }),
          maxChangeOutputs: random.one([1, 2, 0xffffffff]),
        },
        expects: lockCodes,
      }
    }

    /** @param {{ value: bigint }} change @returns {Made} */
    function split({ value }) {
      const outputs = shares(value, 2 + random.below(6))
      const maxChangeOutputs = random.below(outputs.length)
      const asked = random.chance(2) ? {} : { maxChangeOutputs }
      return { family: 'split', outputs, asked, expects: ['change_split'] }
    }

    /** Splits until a fee rate allows a fee that nobody wanted. @param {{ value: bigint }} change */
    function rate({ value }) {
      const feeRate = BigInt(1000 * (1 + random.below(1000)))
      const count = 2 + random.below(20)
      const bytes = BigInt(hex.length / 2 + 34 * (count - 1))
      const outputs = shares(lessThan(value, (feeRate * bytes) / 1000n), count)
      return { family: 'rate', outputs, asked: byRate(feeRate), expects: ['change_split'] }
    }

    /** Stuffs scriptSigs, and pays for their bytes. @param {{ value: bigint, script: string }} change */
    function inflate({ value, script }) {
      const feeRate = BigInt(1000 * (10 + random.below(1000)))
      const count = 200 + random.below(1000)
      const bytes = BigInt(hex.length / 2 + count * tx.inputs.length)
      const outputs = [{ value: lessThan(value, (feeRate * bytes) / 1000n), script }]
      const stuff = random.one(['00', '51', '61']).repeat(count)
      const expects = ['fee_too_high', 'fee_with_change', 'signature']
      return { family: 'inflate', outputs, asked: byRate(feeRate), stuff, expects }
    }

    /** @param {{ value: bigint, script: string }} change @returns {Made} */
    function shrink({ value, script }) {
      const lost = 100_000n + BigInt(random.below(100_000))
      const outputs = random.chance(4) ? [] : [{ value: lessThan(value, lost), script }]
      return { family: 'shrink', outputs, expects: ['fee_too_high', 'fee_with_change'] }
    }

    /** A part of the change for another party. @param {{ value: bigint, script: string }} change */
    function another({ value, script }) {
      const part = BigInt(random.below(900_000))
      const recipients = intent.recipients.map((/** @type {any} */ it) => it.script)
      const others = recipients.filter((/** @type {string} */ it) => it !== p2pkh(a))
      const taken = { value: part, script: random.one([...others, p2pkh(b), p2pkh(c)]) }
      const outputs = [{ value: value - part, script }, taken]
      const expects = ['unexpected_output', 'amount']
      return { family: 'another', outputs: random.chance(2) ? outputs : outputs.reverse(), expects }
    }

    /** To the other script of the key: as honest as before. @param {{ value: bigint }} change */
    function own({ value }) {
      return { family: 'own', outputs: [{ value, script: p2pkh(a) }], expects: [] }
    }

    /** @param {bigint} value @param {number} count */
    function shares(value, count) {
      const each = value / BigInt(count)
      return Array.from({ length: count }, (_, index) => ({
        value: index === 0 ? value - each * BigInt(count - 1) : each,
        script: random.one([`21${a}ac`, p2pkh(a)]),
      }))
    }
  }

  /** @param {string} signed @param {string} stuff what every scriptSig pushes first */
  function stuffed(signed, stuff) {
    let text = signed
    for (const { scriptSig } of decodeTransaction(signed).inputs) {
      const bytes = (scriptSig.length + stuff.length) / 2
      const length = `fd${lowFirst(bytes)}`
      const before = `${(scriptSig.length / 2).toString(16).padStart(2, '0')}${scriptSig}`
      text = text.replace(before, `${length}${stuff}${scriptSig}`)
    }
    return text
  }
}

/**
 * @typedef {{
 *   family: string,
 *   outputs: { value: bigint, script: string }[],
 *   asked?: any,
 *   stuff?: string,
 *   expects: string[],
 * }} Made
 */

/** A key that is named is the wallet's. @param {string} script @param {boolean} isBehind */
function isForeignKey(script, isBehind) {
  return !isBehind && [p2pkh(c), `21${b}ac`].includes(script)
}

/** @param {bigint} feeRate */
function byRate(feeRate) {
  return { feeRate, fee: undefined, maxFee: undefined }
}

/** @param {bigint} value @param {bigint} less but something stays */
function lessThan(value, less) {
  return less < value ? value - less : 1000n
}

/** Two bytes, the low one first. @param {number} number */
function lowFirst(number) {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(number)
  return bytes.toString('hex')
}

/**
 * Evidence that contradicts itself or its transaction. Heights are above the tip, in two spellings
 * or out of order; ancestors have rivals, have expired or are forged; an output is spent together
 * with its successor. A further transaction that this takes is correctly signed.
 */

import { isOfOneKey } from './resigned.mjs'

const nullTxid = '00'.repeat(32)

/**
 * @param {import('./resigned.mjs').Library} library
 * @param {import('./resigned.mjs').Resign} resign
 */
export function contradictions({ decodeTransaction, encodeTransaction, transactionId }, resign) {
  /**
   * A case with such evidence; undefined where its transactions do not give any.
   *
   * @template {{ hex: string, intent: any, evidence: any }} Case
   * @param {Case} seed
   * @param {any} network
   * @param {import('./random.mjs').Random} random
   * @returns {(Case & { expects: string[], family: string }) | undefined}
   */
  return (seed, network, random) => {
    const { hex, evidence } = seed
    const tx = decodeTransaction(hex)
    const previous = [...evidence.previousTransactions]
    const given = new Map(previous.map((it) => [transactionId(it), it]))
    const parents = tx.inputs.filter(({ txid }) => given.has(txid))
    const parent = parents.length === 0 ? undefined : random.one(parents)
    if (parent === undefined) return undefined
    const decoded = decodeTransaction(given.get(parent.txid) ?? '')
    const { txid } = parent
    const tip = Math.max(evidence.tipHeight ?? 0, 500)
    const height = 1 + random.below(tip - 1)
    const families = {
      'a block above the tip': () =>
        reported({ [txid]: tip + 1 + random.below(1000) }, ['ancestor_height']),
      'heights in two spellings': () => {
        const rows = [
          [txid, height],
          [txid.toUpperCase(), height - 1 + 2 * random.below(2)],
        ]
        const heights = Object.fromEntries(random.chance(2) ? rows : rows.reverse())
        return reported(heights, ['evidence_contradicts'])
      },
      'a block below what it spends': () => {
        const before = random.one(decoded.inputs).txid
        if (before === nullTxid) return undefined
        const below = random.one([0, height + 1])
        return reported({ [txid]: height, [before]: below }, ['ancestor_height'], tip + 1)
      },
      'a coinbase in no block, or in another than it names': () => {
        if (decoded.inputs[0]?.txid !== nullTxid) return undefined
        const named = decoded.inputs[0].scriptSig.startsWith(pushOf(height))
        return reported({ [txid]: named ? 0 : random.one([0, height]) }, ['ancestor_height'])
      },
      'an expired parent': () => {
        const { expiryHeight } = decoded
        if (expiryHeight === 0) return undefined
        const late = expiryHeight + 1 + random.below(100)
        return reported({ [txid]: random.one([0, late]) }, ['ancestor_expired'], late)
      },
      'a rival spender': () => rival(undefined),
      'a rival spender in a block': () => rival(height),
      'an unsigned parent': () => forged({}, ['ancestor_signature'], (it) => it),
      'a parent with a broken signature': () =>
        forged({}, ['ancestor_signature'], (it) => brokenSignature(signed(it))),
      'a parent that pays out more than it spends': () => {
        const value = 1n + BigInt(random.below(2 ** 31))
        return forged({ more: [{ value, script: '51' }] }, ['ancestor_value'], signed)
      },
      'a parent of an output that is not': () =>
        forged({ vout: 1000 + random.below(1000) }, ['ancestor_invalid'], (it) => it),
      'an output and what it became': () => {
        const coin = ownCoin()
        if (coin === undefined) return undefined
        const child = signed(spending(coin, {}))
        if (child === undefined) return undefined
        const extra = { ...coin, txid: transactionId(child), vout: 0, scriptSig: '' }
        const inputs = [...tx.inputs, extra]
        return again({ inputs }, [...previous, child], ['ancestor_conflict'])
      },
    }
    const family = /** @type {keyof typeof families} */ (random.one(Object.keys(families)))
    const made = families[family]()
    return made === undefined ? undefined : { ...seed, ...made, family }

    /** @param {{ [txid: string]: number }} heights @param {string[]} expects @param {number} [tipHeight] */
    function reported(heights, expects, tipHeight = tip) {
      return { evidence: { ...evidence, tipHeight, heights }, expects }
    }

    /** Another spender of what the transaction or its parent spends. @param {number | undefined} minedAt */
    function rival(minedAt) {
      const coin = random.one([parent, ...decoded.inputs])
      if (coin === undefined || coin.txid === nullTxid) return undefined
      const value = BigInt(random.below(1000))
      const outputs = [{ value, script: '51' }]
      const other = encodeTransaction({ ...tx, inputs: [coin], outputs })
      const heights = minedAt === undefined ? {} : { [transactionId(other)]: minedAt }
      const at = random.below(previous.length + 1)
      const previousTransactions = previous.toSpliced(at, 0, other)
      const expects = [minedAt === undefined ? 'output_contested' : 'output_spent']
      return { evidence: { ...evidence, tipHeight: tip, heights, previousTransactions }, expects }
    }

    /**
     * The transaction with a coin of another parent, which is not on the chain.
     *
     * @param {Forged} how @param {string[]} expects
     * @param {(hex: string) => string | undefined} finish
     */
    function forged(how, expects, finish) {
      const coin = ownCoin()
      if (coin === undefined) return undefined
      const made = finish(spending(coin, how))
      if (made === undefined) return undefined
      const inputs = tx.inputs.map((input) =>
        input === coin ? { ...input, txid: transactionId(made), vout: 0 } : input,
      )
      const at = random.below(previous.length + 1)
      return again({ inputs }, previous.toSpliced(at, 0, made), expects)
    }

    /** An input that one key signs. */
    function ownCoin() {
      const coins = parents.filter((it) => isOfOneKey(outputOf(it)?.script ?? ''))
      return coins.length === 0 ? undefined : random.one(coins)
    }

    /** @param {{ txid: string, vout: number }} coin */
    function outputOf(coin) {
      return decodeTransaction(given.get(coin.txid) ?? '').outputs[coin.vout]
    }

    /** Unsigned: the coin, for an output like it. @param {typeof tx.inputs[number]} coin @param {Forged} how */
    function spending(coin, { vout = coin.vout, more = [] }) {
      const inputs = [{ ...coin, vout, scriptSig: '' }]
      const output = outputOf(coin)
      const outputs = output === undefined ? more : [output, ...more]
      const { expiryHeight: _, ...fields } = tx
      return encodeTransaction({ ...fields, inputs, outputs, expiryHeight: 0, lockTime: 0 })
    }

    /** @param {string} unsigned */
    function signed(unsigned) {
      return resign(decodeTransaction(unsigned), previous, network)
    }

    /** @param {string | undefined} whole */
    function brokenSignature(whole) {
      if (whole === undefined) return undefined
      const broken = decodeTransaction(whole)
      const inputs = broken.inputs.map(({ scriptSig, ...input }) => {
        // a position in the number s
        const at = 2 * (40 + random.below(20))
        const digit = scriptSig[at] === '0' ? '1' : '0'
        return {
          ...input,
          scriptSig: `${scriptSig.slice(0, at)}${digit}${scriptSig.slice(at + 1)}`,
        }
      })
      return encodeTransaction({ ...broken, inputs })
    }

    /** @param {any} fields @param {string[]} previousTransactions @param {string[]} expects */
    function again(fields, previousTransactions, expects) {
      const whole = resign({ ...tx, ...fields }, previousTransactions, network)
      if (whole === undefined) return undefined
      return { hex: whole, evidence: { ...evidence, previousTransactions }, expects }
    }
  }
}

/** How a coinbase of a block begins. @param {number} height */
function pushOf(height) {
  if (height <= 16) return (0x50 + height).toString(16)
  const bytes = []
  for (let left = height; left > 0; left >>= 8) bytes.push(left & 0xff)
  if (bytes.at(-1) >= 0x80) bytes.push(0)
  return [bytes.length, ...bytes].map((it) => it.toString(16).padStart(2, '0')).join('')
}

/** @typedef {{ vout?: number, more?: { value: bigint, script: string }[] }} Forged */

/**
 * A daemon in memory for safe flows, as the `fetch` of a client. It builds and signs transfers of a
 * recorded token from coins that it picks, and does with broadcasts what a test tells it.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../vectors/komodod/${name}.json`, import.meta.url), 'utf8'))
const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
const tipHeight = 39
/** The ends that a broadcast may have. */
export const outcomes = [
  'accept',
  'refuse',
  'relay and refuse',
  'lose request',
  'lose reply',
  'warm up',
]

/**
 * Returns a maker of daemons, which share what they have built.
 *
 * @param {typeof import('../../dist/index.js')} library
 */
export function daemons(library) {
  const { buildTokenTransfer, createTokenProver, decodeTransaction, networks } = library
  const { scriptOfAddress, signTransaction, tokenScript, transactionId } = library
  const { A, B } = read('keys')
  /** @type {{ height: number, txid: string, hex: string }[]} */
  const chain = read('90-chain-dump').transactions.filter(
    (/** @type {{ height: number }} */ { height }) => height <= tipHeight,
  )
  const recorded = new Map(chain.map(({ txid, hex }) => [txid, hex]))
  const previousTransactions = [...recorded.values()]
  const outpointsOf = (/** @type {string} */ hex) =>
    decodeTransaction(hex).inputs.map(({ txid, vout }) => `${txid}:${vout}`)
  const spent = new Set(previousTransactions.flatMap(outpointsOf))
  const unspent = (/** @type {string[]} */ scripts) =>
    chain.flatMap(({ txid, hex }) =>
      decodeTransaction(hex).outputs.flatMap(({ script }, vout) =>
        scripts.includes(script) && !spent.has(`${txid}:${vout}`) ? [{ txid, vout }] : [],
      ),
    )
  const prover = createTokenProver(previousTransactions)
  const isProven = (/** @type {{ txid: string, vout: number }} */ { txid, vout }) =>
    prover.prove(txid, vout, tokenid).verdict === 'proven'
  const tokenCoins = unspent([tokenScript(B.pubkey)]).filter(isProven)
  const coins = unspent([scriptOfAddress(B.address, networks.assetChain), `21${B.pubkey}ac`])
  /** @type {Map<string, string>} */
  const made = new Map()

  /** @param {number} amount @param {number[]} pick */
  function transferOf(amount, [token = 0, coin = 0]) {
    const key = `${amount} ${token} ${coin}`
    const known = made.get(key)
    if (known !== undefined) return known
    const unsigned = buildTokenTransfer({
      tokenid,
      recipients: [{ pubkey: A.pubkey, amount: BigInt(amount) }],
      from: B.pubkey,
      tokenCoins: tokenCoins.slice(token, token + 1),
      coins: coins.slice(coin, coin + 1),
      previousTransactions,
      tipHeight,
      nativeChange: 'daemon',
    })
    const { hex, complete } = signTransaction(
      unsigned.hex,
      [B.wif],
      unsigned.coins,
      networks.assetChain,
    )
    assert.ok(complete)
    made.set(key, hex)
    return hex
  }

  return () => {
    /** @type {string[]} */
    const asked = []
    /** @type {Set<string>} */
    const offered = new Set()
    /** @type {Set<string>} */
    const relayed = new Set()
    /** @type {{ picks: number[][], outcomes: string[] }} */
    let now = { picks: [], outcomes: [] }
    let turn = 0
    const next = (/** @type {any[]} */ all) => all[turn++ % all.length]

    /** @param {string} hex */
    function take(hex) {
      offered.add(hex)
      const outcome = next(now.outcomes)
      if (outcome === 'lose request') throw lost()
      if (outcome === 'refuse') return refusal(-26)
      if (outcome === 'warm up') return refusal(-28)
      relayed.add(hex)
      if (outcome === 'lose reply') throw lost()
      return outcome === 'accept' ? { result: transactionId(hex) } : refusal(-25)
    }

    /** @param {string} method @param {any[]} params */
    function answer(method, params) {
      if (method === 'getblockcount') return { result: tipHeight }
      if (method === 'getblockhash') return { result: '11'.repeat(32) }
      if (method === 'sendrawtransaction') return take(params[0])
      if (method === 'tokentransfer') {
        const hex = transferOf(Number(params.at(-1)), next(now.picks))
        return { result: { result: 'success', hex } }
      }
      if (method !== 'getrawtransaction') return refusal(-32601)
      const own = [...relayed].find((it) => transactionId(it) === params[0])
      const hex = recorded.get(params[0]) ?? own
      if (hex === undefined) return refusal(-5)
      return { result: params[1] ? { hex, confirmations: own ? 0 : 5 } : hex }
    }

    return {
      asked,
      offered,
      /** @param {typeof now} step */
      begin(step) {
        now = step
        turn = 0
      },
      /** @param {number} amount */
      intentOf: (amount) => ({
        tokenid,
        destination: A.pubkey,
        amount: BigInt(amount),
        from: B.pubkey,
      }),
      /** @param {string} _url @param {{ body?: string }} init */
      async fetch(_url, { body = '' }) {
        const { id, method, params } = JSON.parse(body)
        asked.push(`${method} ${JSON.stringify(params)}`)
        const reply = JSON.stringify({ error: null, result: null, ...answer(method, params), id })
        return { status: 200, headers: { get: () => null }, text: async () => reply }
      },
      /** The most payments of an amount that one chain can hold: any that was sent on may be mined. */
      payments(/** @type {number} */ amount) {
        const spends = [...relayed]
          .filter((hex) => decodeTransaction(hex).outputs[0]?.value === BigInt(amount))
          .map(outpointsOf)
        /** @param {number} from @param {string[]} used @returns {number} */
        const most = (from, used) => {
          const one = spends[from]
          if (one === undefined) return 0
          const without = most(from + 1, used)
          const isFree = one.every((it) => !used.includes(it))
          return isFree ? Math.max(without, 1 + most(from + 1, [...used, ...one])) : without
        }
        return most(0, [])
      },
    }
  }
}

function lost() {
  return Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
}

/** @param {number} code */
function refusal(code) {
  return { error: { code, message: 'refused' } }
}

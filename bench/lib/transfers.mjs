/**
 * Signed token transfers to verify: those that a real komodod made, and larger ones of the same
 * tokens, because no transfer of a hundred coins was recorded.
 *
 * @typedef {{ hex: string, intent: any, evidence: any, prevouts: { value: bigint, script: string }[] }} Transfer
 */
import { readFileSync } from 'node:fs'
import { buildTokenTransfer, decodeTransaction, signTransaction } from '../libraries/antara-tx.mjs'
import { fromNowhere } from './nowhere.mjs'

const vectors = new URL('../../test/vectors/komodod/', import.meta.url)
/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, vectors), 'utf8'))
const keys = read('keys.json')
const chain = new Map(
  read('90-chain-dump.json').transactions.map((/** @type {any} */ { txid, hex }) => [txid, hex]),
)
const own = keys.A.pubkey

/** @param {string} hex the transactions that its inputs spend from */
const parentsOf = (hex) =>
  [...new Set(decodeTransaction(hex).inputs.map(({ txid }) => txid))].map((txid) => chain.get(txid))

/** @param {string} hex @param {readonly string[]} parents */
function prevoutsOf(hex, parents) {
  const byTxid = new Map(parents.map((parent) => [decodeTransaction(parent).txid, parent]))
  return decodeTransaction(hex).inputs.map(
    ({ txid, vout }) => decodeTransaction(byTxid.get(txid)).outputs[vout],
  )
}

/** Destinations that no wallet should pay: recorded to see what a daemon does with them. */
const isSensible = (/** @type {string} */ destination) =>
  [keys.A.pubkey, keys.B.pubkey, keys.C.pubkey].includes(destination)

/** @returns {Transfer[]} with the transactions they spend from, and the token's creation */
export const recordedTransfers = () =>
  read('daemon-made.json')
    .transactions.filter(
      (/** @type {any} */ { method, params }) =>
        method === 'tokentransfer' && isSensible(params[1]),
    )
    .map((/** @type {any} */ { hex, params: [tokenid, destination, amount] }) => {
      const { inputs, expiryHeight } = decodeTransaction(hex)
      const isOthers = inputs.some(({ scriptSig }) => scriptSig.includes(keys.B.pubkey))
      const from = isOthers ? keys.B.pubkey : own
      const previousTransactions = parentsOf(hex)
      return {
        hex,
        intent: { tokenid, destination, amount: BigInt(amount), from },
        evidence: {
          previousTransactions,
          tokenCreate: chain.get(tokenid),
          tipHeight: expiryHeight - 201,
        },
        prevouts: prevoutsOf(hex, previousTransactions),
      }
    })

const tokenid = keys.txids.fungible
const tokenCreate = /** @type {string} */ (chain.get(tokenid))
const tipHeight = 10

/** Coins of one's own to pay fees with, from nowhere. @param {number} count */
const coinsFromNowhere = (count) =>
  fromNowhere(Array.from({ length: count }, () => ({ value: 1_000_000n, script: `21${own}ac` })))

const commonTerms = {
  tokenid,
  tokenCreate,
  from: own,
  tipHeight,
  fee: 100_000n,
  maxFee: 100_000n,
}

/** @param {any} request @returns {any} */
function signed(request) {
  const unsigned = buildTokenTransfer({ ...commonTerms, ...request })
  const { hex, txid } = signTransaction(unsigned.hex, [keys.A.privkey], unsigned.coins)
  return { ...unsigned, hex, txid }
}

/**
 * The request for a transfer of many token coins, which one transfer brought or as many; everything
 * that is needed to prove them is given.
 *
 * @param {number} count
 * @param {'one' | 'many'} parents
 */
function requestOfCoins(count, parents) {
  const money = coinsFromNowhere(count + 2)
  const moneyTxid = decodeTransaction(money).txid
  const known = [money, tokenCreate, ...parentsOf(tokenCreate)]
  const self = { pubkey: own, amount: 1n }
  const split = signed({
    recipients: Array(count).fill(self),
    tokenCoins: [{ txid: tokenid, vout: 1 }],
    coins: [{ txid: moneyTxid, vout: 0 }],
    previousTransactions: known,
  })
  const splitCoins = Array.from({ length: count }, (_, vout) => ({ txid: split.txid, vout }))
  const moved = splitCoins.map((coin, at) =>
    signed({
      recipients: [self],
      tokenCoins: [coin],
      coins: [{ txid: moneyTxid, vout: 1 + at }],
      previousTransactions: [...known, split.hex],
    }),
  )
  const isOne = parents === 'one'
  const previousTransactions = [...known, split.hex, ...(isOne ? [] : moved.map(({ hex }) => hex))]
  return {
    recipients: [{ pubkey: keys.B.pubkey, amount: BigInt(count) }],
    tokenCoins: isOne ? splitCoins : moved.map(({ txid }) => ({ txid, vout: 0 })),
    coins: [{ txid: moneyTxid, vout: count + 1 }],
    previousTransactions,
  }
}

/** A transfer as `requestOfCoins` has it. @param {number} count @param {'one' | 'many'} parents @returns {Transfer} */
export function transferOfCoins(count, parents) {
  const request = requestOfCoins(count, parents)
  const { hex, intent, coins } = signed(request)
  return {
    hex,
    intent,
    evidence: { previousTransactions: request.previousTransactions, tokenCreate, tipHeight },
    prevouts: coins.map((/** @type {any} */ { value, script }) => ({ value, script })),
  }
}

/** Returns the request for a builder, and the key that signs. @param {number} count */
export const transferToSend = (count) => ({
  request: { ...requestOfCoins(count, 'many'), ...commonTerms },
  key: keys.A.privkey,
})

// Lines for `antara-tx verify --lines`: signed transfers of one token. The fee of each comes from another
// coin, so no two lines have the same transactions.

import {
  buildTokenCreate,
  buildTokenTransfer,
  decodeTransaction,
  encodeTransaction,
  formatCase,
  networks,
  publicKeyOf,
  signTransaction,
  transactionId,
} from '../../dist/index.js'
import { fromNowhere } from './nowhere.mjs'

const network = networks.assetChain
const key = '11'.repeat(32)
const owner = publicKeyOf(key)
const recipient = publicKeyOf('22'.repeat(32))

/** A coin of the owner. Its input spends no real output, and its lock time makes it unique. */
const money = (lockTime) =>
  fromNowhere([{ value: 1_000_000_000n, script: `21${owner}ac` }], lockTime)

const common = { network, tipHeight: 10 }

/** @returns {Generator<string>} cases in JSON, of two inputs each */
export function* distinctCases(count) {
  const first = money(0)
  const coinOf = (hex) => [{ txid: transactionId(hex), vout: 0 }]
  const terms = { name: 'T', supply: 100_000_000n, description: '', owner }
  const previous = { coins: coinOf(first), previousTransactions: [first] }
  const unsigned = buildTokenCreate({ ...common, ...terms, ...previous })
  const tokenCreate = signTransaction(unsigned.hex, [key], unsigned.coins, network).hex
  const tokenid = transactionId(tokenCreate)
  const built = buildTokenTransfer({
    ...common,
    tokenid,
    from: owner,
    recipients: [{ pubkey: recipient, amount: 7n }],
    tokenCoins: [{ txid: tokenid, vout: 1 }],
    coins: coinOf(first),
    previousTransactions: [tokenCreate, first],
    tokenCreate,
  })
  const transaction = decodeTransaction(built.hex)
  const paid = transactionId(first)
  for (let at = 1; at <= count; at += 1) {
    const coin = money(at)
    const txid = transactionId(coin)
    const inputs = transaction.inputs.map((it) => (it.txid === paid ? { ...it, txid } : it))
    const hex = encodeTransaction({ ...transaction, inputs })
    const signed = signTransaction(
      hex,
      [key],
      built.coins.map((it) => (it.txid === paid ? { ...it, txid } : it)),
      network,
    )
    const evidence = { ...built.evidence, previousTransactions: [tokenCreate, coin] }
    yield JSON.stringify(JSON.parse(formatCase({ ...built, hex: signed.hex, evidence })))
  }
}

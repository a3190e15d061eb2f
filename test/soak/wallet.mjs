// The wallet of a daemon that holds the right keys: what it makes when it is honest, and what it
// signs when it is not. All of it is from the recorded chain, with throw-away keys.

import { readFileSync } from 'node:fs'

import {
  addressOfScript,
  buildTokenCreate,
  buildTokenTransfer,
  createTokenProver,
  decodeTransaction,
  encodeTransaction,
  networks,
  signTransaction,
  tokenScript,
  transactionId,
} from '../../dist/index.js'

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../vectors/komodod/${name}.json`, import.meta.url), 'utf8'))
const keys = read('keys')
const [alice, bob, carol] = [keys.A.pubkey, keys.B.pubkey, keys.C.pubkey]
const { wif } = keys.B
export const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
export const tipHeight = 39
export { alice, bob }

const chain = read('90-chain-dump').transactions.filter(({ height }) => height <= tipHeight)
export const recorded = new Map(chain.map(({ txid, hex }) => [txid, hex]))
const previousTransactions = [...recorded.values()]
export const outpointsOf = (hex) =>
  decodeTransaction(hex).inputs.map(({ txid, vout }) => `${txid}:${vout}`)
const spent = new Set(previousTransactions.flatMap(outpointsOf))
const unspent = (fits) =>
  chain.flatMap(({ txid, hex }) =>
    decodeTransaction(hex).outputs.flatMap(({ script }, vout) =>
      fits(script) && !spent.has(`${txid}:${vout}`) ? [{ txid, vout }] : [],
    ),
  )
const bobAddress = addressOfScript(`21${bob}ac`, networks.assetChain)
const isBobs = (script) =>
  !script.endsWith('cc') && addressOfScript(script, networks.assetChain) === bobAddress
/** Few, so that two transactions often share one and often none. */
const prover = createTokenProver(previousTransactions)
const tokenCoins = unspent((script) => script === tokenScript(bob)).filter(
  ({ txid, vout }) => prover.prove(txid, vout, tokenid).verdict === 'proven',
)
const coins = unspent(isBobs)
export const choices = Math.min(3, tokenCoins.length) * Math.min(3, coins.length)

function signed(built) {
  const { hex, complete } = signTransaction(built.hex, [wif], built.coins, networks.assetChain)
  if (!complete) throw new Error('the wallet of the soak lacks a key')
  return hex
}

function coinsOf(choice) {
  return [tokenCoins[choice % 3], coins[Math.floor(choice / 3) % 3]]
}

function transferTo(recipients, choice) {
  const [token, coin] = coinsOf(choice)
  const common = { tokenid, from: bob, previousTransactions, tipHeight, nativeChange: 'daemon' }
  return buildTokenTransfer({ ...common, recipients, tokenCoins: [token], coins: [coin] })
}

function createOf(name, supply, choice) {
  const [, coin] = coinsOf(choice)
  const common = { owner: bob, description: '', previousTransactions, tipHeight }
  return buildTokenCreate({ ...common, name, supply, coins: [coin], nativeChange: 'daemon' })
}

/** The same transaction with one thing changed, and signed again. */
function changed(built, change) {
  const tx = decodeTransaction(built.hex)
  return signed({ ...built, hex: encodeTransaction(change(structuredClone({ ...tx }))) })
}

const withOutput = (at, more) => (tx) => ({
  ...tx,
  outputs: tx.outputs.map((it, index) => (index === at ? { ...it, ...more } : it)),
})

const overLimit = '00'.repeat(200_001)

/** Tampered transfers: the request is `amount` to `alice`. */
const transferTampers = {
  'another amount': (amount, choice) =>
    signed(transferTo([{ pubkey: alice, amount: amount + 1n }], choice)),
  'another destination': (amount, choice) =>
    signed(transferTo([{ pubkey: carol, amount }], choice)),
  'a second recipient': (amount, choice) =>
    signed(
      transferTo(
        [
          { pubkey: alice, amount },
          { pubkey: carol, amount: 1n },
        ],
        choice,
      ),
    ),
  'token change to somebody': (amount, choice) =>
    changed(
      transferTo([{ pubkey: alice, amount }], choice),
      withOutput(1, { script: tokenScript(carol) }),
    ),
  'native change to somebody': (amount, choice) =>
    changed(
      transferTo([{ pubkey: alice, amount }], choice),
      withOutput(2, { script: `21${carol}ac` }),
    ),
  'a fee too high': (amount, choice) =>
    changed(transferTo([{ pubkey: alice, amount }], choice), withOutput(2, { value: 1n })),
  'an expired one': (amount, choice) =>
    changed(transferTo([{ pubkey: alice, amount }], choice), (tx) => ({ ...tx, expiryHeight: 3 })),
  'a bit flipped in it': (amount, choice) => {
    const hex = signed(transferTo([{ pubkey: alice, amount }], choice))
    const at = 20 + ((Number(amount) * 37 + choice * 11) % (hex.length - 40))
    const digit = Number.parseInt(hex[at], 16) ^ 1
    return hex.slice(0, at) + digit.toString(16) + hex.slice(at + 1)
  },
  'an unsigned one': (amount, choice) => transferTo([{ pubkey: alice, amount }], choice).hex,
  'some other transaction': () => previousTransactions[20],
  'bytes that are none': () => 'deadbeef'.repeat(20),
  'half of it': (amount, choice) =>
    signed(transferTo([{ pubkey: alice, amount }], choice)).slice(0, 300),
  'more than may be mined': () => overLimit,
}

const createTampers = {
  'another supply': (name, supply, choice) => signed(createOf(name, supply + 1n, choice)),
  'another name': (name, supply, choice) => signed(createOf(`${name}X`, supply, choice)),
  'a supply of somebody else': (name, supply, choice) =>
    changed(createOf(name, supply, choice), withOutput(1, { script: tokenScript(carol) })),
  'an unsigned creation': (name, supply, choice) => createOf(name, supply, choice).hex,
}

const made = new Map()
function once(key, make) {
  if (!made.has(key)) made.set(key, make())
  return made.get(key)
}

export const honestTransfer = (amount, choice) =>
  once(`transfer ${amount} ${choice}`, () =>
    signed(transferTo([{ pubkey: alice, amount }], choice)),
  )
export const honestCreation = (name, supply, choice) =>
  once(`create ${name} ${supply} ${choice}`, () => signed(createOf(name, supply, choice)))
export const tampers = {
  transfer: Object.keys(transferTampers),
  create: Object.keys(createTampers),
}
export const falseTransfer = (tamper, amount, choice) =>
  once(`${tamper} ${amount} ${choice}`, () => transferTampers[tamper](amount, choice))
export const falseCreation = (tamper, name, supply, choice) =>
  once(`${tamper} ${name} ${choice}`, () => createTampers[tamper](name, supply, choice))

/** Unspent outputs of this daemon's chain. */
export function outputAt(txid, vout) {
  const hex = recorded.get(txid)
  if (hex === undefined || spent.has(`${txid}:${vout}`)) return undefined
  return decodeTransaction(hex).outputs[vout]
}

export { transactionId }

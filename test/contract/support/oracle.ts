import { isLosslessNumber } from '../../../src/rpc/index.ts'

// The oracle reads a recorded answer without any of the code under test. It keeps numbers as text.
// An amount in coins is its digits without the point, which the daemon always puts before the last
// eight.

interface NumberText {
  readonly '#': string
}

export type Exact = null | boolean | string | NumberText | Exact[] | { [member: string]: Exact }

/** JSON with every number as `{"#": "text"}`. */
export function exactJson(text: string): Exact {
  const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
  return JSON.parse(text.replace(token, (part) => (part[0] === '"' ? part : `{"#":"${part}"}`)))
}

const inCoins = new Set([
  'AssetsCCBalance',
  'AssetsNormalBalance',
  'myCCbalance(Assets)',
  'PubkeyCCbalance(Assets)',
  'amount',
  'chainValue',
  'fee',
  'GlobalPk Assets CC Balance',
  'GlobalPk Assets Normal Balance',
  'GlobalPk Tokens CC Balance',
  'GlobalPk Tokens Normal Balance',
  'immature_balance',
  'interest',
  'mybalance',
  'mypk Assets CC Balance',
  'mypk Normal Balance',
  'mypk Tokens CC Balance',
  'myCCbalance(Tokens)',
  'paytxfee',
  'pubkey Assets CC Balance',
  'pubkey Tokens CC Balance',
  'PubkeyCCbalance(Tokens)',
  'miner',
  'relayfee',
  'sprout',
  'TokensCCBalance',
  'TokensNormalBalance',
  'total',
  'total_amount',
  'unconfirmed_balance',
  'value',
  'valueBalance',
  'valueDelta',
  'vpub_new',
  'vpub_old',
  'zfunds',
])
/** Units of the amounts of orders, offered and requested, by the kind of the order. */
const ofBids = { amount: 'coins', bidamount: 'coins', totalrequired: 'units', price: 'coins' }
const ofAsks = { amount: 'units', askamount: 'units', totalrequired: 'coins', price: 'coins' }

function typedOrder(order: { [member: string]: Exact }): object {
  const isBid = order.funcid === 'b' || order.funcid === 'B'
  const forms: Readonly<Record<string, string>> = isBid ? ofBids : ofAsks
  return Object.fromEntries(
    Object.entries(order).map(([name, item]) => {
      const isNumber = typeof item === 'object' && item !== null && '#' in item
      const text = isNumber ? String(item['#']) : item
      if (typeof text !== 'string' || forms[name] === undefined) {
        return [name, isNumber ? Number(text) : item]
      }
      return [name, forms[name] === 'units' ? BigInt(text) : satsOf(text)]
    }),
  )
}

const inUnits = new Set([
  'chainValueZat',
  'coinbasevalue',
  'foundersreward',
  'premine',
  'received',
  'satoshis',
  'size_on_disk',
  'supply',
  'valueDeltaZat',
  'valueSat',
  'valueZat',
])
/** Methods whose whole result is an amount in coins. */
const amountResults = new Set(['getbalance', 'getreceivedbyaddress', 'getunconfirmedbalance'])

/**
 * The value a typed call should give for an exact one; for a method without a type, `undefined`,
 * what its numbers say.
 */
export function typedValue(method: string | undefined, value: Exact, member = ''): unknown {
  // The one method that prints amounts as texts.
  if (method === 'z_gettotalbalance' && typeof value === 'string') return satsOf(value)
  if (value === null || typeof value !== 'object') return value
  if (method !== undefined && !Array.isArray(value) && 'totalrequired' in value) {
    return typedOrder(value)
  }
  if (Array.isArray(value)) return value.map((item) => typedValue(method, item, member))
  if (typeof value['#'] === 'string') return typedNumber(method, value['#'], member)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, typedValue(method, item, name)]),
  )
}

function typedNumber(
  method: string | undefined,
  text: string,
  member: string,
): number | bigint | null {
  if (method === undefined) return Number(text)
  // -1 says that there is no estimate.
  if (method === 'estimatefee') return text.startsWith('-') ? null : satsOf(text)
  if (method === 'getblocktemplate' && member === 'fee') return BigInt(text)
  const isBalance = member === 'balance'
  const isWalletBalance = isBalance && (method === 'getinfo' || method === 'getwalletinfo')
  const isResult = member === '' && amountResults.has(method)
  const isSupply = member === 'supply' && method === 'coinsupply'
  // A list of address, coins and account has no names.
  const isGrouped = member === '' && method === 'listaddressgroupings'
  if (inCoins.has(member) || isWalletBalance || isResult || isSupply || isGrouped) {
    return satsOf(text)
  }
  // balances by token
  const isTokenid = /^[0-9a-f]{64}$/.test(member)
  if (inUnits.has(member) || isBalance || isTokenid) return BigInt(text)
  return Number(text)
}

function satsOf(text: string): bigint {
  if (/^-?\d+\.\d{8}$/.test(text)) return BigInt(text.replace('.', ''))
  // Documentation only: printed by a tool, small enough for a double.
  const sats = Number(text) * 1e8
  if (Math.abs(sats) > 2 ** 50) throw new Error(`${text} is beyond the oracle`)
  return BigInt(Math.round(sats))
}

/** A result with its unknown numbers as plain ones, for comparison. */
export function plain(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]))
}

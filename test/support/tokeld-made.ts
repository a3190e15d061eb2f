// Every transaction that a real tokeld built when it was asked to: what was asked, in the words of
// our builders, and the coins that it took.

import {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenCreate,
  buildTokenFillAsk,
  buildTokenFillBid,
  buildTokenTransfer,
  decodeTransaction,
  networks,
  transactionId,
  type UnsignedTransaction,
} from '../../src/index.ts'
import { keys } from './komodod.ts'
import { paidIn, satoshis } from './orders.ts'
import { tokelChain } from './tokeld.ts'
import { readVectors } from './vectors.ts'

const assetsV2Key = '0345d2e7ab018619da6ed58ccc0138c5f58a7b754bd8e9a1a9d2b811c5fe72d467'
// Published in tokel src/cc/CCcustom.cpp: anyone can sign with it.
const assetsV2PrivateKey = '46583b18ee1663516f606e09df9d27c8a7a272a5d46a9bcbd54f7d1cb12e6321'
const owners = readVectors<Record<'A' | 'B' | 'C', { privkey: string }>>('komodod/keys.json')
export const tokelKeys: readonly string[] = [
  owners.A.privkey,
  owners.B.privkey,
  owners.C.privkey,
  assetsV2PrivateKey,
]

const burnKeys = [
  '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaa',
]

export interface MadeByTokeld {
  readonly at: string
  readonly note: string
  readonly method: string
  readonly params: readonly unknown[]
  readonly hex: string
}

interface Exchange {
  readonly at: string
  readonly note?: string
  readonly request: string
  readonly response: string
}

const { exchanges } = readVectors<{ exchanges: Exchange[] }>('rpc/tokeld.json')

export const madeByTokeld: readonly MadeByTokeld[] = exchanges.flatMap((exchange) => {
  const { at, note = '', request, response } = exchange
  if (!request.startsWith('{') || !response.startsWith('{')) return []
  const { method, params } = JSON.parse(request)
  const { result } = JSON.parse(response)
  if (!/^(token|addccv2)/.test(method) || typeof result?.hex !== 'string') return []
  return [{ at, note, method, params, hex: result.hex }]
})

const chain = new Map(tokelChain.map(({ txid, hex }) => [txid, hex]))
const outputOf = ({ txid, vout }: { txid: string; vout: number }) =>
  decodeTransaction(chain.get(txid)!).outputs[vout]!

/** Returns the owner of the native coins of a script: B, or else A, whose node spends none. */
function ownerOf(script: string): string {
  const { A, B } = keys
  return script.includes(B.pubkey) || script.includes('2eb23d67e8c0060d7110df869858be9471739b3b')
    ? B.pubkey
    : A.pubkey
}

/** Coins and height that the daemon used. */
function circumstancesOf(hex: string) {
  const { txid: made, inputs, expiryHeight } = decodeTransaction(hex)
  const outpoints = inputs.map(({ txid, vout }) => ({ txid, vout }))
  const scripts = outpoints.map((outpoint) => outputOf(outpoint).script)
  const isNative = scripts.map((script) => script.startsWith('21') || script.startsWith('76'))
  const conditions = outpoints.filter((_, at) => !isNative[at])
  // the offered coins and the marker of an order belong to the module
  const ofOrder = conditions.filter((it) => outputOf(it).script.includes('af038001f6'))
  const coins = outpoints.filter((_, at) => isNative[at])
  const native = coins[0] === undefined ? '' : outputOf(coins[0]).script
  return {
    from: ownerOf(native),
    coins,
    tokenCoins: conditions.filter((it) => !ofOrder.includes(it)),
    previousTransactions: [...chain.values()].filter((it) => transactionId(it) !== made),
    tipHeight: expiryHeight - 201,
    network: networks.tokel,
    spend: 'all',
  } as const
}

interface ManyKeys {
  readonly tokenid: string
  readonly ccaddressMofN?: string
  readonly destpubkeys: readonly string[]
  readonly M: number
  readonly amount: number
}

/** Returns the units that tokeld reads from a supply in coins, exactly. */
function supplyOf(supply: unknown): bigint {
  if (supply === '1e2') return 10_000_000_000n
  return satoshis(String(supply))
}

/** Builds what was asked for with the coins that the daemon took, but for what is changed. */
export function rebuilt(
  { method, params, hex }: MadeByTokeld,
  changes: object = {},
): UnsignedTransaction {
  const { from, coins, tokenCoins, ...unchanged } = circumstancesOf(hex)
  const rest = { ...unchanged, ...changes }
  const texts = params.map(String)
  const [first = '', second = '', third = '', fourth] = texts
  const native = { from, coins, ...rest }
  switch (method) {
    case 'tokencreate':
    case 'tokenv2create':
    case 'tokenv2createtokel':
      return buildTokenCreate({
        name: first,
        supply: supplyOf(params[1]),
        description: third,
        owner: from,
        coins,
        ...(method === 'tokencreate' && { version: 1 }),
        ...(fourth !== undefined &&
          (method === 'tokenv2createtokel'
            ? { properties: JSON.parse(fourth) }
            : { data: fourth })),
        // tokeld builds also what it does not mine
        dataCodes: [0x00, 0x01, 0xe3, 0xf5, 0xf7],
        ...rest,
      })
    case 'tokentransfer':
    case 'tokenv2transfer':
    case 'tokenv2burn': {
      const isBurn = method === 'tokenv2burn'
      const pubkey = isBurn ? burnKeys[1]! : second
      // a whole number, and what stands behind it is not read
      const amount = BigInt(Number.parseInt(isBurn ? second : third, 10))
      const burn = burnKeys.includes(pubkey)
      return buildTokenTransfer({
        tokenid: first,
        recipients: [{ pubkey, amount }],
        tokenCoins,
        burn,
        ...native,
      })
    }
    case 'tokenv2transfermany':
      return buildTokenTransfer({
        tokenid: first,
        tokenids: texts.slice(0, -2),
        recipients: [{ pubkey: texts.at(-2)!, amount: BigInt(texts.at(-1)!) }],
        tokenCoins,
        ...native,
      })
    case 'tokenv2transferMofN': {
      const asked: ManyKeys = JSON.parse(first)
      return buildTokenTransfer({
        tokenid: asked.tokenid,
        recipients: [
          {
            keys: { required: asked.M, pubkeys: asked.destpubkeys },
            amount: BigInt(asked.amount),
          },
        ],
        ...(asked.ccaddressMofN !== undefined && {
          fromKeys: { required: 2, pubkeys: [keys.A.pubkey, keys.B.pubkey] },
        }),
        tokenCoins,
        ...native,
      })
    }
    case 'tokenv2ask':
    case 'tokenv2bid': {
      const units = BigInt(first)
      const offer = { tokenid: second, units, price: units * satoshis(third), ...native }
      return method === 'tokenv2ask'
        ? buildTokenAsk({ ...offer, tokenCoins })
        : buildTokenBid(offer)
    }
    case 'tokenv2fillask':
      return buildTokenFillAsk({
        tokenid: first,
        order: second,
        units: BigInt(third),
        price: paidIn(hex, 'fillAsk'),
        ...native,
      })
    case 'tokenv2fillbid':
      return buildTokenFillBid({
        tokenid: first,
        order: second,
        units: BigInt(third),
        price: paidIn(hex, 'fillBid'),
        tokenCoins,
        ...native,
      })
    case 'tokenv2cancelask':
      return buildTokenCancelAsk({ tokenid: first, order: second, ...native })
    case 'tokenv2cancelbid':
      return buildTokenCancelBid({ tokenid: first, order: second, ...native })
    default:
      throw new Error(`${method} builds nothing`)
  }
}

export { assetsV2Key }

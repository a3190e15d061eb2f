// Everything that a real tokeld made, recordings 02 to 07 and 09, with the intent that made it.

import {
  type CreateIntent,
  decodeTransaction,
  type Evidence,
  networks,
  type Report,
  type TokenOrderIntent,
  type TransferIntent,
  verifyTokenCreate,
  verifyTokenOrder,
  verifyTokenTransfer,
} from '../../src/index.ts'
import { keys, tipHeightOf } from './komodod.ts'
import { paidIn, satoshis } from './orders.ts'
import { tokelAncestors } from './tokeld.ts'
import { readVectors } from './vectors.ts'

const network = networks.tokel
const a = keys.A.pubkey
const b = keys.B.pubkey
export const burnKeyOfKomodo = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
export const burnKeyOfTokel = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaa'

type Asked =
  | { readonly operation: 'create'; readonly intent: CreateIntent }
  | { readonly operation: 'transfer'; readonly intent: TransferIntent }
  | { readonly operation: 'order'; readonly intent: TokenOrderIntent }

export type TokeldCase = Asked & {
  readonly name: string
  readonly method: string
  readonly hex: string
  readonly evidence: Evidence
}

interface Exchange {
  at: string
  note?: string
  request: string
  response: string
}

type Param = string | number

/** The units that tokeld reads from a supply in coins, by hand. */
const supplies: Record<string, bigint> = {
  '0.00001': 1000n,
  '0.00000001': 1n,
  '1': 100_000_000n,
  '1.5': 150_000_000n,
  '1e2': 10_000_000_000n,
}

function created([name, supply, description = '', data]: readonly Param[], method: string): Asked {
  const properties = data !== undefined && method === 'tokenv2createtokel'
  const intent: CreateIntent = {
    name: String(name),
    supply: supplies[String(supply)]!,
    description: String(description),
    owner: a,
    network,
    ...(properties && { properties: JSON.parse(String(data)) }),
    ...(data !== undefined && !properties && { data: String(data) }),
    ...(method === 'tokencreate' && { version: 1 }),
  }
  return { operation: 'create', intent }
}

/** Tokeld reads a whole number, and stops where it ends. */
const whole = (text: Param | undefined): bigint => BigInt(Number.parseInt(String(text), 10))

function transferred(params: readonly Param[], method: string, hex: string): Asked {
  const isOthers = decodeTransaction(hex).inputs.some(({ scriptSig }) => scriptSig.includes(b))
  const common = { from: isOthers ? b : a, network }
  const [first, second, third] = params.map(String)
  if (method === 'tokenv2burn') {
    const asked = {
      tokenid: first!,
      destination: burnKeyOfTokel,
      amount: whole(second),
      burn: true,
    }
    return { operation: 'transfer', intent: { ...common, ...asked } }
  }
  if (method === 'tokenv2transfermany') {
    const tokenids = params.slice(0, -2).map(String)
    const [destination, amount] = params.slice(-2)
    const asked = { tokenid: tokenids[0]!, destination: String(destination), amount: whole(amount) }
    return { operation: 'transfer', intent: { ...common, ...asked, tokenids } }
  }
  if (method === 'tokenv2transferMofN') {
    const { tokenid, destpubkeys, M, amount, ccaddressMofN } = JSON.parse(first!)
    const asked = {
      tokenid,
      destination: destpubkeys[0],
      amount: BigInt(amount),
      destinationKeys: { required: M, pubkeys: destpubkeys },
      // the address is that of the output that the call before made
      ...(ccaddressMofN !== undefined && { fromKeys: { required: 2, pubkeys: [a, b] } }),
    }
    return { operation: 'transfer', intent: { ...common, from: a, ...asked } }
  }
  const burn = second === burnKeyOfKomodo
  const asked = { tokenid: first!, destination: second!, amount: whole(third), burn }
  return { operation: 'transfer', intent: { ...common, ...asked } }
}

const orderKinds: Readonly<Record<string, TokenOrderIntent['kind']>> = {
  tokenv2ask: 'ask',
  tokenv2bid: 'bid',
  tokenv2fillask: 'fillAsk',
  tokenv2fillbid: 'fillBid',
  tokenv2cancelask: 'cancelAsk',
}

/** The daemon of B bid and bought; that of A did the rest. */
const makers: Partial<Record<TokenOrderIntent['kind'], string>> = { bid: b, fillAsk: b }

function ordered(params: readonly Param[], method: string, hex: string): Asked {
  const kind = orderKinds[method]!
  const [first = '', second = '', third = ''] = params.map(String)
  const common = { from: makers[kind] ?? a, network }
  if (kind === 'ask' || kind === 'bid') {
    const units = BigInt(first)
    const price = units * satoshis(third)
    return { operation: 'order', intent: { kind, tokenid: second, units, price, ...common } }
  }
  const taken = { tokenid: first, order: second, ...common }
  if (kind === 'fillAsk' || kind === 'fillBid') {
    const fill = { units: BigInt(third), price: paidIn(hex, kind), ...taken }
    return { operation: 'order', intent: { kind, ...fill } as TokenOrderIntent }
  }
  return { operation: 'order', intent: { kind, ...taken } }
}

function askedBy(method: string, params: readonly Param[], hex: string): Asked {
  if (method in orderKinds) return ordered(params, method, hex)
  if (/create/.test(method)) return created(params, method)
  return transferred(params, method, hex)
}

/** Returns the request bound to a chain. Only its coins bind a creation or a bid to a chain. */
function bound(asked: Asked, hex: string): Asked {
  const spendable = decodeTransaction(hex).inputs
  const isBid = asked.operation === 'order' && asked.intent.kind === 'bid'
  if (asked.operation !== 'create' && !isBid) return asked
  return { ...asked, intent: { ...asked.intent, spendable } } as Asked
}

export function evidenceOf(hex: string, tokenid?: string): Evidence {
  const ancestors = tokelAncestors(hex)
  const tokenCreate = tokenid && tokelCreation(tokenid)
  return {
    previousTransactions: ancestors,
    ...(tokenCreate && { tokenCreate }),
    tipHeight: tipHeightOf(hex),
  }
}

const chain = readVectors<{ transactions: { txid: string; hex: string }[] }>(
  'tokeld/90-chain-dump.json',
).transactions
const hexByTxid = new Map(chain.map(({ txid, hex }) => [txid, hex]))

export function tokelCreation(tokenid: string): string | undefined {
  return hexByTxid.get(tokenid)
}

const asks =
  /^token(?:v2)?(?:create|createtokel|transfer|transfermany|transferMofN|burn|ask|bid|fillask|fillbid|cancelask)$/

function casesIn({ at, note = '', request, response }: Exchange): TokeldCase[] {
  if (!/^0[2-79]-/.test(at)) return []
  const { method, params } = JSON.parse(request) as { method: string; params: Param[] }
  const result = JSON.parse(response).result as { hex?: string } | null
  const hex = result?.hex
  if (!asks.test(method) || hex === undefined) return []
  const asked = bound(askedBy(method, params, hex), hex)
  const tokenid = 'tokenid' in asked.intent ? asked.intent.tokenid : undefined
  return [
    { ...asked, name: `${method} ${note}`.trim(), method, hex, evidence: evidenceOf(hex, tokenid) },
  ]
}

const { exchanges } = readVectors<{ exchanges: Exchange[] }>('rpc/tokeld.json')
const isPartial = ({ name }: TokeldCase) => name.includes('partial signature')
const answered: readonly TokeldCase[] = exchanges.flatMap(casesIn)

/** The case where one of two owners signed, and both have to. */
export const partlySigned: TokeldCase = answered.find(isPartial)!

/** The same, once the other had signed it too. */
const completed = exchanges.flatMap(({ request, response }) => {
  if (JSON.parse(request).method !== 'addccv2signature') return []
  return [
    { ...partlySigned, name: 'addccv2signature', hex: JSON.parse(response).result.hex as string },
  ]
})

/** Whatever could be sent as it was answered. */
export const tokeldCases: readonly TokeldCase[] = [
  ...answered.filter((it) => !isPartial(it)),
  ...completed,
]

export function checkTokeld(
  { operation, intent, evidence }: Asked & { evidence: Evidence },
  hex: string,
): Report {
  if (operation === 'create') return verifyTokenCreate(hex, intent, evidence)
  if (operation === 'order') return verifyTokenOrder(hex, intent, evidence)
  return verifyTokenTransfer(hex, intent, evidence)
}

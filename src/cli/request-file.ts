import { isSpend } from '../builders/choose.ts'
import type { TokenCreateRequest } from '../builders/create.ts'
import type {
  TokenAskRequest,
  TokenBidRequest,
  TokenCancelRequest,
  TokenFillAskRequest,
  TokenFillBidRequest,
} from '../builders/order-request.ts'
import type { TokenTransferRequest, TransferRecipient } from '../builders/transfer-request.ts'
import {
  amount,
  height,
  items,
  type Members,
  malformed,
  object,
  parseJson,
  string,
  strings,
} from '../primitives/json-fields.ts'
import { properties as propertiesForm } from '../request/create.ts'
import { flag, keySet, outpoints } from '../request/forms.ts'
import { readNetwork } from '../request/members.ts'
import { readFees } from '../request/terms.ts'
import { type FillKind, priceBounds } from '../token/rules/order-price.ts'

const commonMembers = [
  'network',
  'fee',
  'maxFee',
  'tipHeight',
  'expiryHeight',
  'nativeChange',
  'spend',
  'coins',
  'previousTransactions',
  'note',
]

/**
 * Reads what is to be transferred. Amounts are decimal strings of token units.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function parseTransferRequest(text: string): TokenTransferRequest {
  const moved = ['tokenid', 'tokenids', 'recipients', 'burn']
  const own = [...moved, 'from', 'fromKeys', 'tokenCoins', 'tokenCreate']
  const root = object(parseJson(text), 'request', [...commonMembers, ...own])
  if (root.burn !== undefined && typeof root.burn !== 'boolean') {
    throw malformed('burn', 'true or false', root.burn)
  }
  return {
    ...common(root),
    tokenid: string(root.tokenid, 'tokenid'),
    recipients: items(root.recipients, 'recipients', { named: 'recipients', read: readRecipient }),
    from: string(root.from, 'from'),
    tokenCoins: outpoints.read(root.tokenCoins, 'tokenCoins'),
    ...(root.tokenCreate !== undefined && { tokenCreate: string(root.tokenCreate, 'tokenCreate') }),
    ...(root.burn !== undefined && { burn: root.burn }),
    ...(root.fromKeys !== undefined && { fromKeys: keySet.read(root.fromKeys, 'fromKeys') }),
    ...(root.tokenids !== undefined && { tokenids: strings(root.tokenids, 'tokenids') }),
  }
}

/** A key or an address, or of tokens v2 keys that hold it together. */
function readRecipient(value: unknown, path: string): TransferRecipient {
  const recipient = object(value, path, ['pubkey', 'keys', 'amount'])
  const units = amount(recipient.amount, `${path}.amount`)
  if (recipient.keys === undefined) {
    return { pubkey: string(recipient.pubkey, `${path}.pubkey`), amount: units }
  }
  if (recipient.pubkey !== undefined) {
    throw malformed(`${path}.pubkey`, 'pubkey or keys, not both', recipient.pubkey)
  }
  return { keys: keySet.read(recipient.keys, `${path}.keys`), amount: units }
}

/** A step of an order, with what its builder takes. */
export type OrderRequest =
  | { readonly kind: 'ask'; readonly request: TokenAskRequest }
  | { readonly kind: 'bid'; readonly request: TokenBidRequest }
  | { readonly kind: 'fillAsk'; readonly request: TokenFillAskRequest }
  | { readonly kind: 'fillBid'; readonly request: TokenFillBidRequest }
  | { readonly kind: 'cancelAsk' | 'cancelBid'; readonly request: TokenCancelRequest }

/** Reads a step of an order. @throws {AntaraError} `malformed_case`, naming the member */
export function parseOrderRequest(text: string): OrderRequest {
  const prices = ['price', 'priceMax', 'priceMin']
  const terms = ['kind', 'tokenid', 'order', 'units', ...prices, 'orderExpiryHeight']
  const own = [...terms, 'allowUnenforcedPrice', 'from', 'tokenCoins', 'tokenCreate']
  const root = object(parseJson(text), 'request', [...commonMembers, ...own])
  const token = {
    ...common(root),
    tokenid: string(root.tokenid, 'tokenid'),
    from: string(root.from, 'from'),
    ...(root.tokenCreate !== undefined && { tokenCreate: string(root.tokenCreate, 'tokenCreate') }),
  }
  const offer = () => ({
    units: amount(root.units, 'units'),
    price: amount(root.price, 'price'),
    ...(root.orderExpiryHeight !== undefined && {
      orderExpiryHeight: height(root.orderExpiryHeight, 'orderExpiryHeight'),
    }),
  })
  const { kind, allowUnenforcedPrice } = root
  if (kind !== 'bid' && allowUnenforcedPrice !== undefined) {
    throw malformed('allowUnenforcedPrice', 'it only where kind is bid', allowUnenforcedPrice)
  }
  const allowed = () => ({
    ...(allowUnenforcedPrice !== undefined && {
      allowUnenforcedPrice: flag.read(allowUnenforcedPrice, 'allowUnenforcedPrice'),
    }),
  })
  const fill = (of: FillKind) => ({
    order: string(root.order, 'order'),
    units: amount(root.units, 'units'),
    ...fillPrice(of, root),
  })
  const tokens = () => ({ tokenCoins: outpoints.read(root.tokenCoins, 'tokenCoins') })
  switch (kind) {
    case 'ask':
      return { kind, request: { ...token, ...offer(), ...tokens() } }
    case 'bid':
      return { kind, request: { ...token, ...offer(), ...allowed() } }
    case 'fillAsk':
      return { kind, request: { ...token, ...fill(kind) } }
    case 'fillBid':
      return { kind, request: { ...token, ...fill(kind), ...tokens() } }
    case 'cancelAsk':
    case 'cancelBid':
      return { kind, request: { ...token, order: string(root.order, 'order') } }
    default:
      throw malformed('kind', 'ask, bid, fillAsk, fillBid, cancelAsk or cancelBid', kind)
  }
}

/** Either the price of what is filled, or its bound. */
function fillPrice(kind: FillKind, root: Members): { readonly price: bigint } {
  const wanted = ['price', priceBounds[kind]]
  const given = ['price', 'priceMax', 'priceMin'].filter((it) => root[it] !== undefined)
  const [member = 'price'] = given
  if (given.length !== 1 || !wanted.includes(member)) {
    throw malformed(member, `either ${wanted.join(' or ')}`, root[member])
  }
  // either stands for the other: the builder reads the one that is there
  return { [member]: amount(root[member], member) } as unknown as { readonly price: bigint }
}

/** Reads what is to be created. @throws {AntaraError} `malformed_case`, naming the member */
export function parseCreateRequest(text: string): TokenCreateRequest {
  const described = ['name', 'supply', 'supplyCoins', 'description', 'data', 'properties']
  const own = [...described, 'owner', 'version']
  const root = object(parseJson(text), 'request', [...commonMembers, ...own])
  const { data, properties, version } = root
  if (version !== undefined && version !== 1 && version !== 2) {
    throw malformed('version', '1 or 2', version)
  }
  return {
    ...common(root),
    name: string(root.name, 'name'),
    ...supplyOf(root),
    description: string(root.description ?? '', 'description'),
    owner: string(root.owner, 'owner'),
    ...(data !== undefined && { data: string(data, 'data') }),
    ...(properties !== undefined && { properties: propertiesForm.read(properties, 'properties') }),
    ...(version !== undefined && { version: version as 1 | 2 }),
  }
}

function supplyOf({ supply, supplyCoins }: Members): { supply: bigint } | { supplyCoins: string } {
  if (supplyCoins === undefined) return { supply: amount(supply, 'supply') }
  if (supply !== undefined) throw malformed('supply', 'supply or supplyCoins, not both', supply)
  return { supplyCoins: string(supplyCoins, 'supplyCoins') }
}

function common(root: Members) {
  const { nativeChange, spend, tipHeight, expiryHeight } = root
  if (nativeChange !== undefined && nativeChange !== 'exact' && nativeChange !== 'daemon') {
    throw malformed('nativeChange', 'exact or daemon', nativeChange)
  }
  if (spend !== undefined && !isSpend(spend)) {
    throw malformed('spend', 'selected, needed or all', spend)
  }
  if (tipHeight === undefined && expiryHeight === undefined) {
    throw malformed('tipHeight', 'a height, or expiryHeight instead', tipHeight)
  }
  return {
    network: readNetwork(root.network),
    ...readFees(root),
    ...(tipHeight !== undefined && { tipHeight: height(tipHeight, 'tipHeight') }),
    ...(expiryHeight !== undefined && { expiryHeight: height(expiryHeight, 'expiryHeight') }),
    ...(nativeChange !== undefined && { nativeChange: nativeChange as 'exact' | 'daemon' }),
    ...(spend !== undefined && { spend }),
    coins: outpoints.read(root.coins, 'coins'),
    previousTransactions: strings(root.previousTransactions, 'previousTransactions'),
  }
}

import * as v from 'valibot'
import { isJsonObject, isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import { integerOf, satsOfCoins } from '../amounts.ts'
import {
  count,
  field,
  flag,
  hash,
  hex,
  integer,
  measure,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  text,
  units,
  wideInteger,
} from '../fields.ts'

// Results keep the wire's member names. Amounts are satoshis or token units whatever the wire
// prints, bytes and ids are lower-case hex, members unknown here stay as they came.

/** One of several forms, told apart by looking: the error then says where that form is broken. */
function chosen<T>(pick: (value: unknown) => Schema<T>): Schema<T> {
  return v.lazy(pick)
}

const success = v.literal('success')

/** Addresses of the tokens module and of one key, balances in satoshis. */
export interface TokenAddresses extends Open {
  readonly result: 'success'
  /** Global address of the module. */
  readonly TokensCCAddress: string
  readonly TokensCCBalance?: bigint
  readonly TokensNormalAddress?: string
  readonly TokensNormalBalance?: bigint
  /** Of the key in the request. The balance counts normal outputs and is 0 in practice. */
  readonly 'PubkeyCCaddress(Tokens)'?: string
  readonly 'PubkeyCCbalance(Tokens)'?: bigint
  /** Of the node's own key. */
  readonly 'myCCAddress(Tokens)': string
  readonly 'myCCbalance(Tokens)'?: bigint
  readonly myaddress: string
  readonly mybalance?: bigint
}

// The documentation's field list spells two members in its own way; the wire's spelling wins.
const documentedAddressNames: ReadonlyMap<string, string> = new Map([
  ['TokensCCaddress', 'TokensCCAddress'],
  ['myCCaddress', 'myCCAddress(Tokens)'],
])

export const tokenAddresses: Schema<TokenAddresses> = v.pipe(
  v.unknown(),
  v.transform((value) => withWireNames(value, documentedAddressNames)),
  v.looseObject({
    result: success,
    TokensCCAddress: text,
    TokensCCBalance: optional(satsFromCoins),
    TokensNormalAddress: optional(text),
    TokensNormalBalance: optional(satsFromCoins),
    'PubkeyCCaddress(Tokens)': optional(text),
    'PubkeyCCbalance(Tokens)': optional(satsFromCoins),
    'myCCAddress(Tokens)': text,
    'myCCbalance(Tokens)': optional(satsFromCoins),
    myaddress: text,
    mybalance: optional(satsFromCoins),
  }),
)

function withWireNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isJsonObject(value as JsonValue)) return value
  const members = Object.entries(value as object)
  return Object.fromEntries(members.map(([name, item]) => [names.get(name) ?? name, item]))
}

export interface TokenBalance extends Open {
  readonly result: 'success'
  /** Plain CC address of the key (komodod); the balance may be counted on another one. */
  readonly CCaddress?: string
  /** In its place, tokeld. */
  readonly CCIndexKeys?: readonly string[]
  readonly tokenid: string
  /** Token units. 0 also for an unknown token, and on both sides of an unconfirmed transfer. */
  readonly balance: bigint
}

export const tokenBalance: Schema<TokenBalance> = v.looseObject({
  result: success,
  CCaddress: optional(text),
  CCIndexKeys: optional(v.array(text)),
  tokenid: text,
  balance: units,
})

/** A raw transaction, not broadcast. */
export interface RawTransactionHex extends Open {
  readonly result: 'success'
  /** Lower-case hex of whole bytes. Verify it before it is broadcast. */
  readonly hex: string
}

// "success" may come with "0" (encoding failed) or "" (signing failed): komodo cc/CCtx.cpp,
// FinalizeCCTx and its callers.
const usableHex = field(
  'the hex of a transaction',
  (value) => {
    const digits = typeof value === 'string' ? value.toLowerCase() : ''
    return /^(?:[0-9a-f]{2}){2,}$/.test(digits) ? digits : undefined
  },
  'unusable_hex',
)

export const rawTransactionHex: Schema<RawTransactionHex> = v.looseObject({
  result: success,
  hex: usableHex,
})

export interface TokenInfo extends Open {
  readonly result: 'success'
  readonly tokenid: string
  /** Public key of the creator, hex. */
  readonly owner: string
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description: string
  /** Data of a non-fungible token, hex. */
  readonly data?: string
  readonly IsImported?: string
  readonly sourceChain?: string
  readonly sourceTokenId?: string
  /** tokeld only. */
  readonly height?: number
  readonly version?: number
  readonly IsMixed?: string
}

/** An integer counts units; with a point in it, number or string, it counts coins. */
const supply = field('a supply', (value) => {
  const digits = isLosslessNumber(value) ? value.value : value
  if (typeof digits !== 'string') return undefined
  const amount = /^\d+\.\d+$/.test(digits) ? satsOfCoins(digits) : integerOf(digits)
  return amount !== undefined && amount >= 0n ? amount : undefined
})

export const tokenInfo: Schema<TokenInfo> = v.looseObject({
  result: success,
  tokenid: hash,
  owner: hex,
  name: text,
  supply,
  description: text,
  data: optional(hex),
  IsImported: optional(text),
  sourceChain: optional(text),
  sourceTokenId: optional(text),
  height: optional(integer),
  version: optional(integer),
  IsMixed: optional(text),
})

/** Each token of the chain, in no promised order. */
export const txid: Schema<string> = hash

export const tokenIds: Schema<readonly string[]> = v.array(hash)

export interface DecodedScript extends Open {
  readonly asm: string
  readonly hex: string
  /** The three are there when addresses can be told: not for `nulldata`, `nonstandard`. */
  readonly reqSigs?: number
  readonly type: string
  readonly addresses?: readonly string[]
}

const decodedScript = v.looseObject({
  asm: text,
  hex,
  reqSigs: optional(count),
  type: text,
  addresses: optional(v.array(text)),
})

export interface DecodedInput extends Open {
  /** In place of all but `sequence`. */
  readonly coinbase?: string
  readonly txid?: string
  readonly vout?: number
  readonly scriptSig?: { readonly asm: string; readonly hex: string }
  readonly sequence: number
  /** `getrawtransaction` with the spent index only; satoshis. */
  readonly address?: string
  readonly value?: bigint
  readonly valueSat?: bigint
}

const decodedInput = v.pipe(
  v.looseObject({
    coinbase: optional(hex),
    txid: optional(hash),
    vout: optional(count),
    scriptSig: optional(v.looseObject({ asm: text, hex })),
    sequence: count,
    address: optional(text),
    value: optional(satsFromCoins),
    valueSat: optional(units),
  }),
  v.check(
    ({ coinbase, txid, vout, scriptSig }) =>
      coinbase !== undefined ||
      (txid !== undefined && vout !== undefined && scriptSig !== undefined),
  ),
)

export interface DecodedOutput extends Open {
  /** Satoshis, as everywhere. */
  readonly value: bigint
  /** The same again: `valueZat` (decode) or `valueSat` (older daemons, and getrawtransaction). */
  readonly valueZat?: bigint
  readonly valueSat?: bigint
  /** KMD chain only, satoshis. */
  readonly interest?: bigint
  readonly n: number
  readonly scriptPubKey: DecodedScript
  /** `getrawtransaction` with the spent index, once spent. */
  readonly spentTxId?: string
  readonly spentIndex?: number
  readonly spentHeight?: number
}

const decodedOutput = v.looseObject({
  // Negative in what is decoded without being valid.
  value: satsFromCoins,
  valueZat: optional(wideInteger),
  valueSat: optional(wideInteger),
  interest: optional(satsFromCoins),
  n: count,
  scriptPubKey: decodedScript,
  spentTxId: optional(hash),
  spentIndex: optional(count),
  spentHeight: optional(integer),
})

/** A decoded transaction, in the current daemon's form or an older one's. */
export interface DecodedTransactionReply extends Open {
  readonly txid: string
  /** Older daemons. */
  readonly size?: number
  /** Current daemons. */
  readonly overwintered?: boolean
  readonly version: number
  readonly versiongroupid?: string
  readonly locktime: number
  readonly expiryheight?: number
  readonly vin: readonly DecodedInput[]
  readonly vout: readonly DecodedOutput[]
  readonly vjoinsplit?: readonly JoinSplitReply[]
  /** Satoshis that leave the shielded pool; negative when they enter it. */
  readonly valueBalance?: bigint
  readonly vShieldedSpend?: readonly unknown[]
  readonly vShieldedOutput?: readonly unknown[]
  readonly bindingSig?: string
}

/** Satoshis into and out of the shielded pool; the rest as it came. */
export interface JoinSplitReply extends Open {
  readonly vpub_old: bigint
  readonly vpub_new: bigint
}

const transactionMembers = {
  txid: hash,
  size: optional(count),
  overwintered: optional(flag),
  version: integer,
  versiongroupid: optional(hex),
  locktime: count,
  expiryheight: optional(count),
  vin: v.array(decodedInput),
  vout: v.array(decodedOutput),
  vjoinsplit: optional(
    v.array(v.looseObject({ vpub_old: satsFromCoins, vpub_new: satsFromCoins })),
  ),
  valueBalance: optional(satsFromCoins),
  vShieldedSpend: optional(v.array(v.unknown())),
  vShieldedOutput: optional(v.array(v.unknown())),
  bindingSig: optional(hex),
}

export const decodedTransaction: Schema<DecodedTransactionReply> = v.looseObject(transactionMembers)

export interface TransactionReply extends DecodedTransactionReply {
  readonly hex: string
  readonly last_notarized_height?: number
  /** From here on: only once it is in a block. */
  readonly blockhash?: string
  /** -1 in a block that is not of the best chain. */
  readonly height?: number
  /** 1 until the block is notarised, whatever stands on it. */
  readonly confirmations?: number
  readonly rawconfirmations?: number
  readonly time?: number
  readonly blocktime?: number
}

/** Hex, or with `verbose: 1` the decoded transaction. */
export const rawTransaction: Schema<string | TransactionReply> = chosen<string | TransactionReply>(
  (value) => (typeof value === 'object' ? transaction : usableHex),
)

const transaction: Schema<TransactionReply> = v.looseObject({
  ...transactionMembers,
  hex: usableHex,
  last_notarized_height: optional(integer),
  blockhash: optional(hash),
  height: optional(integer),
  confirmations: optional(integer),
  rawconfirmations: optional(integer),
  time: optional(count),
  blocktime: optional(count),
})

export interface UnspentOutput extends Open {
  readonly bestblock: string
  readonly confirmations: number
  readonly rawconfirmations?: number
  /** Satoshis. */
  readonly value: bigint
  readonly interest?: bigint
  readonly scriptPubKey: DecodedScript
  readonly version: number
  readonly coinbase: boolean
}

/** `null` for an output that is spent or unknown. */
export const unspentOutput: Schema<UnspentOutput | null> = v.nullable(
  v.looseObject({
    bestblock: hash,
    confirmations: integer,
    rawconfirmations: optional(integer),
    value: satsFromCoins,
    interest: optional(satsFromCoins),
    scriptPubKey: decodedScript,
    version: integer,
    coinbase: flag,
  }),
)

/** One entry of the address index. */
export interface AddressUtxo extends Open {
  readonly address: string
  readonly txid: string
  readonly outputIndex: number
  readonly script: string
  readonly satoshis: bigint
  readonly height: number
}

const addressUtxoList = v.pipe(
  v.array(
    v.looseObject({
      address: text,
      txid: hash,
      outputIndex: count,
      script: hex,
      satoshis: units,
      height: count,
    }),
  ),
  // Listed twice, an output would be counted twice.
  v.check((entries) => {
    const outpoints = entries.map(({ txid, outputIndex }) => `${txid}:${outputIndex}`)
    return new Set(outpoints).size === entries.length
  }),
)

export interface AddressUtxosWithTip extends Open {
  readonly utxos: readonly AddressUtxo[]
  /** Best block at the time of the answer. */
  readonly hash: string
  readonly height: number
}

const addressUtxosWithTip: Schema<AddressUtxosWithTip> = v.looseObject({
  utxos: addressUtxoList,
  hash,
  height: count,
})

/** A list, or with `chainInfo: true` the list and the tip. */
export type AddressUtxosReply = readonly AddressUtxo[] | AddressUtxosWithTip

export const addressUtxos: Schema<AddressUtxosReply> = chosen<AddressUtxosReply>((value) =>
  Array.isArray(value) ? addressUtxoList : addressUtxosWithTip,
)

/** One of the wallet's own unspent outputs. */
export interface WalletUtxo extends Open {
  readonly txid: string
  readonly vout: number
  readonly generated?: boolean
  readonly address?: string
  readonly segid?: number
  readonly account?: string
  readonly redeemScript?: string
  /** Satoshis, as is the interest. */
  readonly amount: bigint
  readonly interest?: bigint
  readonly scriptPubKey: string
  readonly rawconfirmations?: number
  readonly confirmations: number
  readonly spendable: boolean
}

export const walletUtxos: Schema<readonly WalletUtxo[]> = v.array(
  v.looseObject({
    txid: hash,
    vout: count,
    generated: optional(flag),
    address: optional(text),
    segid: optional(integer),
    account: optional(text),
    redeemScript: optional(hex),
    amount: satsFromCoins,
    interest: optional(satsFromCoins),
    scriptPubKey: hex,
    rawconfirmations: optional(integer),
    confirmations: integer,
    spendable: flag,
  }),
)

/** Only `isvalid: false` for what is no address. A CC address looks like any other. */
export interface AddressValidation extends Open {
  readonly isvalid: boolean
  readonly address?: string
  readonly scriptPubKey?: string
  readonly segid?: number
  readonly ismine?: boolean
  readonly iswatchonly?: boolean
  readonly isscript?: boolean
  readonly pubkey?: string
  readonly iscompressed?: boolean
  readonly account?: string
}

export const addressValidation: Schema<AddressValidation> = v.looseObject({
  isvalid: flag,
  address: optional(text),
  scriptPubKey: optional(hex),
  segid: optional(integer),
  ismine: optional(flag),
  iswatchonly: optional(flag),
  isscript: optional(flag),
  pubkey: optional(hex),
  iscompressed: optional(flag),
  account: optional(text),
})

/** State of the node. `pubkey` is its identity for contract modules, where it has one. */
export interface NodeInfo extends Open {
  readonly version: number
  readonly protocolversion: number
  readonly KMDversion?: string
  readonly synced?: boolean
  readonly notarized?: number
  readonly prevMoMheight?: number
  readonly notarizedhash?: string
  readonly notarizedtxid?: string
  readonly notarizedtxid_height?: number | 'mempool'
  readonly KMDnotarized_height?: number
  readonly notarized_confirms?: number
  readonly walletversion?: number
  /** Satoshis: balance, interest, fees. */
  readonly balance?: bigint
  readonly interest?: bigint
  readonly blocks: number
  readonly longestchain?: number
  readonly timeoffset?: number
  readonly tiptime?: number
  readonly connections?: number
  readonly proxy?: string
  readonly difficulty?: number
  readonly testnet?: boolean
  readonly keypoololdest?: number
  readonly keypoolsize?: number
  readonly unlocked_until?: number
  readonly paytxfee?: bigint
  readonly relayfee?: bigint
  readonly sapling?: number
  readonly errors?: string
  readonly pubkey?: string
  /** `ac_cc` of the chain. */
  readonly CCid?: number
  readonly name?: string
  readonly p2pport?: number
  readonly rpcport?: number
  readonly magic?: number
  /** Whole coins. */
  readonly premine?: bigint
  readonly TokelVersion?: string
}

export const nodeInfo: Schema<NodeInfo> = v.looseObject({
  version: integer,
  protocolversion: integer,
  KMDversion: optional(text),
  synced: optional(flag),
  notarized: optional(integer),
  prevMoMheight: optional(integer),
  notarizedhash: optional(hash),
  notarizedtxid: optional(hash),
  notarizedtxid_height: optional(v.union([integer, v.literal('mempool')])),
  KMDnotarized_height: optional(integer),
  notarized_confirms: optional(integer),
  walletversion: optional(integer),
  balance: optional(satsFromCoins),
  interest: optional(satsFromCoins),
  blocks: count,
  longestchain: optional(integer),
  timeoffset: optional(integer),
  tiptime: optional(integer),
  connections: optional(integer),
  proxy: optional(text),
  difficulty: optional(measure),
  testnet: optional(flag),
  keypoololdest: optional(integer),
  keypoolsize: optional(integer),
  unlocked_until: optional(integer),
  paytxfee: optional(satsFromCoins),
  relayfee: optional(satsFromCoins),
  sapling: optional(integer),
  errors: optional(text),
  pubkey: optional(hex),
  CCid: optional(integer),
  name: optional(text),
  p2pport: optional(count),
  rpcport: optional(count),
  magic: optional(integer),
  premine: optional(wideInteger),
  TokelVersion: optional(text),
})

export interface MempoolEntry extends Open {
  readonly size: number
  /** Satoshis. */
  readonly fee: bigint
  readonly time: number
  readonly height: number
  readonly startingpriority: number
  readonly currentpriority: number
  readonly depends: readonly string[]
}

const txidList: Schema<readonly string[]> = v.array(hash)

const mempoolEntries: Schema<Readonly<Record<string, MempoolEntry>>> = v.record(
  v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  v.looseObject({
    size: count,
    fee: satsFromCoins,
    time: count,
    height: integer,
    startingpriority: measure,
    currentpriority: measure,
    depends: v.array(hash),
  }),
)

/** Txids, or with `verbose: true` an entry for each. */
export type MempoolReply = readonly string[] | Readonly<Record<string, MempoolEntry>>

export const mempool: Schema<MempoolReply> = chosen<MempoolReply>((value) =>
  Array.isArray(value) ? txidList : mempoolEntries,
)

// The methods of the address index and the spent index.

import { hashes } from '../fields.ts'
import * as sizes from '../reply-sizes.ts'
import * as results from './address-results.ts'
import type * as params from './chain-parameters.ts'
import { flag, hash, optional, texts, uint32 } from './parameter.ts'
import type { Rows, Written } from './row.ts'

/** Methods that need a daemon with `-addressindex=1`; `getspentinfo` needs `-spentindex=1`. */
export interface AddressMethods {
  /** Total of the addresses in satoshis. `received` includes change that came back to them. */
  getaddressbalance: { params: params.AddressIndexParams; result: results.AddressBalance }
  /** Each output and each spend of addresses, oldest block first. */
  getaddressdeltas: { params: params.GetAddressDeltasParams; result: results.AddressDeltasReply }
  /** Outputs and spends of the addresses that are in no block yet. */
  getaddressmempool: {
    params: params.AddressIndexParams
    result: readonly results.AddressMempoolDelta[]
  }
  /** Txids of transactions that pay the addresses or spend from them. */
  getaddresstxids: { params: params.AddressRangeParams; result: readonly string[] }
  /** The input that spends an output. The daemon answers an error if it knows none. */
  getspentinfo: { params: params.GetSpentInfoParams; result: results.SpentInfo }
}

const indexed = { addresses: texts, ccvout: optional(flag) }
const range = { start: optional(uint32), end: optional(uint32) }

export const addressMethods: Rows<AddressMethods> = {
  getaddressbalance: {
    safety: 'read',
    params: indexed,
    result: results.addressBalance,
    replyBytesMax: sizes.scalarReplyBytesMax,
    wire: addressQuery,
  },
  getaddressdeltas: {
    safety: 'read',
    params: { ...indexed, ...range, chainInfo: optional(flag) },
    result: results.addressDeltas,
    replyBytesMax: sizes.listReplyBytesMax,
    wire: addressQuery,
  },
  getaddressmempool: {
    safety: 'read',
    params: indexed,
    result: results.addressMempool,
    replyBytesMax: sizes.listReplyBytesMax,
    wire: addressQuery,
  },
  getaddresstxids: {
    safety: 'read',
    params: { ...indexed, ...range },
    result: hashes,
    replyBytesMax: sizes.listReplyBytesMax,
    wire: addressQuery,
  },
  getspentinfo: {
    safety: 'read',
    params: { txid: hash, index: uint32 },
    result: results.spentInfo,
    replyBytesMax: sizes.scalarReplyBytesMax,
    wire: (_, outpoint) => [outpoint],
  },
}

/** Any second parameter selects the other index, even 0 or false: komodo rpc/misc.cpp. */
export function addressQuery(_: object, { ccvout, ...query }: Written): readonly unknown[] {
  return ccvout === true ? [query, 1] : [query]
}

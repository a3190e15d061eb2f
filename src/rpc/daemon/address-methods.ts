// The methods of the address index and the spent index.

import { hashes } from '../fields.ts'
import * as results from './address-results.ts'
import type * as params from './chain-parameters.ts'
import { flag, hash, optional, texts, uint32 } from './parameter.ts'
import { type Rows, row, type Written } from './row.ts'

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
  getaddressbalance: row('read', 'scalar', results.addressBalance, indexed, addressQuery),
  getaddressdeltas: row(
    'read',
    'list',
    results.addressDeltas,
    { ...indexed, ...range, chainInfo: optional(flag) },
    addressQuery,
  ),
  getaddressmempool: row('read', 'list', results.addressMempool, indexed, addressQuery),
  getaddresstxids: row('read', 'list', hashes, { ...indexed, ...range }, addressQuery),
  getspentinfo: row(
    'read',
    'scalar',
    results.spentInfo,
    { txid: hash, index: uint32 },
    (_, outpoint) => [outpoint],
  ),
}

/** Any second parameter selects the other index, even 0 or false: komodo rpc/misc.cpp. */
export function addressQuery(_: object, { ccvout, ...query }: Written): readonly unknown[] {
  return ccvout === true ? [query, 1] : [query]
}

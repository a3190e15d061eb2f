// Requests that a komodod carried out, and that this library refuses.

import { moduleNames } from '../../src/chain/modules.ts'
import { decodeTransaction } from '../../src/index.ts'
import type { MadeTransaction } from './komodod.ts'

/**
 * Returns the error code for a transaction of the daemon that loses tokens, cannot be moved, or is
 * not relayed.
 */
export function expectedRefusal({ method, params, hex }: MadeTransaction): string | undefined {
  if (method === 'tokentransfer') {
    const [tokenid = '', pubkey = '', amount = ''] = params
    if (!/^0[23].{64}$/.test(pubkey) || /^020{63}/.test(pubkey)) return 'invalid_pubkey'
    if (moduleNames.has(pubkey)) return 'module_key'
    if (!/^[0-9]+$/.test(amount)) return 'malformed_amount'
    // their data begin with f7 and 7b, and the chain refused to move them
    const stuck = ['bf299fba', '18e047dd']
    return stuck.includes(tokenid.slice(0, 8)) ? 'untransferable_data' : undefined
  }
  const [, supply = '', , data] = params
  if (!/^[0-9.]+$/.test(supply)) return 'malformed_amount'
  if (data !== undefined && !/^(?:[0-9a-f]{2})+$/i.test(data)) return 'hex'
  if (data !== undefined && !/^f[13]/.test(data)) return 'untransferable_data'
  const nulldata = decodeTransaction(hex).outputs.at(-1)!.script
  return nulldata.length / 2 > 208 ? 'nulldata_too_large' : undefined
}

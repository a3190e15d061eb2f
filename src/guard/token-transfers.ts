// The requests that calls for transfers and burns of tokens make.

import { burnKeysOf, burnPublicKeys } from '../chain/modules.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { isLosslessNumber, type JsonValue } from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'
import type { TransferIntent } from '../request/transfer.ts'
import { refusedParameter } from './refusals.ts'
import { commonTerms, type RequestTerms, type TokenMethod } from './token-method.ts'
import {
  holder,
  key,
  matching,
  objectOf,
  type Read,
  txid,
  unitDigits,
  units,
} from './token-parameters.ts'

type Moved = Pick<TransferIntent, 'tokenid' | 'destination' | 'amount'> &
  Partial<Pick<TransferIntent, 'tokenids' | 'destinationKeys'>>

function transfer(terms: RequestTerms, moved: Moved): AskedFor {
  const { network, pubkey } = terms
  const isBurn = (burnKeysOf[network.conditions ?? 'komodo'] ?? []).includes(moved.destination)
  const intent = { ...moved, from: pubkey, ...commonTerms(terms) }
  return {
    operation: 'tokentransfer',
    intent: { ...intent, ...(isBurn && { burn: true }) },
  }
}

const transferTo = (destination: Read<string>): TokenMethod => ({
  counts: [3, 3],
  request: (params, terms) =>
    transfer(terms, {
      tokenid: txid(params, 0),
      destination: destination(params, 1),
      amount: units(params, 2),
    }),
})

export const transferToKey: TokenMethod = transferTo(key)
/** Tokens v2 are paid to addresses, too. */
export const transferToHolder: TokenMethod = transferTo(holder)

/** tokeld sends the units to a key that nobody has. */
export const burn: TokenMethod = {
  counts: [3, 3],
  request(params, terms) {
    // The verifier has no request that spends a marker.
    matching(/^false$/, 'false: the guard cannot verify a burn that spends the marker')(params, 2)
    return transfer(terms, {
      tokenid: txid(params, 0),
      destination: burnPublicKeys.tokel,
      amount: units(params, 1),
    })
  },
}

/** The same number of units of each token goes to one key. */
export const transferMany: TokenMethod = {
  counts: [3, Number.POSITIVE_INFINITY],
  isBare: true,
  request(params, terms) {
    const tokenids = params.slice(0, -2).map((_, at) => txid(params, at))
    return transfer(terms, {
      tokenid: tokenids[0]!,
      tokenids,
      destination: key(params, params.length - 2),
      amount: units(params, params.length - 1),
    })
  },
}

const query = objectOf(['tokenid', 'ccaddressMofN', 'destpubkeys', 'M', 'amount'])

/** Several keys hold the units together. */
export const transferToKeys: TokenMethod = {
  counts: [1, 1],
  request(params, terms) {
    const { tokenid = null, ccaddressMofN, destpubkeys, M, amount } = query(params, 0)
    if (ccaddressMofN !== undefined) {
      const help = 'submit what several keys signed by guard_submit HEX CASE, with fromKeys in it'
      throw refusedParameter('params[0].ccaddressMofN', `no such member: ${help}`)
    }
    const keys = Array.isArray(destpubkeys) ? destpubkeys : []
    const pubkeys = keys.map((one) => {
      if (typeof one === 'string' && isCompressedKey(one.toLowerCase())) return one.toLowerCase()
      throw refusedParameter('params[0].destpubkeys', 'compressed public keys')
    })
    const [destination] = pubkeys
    if (destination === undefined) throw refusedParameter('params[0].destpubkeys', 'a list of keys')
    return transfer(terms, {
      tokenid: txid([tokenid], 0, 'params[0].tokenid'),
      destination,
      destinationKeys: { required: Number(digits(M, /^[1-9]\d{0,2}$/, 'M')), pubkeys },
      amount: units([digits(amount, unitDigits, 'amount')], 0, 'params[0].amount'),
    })
  },
}

/** Reads the digits of a number, which may exceed those of JavaScript. */
function digits(value: JsonValue | undefined, pattern: RegExp, name: string): string {
  const written = isLosslessNumber(value) ? value.value : ''
  if (pattern.test(written)) return written
  throw refusedParameter(`params[0].${name}`, 'a whole number')
}

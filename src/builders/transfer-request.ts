// Reads requests for transfers: recipients, amounts, and the owner of the tokens.

import type { Network } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { within } from '../errors/within.ts'
import { argumentError, requireObject } from '../primitives/arguments.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import {
  amountProblems,
  hashOfAddress,
  keySetProblems,
  type Payment,
  recipientProblems,
  sumProblems,
} from '../request/holders.ts'
import { throwFirst } from '../request/problem.ts'
import type { Recipient, TokenTransferRequest } from '../request/transfer.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { scriptOfAddress } from '../script/script.ts'
import type { TokenLayout } from '../token/payload/payload.ts'
import { type KeySet, lowerCased } from '../token/rules/key-set.ts'
import { requireRelayedSpend } from '../token/rules/relayed-spend.ts'
import type { Holder } from '../token/rules/rules.ts'
import { readUnits } from './assemble.ts'

/** A recipient as it was named, and the holder that the name means. */
export interface Payee extends Recipient {
  readonly holder: Holder
}

/** @throws {AntaraError} `pubkey_count`, `invalid_pubkey`, `burn_key`, `module_key` */
export function readKeySet(keys: KeySet, path: string, network: Network): KeySet {
  throwFirst(keySetProblems(keys, path, network))
  return lowerCased(keys)
}

export function readRecipients(
  { recipients, burn, tokenids }: TokenTransferRequest,
  network: Network,
): readonly Payee[] {
  const payment = { burn: burn === true, network }
  const read = recipients.map((recipient, at): Payee => {
    const path = `recipients[${at}]`
    const amount = readUnits(recipient.amount, `${path}.amount`)
    throwFirst(amountProblems(amount, `${path}.amount`))
    const { keys } = recipient as { readonly keys?: KeySet }
    if (keys !== undefined) {
      const holder = readKeySet(keys, `${path}.keys`, network)
      const [first = ''] = holder.pubkeys
      throwFirst(recipientProblems(first, `${path}.keys.pubkeys[0]`, payment))
      within(`${path}.keys`, () => requireRelayedSpend(holder))
      return { pubkey: first, amount, holder }
    }
    const { pubkey } = recipient as { readonly pubkey: string }
    return { ...readPayee(pubkey, `${path}.pubkey`, payment), amount }
  })
  requireCount(read)
  if (tokenids !== undefined && (read.length > 1 || !isCompressedKey(read[0]!.holder))) {
    throw countError('one key for several tokens', read.length)
  }
  throwFirst(sumProblems(read))
  return read
}

function requireCount(read: readonly Payee[]): void {
  const hasSet = read.some(({ holder }) => typeof holder !== 'string')
  if (read.length === 0 || (hasSet && read.length > 1)) {
    throw countError('one holder of several keys, or keys alone', read.length)
  }
}

function countError(expected: string, actual: number): AntaraError {
  return new AntaraError('recipient_count', { path: 'recipients', expected, actual })
}

/** Tokens v1 know keys alone. */
export function requireKeys(holders: readonly Holder[], layout: TokenLayout): void {
  if (!holders.every(isCompressedKey)) requireV2(layout)
}

/** @throws {AntaraError} `unsupported_network` */
export function requireV2(layout: TokenLayout): void {
  if (layout === 'tokens-v2') return
  const details = { path: 'tokenid', expected: 'tokens v2', actual: layout }
  throw new AntaraError('unsupported_network', details)
}

function readPayee(given: string, path: string, payment: Payment): Omit<Payee, 'amount'> {
  const { network } = payment
  if (network.conditions === 'tokel' && given.length <= addressCharactersMax) {
    const script = within(path, () => scriptOfAddress(given, network))
    if (addressedScript(script)?.type !== 'pubkeyhash') {
      throw new AntaraError('unknown_address', { path, expected: 'the address of a key' })
    }
  }
  throwFirst(recipientProblems(given, path, payment))
  const holder = hashOfAddress(given, network)
  if (holder !== undefined) return { pubkey: given, holder }
  const pubkey = given.toLowerCase()
  return { pubkey, holder: pubkey }
}

/** Longer than any address, and shorter than a key. */
const addressCharactersMax = 64

/** @throws {TypeError} for a request that is for several tokens */
export function requireOneToken(request: TokenTransferRequest): void {
  requireObject(request, 'request')
  const { tokenids } = request
  if (tokenids !== undefined) throw argumentError('tokenids', 'one token to plan for', tokenids)
}

// Requests for transfers, and what is read of them: who gets what, whose it was.

import type { Network } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { within } from '../errors/within.ts'
import {
  argumentError,
  requireArray,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { keySet } from '../request/forms.ts'
import {
  hashOfAddress,
  keySetProblems,
  namedKeysProblems,
  recipientProblems,
  sumProblems,
} from '../request/holders.ts'
import { throwFirst } from '../request/problem.ts'
import { namedKeys, type Recipient, recipientMembers } from '../request/transfer.ts'
import { scriptOfAddress } from '../script/script.ts'
import type { TokenLayout } from '../token/payload/payload.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Holder } from '../token/rules/rules.ts'
import type { Outpoint } from '../transaction/types.ts'
import { type CommonRequest, commonMembers, readUnits } from './assemble.ts'
import type { Spend } from './choose.ts'

/** A recipient and its units: bigint, or decimal digits. */
export type TransferRecipient =
  /** A compressed public key, or of tokens v2 the address of one. */
  | { readonly pubkey: string; readonly amount: bigint | string }
  /** Tokens v2 only: keys that hold the units together, and get all of the transfer. */
  | { readonly keys: KeySet; readonly amount: bigint | string }

export interface TokenTransferRequest extends CommonRequest {
  readonly tokenid: string
  /**
   * The recipients. Tokens v1 allow two keys besides one's own, which is as many as a payload
   * can name.
   */
  readonly recipients: readonly TransferRecipient[]
  /** One's own compressed public key: it spends, and gets what is left over. */
  readonly from: string
  /**
   * Tokens v2 only: keys that hold the tokens together, and get the change; `from` pays the fee.
   */
  readonly fromKeys?: KeySet
  /**
   * Tokens v2 only: all tokens of which the one recipient, a key, gets `amount` units each; the
   * first
   * is `tokenid`, and the creations of all are among the previous transactions. Outputs then name
   * their token themselves. The first coins of each token that suffice are spent.
   */
  readonly tokenids?: readonly string[]
  /** Token coins that may be spent. */
  readonly tokenCoins: readonly Outpoint[]
  /** Native coins that may be spent: pay to the own public key or its hash. */
  readonly coins: readonly Outpoint[]
  /** Raw transactions of all coins. With their ancestors, the tokens are proven as well. */
  readonly previousTransactions: readonly string[]
  /** The transaction that created the token, unless it is among the previous ones. */
  readonly tokenCreate?: string
  /** Must be true to send to the burn key. */
  readonly burn?: boolean
  /** If absent, coins are selected unless, in the order given, there are none to spare. */
  readonly spend?: Spend
  /**
   * Eval codes that this chain validates in a non-fungible token: f1 and f3 if absent, which every
   * chain of komodod's does, and on tokeld's what needs no module. A token whose data begin with
   * any
   * other byte can never be moved.
   */
  readonly dataCodes?: readonly number[]
}

const requestMembers = memberNames<TokenTransferRequest>({
  ...commonMembers,
  tokenid: true,
  recipients: true,
  from: true,
  fromKeys: true,
  tokenids: true,
  tokenCoins: true,
  coins: true,
  previousTransactions: true,
  tokenCreate: true,
  burn: true,
  spend: true,
  dataCodes: true,
})

/** @throws {TypeError} */
export function requireTransferRequest(request: TokenTransferRequest): void {
  requireObject(request, 'request')
  requireKnownMembers(request, requestMembers, 'request')
}

/** A recipient as it was named, and the holder that the name means. */
export interface Payee extends Recipient {
  readonly holder: Holder
}

/** @throws {AntaraError} `pubkey_count`, and as `readPubkey` */
export function readKeySet(keys: KeySet, path: string, network: Network): KeySet {
  keySet.requireType(keys, path)
  throwFirst(keySetProblems(keys, path, network))
  return { required: keys.required, pubkeys: keys.pubkeys.map((it) => it.toLowerCase()) }
}

export function readRecipients(
  { recipients, burn, tokenids }: TokenTransferRequest,
  network: Network,
): readonly Payee[] {
  requireArray(recipients, 'recipients')
  const read = recipients.map((recipient, at): Payee => {
    const path = `recipients[${at}]`
    requireObject(recipient, path)
    requireKnownMembers(recipient, [...recipientMembers, 'keys'], path)
    const amount = readUnits(recipient.amount, `${path}.amount`)
    if ('keys' in recipient) {
      const holder = readKeySet(recipient.keys, `${path}.keys`, network)
      return { pubkey: holder.pubkeys[0]!, amount, holder }
    }
    return {
      ...readPayee(recipient.pubkey, `${path}.pubkey`, { burn: burn === true, network }),
      amount,
    }
  })
  requireCount(read)
  if (tokenids !== undefined && (read.length > 1 || !isKey(read[0]!.holder))) {
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

/** A payload of tokens v1 names those who get something. */
export function requireNamedKeys(recipients: readonly Payee[], from: string): void {
  throwFirst(namedKeysProblems(recipients, from))
}

function countError(expected: string, actual: number): AntaraError {
  return new AntaraError('recipient_count', { path: 'recipients', expected, actual })
}

function isKey(holder: Holder): boolean {
  return typeof holder === 'string' && holder.length === 66
}

/** Tokens v1 know keys alone. */
export function requireKeys(holders: readonly Holder[], layout: TokenLayout): void {
  if (!holders.every(isKey)) requireV2(layout)
}

/** @throws {AntaraError} `unsupported_network` */
export function requireV2(layout: TokenLayout): void {
  if (layout === 'tokens-v2') return
  const details = { path: 'tokenid', expected: 'tokens v2', actual: layout }
  throw new AntaraError('unsupported_network', details)
}

interface Payment {
  readonly burn: boolean
  readonly network: Network
}

function readPayee(given: string, path: string, payment: Payment): Omit<Payee, 'amount'> {
  requireString(given, path)
  const { network } = payment
  if (network.conditions === 'tokel' && given.length <= addressCharactersMax) {
    const script = within(path, () => scriptOfAddress(given, network))
    if (!script.startsWith('76a914')) {
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

/** Keys that the payload of tokens v1 names. */
export function namedIn(layout: TokenLayout, recipients: readonly Payee[], from: string): string[] {
  return layout === 'tokens-v2' ? [] : namedKeys(recipients, from)
}

/** @throws {TypeError} for a request that is for several tokens */
export function requireOneToken(request: TokenTransferRequest): void {
  requireObject(request, 'request')
  const { tokenids } = request
  if (tokenids !== undefined) throw argumentError('tokenids', 'one token to plan for', tokenids)
}

// Checks requests for transfers before any transaction is read.

import type { Network } from '../chain/network.ts'
import { compressedKeyDigits, isCompressedKey } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import {
  amountProblems,
  hashOfAddress,
  keyProblems,
  keySetProblems,
  namedKeysProblems,
  recipientProblems,
  sumProblems,
  tokenidsProblems,
} from '../request/holders.ts'
import { requireIntent } from '../request/members.ts'
import { type Problem, problemFindings } from '../request/problem.ts'
import { checkTerms, type ReadyTerms, tokenidProblems } from '../request/terms.ts'
import { type Recipient, type TransferIntent, transferForms } from '../request/transfer.ts'
import { learnPublicKeys } from '../script/public-key.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Holder } from '../token/rules/rules.ts'
import type { Checked } from './check-intent.ts'

/** A transfer that was asked for, spelled out: keys in lower case, nothing left to defaults. */
export interface ReadyTransfer {
  readonly tokenid: string
  readonly recipients: readonly ReadyRecipient[]
  readonly from: string
  /** The owner of the inputs, who also gets the change. */
  readonly owner: Holder
  /** Where outputs name their token themselves: all of them. */
  readonly tokenids?: readonly string[]
  readonly terms: ReadyTerms
}

interface ReadyRecipient {
  readonly holder: Holder
  readonly amount: bigint
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function checkTransferIntent(given: TransferIntent): Checked<ReadyTransfer> {
  requireIntent(given, transferForms)
  const { amount, burn = false } = given
  const { terms, findings } = checkTerms(given)
  const { network } = terms
  const tokenid = given.tokenid.toLowerCase()
  const from = given.from.toLowerCase()
  const recipients = given.recipients ?? [{ pubkey: given.destination, amount }]
  const fromKeys = given.fromKeys && lowerCased(given.fromKeys)
  const destinationKeys = given.destinationKeys && lowerCased(given.destinationKeys)
  learnPublicKeys([
    from,
    ...recipients.map(({ pubkey }) => pubkey.toLowerCase()),
    ...[fromKeys, destinationKeys].flatMap((it) => it?.pubkeys ?? []),
  ])
  const tokenids = given.tokenids?.map((it) => it.toLowerCase())
  const holders = recipients.map(({ pubkey, amount: units }) => ({
    holder: holderOf(pubkey, network),
    amount: units,
  }))
  const asked = { burn, network }
  return {
    intent: {
      tokenid,
      from,
      owner: fromKeys ?? from,
      recipients: destinationKeys === undefined ? holders : [{ holder: destinationKeys, amount }],
      ...(tokenids !== undefined && { tokenids }),
      terms,
    },
    findings: [
      ...findings,
      ...problemFindings([
        ...tokenidProblems(tokenid),
        ...recipientProblems(given.destination, 'destination', asked),
        ...keyProblems(given.from, 'from'),
        ...amountProblems(amount, 'amount'),
        ...recipientsProblems(recipients, { given, from, ...asked }),
        ...(fromKeys ? keySetProblems(fromKeys, 'fromKeys', network) : []),
        ...(destinationKeys ? keySetProblems(destinationKeys, 'destinationKeys', network) : []),
        ...destinationKeysProblems(given, destinationKeys),
        ...severalProblems(given, network),
      ]),
    ],
  }
}

function lowerCased({ required, pubkeys }: KeySet): KeySet {
  return { required, pubkeys: pubkeys.map((it) => it.toLowerCase()) }
}

/** A key in lower case, or on tokeld's chains the hash that an address stands for. */
function holderOf(given: string, network: Network): string {
  return hashOfAddress(given, network) ?? given.toLowerCase()
}

function recipientsProblems(
  recipients: readonly Recipient[],
  {
    given,
    from,
    ...asked
  }: {
    readonly given: TransferIntent
    readonly from: string
    readonly burn: boolean
    readonly network: Network
  },
): Problem[] {
  const { network } = asked
  const [named, ...others] = recipients
  const isFirst =
    named?.amount === given.amount &&
    holderOf(named.pubkey, network) === holderOf(given.destination, network)
  if (!isFirst) {
    const expected = `${given.amount} to ${redactKey(given.destination)}`
    return [{ code: 'recipients', path: 'recipients[0]', expected }]
  }
  return [
    ...others.flatMap(({ pubkey, amount }, index) => [
      ...recipientProblems(pubkey, `recipients[${index + 1}].pubkey`, asked),
      ...amountProblems(amount, `recipients[${index + 1}].amount`),
    ]),
    ...(network.conditions === 'tokel' ? [] : namedKeysProblems(recipients, from)),
    ...sumProblems(recipients),
  ]
}

function destinationKeysProblems(
  { destination, recipients = [], burn = false }: TransferIntent,
  keys: KeySet | undefined,
): Problem[] {
  if (keys === undefined) return []
  const [first] = keys.pubkeys
  if (first === destination.toLowerCase() && recipients.length < 2 && !burn) return []
  const expected = `${redactKey(first ?? 'a key')} alone as destination`
  return [{ code: 'keyCount', path: 'destinationKeys', expected }]
}

function severalProblems(
  { tokenid, tokenids, recipients = [], fromKeys, destinationKeys, destination }: TransferIntent,
  network: Network,
): Problem[] {
  if (tokenids === undefined) return []
  const isOneKey =
    recipients.length < 2 &&
    fromKeys === undefined &&
    destinationKeys === undefined &&
    destination.length === compressedKeyDigits
  return tokenidsProblems(tokenids, { tokenid, isOneKey, network })
}

/** Returns true if it pays a recipient that only tokens v2 can pay. */
export function needsV2({ recipients, owner, tokenids }: ReadyTransfer): boolean {
  const isKey = (holder: Holder) => isCompressedKey(holder)
  return tokenids !== undefined || !isKey(owner) || recipients.some(({ holder }) => !isKey(holder))
}

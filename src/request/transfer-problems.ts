// The rules for a transfer of tokens. Verifiers list all of them. The rules that builders have too are in
// holders.ts.

import type { Network } from '../chain/network.ts'
import { compressedKeyDigits } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import {
  amountProblems,
  holderOf,
  keyProblems,
  keySetProblems,
  namedKeysProblems,
  recipientProblems,
  sumProblems,
  tokenidsProblems,
} from './holders.ts'
import type { Problem } from './problem.ts'
import { tokenidProblems } from './terms.ts'
import type { Recipient, TransferIntent } from './transfer.ts'

/** The recipients of a transfer, and its key sets in lower case. */
interface Listed {
  readonly recipients: readonly Recipient[]
  readonly fromKeys: KeySet | undefined
  readonly destinationKeys: KeySet | undefined
}

export function transferProblems(
  intent: TransferIntent,
  listed: Listed,
  network: Network,
): Problem[] {
  const { tokenid, tokenids, destination, amount, from, burn = false } = intent
  const { recipients, fromKeys, destinationKeys } = listed
  return [
    ...tokenidProblems(tokenid),
    ...recipientProblems(destination, 'destination', { burn, network }),
    ...keyProblems(from, 'from'),
    ...amountProblems(amount, 'amount'),
    ...(intent.recipients ? recipientsProblems(intent, recipients, network) : []),
    ...(fromKeys ? keySetProblems(fromKeys, 'fromKeys', network) : []),
    ...(destinationKeys
      ? destinationKeysProblems(intent, recipients, destinationKeys, network)
      : []),
    ...(tokenids ? severalProblems(intent, listed, tokenids, network) : []),
  ]
}

function recipientsProblems(
  { destination, amount, from, burn = false }: TransferIntent,
  recipients: readonly Recipient[],
  network: Network,
): Problem[] {
  const [named, ...others] = recipients
  const isFirst =
    named?.amount === amount && holderOf(named.pubkey, network) === holderOf(destination, network)
  if (!isFirst) {
    const expected = `${amount} to ${redactKey(destination)}`
    return [{ code: 'recipients', path: 'recipients[0]', expected }]
  }
  return [
    ...others.flatMap((other, index) => [
      ...recipientProblems(other.pubkey, `recipients[${index + 1}].pubkey`, { burn, network }),
      ...amountProblems(other.amount, `recipients[${index + 1}].amount`),
    ]),
    ...(network.conditions === 'tokel' ? [] : namedKeysProblems(recipients, from.toLowerCase())),
    ...sumProblems(recipients),
  ]
}

function destinationKeysProblems(
  { destination, burn = false }: TransferIntent,
  recipients: readonly Recipient[],
  keys: KeySet,
  network: Network,
): Problem[] {
  const path = 'destinationKeys'
  const problems = keySetProblems(keys, path, network)
  const [first] = keys.pubkeys
  if (first === destination.toLowerCase() && recipients.length < 2 && !burn) return problems
  const expected = `${redactKey(first ?? 'a key')} alone as destination`
  return [...problems, { code: 'keyCount', path, expected }]
}

function severalProblems(
  { tokenid, destination }: TransferIntent,
  { recipients, fromKeys, destinationKeys }: Listed,
  tokenids: readonly string[],
  network: Network,
): Problem[] {
  const isOneKey =
    recipients.length < 2 &&
    fromKeys === undefined &&
    destinationKeys === undefined &&
    destination.length === compressedKeyDigits
  return tokenidsProblems(tokenids, { tokenid, isOneKey, network })
}

// The rules for a transfer of tokens. Verifiers list all of them. The rules that builders have too are in
// holders.ts.

import type { Network } from '../chain/network.ts'
import { compressedKeyDigits } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type KeySet, lowerCased } from '../token/rules/key-set.ts'
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
import { recipientsOf, type TransferIntent } from './transfer.ts'

export function transferProblems(intent: TransferIntent, network: Network): Problem[] {
  const { tokenid, destination, amount, from, burn = false } = intent
  const fromKeys = intent.fromKeys && lowerCased(intent.fromKeys)
  const destinationKeys = intent.destinationKeys && lowerCased(intent.destinationKeys)
  return [
    ...tokenidProblems(tokenid),
    ...recipientProblems(destination, 'destination', { burn, network }),
    ...keyProblems(from, 'from'),
    ...amountProblems(amount, 'amount'),
    ...recipientsProblems(intent, network),
    ...(fromKeys ? keySetProblems(fromKeys, 'fromKeys', network) : []),
    ...(destinationKeys ? keySetProblems(destinationKeys, 'destinationKeys', network) : []),
    ...destinationKeysProblems(intent, destinationKeys),
    ...severalProblems(intent, network),
  ]
}

function recipientsProblems(intent: TransferIntent, network: Network): Problem[] {
  const { destination, amount, from, burn = false } = intent
  const recipients = recipientsOf(intent)
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

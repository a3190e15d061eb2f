// Checks requests for transfers before any transaction is read.

import { tokenKeysMax } from '../chain/limits.ts'
import { burnPublicKeys, moduleNames } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { requireIntent } from '../request/members.ts'
import { type Finding, finding } from '../request/report.ts'
import { checkTerms, type ReadyTerms } from '../request/terms.ts'
import {
  namedKeys,
  namedKeysMax,
  type Recipient,
  type TransferIntent,
  transferForms,
} from '../request/transfer.ts'
import { whyBurned } from '../script/burned-scripts.ts'
import { hashOfKey, learnPublicKeys } from '../script/public-key.ts'
import { decodeAddress } from '../script/read-address.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Holder } from '../token/rules/rules.ts'
import {
  type Checked,
  checkAmount,
  checkDestination,
  checkOwnKey,
  checkTokenid,
} from './check-intent.ts'

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
      ...checkTokenid(tokenid),
      ...checkHolder(given.destination, 'intent.destination', asked),
      ...checkOwnKey(given.from, 'intent.from'),
      ...checkAmount(amount, 'intent.amount'),
      ...checkRecipients(recipients, { given, from, ...asked }),
      ...checkKeys(fromKeys, 'intent.fromKeys', network),
      ...checkKeys(destinationKeys, 'intent.destinationKeys', network),
      ...checkDestinationKeys(given, destinationKeys),
      ...checkTokenids(given, tokenids),
    ],
  }
}

function lowerCased({ required, pubkeys }: KeySet): KeySet {
  return { required, pubkeys: pubkeys.map((it) => it.toLowerCase()) }
}

/** A key in lower case, or on tokeld's chains the hash that an address stands for. */
function holderOf(given: string, network: Network): string {
  return hashOf(given, network) ?? given.toLowerCase()
}

/** Returns the key hash of an address, where tokens may be paid to one. */
function hashOf(given: string, { conditions, pubKeyHashPrefix }: Network): string | undefined {
  if (conditions !== 'tokel') return undefined
  const address = decodeAddress(given)
  return address?.prefix === pubKeyHashPrefix ? address.hash160 : undefined
}

interface AskedOf {
  readonly burn: boolean
  readonly network: Network
}

const burnKeys = Object.values(burnPublicKeys)
const moduleKeys = [...moduleNames.keys()]

/** Checks an address; the address of a key that must not be paid counts as that key. */
function checkHolder(given: string, path: string, asked: AskedOf): Finding[] {
  const hash = hashOf(given, asked.network)
  if (hash === undefined) return checkDestination(given, path, asked)
  learnPublicKeys([...burnKeys, ...moduleKeys])
  const isOf = (keys: readonly string[]) => keys.some((key) => hashOfKey(key) === hash)
  const isBurn = isOf(burnKeys)
  if (asked.burn !== isBurn) {
    const code = isBurn ? 'intent_burn' : 'intent_not_burn'
    return [finding(code, path, { actual: redactKey(given) })]
  }
  if (isOf(moduleKeys)) return [finding('intent_module_key', path, { actual: redactKey(given) })]
  // the address of a condition looks like that of a key which nobody has
  const why = isBurn ? undefined : whyBurned(`76a914${hash}88ac`, asked.network)
  if (why === undefined) return []
  return [finding('intent_burn', path, { actual: `${redactKey(given)}: ${why}` })]
}

function checkRecipients(
  recipients: readonly Recipient[],
  { given, from, ...asked }: AskedOf & { readonly given: TransferIntent; readonly from: string },
): Finding[] {
  const path = 'intent.recipients'
  const { network } = asked
  const [named, ...others] = recipients
  const isFirst =
    named?.amount === given.amount &&
    holderOf(named.pubkey, network) === holderOf(given.destination, network)
  if (!isFirst) {
    const details = { expected: `${given.amount} to ${redactKey(given.destination)}` }
    return [finding('intent_recipients', `${path}[0]`, details)]
  }
  const findings = others.flatMap(({ pubkey, amount: units }, index) => [
    ...checkHolder(pubkey, `${path}[${index + 1}].pubkey`, asked),
    ...checkAmount(units, `${path}[${index + 1}].amount`),
  ])
  if (network.conditions === 'tokel') return findings
  return [...findings, ...checkNamedKeys(recipients, from)]
}

/** The payload of tokens v1 has room for so many. */
export function checkNamedKeys(recipients: readonly Recipient[], from: string): Finding[] {
  const lowerCase = recipients.map((it) => ({ ...it, pubkey: it.pubkey.toLowerCase() }))
  const keys = namedKeys(lowerCase, from).length
  if (keys <= namedKeysMax) return []
  const details = { expected: `at most ${namedKeysMax} keys`, actual: keys }
  return [finding('intent_recipients', 'intent.recipients', details)]
}

function checkKeys(keys: KeySet | undefined, path: string, network: Network): Finding[] {
  if (keys === undefined) return []
  const { required, pubkeys } = keys
  const count = new Set(pubkeys).size
  if (network.conditions !== 'tokel') {
    return [finding('intent_keys', path, { expected: 'one key, on this network' })]
  }
  if (count !== pubkeys.length || count > tokenKeysMax || required < 1 || required > count) {
    const actual = `${required} of ${pubkeys.length}, ${count} of them different`
    return [finding('intent_keys', path, { expected: `1 to ${tokenKeysMax} keys`, actual })]
  }
  return pubkeys.flatMap((pubkey, at) =>
    checkDestination(pubkey, `${path}.pubkeys[${at}]`, { burn: false, network }),
  )
}

function checkDestinationKeys(
  { destination, recipients = [], burn = false }: TransferIntent,
  keys: KeySet | undefined,
): Finding[] {
  if (keys === undefined) return []
  const [first] = keys.pubkeys
  if (first === destination.toLowerCase() && recipients.length < 2 && !burn) return []
  const details = { expected: `${redactKey(first ?? 'a key')} alone as destination` }
  return [finding('intent_keys', 'intent.destinationKeys', details)]
}

function checkTokenids(given: TransferIntent, tokenids: readonly string[] | undefined): Finding[] {
  if (tokenids === undefined) return []
  const path = 'intent.tokenids'
  const isAlone =
    (given.recipients ?? []).length < 2 &&
    given.fromKeys === undefined &&
    given.destinationKeys === undefined &&
    given.destination.length === 66
  const { network } = given
  if (!isAlone || network?.conditions !== 'tokel') {
    return [finding('intent_tokenids', path, { expected: 'one key for all of them' })]
  }
  if (tokenids[0] !== given.tokenid.toLowerCase()) {
    const details = { expected: given.tokenid, actual: redactKey(tokenids[0] ?? '') }
    return [finding('intent_tokenids', `${path}[0]`, details)]
  }
  if (new Set(tokenids).size < tokenids.length) {
    return [finding('intent_tokenids', path, { expected: 'each once' })]
  }
  return tokenids.flatMap((tokenid, at) =>
    checkTokenid(tokenid).map((reported) => ({ ...reported, path: `${path}[${at}]` })),
  )
}

/** Returns true if it pays a recipient that only tokens v2 can pay. */
export function needsV2({ recipients, owner, tokenids }: ReadyTransfer): boolean {
  const isKey = (holder: Holder) => typeof holder === 'string' && holder.length === 66
  return tokenids !== undefined || !isKey(owner) || recipients.some(({ holder }) => !isKey(holder))
}

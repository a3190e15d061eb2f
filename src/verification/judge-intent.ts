import { tokenDataBytesMax, tokenDescriptionBytesMax, tokenNameBytesMax } from '../chain/limits.ts'
import { burnKeysOf, burnPublicKeys, moduleNames } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import type { Evidence } from '../intent/case.ts'
import {
  type CreateIntent,
  namedKeys,
  namedKeysMax,
  type Recipient,
  type TransferIntent,
} from '../intent/intent.ts'
import { satsMax } from '../primitives/amount.ts'
import {
  misuse,
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/misuse.ts'
import { tellableKey, tellablePublicKey } from '../primitives/tellable-key.ts'
import { isCompressedPoint } from '../signing/public-key.ts'
import { judgeTerms, type ReadyTerms } from './judge-terms.ts'
import { type Finding, finding } from './report.ts'

export interface Judged<Intent> {
  readonly intent: Intent
  readonly findings: readonly Finding[]
}

/** A transfer that was asked for, spelled out: keys in lower case, nothing left to defaults. */
export interface ReadyTransfer {
  readonly tokenid: string
  readonly recipients: readonly Recipient[]
  readonly from: string
  readonly terms: ReadyTerms
}

/** A creation that was asked for, spelled out. */
export interface ReadyCreate {
  readonly name: string
  readonly supply: bigint
  readonly description: string
  /** Hex, empty for a fungible token. */
  readonly data: string
  readonly owner: string
  readonly terms: ReadyTerms
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function judgeTransferIntent(given: TransferIntent): Judged<ReadyTransfer> {
  requireObject(given, 'intent')
  requireString(given.tokenid, 'intent.tokenid')
  requireString(given.destination, 'intent.destination')
  requireBigint(given.amount, 'intent.amount')
  requireString(given.from, 'intent.from')
  if (given.burn !== undefined && typeof given.burn !== 'boolean') {
    throw misuse('intent.burn', 'true or false', given.burn)
  }
  const { amount, burn = false } = given
  const { terms, findings } = judgeTerms(given)
  const { network } = terms
  const tokenid = given.tokenid.toLowerCase()
  const destination = given.destination.toLowerCase()
  const from = given.from.toLowerCase()
  const recipients = readRecipients(given)
  return {
    intent: { tokenid, recipients, from, terms },
    findings: [
      ...findings,
      ...judgeTokenid(tokenid),
      ...judgeDestination(given.destination, 'intent.destination', { burn, network }),
      ...judgeOwnKey(given.from, 'intent.from'),
      ...judgeAmount(amount, 'intent.amount'),
      ...judgeRecipients(recipients, {
        first: { pubkey: destination, amount },
        from,
        burn,
        network,
      }),
    ],
  }
}

function readRecipients({ recipients, destination, amount }: TransferIntent): Recipient[] {
  if (recipients === undefined) return [{ pubkey: destination.toLowerCase(), amount }]
  requireArray(recipients, 'intent.recipients')
  return recipients.map((recipient, index) => {
    const path = `intent.recipients[${index}]`
    requireObject(recipient, path)
    requireString(recipient.pubkey, `${path}.pubkey`)
    requireBigint(recipient.amount, `${path}.amount`)
    return { pubkey: recipient.pubkey.toLowerCase(), amount: recipient.amount }
  })
}

function judgeRecipients(
  recipients: readonly Recipient[],
  { first, from, ...terms }: { first: Recipient; from: string; burn: boolean; network: Network },
): Finding[] {
  const path = 'intent.recipients'
  const [named, ...others] = recipients
  if (named?.pubkey !== first.pubkey || named.amount !== first.amount) {
    const details = { expected: `${first.amount} to ${first.pubkey}` }
    return [finding('intent_recipients', `${path}[0]`, details)]
  }
  const findings = others.flatMap(({ pubkey, amount: units }, index) => [
    ...judgeDestination(pubkey, `${path}[${index + 1}].pubkey`, terms),
    ...judgeAmount(units, `${path}[${index + 1}].amount`),
  ])
  const keys = namedKeys(recipients, from).length
  if (keys <= namedKeysMax || terms.network.conditions === 'tokel') return findings
  const details = { expected: `at most ${namedKeysMax} keys`, actual: keys }
  return [...findings, finding('intent_recipients', path, details)]
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function judgeCreateIntent(given: CreateIntent): Judged<ReadyCreate> {
  requireObject(given, 'intent')
  requireString(given.name, 'intent.name')
  requireBigint(given.supply, 'intent.supply')
  requireString(given.description, 'intent.description')
  if (given.data !== undefined) requireString(given.data, 'intent.data')
  requireString(given.owner, 'intent.owner')
  const { name, supply, description } = given
  const { terms, findings } = judgeTerms(given)
  const owner = given.owner.toLowerCase()
  const data = given.data?.toLowerCase()
  return {
    intent: { name, supply, description, data: data ?? '', owner, terms },
    findings: [
      ...findings,
      ...judgeOwnKey(owner, 'intent.owner'),
      ...judgeAmount(supply, 'intent.supply'),
      ...judgeTexts(name, description),
      ...(data === undefined ? [] : judgeData(data, supply, terms.network)),
    ],
  }
}

/** @throws {TypeError} */
export function requireEvidence(evidence: Evidence): void {
  requireObject(evidence, 'evidence')
  requireArray(evidence.previousTransactions, 'evidence.previousTransactions')
  evidence.previousTransactions.forEach((hex, index) => {
    requireString(hex, `evidence.previousTransactions[${index}]`)
  })
  if (evidence.tokenCreate !== undefined) {
    requireString(evidence.tokenCreate, 'evidence.tokenCreate')
  }
  if (evidence.tipHeight !== undefined) requireUint32(evidence.tipHeight, 'evidence.tipHeight')
}

function judgeTokenid(tokenid: string): Finding[] {
  if (/^[0-9a-f]{64}$/.test(tokenid) && !/^0*$/.test(tokenid)) return []
  return [finding('intent_tokenid', 'intent.tokenid', { actual: tellableKey(tokenid) })]
}

function judgeDestination(
  given: string,
  path: string,
  { burn, network }: { burn: boolean; network: Network },
): Finding[] {
  const destination = given.toLowerCase()
  const told = (code: Finding['code']): Finding[] => [
    finding(code, path, { actual: tellableKey(destination) }),
  ]
  if (burn) {
    const isBurn = burnKeysOf[network.conditions]?.includes(destination)
    return isBurn ? [] : told('intent_not_burn')
  }
  if (Object.values(burnPublicKeys).includes(destination)) {
    return told('intent_burn')
  }
  if (moduleNames.has(destination)) return told('intent_module_key')
  return judgeOwnKey(given, path)
}

/** In either case of letters; what is none is told as it was given. */
function judgeOwnKey(given: string, path: string): Finding[] {
  if (isCompressedPoint(given.toLowerCase())) return []
  return [finding('intent_pubkey', path, { actual: tellablePublicKey(given) })]
}

function judgeAmount(amount: bigint, path: string): Finding[] {
  if (amount >= 1n && amount <= satsMax) return []
  return [finding('intent_amount', path, { actual: amount })]
}

/** What no UTF-8 can say: it would become U+FFFD, and equal a name that has that. */
const halfCharacter = /\p{Surrogate}/u

function judgeTexts(name: string, description: string): Finding[] {
  const findings: Finding[] = []
  const nameBytes = Buffer.byteLength(name)
  if (nameBytes < 1 || nameBytes > tokenNameBytesMax || halfCharacter.test(name)) {
    findings.push(finding('intent_name', 'intent.name', textDetails(name)))
  }
  if (
    Buffer.byteLength(description) > tokenDescriptionBytesMax ||
    halfCharacter.test(description)
  ) {
    findings.push(finding('intent_description', 'intent.description', textDetails(description)))
  }
  return findings
}

function textDetails(text: string): { actual: string } {
  if (halfCharacter.test(text)) return { actual: 'half of a character' }
  return { actual: `${Buffer.byteLength(text)} bytes` }
}

function judgeData(data: string, supply: bigint, { conditions }: Network): Finding[] {
  const isHex = /^(?:[0-9a-f]{2})+$/.test(data)
  if (!isHex || data.length / 2 > tokenDataBytesMax) {
    return [finding('intent_data', 'intent.data', { actual: data.slice(0, 100) })]
  }
  // tokeld lets such a token be divided
  if (supply === 1n || conditions === 'tokel') return []
  return [finding('intent_nft_supply', 'intent.supply', { expected: 1n, actual: supply })]
}

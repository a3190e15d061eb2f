// The pasted subject: a case, a transaction, a condition, a script or an address.

import {
  AntaraError,
  addressOfScript,
  type Case,
  type Condition,
  type ConditionTree,
  conditionUri,
  decodeCondition,
  decodeFulfillment,
  decodeScript,
  decodeTokenTransaction,
  decodeTransaction,
  type Network,
  networks,
  parseCase,
  parseConditionUri,
  type Report,
  scriptOfAddress,
  type TokenTransaction,
  type Transaction,
  verifyCase,
} from '../src/index.ts'

export interface TransactionSubject {
  readonly kind: 'transaction'
  readonly hex: string
  readonly transaction: Transaction
  readonly network: Network
  /** Absent where it is not a token transaction. */
  readonly token?: TokenTransaction
  /** Why its token payload cannot be read, where it has one. */
  readonly tokenTrouble?: string
  /** By txid, what evidence there is: for amounts. */
  readonly parents: ReadonlyMap<string, Transaction>
  /** The parts of a case. */
  readonly checked?: { readonly given: Case; readonly report: Report }
}

export interface ConditionSubject {
  readonly kind: 'condition'
  readonly what: string
  readonly tree: ConditionTree | undefined
  readonly facts: readonly (readonly [name: string, value: string])[]
}

export interface ScriptSubject {
  readonly kind: 'script'
  readonly script: string
  readonly network: Network
  readonly facts: readonly (readonly [name: string, value: string])[]
}

export interface TroubleSubject {
  readonly kind: 'trouble'
  readonly message: string
  /** The text as bytes, where it is hex, and the byte that is wrong. */
  readonly hex?: string
  readonly offset?: number
}

export type Subject = TransactionSubject | ConditionSubject | ScriptSubject | TroubleSubject

/** Characters of the longest text that is looked at: a case with all of its evidence. */
export const textMax = 20_000_000
const hexOnly = /^(?:[0-9a-f]{2})+$/i

/** Reads whatever was pasted; what it cannot be read as is told, never thrown. */
export function subjectOf(pasted: string, networkName: keyof typeof networks): Subject {
  const network = networks[networkName]
  const text = pasted.trim()
  if (text.length > textMax) {
    return { kind: 'trouble', message: `too long: ${text.length} characters, at most ${textMax}` }
  }
  try {
    if (text.startsWith('{')) return caseSubject(text)
    if (text.startsWith('ni:')) return uriSubject(text)
    if (hexOnly.test(text)) return hexSubject(text.toLowerCase(), network)
    return addressSubject(text, network)
  } catch (error) {
    return trouble(error, hexOnly.test(text) ? text.toLowerCase() : undefined)
  }
}

function caseSubject(text: string): Subject {
  const given = parseCase(text)
  const report = verifyCase(given)
  const network = given.intent.network ?? networks.assetChain
  const previous = [...given.evidence.previousTransactions, given.evidence.tokenCreate ?? '']
  try {
    return {
      ...transactionSubject(given.hex.toLowerCase(), network),
      parents: parentsIn(previous),
      checked: { given, report },
    }
  } catch (error) {
    const [first] = report.findings
    const words = first === undefined ? '' : `REJECTED, ${first.code}: `
    const reported = trouble(error, hexOnly.test(given.hex) ? given.hex : undefined)
    return { ...reported, message: `${words}${reported.message}` }
  }
}

/** A transaction that cannot be decoded proves nothing; the verdict reports it. */
function parentsIn(hexes: readonly string[]): Map<string, Transaction> {
  const found = new Map<string, Transaction>()
  for (const hex of hexes) {
    try {
      const transaction = decodeTransaction(hex)
      found.set(transaction.txid, transaction)
    } catch {}
  }
  return found
}

function transactionSubject(hex: string, network: Network): TransactionSubject {
  const transaction = decodeTransaction(hex)
  return {
    kind: 'transaction',
    hex,
    transaction,
    network,
    parents: new Map(),
    ...tokenIn(hex, network),
  }
}

function tokenIn(
  hex: string,
  network: Network,
): Pick<TransactionSubject, 'token' | 'tokenTrouble'> {
  try {
    const token = decodeTokenTransaction(hex, network)
    return token === undefined ? {} : { token }
  } catch (error) {
    return { tokenTrouble: messageOf(error) }
  }
}

/** Hex is a transaction, a condition, a fulfillment or a script, in this order. */
function hexSubject(hex: string, network: Network): Subject {
  let first: unknown
  try {
    return transactionSubject(hex, network)
  } catch (error) {
    first = error
  }
  const readers = [
    () => conditionSubject(hex),
    () => fulfillmentSubject(hex),
    () => scriptSubject(hex, network),
  ]
  for (const read of readers) {
    try {
      const subject = read()
      if (subject !== undefined) return subject
    } catch {}
  }
  return trouble(first, hex)
}

function conditionSubject(hex: string): Subject {
  const condition = decodeCondition(hex)
  return conditionFound(condition, [['URI', conditionUri(condition)]])
}

function uriSubject(text: string): Subject {
  return conditionFound(parseConditionUri(text), [])
}

function conditionFound(
  { conditionType, fingerprint, cost, subtypes }: Condition,
  more: ConditionSubject['facts'],
): Subject {
  const facts: ConditionSubject['facts'] = [
    ['type', conditionType],
    ['fingerprint', fingerprint],
    ['cost', String(cost)],
    ['subtypes', subtypes.join(', ') || 'none'],
    ...more,
  ]
  return { kind: 'condition', what: 'Condition', tree: undefined, facts }
}

function fulfillmentSubject(hex: string): Subject {
  const tree = decodeFulfillment(hex)
  return { kind: 'condition', what: 'Fulfillment', tree, facts: [] }
}

/** A script of a form that chains know; any bytes at all are a script of none. */
function scriptSubject(script: string, network: Network): Subject | undefined {
  const { type, asm } = decodeScript(script, network)
  if (type === 'nonstandard') return undefined
  const address = addressOfScript(script, network)
  return {
    kind: 'script',
    script,
    network,
    facts: [
      ['type', type],
      ...(address === undefined ? [] : [['address', address] as const]),
      ['asm', asm],
    ],
  }
}

function addressSubject(text: string, network: Network): Subject {
  const script = scriptOfAddress(text, network)
  const { type, asm } = decodeScript(script, network)
  return {
    kind: 'script',
    script,
    network,
    facts: [
      ['address', text],
      ['on', network.name],
      ['pays to', type],
      ['script', script],
      ['asm', asm],
    ],
  }
}

function trouble(error: unknown, hex?: string): TroubleSubject {
  const offset = error instanceof AntaraError ? error.context.offset : undefined
  return {
    kind: 'trouble',
    message: messageOf(error),
    ...(hex !== undefined && { hex }),
    ...(offset !== undefined && { offset }),
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// The differences between two transactions, or two cases, in plain words.

import { addressOfScript, type Transaction, type TransactionInput } from '../src/index.ts'
import { coins, flowsOf } from './flow.ts'
import type { TransactionSubject } from './subject.ts'
import { amountText, shortened } from './words.ts'

/** A difference, and what each of the two has there; absent where it has nothing. */
export interface Difference {
  readonly words: string
  readonly first?: string
  readonly second?: string
}

/** Compares what two transactions do; for two cases also their requests and verdicts. */
export function differencesOf(one: TransactionSubject, other: TransactionSubject): Difference[] {
  const [first, second] = [one.transaction, other.transaction]
  return [
    ...verdictDifferences(one, other),
    ...memberDifferences(headerMembers, first, second),
    ...inputDifferences(first.inputs, second.inputs),
    ...outputDifferences(rowsOf(one), rowsOf(other)),
    ...memberDifferences(shieldedMembers, first, second),
  ]
}

function between(words: string, first: unknown, second: unknown): Difference[] {
  const [one, other] = [textOf(first), textOf(second)]
  if (one === other) return []
  return [
    {
      words,
      ...(one !== undefined && { first: one }),
      ...(other !== undefined && { second: other }),
    },
  ]
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'bigint') return value.toString()
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  )
}

function verdictDifferences(one: TransactionSubject, other: TransactionSubject): Difference[] {
  if (one.checked === undefined || other.checked === undefined) return []
  const [first, second] = [one.checked, other.checked]
  const requests = [first, second].map(
    ({ given: { intent, operation } }): Readonly<Record<string, unknown>> => {
      const { network: _, ...asked } = intent
      return { operation, ...asked }
    },
  )
  const names = new Set(requests.flatMap((it) => Object.keys(it)))
  const broadcast = [first, second].map(({ report }) => report.broadcast)
  return [
    ...between('The verdict on broadcasting differs', broadcast[0], broadcast[1]),
    ...between('The network differs', one.network.name, other.network.name),
    ...[...names].flatMap((name) =>
      between(`The request differs in ${name}`, requests[0]![name], requests[1]![name]),
    ),
    ...between('The fee differs', feeOf(first), feeOf(second)),
  ]
}

const feeOf = ({ report: { fee } }: NonNullable<TransactionSubject['checked']>) =>
  fee === undefined ? undefined : amountText(fee, coins)

const headerMembers = [
  ['version', 'The version differs'],
  ['overwintered', 'The mark of Overwinter differs'],
  ['versionGroupId', 'The version group differs'],
  ['lockTime', 'The lock time differs'],
  ['expiryHeight', 'The expiry height differs'],
] as const

/** @param members - names of members, each with the words for its difference */
function memberDifferences(
  members: readonly (readonly [name: keyof Transaction, words: string])[],
  first: Transaction,
  second: Transaction,
): Difference[] {
  return members.flatMap(([name, words]) => between(words, first[name], second[name]))
}

/** Inputs are the same if they spend the same output, wherever they stand. */
function inputDifferences(
  first: readonly TransactionInput[],
  second: readonly TransactionInput[],
): Difference[] {
  const [ones, others] = [placesOf(first), placesOf(second)]
  const only = (places: Map<string, number>, than: Map<string, number>) =>
    [...places].filter(([outpoint]) => !than.has(outpoint))
  return [
    ...only(ones, others).map(([outpoint, at]) => ({
      words: `Only the first spends this output, as input ${at}`,
      first: outpoint,
    })),
    ...only(others, ones).map(([outpoint, at]) => ({
      words: `Only the second spends this output, as input ${at}`,
      second: outpoint,
    })),
    ...[...ones].flatMap(([outpoint, at]) => {
      const otherAt = others.get(outpoint)
      if (otherAt === undefined) return []
      const [one, other] = [first[at]!, second[otherAt]!]
      return [
        ...between(`The position of the input that spends ${outpoint} differs`, at, otherAt),
        ...between(`The sequence of input ${at} differs`, one.sequence, other.sequence),
        ...between(`The signature of input ${at} differs`, one.scriptSig, other.scriptSig),
      ]
    }),
  ]
}

/** Returns the place of each input. One that spends an output again has a number behind it. */
function placesOf(inputs: readonly TransactionInput[]): Map<string, number> {
  const places = new Map<string, number>()
  const times = new Map<string, number>()
  for (const [at, { txid, vout }] of inputs.entries()) {
    const outpoint = `${txid}:${vout}`
    const time = (times.get(outpoint) ?? 0) + 1
    times.set(outpoint, time)
    places.set(time === 1 ? outpoint : `${outpoint}, time ${time}`, at)
  }
  return places
}

/**
 * Outputs are the same if script and amount are. The others are compared by their script, so that
 * another amount is one difference, and then by their position, so that another recipient is one.
 */
function outputDifferences(left: Set<Row>, right: Set<Row>): Difference[] {
  const same = matched(left, right, ({ script, value }) => `${script} ${value}`)
  const paid = matched(left, right, ({ script }) => script)
  const placed = matched(left, right, ({ at }) => String(at))
  return [
    ...same.flatMap(([one, other]) =>
      between(`The position of the output that pays ${one.to} differs`, one.at, other.at),
    ),
    ...paid.flatMap(([one, other]) =>
      amountBetween(`The amount of output ${one.at} to ${one.to} differs`, one, other),
    ),
    ...placed.flatMap(([one, other]) => [
      ...(one.to === other.to
        ? between(`The script of output ${one.at} differs`, one.script, other.script)
        : between(`The recipient of output ${one.at} differs`, one.to, other.to)),
      ...amountBetween(`The amount of output ${one.at} differs`, one, other),
    ]),
    ...[...left].map((one) => ({
      words: `Only the first has output ${one.at}`,
      first: asWords(one),
    })),
    ...[...right].map((other) => ({
      words: `Only the second has output ${other.at}`,
      second: asWords(other),
    })),
  ]
}

/** One of them may call coins what the other knows as units; the number decides. */
function amountBetween(words: string, one: Row, other: Row): Difference[] {
  return one.value === other.value ? [] : between(words, one.amount, other.amount)
}

interface Row {
  readonly at: number
  readonly script: string
  readonly value: bigint
  /** The address that it pays, or its script. */
  readonly to: string
  /** Coins, or units of a token. */
  readonly amount: string
}

function rowsOf(subject: TransactionSubject): Set<Row> {
  const amounts = new Map<string, string>()
  // The flow of coins comes first, so that units of a new token stay units.
  for (const { asset, outputs } of flowsOf(subject)) {
    const token = asset === coins ? '' : ` of token ${shortened(asset)}`
    for (const { path, amount } of outputs) amounts.set(path, amountText(amount, asset) + token)
  }
  return new Set(
    subject.transaction.outputs.map(({ value, script }, at) => ({
      at,
      script,
      value,
      to: addressOfScript(script, subject.network) ?? `script ${script}`,
      amount: amounts.get(`outputs[${at}]`) ?? amountText(value, coins),
    })),
  )
}

/** Takes the pairs with the same key out of both sets, in their order. */
function matched(left: Set<Row>, right: Set<Row>, keyOf: (row: Row) => string): [Row, Row][] {
  const byKey = new Map<string, Row[]>()
  for (const row of right) {
    const rows = byKey.get(keyOf(row))
    if (rows === undefined) byKey.set(keyOf(row), [row])
    else rows.push(row)
  }
  for (const rows of byKey.values()) rows.reverse()
  const pairs: [Row, Row][] = []
  for (const row of [...left]) {
    const other = byKey.get(keyOf(row))?.pop()
    if (other === undefined) continue
    left.delete(row)
    right.delete(other)
    pairs.push([row, other])
  }
  return pairs
}

const asWords = ({ amount, to }: Row): string => `${amount} to ${to}`

const shieldedMembers = [
  ['valueBalance', 'The value that leaves the shielded pool differs'],
  ['shieldedSpends', 'The shielded spends differ'],
  ['shieldedOutputs', 'The shielded outputs differ'],
  ['joinSplits', 'The JoinSplits differ'],
  ['joinSplitPubKey', 'The key of the JoinSplits differs'],
  ['joinSplitSig', 'The signature of the JoinSplits differs'],
  ['bindingSig', 'The binding signature differs'],
] as const

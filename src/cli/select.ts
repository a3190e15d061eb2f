import { isHex32 } from '../primitives/hex-forms.ts'
import {
  amount,
  height,
  items,
  type Members,
  malformed,
  object,
  parseJson,
  string,
} from '../primitives/json-fields.ts'
import type { Alternative, PaymentTerms, SelectedCoins } from '../selection/select-coins.ts'
import { selectCoins } from '../selection/select-coins.ts'
import {
  type ConsolidationPlan,
  type SelectedTransfer,
  selectTokenCoins,
  type TransferTerms,
} from '../selection/select-token-coins.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  jsonOption,
  jsonText,
  onePositional,
} from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'

export const select: Command = {
  usage: ['[FILE | -]'],
  about: `Reads JSON from FILE or standard input and shows the coins to spend, the alternatives, and the
reason for the choice. It signs and sends nothing.`,
  options: [jsonOption],
  notes: `For a payment:
  {"coins":[{"txid":"…","vout":0,"value":"50000","inputBytes":148}, …],
   "terms":{"target":"80600","feeRate":1000,"longTermFeeRate":1000,"baseBytes":44,
            "changeBytes":34,"changeSpendBytes":148}}

For a token transfer, add "tokens", coins of the same form; its terms have "amount" and
"tokenChangeBytes" instead of "target". Amounts are decimal strings, fee rates are satoshis per 1000
bytes, and "fixedFee" is a fee for any size. txid and vout are optional; the default of inputBytes
is 148, or 164 for a token.

Exit status: 0 chosen, 1 the coins do not suffice, 2 malformed input.`,
  async run(parsed, terminal) {
    const text = await readCaseText(onePositional(parsed), terminal)
    const { coins, tokens, terms } = readAs('a selection file', text, readCase)
    const outcome =
      tokens === undefined
        ? payment(coins, readPaymentTerms(terms))
        : transfer(tokens, coins, readTransferTerms(terms))
    terminal.print(parsed.flags.has('json') ? jsonText(outcome.json) : outcome.text)
    return outcome.ok ? exitAgrees : exitFindings
  },
}

/** A coin of the file; without an outpoint, its path names it. */
interface FileCoin {
  readonly name: string
  readonly path: string
  readonly value: bigint
  readonly inputBytes: number
}

interface Outcome {
  readonly ok: boolean
  readonly json: unknown
  readonly text: string
}

function readCase(text: string) {
  const members = object(parseJson(text), 'case', ['coins', 'tokens', 'terms'])
  const coins = readCoins(members.coins, 'coins', 148)
  const tokens = members.tokens === undefined ? undefined : readCoins(members.tokens, 'tokens', 164)
  requireOnce([...coins, ...(tokens ?? [])])
  return { coins, tokens, terms: members.terms }
}

/** Refuses a coin given twice, which would be counted twice and can be spent once. */
function requireOnce(coins: readonly FileCoin[]): void {
  const paths = new Map<string, string>()
  for (const { name, path } of coins) {
    const before = paths.get(name)
    if (before !== undefined) throw malformed(path, `another coin than ${before}`, name)
    paths.set(name, path)
  }
}

function readCoins(value: unknown, path: string, usualBytes: number): FileCoin[] {
  return items(value, path, {
    named: 'coins',
    read: (item, where) => readCoin(item, where, usualBytes),
  })
}

function readCoin(value: unknown, path: string, usualBytes: number): FileCoin {
  const coin = object(value, path, ['txid', 'vout', 'value', 'inputBytes'])
  const outpoint =
    coin.txid === undefined
      ? path
      : `${txid(coin.txid, `${path}.txid`)}:${height(coin.vout, `${path}.vout`)}`
  return {
    name: outpoint,
    path,
    value: units(coin.value, `${path}.value`),
    inputBytes:
      coin.inputBytes === undefined ? usualBytes : height(coin.inputBytes, `${path}.inputBytes`),
  }
}

function txid(value: unknown, path: string): string {
  const text = string(value, path)
  if (isHex32(text.toLowerCase())) return text.toLowerCase()
  throw malformed(path, 'a txid', value)
}

/** Reads an amount of at most 64 bits. */
function units(value: unknown, path: string): bigint {
  const read = amount(value, path)
  if (read < 1n << 63n) return read
  throw malformed(path, 'an amount below 2^63', value)
}

const arraysOf = (coins: readonly FileCoin[]) => ({
  values: BigInt64Array.from(coins, ({ value }) => value),
  inputBytes: Uint32Array.from(coins, ({ inputBytes }) => inputBytes),
})

const commonTerms = {
  feeRate: number,
  fixedFee: units,
  baseBytes: number,
  changeBytes: number,
  changeSpendBytes: number,
  dust: units,
  maxInputs: number,
  maxBytes: number,
  seed: string,
} as const

function readPaymentTerms(value: unknown): PaymentTerms {
  return readTerms(value, { ...commonTerms, target: units, longTermFeeRate: number }, [
    'target',
    'baseBytes',
    'changeBytes',
    'changeSpendBytes',
  ]) as unknown as PaymentTerms
}

function readTransferTerms(value: unknown): TransferTerms {
  const readers = {
    ...commonTerms,
    amount: units,
    tokenChangeBytes: number,
    maxTokenInputs: number,
    sweep: number,
  }
  return readTerms(value, readers, [
    'amount',
    'baseBytes',
    'tokenChangeBytes',
    'changeBytes',
    'changeSpendBytes',
  ]) as unknown as TransferTerms
}

type Reader = (value: unknown, path: string) => unknown

function readTerms(value: unknown, readers: Record<string, Reader>, needed: string[]): Members {
  const members = object(value, 'terms', Object.keys(readers))
  if (members.feeRate === undefined && members.fixedFee === undefined) needed.push('feeRate')
  const names = new Set([...Object.keys(members), ...needed])
  return Object.fromEntries(
    [...names].map((name) => [name, readers[name]!(members[name], `terms.${name}`)]),
  )
}

function number(value: unknown, path: string): number {
  if (typeof value === 'number') return value
  throw malformed(path, 'a number', value)
}

function payment(coins: readonly FileCoin[], terms: PaymentTerms): Outcome {
  const selection = selectCoins(arraysOf(coins), terms)
  if (!selection.ok) return failure(selection, 'satoshis')
  const { picked, ...rest } = selection
  const text = [
    `PAYS ${terms.target} satoshis with ${count(picked.length, 'coin')}: ${feeAndChange(selection)}`,
    ...lines(picked, coins),
    '',
    ...table(selection.alternatives),
    '',
    `Chosen because ${reason(selection)}.`,
    '',
  ]
  return { ok: true, json: { ...rest, picked: named(picked, coins) }, text: text.join('\n') }
}

function transfer(
  tokens: readonly FileCoin[],
  coins: readonly FileCoin[],
  terms: TransferTerms,
): Outcome {
  const selection = selectTokenCoins(arraysOf(tokens), arraysOf(coins), terms)
  if (!selection.ok) {
    const unit = selection.code === 'insufficient_funds' ? 'satoshis' : 'token units'
    return failure(selection, unit, selection.plan, tokens)
  }
  const { fee, bytes } = selection
  const text = [
    `SENDS ${terms.amount} token units with ${count(selection.tokens.picked.length, 'token coin')}: ${left(selection.tokens.change, 'token units')}`,
    ...lines(selection.tokens.picked, tokens),
    `pays the fee with ${count(selection.coins.picked.length, 'coin')}: ${feeAndChange({ fee, change: selection.coins.change })}`,
    ...lines(selection.coins.picked, coins),
    '',
    `${bytes} bytes. ${transferReason(selection, terms)}`,
    '',
  ]
  const json = {
    ok: true,
    tokens: { ...selection.tokens, picked: named(selection.tokens.picked, tokens) },
    coins: { ...selection.coins, picked: named(selection.coins.picked, coins) },
    fee,
    bytes,
  }
  return { ok: true, json, text: text.join('\n') }
}

function failure(
  failed: { readonly code: string; readonly available: bigint },
  unit: string,
  plan?: ConsolidationPlan,
  tokens: readonly FileCoin[] = [],
): Outcome {
  const { code, available } = failed
  const transactions = (plan?.transactions ?? []).map((it) => ({
    ...it,
    tokens: named(it.tokens, tokens),
  }))
  const steps = transactions.map(
    (it, at) =>
      `  ${at + 1}. merge ${count(it.tokens.length, 'coin')}${it.merged.length > 0 ? ` and what ${it.merged.map((made) => made + 1).join(', ')} made` : ''} into one of ${it.amount}: ${it.bytes} bytes, fee ${it.fee}`,
  )
  const planned =
    plan === undefined
      ? []
      : [
          `Send ${count(steps.length, 'transaction')} first, ${plan.fee} satoshis in fees:`,
          ...steps,
        ]
  return {
    ok: false,
    json: { ok: false, code, available, ...(plan && { plan: { transactions, fee: plan.fee } }) },
    text: [`CANNOT, ${code}: at most ${available} ${unit}`, ...planned, ''].join('\n'),
  }
}

const count = (items: number, name: string) => `${items} ${name}${items === 1 ? '' : 's'}`

const left = (change: bigint, unit: string) =>
  change === 0n ? 'no change' : `change ${change} ${unit}`

const feeAndChange = ({ fee, change }: { readonly fee: bigint; readonly change: bigint }) =>
  `fee ${fee}, ${left(change, 'satoshis')}`

const named = (picked: Uint32Array, coins: readonly FileCoin[]) =>
  [...picked].map((at) => coins[at]!.name)

const lines = (picked: Uint32Array, coins: readonly FileCoin[]) =>
  [...picked].map((at) => `  ${coins[at]!.name}  ${coins[at]!.value}`)

const columns = ['algorithm', 'inputs', 'bytes', 'fee', 'change', 'waste'] as const

/** Formats the alternatives; the first row is the choice. */
function table(alternatives: readonly Alternative[]): string[] {
  const rows = [columns, ...alternatives.map((it) => columns.map((name) => `${it[name]}`))]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row, at) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
    )
    return `${at === 1 ? '*' : ' '} ${cells.join('  ')}`
  })
}

function reason({ alternatives, waste, bytes, change }: SelectedCoins): string {
  const kind =
    change === 0n
      ? 'it leaves no change to make and to spend later'
      : 'no change-free set of coins costs less than making change'
  const other = alternatives.find((it) => it.waste !== waste || it.bytes !== bytes)
  if (other === undefined) return `${kind}; every search found the same`
  if (other.waste === waste) return `${kind}; of equal waste, it has the fewest bytes`
  return `${kind}; the next best wastes ${other.waste - waste} satoshis more`
}

function transferReason({ tokens }: SelectedTransfer, terms: TransferTerms): string {
  if (tokens.change === 0n) {
    return `The token coins match exactly: no token change, ${terms.tokenChangeBytes} bytes and a fragment saved.`
  }
  return 'No few token coins match exactly; these are the fewest bytes, with the least change.'
}

import { defaultNetwork, type Network } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import type { Case } from '../intent/case.ts'
import { formatCoins } from '../primitives/amount.ts'
import { printable } from '../primitives/printable.ts'
import { type Style, styleOf } from '../primitives/style.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { addressOfScript } from '../script/script.ts'
import { decodeTokenTransaction } from '../token/read/read.ts'
import { transactionId } from '../transaction/decode.ts'
import { lacksOnlySignatures } from './case.ts'
import type { Effect, Finding, Report } from './report.ts'

export interface FormatReportOptions {
  /** What was judged: what was asked for is then shown too, and on which network. */
  readonly given?: Case
  /** For addresses, where no case is given; `assetChain` if absent. */
  readonly network?: Network
  /** Whether to color it as terminals do; default false. */
  readonly color?: boolean
}

/**
 * Writes a verdict for people, as `antara-tx verify` prints it: what was asked for, what the
 * transaction does, every finding. Whatever strangers chose in it is safe to show.
 *
 * @returns lines of text, the last one ended
 * @example
 * const given = parseCase(text)
 * formatReport(verifyCase(given), { given }).startsWith('UNSIGNED') // true
 */
export function formatReport(report: Report, options: FormatReportOptions = {}): string {
  const { given, network = given?.intent.network ?? defaultNetwork, color = false } = options
  const style = styleOf(color)
  const asked = given === undefined ? [] : [...askedFor(given), `on       ${show(network.name)}`]
  const { findings } = report
  return [
    headline(report, style),
    ...(given === undefined ? [] : section('Asked for', asked, style)),
    ...section('What the transaction does', whatItDoes(report, network, style), style),
    '',
    style.bold(findings.length === 0 ? 'No findings' : 'Findings'),
    ...findings.flatMap((finding) => findingLines(finding, style)),
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[], { bold }: Style): string[] {
  return ['', bold(title), ...lines.map((line) => `  ${line}`)]
}

/** Any value as safe text on one line. */
function show(value: unknown): string {
  return printable(String(value))
}

function headline(report: Report, { bold, red, green, yellow }: Style): string {
  const { ok, findings } = report
  const count = (severity: Finding['severity'], noun: string) => {
    const number = findings.filter((finding) => finding.severity === severity).length
    return `${number} ${noun}${number === 1 ? '' : 's'}`
  }
  const counts = `${count('reject', 'reject')}, ${count('warn', 'warning')}`
  if (ok) return bold(green(`AGREES: the transaction does what was asked (${counts})`))
  return lacksOnlySignatures(report)
    ? bold(yellow(`UNSIGNED: the transaction does what was asked, but is not signed (${counts})`))
    : bold(red(`REJECTED: do not broadcast this transaction (${counts})`))
}

/** Who may pay, and with what, beside the main key: a case file may have been changed there too. */
function termLines({ intent }: Case): string[] {
  const { ownKeys = [], spendable, saidBy } = intent
  return [
    ...ownKeys.map((key) => `own key  ${show(tellableKey(key))}`),
    ...(spendable === undefined ? [] : [`spending ${spendable.length} outputs at most, as named`]),
    ...(saidBy === undefined ? [] : [`said by  ${show(saidBy)}`]),
  ]
}

function askedFor(given: Case): string[] {
  return [...operationLines(given), ...termLines(given)]
}

function operationLines(given: Case): string[] {
  if (given.operation === 'tokentransfer') {
    const { amount, tokenid, destination, from, burn } = given.intent
    const recipients = given.intent.recipients ?? [{ pubkey: destination, amount }]
    const total = recipients.reduce((sum, it) => sum + it.amount, 0n)
    return [
      `${burn === true ? 'burn    ' : 'transfer'} ${total} units of token ${show(tokenid)}`,
      ...tokenLines(given),
      ...recipients.map((it) => {
        const share = recipients.length === 1 ? '' : `, ${it.amount} units`
        return `to       ${show(tellableKey(it.pubkey))}${share}`
      }),
      `from     ${show(tellableKey(from))}`,
    ]
  }
  const { supply, name, description, owner, data } = given.intent
  return [
    `create   ${supply} units of "${printable(name)}"`,
    `saying   "${printable(description)}"`,
    `owner    ${show(tellableKey(owner))}`,
    ...(data === undefined ? [] : [`data     ${show(data)}`]),
  ]
}

/** What the token's creation says of it, where that was given: names are not unique, so who made it too. */
function tokenLines({ intent, evidence }: Extract<Case, { operation: 'tokentransfer' }>): string[] {
  const tokenid = intent.tokenid.toLowerCase()
  const { tokenCreate, previousTransactions } = evidence
  const given = tokenCreate === undefined ? previousTransactions : [tokenCreate]
  for (const hex of given) {
    const created = creationIn(hex, tokenid)
    if (created === undefined) continue
    const { supply, payload } = created
    return [
      `of       ${supply} in all, made by ${payload.owner}`,
      `named    "${printable(payload.name)}"`,
    ]
  }
  return []
}

function creationIn(hex: string, tokenid: string) {
  try {
    if (transactionId(hex) !== tokenid) return undefined
    const read = decodeTokenTransaction(hex)
    return read?.payload.kind === 'create' ? { ...read, payload: read.payload } : undefined
  } catch (error) {
    // the report has it
    if (isAntaraError(error)) return undefined
    throw error
  }
}

const roleTexts: Readonly<Record<Effect['role'], string>> = {
  destination: 'units to the destination',
  issuance: 'units issued to the owner',
  marker: 'marker of the token',
  'token-change': 'units back to the sender',
  'native-change': 'coins back to the sender',
  nulldata: 'nulldata: names the token',
  unexpected: 'NOT ASKED FOR',
}

function whatItDoes({ txid, effects, fee }: Report, network: Network, { red }: Style): string[] {
  if (txid === undefined) return ['nothing: it is no transaction']
  const lines = effects.map(({ output, role, value, script }) => {
    const address = addressOfScript(script, network)
    const isToken = role === 'destination' || role === 'issuance' || role === 'token-change'
    const amount = isToken ? `${value}` : formatCoins(value)
    const to = address ?? (role === 'unexpected' ? script : '')
    const line = `[${output}] ${amount.padStart(16)}  ${roleTexts[role].padEnd(25)} ${to}`.trimEnd()
    return role === 'unexpected' ? red(line) : line
  })
  lines.push(`fee ${fee === undefined ? 'unknown' : formatCoins(fee)}`, `txid ${txid}`)
  return lines
}

function findingLines(finding: Finding, style: Style): string[] {
  const { severity, code, path, message, expected, actual } = finding
  const label = {
    reject: style.red('REJECT'),
    warn: style.yellow('WARN  '),
    info: style.dim('INFO  '),
  }[severity]
  const lines = [`  ${label} ${style.bold(code)} at ${path}: ${message}`]
  if (expected !== undefined) lines.push(`         expected ${show(expected)}`)
  if (actual !== undefined) lines.push(`         found    ${show(actual)}`)
  return lines
}

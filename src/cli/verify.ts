import { type Network, networks } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { formatCoins } from '../primitives/amount.ts'
import { printable } from '../primitives/printable.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { addressOfScript } from '../script/script.ts'
import { decodeTokenTransaction } from '../token/read/read.ts'
import { transactionId } from '../transaction/decode.ts'
import { lacksOnlySignatures, verifyCase } from '../verification/case.ts'
import { type Case, parseCase } from '../verification/case-file.ts'
import type { Effect, Finding, Report } from '../verification/report.ts'
import { type Command, exitAgrees, exitFindings, jsonText, onePositional } from './command.ts'
import { readCaseText } from './read.ts'
import { type Style, show, styleFor } from './style.ts'

export const verify: Command = {
  usage: ['[CASE.json | -]'],
  about: `Judges the transaction in a case file: what it does, and every way in which it differs from what
was asked for. Exit status 0 when nothing speaks against it, 1 when something does, 2 when the
case file is malformed.`,
  options: [{ name: 'json', about: 'the report, amounts as decimal strings' }],
  notes: `A case file:
  { "operation": "tokentransfer", "network": "assetChain",
    "intent": { "tokenid": "…", "destination": "…", "amount": "100", "from": "…" },
    "hex": "…", "previousTransactions": ["…"], "tokenCreate": "…", "tipHeight": 223 }
For "tokencreate" the intent is { "name", "supply", "description", "data"?, "owner" }.`,
  async run(parsed, terminal) {
    const given = parseCase(await readCaseText(onePositional(parsed), terminal))
    const report = verifyCase(given)
    terminal.print(
      parsed.flags.has('json') ? jsonText(report) : reportText(given, report, styleFor(terminal)),
    )
    return report.ok ? exitAgrees : exitFindings
  },
}

/** The verdict for people: what was asked for, what the transaction does, every finding. */
export function reportText(given: Case, report: Report, style: Style): string {
  return [
    headline(report, style),
    '',
    style.bold('Asked for'),
    ...askedFor(given).map((line) => `  ${line}`),
    '',
    style.bold('What the transaction does'),
    ...whatItDoes(report, networkOf(given), style).map((line) => `  ${line}`),
    '',
    style.bold(report.findings.length === 0 ? 'No findings' : 'Findings'),
    ...report.findings.flatMap((finding) => findingLines(finding, style)),
    '',
  ].join('\n')
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

function askedFor(given: Case): string[] {
  return [...operationLines(given), `on       ${printable(networkOf(given).name)}`]
}

function networkOf({ intent }: Case): Network {
  return intent.network ?? networks.assetChain
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

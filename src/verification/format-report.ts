import { defaultNetwork, describeNetwork, type Network } from '../chain/network.ts'
import { formatCoins } from '../primitives/amount.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type Style, styleOf } from '../primitives/style.ts'
import type { Case, OperationName } from '../request/case.ts'
import type { Effect, Finding, Report } from '../request/report.ts'
import { addressOfScript } from '../script/script.ts'
import { lacksOnlySignatures } from './case.ts'
import { operations } from './operations/catalogue.ts'
import { requestedFee } from './requested-fee.ts'
import type { Roles } from './roles.ts'
import { shownScript } from './shown-script.ts'

export interface FormatReportOptions {
  /** The verified case: with it, the text also shows the request and the network. */
  readonly given?: Case
  /** For addresses, where no case is given; `assetChain` if absent. */
  readonly network?: Network
  /** True to add terminal colors; default false. */
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
  requireKnownMembers(options, ['given', 'network', 'color'], 'options')
  const { given, network = given?.intent.network ?? defaultNetwork, color = false } = options
  const style = styleOf(color)
  const asked =
    given === undefined ? [] : [...askedFor(given), `on       ${show(describeNetwork(network))}`]
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
  const { ownKeys = [], spendable, onChain, saidBy, expiryBlocksMax } = intent
  return [
    ...ownKeys.map((key) => `own key  ${show(redactKey(key))}`),
    ...(spendable === undefined ? [] : [`spending ${spendable.length} outputs at most, as named`]),
    ...(onChain === undefined
      ? []
      : [`on chain ${onChain.length} transactions that this must come from`]),
    ...(saidBy === undefined ? [] : [`said by  ${show(saidBy)}`]),
    ...(expiryBlocksMax === undefined
      ? []
      : [`expires  within ${expiryBlocksMax} blocks of the tip`]),
  ]
}

function askedFor(given: Case): string[] {
  const fee = `fee      ${requestedFee(given)}`
  return [...operationLines(given.operation, given), fee, ...termLines(given)]
}

function operationLines<Name extends OperationName>(
  name: Name,
  { intent, evidence }: Case<Name>,
): string[] {
  const lines = operations[name].lines(intent, evidence)
  return lines.map(([word, rest]) => `${word.padEnd(8)} ${printable(rest)}`)
}

/** The words of every operation, for reports that do not say by whose rules they came about. */
const allRoles: Roles = Object.assign({}, ...Object.values(operations).map(({ roles }) => roles))

const unexpected = { text: 'NOT ASKED FOR', holds: 'coins' }

function whatItDoes(report: Report, network: Network, { red }: Style): string[] {
  const { operation, txid, effects } = report
  if (txid === undefined) return ['nothing: it is no transaction']
  const roles = operation === undefined ? allRoles : operations[operation].roles
  const lines = effects.map((effect) => {
    const { output, role, value } = effect
    const { text, holds } = roles[role] ?? unexpected
    const amount = holds === 'units' ? `${value}` : formatCoins(value)
    const to = payeeOf(effect, operation, network)
    const line = `[${output}] ${amount.padStart(16)}  ${text.padEnd(25)} ${to}`.trimEnd()
    return role === 'unexpected' ? red(line) : line
  })
  lines.push(`fee ${feeText(report)}`, `txid ${txid}`)
  return lines
}

/** The fee, and always what the bytes prove of it. */
function feeText({ fee, feeKnown, inputsMinusOutputs, findings }: Report): string {
  if (fee !== undefined) return `${formatCoins(fee)} (inputs minus outputs, proven)`
  if (inputsMinusOutputs !== undefined) {
    const claimed = findings.find(({ code }) => code === 'reward_claimed')?.actual
    const reward = typeof claimed === 'bigint' ? formatCoins(claimed) : 'unknown'
    const proven = `${formatCoins(inputsMinusOutputs)} (inputs minus outputs, proven)`
    return `${proven} and a reward of ${reward} (by the heights and times given)`
  }
  // without a fee, how the least known amount that it follows from is known
  return feeKnown === undefined ? 'unknown' : `unknown, an amount is ${feeKnown}`
}

/**
 * Who gets an output. Conditions, of which tokens are made, are known by their address; of a payment
 * one is only shown where it stands for the very script.
 */
function payeeOf(
  { role, script }: Effect,
  operation: OperationName | undefined,
  network: Network,
): string {
  if (role === 'nulldata') return ''
  if (operation === 'payment') return shownScript(script, network)
  return addressOfScript(script, network) ?? script
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

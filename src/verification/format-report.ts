// Writes a report as text for people.

import type { EquihashParameters } from '../block/header.ts'
import { defaultNetwork, describeNetwork, type Network } from '../chain/network.ts'
import { formatCoins } from '../primitives/amount.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type Style, styleOf } from '../primitives/style.ts'
import type { Case, OperationName } from '../request/case.ts'
import type { Effect, Finding, Report } from '../request/report.ts'
import { addressOfScript } from '../script/script.ts'
import { lacksOnlySignatures } from './case-signing.ts'
import { operations } from './operations/catalogue.ts'
import { requestedFee } from './requested-fee.ts'
import type { Roles } from './roles.ts'
import { shownScript } from './shown-script.ts'
import { verdictSentence } from './verdict.ts'

export interface FormatReportOptions {
  /** The verified case: with it, the text also shows the request and the network. */
  readonly given?: Case
  /** For addresses, where no case is given; `assetChain` if absent. */
  readonly network?: Network
  /** True to add terminal colors; default false. */
  readonly color?: boolean
}

/**
 * Writes a report for people, as `antara-tx verify` prints it: whether to broadcast, the request,
 * the effects of the transaction, and every finding. Text that other parties chose is escaped.
 *
 * @param report - what a verifier returned
 * @param options - the case, or the network of its addresses; `color` for terminals
 * @returns lines of text, each with a line end
 * @throws {TypeError} for an unknown option
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
    verdictSentence(report),
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

/** Returns any value as safe text on one line. */
function show(value: unknown): string {
  return printable(String(value))
}

function headline(report: Report, { bold, red, green, yellow }: Style): string {
  const { ok, findings, broadcast } = report
  const count = (severity: Finding['severity'], noun: string) => {
    const number = findings.filter((finding) => finding.severity === severity).length
    return `${number} ${noun}${number === 1 ? '' : 's'}`
  }
  const counts = `${count('reject', 'reject')}, ${count('warn', 'warning')}`
  // To a hurried reader, green means: broadcast it. Here a person has to decide first.
  const colored = broadcast === 'yes' ? green : yellow
  if (ok) return bold(colored(`AGREES: the transaction does what was asked (${counts})`))
  return lacksOnlySignatures(report)
    ? bold(yellow(`UNSIGNED: the transaction does what was asked, but is not signed (${counts})`))
    : bold(red(`REJECTED: do not broadcast this transaction (${counts})`))
}

/**
 * Shows the terms beside the payment itself, because a case file may be tampered with there too.
 */
function termLines({ intent }: Case): string[] {
  const { ownKeys = [], spendable, onChain, chain, reportedBy, expiryBlocksMax } = intent
  return [
    ...ownKeys.map((key) => `own key  ${show(redactKey(key))}`),
    ...(spendable === undefined ? [] : [`spending at most ${spendable.length} listed outputs`]),
    ...(onChain === undefined
      ? []
      : [`on chain descends from one of ${onChain.length} known transactions`]),
    ...(chain === undefined ? [] : chainLines(chain)),
    ...(reportedBy === undefined ? [] : [`terms by ${show(reportedBy)}`]),
    ...(expiryBlocksMax === undefined
      ? []
      : [`expires  within ${expiryBlocksMax} blocks of the tip`]),
  ]
}

/** A false block in a case file would vouch for another chain, so each is shown. */
function chainLines(chain: NonNullable<Case['intent']['chain']>): string[] {
  const { checkpoints, workMin, equihash, limitBits, allowsEasyBlocks } = chain
  const blocks = checkpoints.map(
    ({ height, hash }) =>
      `known    block ${height} ${isHex32(hash) ? hash : show(redactKey(hash))}`,
  )
  // The rest of the terms set what a hash costs.
  return [
    ...blocks,
    ...(workMin === undefined ? [] : [`work     at least ${workMin} hashes`]),
    ...(equihash === undefined ? [] : [`puzzle   ${puzzleOf(equihash)}`]),
    ...(limitBits === undefined ? [] : [`target   at most ${hexOfBits(limitBits)}`]),
    ...(allowsEasyBlocks === true ? ['blocks   may miss their own target'] : []),
  ]
}

/** Chains that set the parameters themselves hash the same ones in another way. */
function puzzleOf({ n, k, acNk }: EquihashParameters): string {
  const way = acNk === undefined ? '' : `, ${acNk ? 'as' : 'not as'} -ac_nk hashes it`
  return `Equihash ${n},${k}${way}`
}

/** Compact targets are known in this form, as 0x1d00ffff. */
function hexOfBits(bits: number): string {
  return `0x${bits.toString(16).padStart(8, '0')}`
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

/** The roles of all operations together, for reports without the name of an operation. */
const allRoles: Roles = Object.assign({}, ...Object.values(operations).map(({ roles }) => roles))

const unexpected = { text: 'NOT ASKED FOR', holds: 'coins' }

function whatItDoes(report: Report, network: Network, { red }: Style): string[] {
  const { operation, txid, effects } = report
  if (txid === undefined) return ['nothing: the hex is not a transaction']
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

/** Returns the fee, with the part of it that the bytes prove. */
function feeText({ fee, feeKnown, inputsMinusOutputs, findings }: Report): string {
  if (fee !== undefined) return `${formatCoins(fee)} (inputs minus outputs, proven)`
  if (inputsMinusOutputs !== undefined) {
    const claimed = findings.find(({ code }) => code === 'reward_claimed')?.actual
    const reward = typeof claimed === 'bigint' ? formatCoins(claimed) : 'unknown'
    const proven = `${formatCoins(inputsMinusOutputs)} (inputs minus outputs, proven)`
    return `${proven} and a reward of ${reward} (by the heights and times given)`
  }
  // without a fee, `feeKnown` is the evidence for its least certain amount
  return feeKnown === undefined ? 'unknown' : `unknown, an amount is ${feeKnown}`
}

/**
 * Returns the payee of an output. Conditions, which hold tokens, are shown by address; in a payment
 * only where the address stands for the same script.
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

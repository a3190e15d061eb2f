// Compares the outputs of a transaction with those that an operation expects.

import { dustOfScript } from '../chain/limits.ts'
import { append } from '../primitives/append.ts'
import { type Effect, type Finding, finding, type OutputRole } from '../request/report.ts'
import { isNulldata } from '../script/nulldata.ts'
import type { ScriptType } from '../script/types.ts'
import type { Transaction } from '../transaction/types.ts'
import { firstFree, type Queues, queuesBy } from './first-come.ts'
import type { Roles } from './roles.ts'

export interface ExpectedOutput {
  readonly role: OutputRole
  readonly script: string
  /** The exact value; absent for native change, whose value follows from the fee. */
  readonly value?: bigint
  /** Codes of the findings if it differs. */
  readonly codes: {
    readonly missing: Finding['code']
    readonly value: Finding['code']
    readonly lookalike?: Finding['code']
  }
  /** Returns true if a script pays the same key in another form than expected. */
  readonly isLookalike?: (script: string) => boolean
  /** True if the output may be absent. */
  readonly isOptional?: boolean
}

interface MatchedOutputs {
  readonly findings: readonly Finding[]
  readonly effects: readonly Effect[]
}

type TypeOf = (script: string) => ScriptType

/** How outputs may deviate from the expected ones. */
export interface Matching {
  /** Any further output to these is change. */
  readonly isChange?: (script: string) => boolean
  /** True if nulldata is checked against the expected outputs, like any other output. */
  readonly checksNulldata?: boolean
  /** True if the outputs may be in any order. */
  readonly isUnordered?: boolean
}

/**
 * Gives every output a role. Each expected output is found by its script, and among several with
 * that script by its value. The rest are unexpected.
 */
export function matchOutputs(
  tx: Transaction,
  expected: readonly ExpectedOutput[],
  typeOf: TypeOf,
  matching: Matching = {},
): MatchedOutputs {
  const roles = new Map<number, OutputRole>()
  const findings: Finding[] = []
  const missing: ExpectedOutput[] = []
  const order: number[] = []
  const find = outputFinder(tx, roles)
  for (const wanted of expected) {
    const index = find(wanted)
    if (index === undefined) {
      missing.push(wanted)
      continue
    }
    roles.set(index, wanted.role)
    order.push(index)
    const actual = tx.outputs[index]!.value
    if (wanted.value !== undefined && actual !== wanted.value) {
      const path = `outputs[${index}].value`
      findings.push(finding(wanted.codes.value, path, { expected: wanted.value, actual }))
    }
  }
  const { isChange } = matching
  if (isChange !== undefined) {
    for (const [index, { script }] of tx.outputs.entries()) {
      if (!roles.has(index) && isChange(script)) roles.set(index, 'native-change')
    }
  }
  const hasChange = [...roles.values()].includes('native-change')
  const absent = missing.filter(({ role }) => role !== 'native-change' || !hasChange)
  append(findings, reportUnexpected(tx, absent, roles, typeOf, matching))
  if (
    matching.isUnordered !== true &&
    order.some((index, place) => place > 0 && index < order[place - 1]!)
  ) {
    findings.push(finding('output_order', 'outputs', { actual: order.join(', ') }))
  }
  return { findings, effects: effectsOf(tx, roles) }
}

/** Finds an expected output by script and value, else by script alone. */
function outputFinder(
  { outputs }: Transaction,
  taken: ReadonlyMap<number, OutputRole>,
): (wanted: ExpectedOutput) => number | undefined {
  const byScript = queuesBy(outputs.keys(), (index) => outputs[index]!.script)
  const byValue = new Map<string, Queues<bigint>>()
  return ({ script, value }) => {
    const queue = byScript.get(script)
    if (queue === undefined || value === undefined || queue.positions.length === 1) {
      return firstFree(queue, taken)
    }
    const values =
      byValue.get(script) ?? queuesBy(queue.positions, (index) => outputs[index]!.value)
    byValue.set(script, values)
    return firstFree(values.get(value), taken) ?? firstFree(queue, taken)
  }
}

/** Reports unexpected outputs, each paired with the missing output that it most likely replaces. */
function reportUnexpected(
  { outputs }: Transaction,
  missing: readonly ExpectedOutput[],
  roles: Map<number, OutputRole>,
  typeOf: TypeOf,
  { checksNulldata = false }: Matching,
): Finding[] {
  const findings: Finding[] = []
  const explained = new Set<number>()
  const placeOf = missing.length === 0 ? undefined : placeFinder(missing, explained, typeOf)
  for (const [index, { script, value }] of outputs.entries()) {
    if (roles.has(index)) continue
    if (!checksNulldata && isNulldata(script)) {
      roles.set(index, 'nulldata')
      continue
    }
    roles.set(index, 'unexpected')
    const place = placeOf?.(script, value)
    if (place === undefined) {
      findings.push(unexpectedOutput({ output: index, script, value }))
      continue
    }
    explained.add(place)
    const wanted = missing[place]!
    const { missing: other, lookalike = other } = wanted.codes
    const code = wanted.isLookalike?.(script) ? lookalike : other
    const details = { expected: wanted.script, actual: script }
    findings.push(finding(code, `outputs[${index}].script`, details))
  }
  for (const [place, { codes, script, value, isOptional }] of missing.entries()) {
    if (isOptional === true || explained.has(place)) continue
    const expected = value === undefined ? script : `${value} to ${script}`
    findings.push(finding(codes.missing, 'outputs', { expected, actual: 'no such output' }))
  }
  return findings
}

/**
 * Finds the missing output that an unexpected one replaces: the one with its value; else tokens for
 * a condition and native change for anything else; else the first.
 */
function placeFinder(
  missing: readonly ExpectedOutput[],
  explained: ReadonlySet<number>,
  typeOf: TypeOf,
): (script: string, value: bigint) => number | undefined {
  const places = [...missing.keys()]
  const byValue = queuesBy(places, (place) => missing[place]!.value)
  const byKind = queuesBy(places, (place) => missing[place]!.role !== 'native-change')
  const required = queuesBy(places, (place) => missing[place]!.isOptional !== true).get(true)
  return (script, value) => {
    if (explained.size === missing.length) return undefined
    return (
      firstFree(byValue.get(value), explained) ??
      firstFree(byKind.get(typeOf(script) === 'cryptocondition'), explained) ??
      firstFree(required, explained)
    )
  }
}

function effectsOf({ outputs }: Transaction, roles: ReadonlyMap<number, OutputRole>): Effect[] {
  return outputs.map(({ value, script }, output) => {
    return { output, role: roles.get(output) ?? 'unexpected', value, script, known: 'proven' }
  })
}

/** Returns native change in either form, both optional. Its value follows from the fee. */
export function nativeChange(scripts: readonly string[]): ExpectedOutput[] {
  return scripts.map((script) => ({
    role: 'native-change',
    script,
    codes: { missing: 'native_change_destination', value: 'native_change_destination' },
    isOptional: true,
  }))
}

export function unexpectedOutput({ output, value, script }: OutputFacts): Finding {
  return finding('unexpected_output', `outputs[${output}]`, { actual: `${value} to ${script}` })
}

type OutputFacts = Pick<Effect, 'output' | 'value' | 'script'>

/** Returns the effects that return native coins to the wallet. */
export function changeIn(effects: readonly Effect[]): readonly Effect[] {
  return effects.filter(({ role }) => role === 'native-change')
}

export function checkDust(outputs: readonly OutputFacts[]): Finding[] {
  return outputs.flatMap(({ output, script, value }) => {
    const threshold = dustOfScript(script)
    if (value >= threshold) return []
    const details = { expected: `at least ${threshold}`, actual: value }
    return [finding('dust', `outputs[${output}].value`, details)]
  })
}

/**
 * Checks native change: at most one output, in the daemon's form, and large enough to be relayed.
 */
export function checkNativeChange(
  effects: readonly Effect[],
  [daemonForm]: readonly string[],
): Finding[] {
  return changeIn(effects).flatMap((change, position) => {
    const dust = checkDust([change])
    if (position > 0) return [unexpectedOutput(change), ...dust]
    const { output, script: actual } = change
    if (actual === daemonForm) return dust
    const details = { expected: daemonForm, actual }
    return [finding('native_change_form', `outputs[${output}].script`, details), ...dust]
  })
}

/** Roles that may be empty: an order that is filled completely has no remainder. */
const emptyRoles: readonly OutputRole[] = ['nulldata', 'order-tokens', 'order-coins']

/** Reports conditions of value zero, which look like tokens to wallets. */
export function checkZeroTokens(effects: readonly Effect[], typeOf: TypeOf): Finding[] {
  return effects.flatMap(({ output, role, value, script }) =>
    value === 0n && !emptyRoles.includes(role) && typeOf(script) === 'cryptocondition'
      ? [finding('zero_token_output', `outputs[${output}].value`, { actual: 0n })]
      : [],
  )
}

export function checkConservation(
  tokensIn: bigint,
  effects: readonly Effect[],
  roles: Roles,
): Finding[] {
  const tokensOut = effects
    .filter(({ role }) => roles[role]?.holds === 'units')
    .reduce((sum, { value }) => sum + value, 0n)
  if (tokensOut === tokensIn) return []
  return [finding('token_imbalance', 'outputs', { expected: tokensIn, actual: tokensOut })]
}

import { storedScriptBytesMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { resultOf } from '../errors/malformed.ts'
import { type Finding, finding } from '../request/report.ts'
import { isNulldata } from '../script/nulldata.ts'
import { decodeTokenPayload } from '../token/payload/decode.ts'
import type { TokenLayout, TokenPayload } from '../token/payload/payload.ts'
import type { Transaction } from '../transaction/types.ts'

interface CheckedPayload<Kind extends TokenPayload['kind']> {
  readonly findings: readonly Finding[]
  /** Absent when there is no payload of this kind. */
  readonly payload?: Extract<TokenPayload, { kind: Kind }>
  /** Path of the nulldata output. */
  readonly path: string
}

/**
 * Checks the place and the encoding of the nulldata output, and that it holds a payload of this
 * kind.
 *
 * The daemon reads only the first push of the last output. Other data are ignored at best, and read
 * by other software at worst.
 */
export function checkNulldata<Kind extends TokenPayload['kind']>(
  { outputs }: Transaction,
  { kind, layout }: { readonly kind: Kind; readonly layout: TokenLayout },
  { nulldataBytesMax }: Network,
): CheckedPayload<Kind> {
  const last = outputs.length - 1
  const positions = outputs.flatMap(({ script }, index) => (isNulldata(script) ? [index] : []))
  const position = positions.at(-1)
  if (position === undefined) {
    return { findings: [finding('nulldata_missing', 'outputs')], path: 'outputs' }
  }
  const findings: Finding[] = []
  const path = `outputs[${position}]`
  const { script, value } = outputs[position]!
  if (positions.length > 1) {
    const actual = positions.map((index) => `outputs[${index}]`).join(', ')
    findings.push(finding('multiple_nulldata', 'outputs', { expected: `one`, actual }))
  }
  if (position !== last) {
    const expected = `outputs[${last}]`
    findings.push(finding('nulldata_position', path, { expected, actual: path }))
  }
  if (value !== 0n) {
    findings.push(finding('nulldata_value', `${path}.value`, { expected: 0n, actual: value }))
  }
  const bytes = script.length / 2
  if (bytes > nulldataBytesMax) {
    const details = { expected: `at most ${nulldataBytesMax} bytes`, actual: `${bytes} bytes` }
    findings.push(finding('nulldata_too_large', `${path}.script`, details))
    if (bytes > storedScriptBytesMax) return { findings, path }
  }
  const payload = resultOf(() => decodeTokenPayload(script))
  if (payload === undefined || isAntaraError(payload)) {
    const actual = payload === undefined ? 'no eval code of a tokens module' : sentenceOf(payload)
    findings.push(finding('nulldata_malformed', `${path}.script`, { actual }))
    return { findings, path }
  }
  findings.push(...checkSpelling(payload, path))
  if (payload.layout !== layout) {
    const details = { expected: layout, actual: payload.layout }
    findings.push(finding('nulldata_layout', `${path}.script`, details))
    return { findings, path }
  }
  if (payload.kind !== kind) {
    const details = { expected: kind, actual: payload.kind }
    findings.push(finding('nulldata_function', `${path}.script`, details))
    return { findings, path }
  }
  return { findings, payload: payload as Extract<TokenPayload, { kind: Kind }>, path }
}

function checkSpelling(payload: TokenPayload, path: string): Finding[] {
  const findings: Finding[] = []
  if (payload.trailing !== '' || payload.rest !== '') {
    const actual = payload.trailing + payload.rest
    findings.push(finding('nulldata_trailing', `${path}.script`, { expected: '', actual }))
  }
  if (!payload.minimal) {
    findings.push(finding('nulldata_push', `${path}.script`, { actual: payload.push }))
  }
  return findings
}

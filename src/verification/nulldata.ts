import { storedScriptBytesMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { type Finding, type FindingCode, finding } from '../request/report.ts'
import { isNulldata } from '../script/nulldata.ts'
import { decodeTokenPayload } from '../token/payload/decode.ts'
import type { PayloadExtra, TokenLayout, TokenPayload } from '../token/payload/payload.ts'
import type { Transaction } from '../transaction/types.ts'

/** Adds a finding about the script of the nulldata output, or about a member of its payload. */
export type ReportScript = (
  code: FindingCode,
  details: { readonly expected?: unknown; readonly actual?: unknown },
  member?: string,
) => void

/**
 * Checks the place and the encoding of the nulldata output, and its payload.
 *
 * The daemon reads only the first push of the last output. Other data are ignored at best, and read
 * by other software at worst.
 *
 * @param compare - compares a payload of this kind with the request, and returns the extra that it
 *   has compared; absent if the payload that the request needs is not known
 */
export function checkNulldata<Kind extends TokenPayload['kind']>(
  { outputs }: Transaction,
  { kind, layout }: { readonly kind: Kind; readonly layout: TokenLayout },
  { nulldataBytesMax }: Network,
  compare?: (
    payload: Extract<TokenPayload, { kind: Kind }>,
    report: ReportScript,
  ) => PayloadExtra | undefined,
): Finding[] {
  const last = outputs.length - 1
  const positions = outputs.flatMap(({ script }, index) => (isNulldata(script) ? [index] : []))
  const position = positions.at(-1)
  if (position === undefined) return [finding('nulldata_missing', 'outputs')]
  const findings: Finding[] = []
  const path = `outputs[${position}]`
  const report: ReportScript = (code, details, member = '') => {
    findings.push(finding(code, `${path}.script${member}`, details))
  }
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
    const expected = `at most ${nulldataBytesMax} bytes`
    report('nulldata_too_large', { expected, actual: `${bytes} bytes` })
    if (bytes > storedScriptBytesMax) return findings
  }
  const payload = payloadOr(script, (actual) => report('nulldata_malformed', { actual }))
  if (payload === undefined) return findings
  const { trailing, rest, push, extras } = payload
  if (trailing !== '' || rest !== '') {
    report('nulldata_trailing', { expected: '', actual: trailing + rest })
  }
  if (!payload.minimal) report('nulldata_push', { actual: push })
  if (payload.layout !== layout) {
    report('nulldata_layout', { expected: layout, actual: payload.layout })
  } else if (payload.kind !== kind) {
    report('nulldata_function', { expected: kind, actual: payload.kind })
  } else if (compare !== undefined) {
    const compared = compare(payload as Extract<TokenPayload, { kind: Kind }>, report)
    for (const extra of extras) {
      if (extra === compared) continue
      report('nulldata_extra', { actual: `${extra.kind} ${extra.data}` })
    }
  }
  return findings
}

function payloadOr(script: string, refuse: (why: string) => void): TokenPayload | undefined {
  try {
    const payload = decodeTokenPayload(script)
    if (payload === undefined) refuse('no eval code of a tokens module')
    return payload
  } catch (error) {
    if (!isAntaraError(error)) throw error
    refuse(sentenceOf(error))
    return undefined
  }
}

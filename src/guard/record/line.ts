// A line of the record: JSON with a number, and with the hash of the line before it.

import { createHash } from 'node:crypto'
import { isHex32, zeroHex32 } from '../../primitives/hex-forms.ts'
import { isLosslessNumber, memberOf, parseJson } from '../../primitives/json.ts'
import { printable } from '../../primitives/printable.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import type { DecisionEntry } from '../decision.ts'
import { publicRequest } from './public-request.ts'

/** Bytes of a line, at most: a request of thousands of recipients fits. */
export const lineBytesMax = 1_048_576

/** UTF-16 units of a request in a line. Each has at most three bytes, so the line fits. */
const requestUnitsMax = 300_000

/** The number of lines, and the hash of the last one. */
export interface Head {
  readonly count: number
  /** 64 zeros before the first line. */
  readonly hash: string
}

export const emptyHead: Head = { count: 0, hash: zeroHex32 }

/** An event other than a decision, such as a start, as a line of the record. */
export interface RecordEvent {
  /**
   * - `begin`   the first line of a record
   * - `segment` the first line of a further file
   * - `start`   the guard started
   * - `torn`    a power failure left the last line unfinished, and it was cut off
   * - `reconciled` an operator accepts that other files lack payments of the lines before
   * - `reload`  the rules of the policy file were replaced while the guard ran
   */
  readonly event: 'begin' | 'segment' | 'start' | 'torn' | 'reconciled' | 'reload'
  /** Bytes that were cut off. */
  readonly bytes?: number
  /** True if the decisions that follow are those of a guard with a policy. */
  readonly policy?: boolean
  /** The end of the name of the file before, which has the numbers of its lines. */
  readonly earlier?: string
  /** The cause of a reload: `signal`, which the guard's own user and root can send. */
  readonly by?: 'signal'
  /** SHA-256 of the policy file before a reload. */
  readonly from?: string
  /** SHA-256 of the policy file from this line on. */
  readonly to?: string
}

/** A line without its end. */
export function writeLine(
  entry: DecisionEntry | RecordEvent,
  { count, hash }: Head,
  time: number,
): string {
  const content = 'event' in entry ? entry : decisionOf(entry)
  const at = new Date(time).toISOString()
  return JSON.stringify({ n: count + 1, at, ...content, previous: hash })
}

function decisionOf(entry: DecisionEntry): object {
  const { user, method, methodClass, decision, reason, request, findings, txid, key, count } = entry
  return {
    user: printable(user),
    method: printable(redactKey(method)),
    class: methodClass,
    decision,
    ...(reason !== undefined && { reason: printable(reason).slice(0, 500) }),
    ...(request !== undefined && { request: requestOf(request) }),
    ...(findings !== undefined && { findings: findings.slice(0, 100).map(printable) }),
    ...(txid !== undefined && { txid: printable(txid) }),
    ...(key !== undefined && { key: printable(redactKey(key)) }),
    ...(count !== undefined && { count }),
  }
}

/** A request that is too long for a line is recorded by its hash. */
function requestOf(request: string): unknown {
  const shown = publicRequest(request)
  const text = JSON.stringify(shown)
  if (text.length <= requestUnitsMax) return shown
  const hash = createHash('sha256').update(text).digest('hex')
  return `(${text.length} characters of JSON with the SHA-256 ${hash})`
}

/** Returns the head after a line. A text counts as its UTF-8. */
export function headAfter(line: string | Uint8Array, { count }: Head): Head {
  return { count: count + 1, hash: createHash('sha256').update(line).digest('hex') }
}

/** The facts of a line that the chain needs. */
export interface LineFacts {
  readonly number: number
  readonly previous: string
  readonly event: string | undefined
  readonly decision: string | undefined
  readonly txid: string | undefined
  /** Milliseconds since 1970. */
  readonly time: number
  /** True if a policy is on from this line; `undefined` if the line does not say it. */
  readonly policy: boolean | undefined
  /** The end of the name of the file before; `undefined` in all but the first line of a file. */
  readonly earlier: string | undefined
}

/** Matches the end of the name of a file that is complete. */
const numbersOfFile = /^\d{12,16}-\d{12,16}$/

/** Reads a line; `undefined` for text that no guard wrote. */
export function readLine(line: string): LineFacts | undefined {
  try {
    const value = parseJson(line)
    const number = memberOf(value, 'n')
    const previous = memberOf(value, 'previous')
    const names = ['event', 'decision', 'txid', 'at', 'policy', 'earlier']
    const [event, decision, txid, at, policy, earlier] = names.map((name) => memberOf(value, name))
    if (!isLosslessNumber(number) || !isHex32(previous) || typeof at !== 'string') return undefined
    return {
      number: Number(number.value),
      previous,
      event: typeof event === 'string' ? event : undefined,
      decision: typeof decision === 'string' ? decision : undefined,
      txid: typeof txid === 'string' ? txid : undefined,
      time: Date.parse(at),
      policy: typeof policy === 'boolean' ? policy : undefined,
      // It becomes a path, so no other text will do.
      earlier: typeof earlier === 'string' && numbersOfFile.test(earlier) ? earlier : undefined,
    }
  } catch {
    return undefined
  }
}

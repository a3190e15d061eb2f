import { isJsonObject, JsonFaultError, memberOf, parseJson } from '../primitives/json.ts'
import type { Finding, Report } from '../request/report.ts'
import { answerText, daemonJson, RpcFailure } from '../server/json-rpc.ts'
import { type ClientCall, textOfCall } from './call.ts'
import { longHexIn } from './long-hex.ts'
import { withinOrder } from './order-rest.ts'
import { type Ending, noteRefusal, type PaymentParts, undertake } from './payments.ts'
import { guardFailure } from './refusals.ts'
import { requestedOf } from './requested.ts'
import { tokenMethods, tokenRequest } from './token-requests.ts'
import type { Upstream } from './upstream.ts'

/** A built transaction has at most 200 kB, so its answer has twice as many digits. */
const answerBytesMax = 1 << 20

/** The parts by which a daemon builds a transaction. */
export interface BuildParts extends PaymentParts {
  readonly upstream: Upstream
}

/**
 * Lets the daemon build a transaction, verifies it, and returns the daemon's answer. Otherwise the
 * answer is a failure in the form of the method, without any signed hex.
 */
export async function build(parts: BuildParts, call: ClientCall): Promise<string> {
  const { method, params } = call
  let answer: string | undefined
  try {
    const { network } = parts.terms
    const asked = await withinOrder(tokenRequest(method, params, parts.terms), {
      ...parts,
      network,
    })
    const ending = await undertake(parts, call, {
      requested: await requestedOf(parts, asked),
      moment: 'hand-over',
      async newTransaction({ check }) {
        const built = await builtBy(parts.upstream, call)
        answer = built.answer
        return check(built.hex)
      },
      // The answer hands the bytes over.
      send: async () => undefined,
    })
    const { held, report } = ending
    if (held === undefined && report.hex !== '') {
      const isOfDaemon = answer?.toLowerCase().includes(`"${report.hex}"`) === true
      return isOfDaemon ? answer! : ownAnswer(call, report.hex)
    }
    return moduleFailure(call, wordsOf(ending))
  } catch (error) {
    if (error instanceof DaemonAnswer) return error.text
    if (error instanceof RpcFailure) {
      noteRefusal(parts, call, 'parameters')
      return moduleFailure(call, error.message)
    }
    throw error
  }
}

/** An answer of the daemon that has no transaction, for example that coins do not suffice. */
class DaemonAnswer extends Error {
  readonly text: string
  constructor(text: string) {
    super('the daemon built nothing')
    this.text = text
  }
}

/** @throws {DaemonAnswer} if it built nothing; {RpcFailure} for an answer of another form */
async function builtBy(
  upstream: Upstream,
  call: ClientCall,
): Promise<{ readonly answer: string; readonly hex: string }> {
  const { text = '' } = await upstream.ask(textOfCall(call), call, answerBytesMax)
  const answer = text.replace(/\n$/, '')
  const result = memberOf(parsed(answer), 'result')
  const hex = memberOf(result, 'hex')
  const runs = longHexIn(answer)
  const members = isJsonObject(result) ? Object.keys(result) : []
  const isBuilt =
    typeof hex === 'string' &&
    runs.length === 1 &&
    runs[0] === hex &&
    (memberOf(result, 'result') ?? 'success') === 'success' &&
    members.every((name) => name === 'hex' || name === 'result')
  if (isBuilt) return { answer, hex }
  // An answer without a transaction is passed on only if it cannot contain one.
  if (typeof hex !== 'string' && runs.length === 0) throw new DaemonAnswer(answer)
  throw guardFailure('the daemon answered in another form than that of this method')
}

function parsed(text: string) {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    throw guardFailure('the daemon answered with no JSON')
  }
}

/** The answer to a repeated call, in the form of the method. */
function ownAnswer({ id, method }: ClientCall, hex: string): string {
  const isBare = tokenMethods[method]?.isBare === true
  return answerText(isBare ? `{"hex":"${hex}"}` : `{"result":"success","hex":"${hex}"}`, 'null', id)
}

function moduleFailure({ id }: ClientCall, message: string): string {
  return answerText(`{"result":"error","error":${daemonJson(message)}}`, 'null', id)
}

/** Says why nothing was handed over or sent. */
export function wordsOf({ held, report, refusal, unsettled, unrecorded, txid }: Ending): string {
  if (refusal !== undefined) {
    return `guard: the policy refuses this (${refusal.rule}): ${refusal.reason}`
  }
  switch (held) {
    case 'rejected':
      return `guard: rejected: ${findingsText(report)}`
    case 'declined':
      return 'guard: declined'
    case 'under-way':
      return 'guard: the same payment is under way; repeat the call later'
    case 'unrecorded-spends':
      return `guard: held: the chain has the same payment, and the journal has not: ${unrecorded?.join(', ')}. If this is another payment, acknowledge these transactions`
    case undefined:
      return `guard: this payment was made as ${txid}, and its bytes are no longer kept`
    default: {
      const txids = unsettled?.map((it) => it.txid).join(', ') ?? ''
      const others = txids === '' ? '' : `; unsettled: ${txids}`
      const reason = findingsText(report)
      return `guard: held (${held})${reason === '' ? '' : `: ${reason}`}${others}`
    }
  }
}

const findingsMax = 5

/** Names what was expected and what the transaction does; never its bytes. */
function findingsText({ findings }: Report): string {
  const rejecting = findings.filter(({ severity }) => severity === 'reject')
  return rejecting.slice(0, findingsMax).map(findingText).join('; ')
}

function findingText({ code, path, expected, actual }: Finding): string {
  const parts = [
    path === undefined || path === '' ? code : `${code} at ${path}`,
    ...(expected === undefined ? [] : [`expected ${brief(expected)}`]),
    ...(actual === undefined ? [] : [`actual ${brief(actual)}`]),
  ]
  return parts.join(', ')
}

/** Shortens what could be signed hex. */
function brief(value: unknown): string {
  const text = String(value)
  return text.length > 160 ? `${text.slice(0, 80)}…` : text
}

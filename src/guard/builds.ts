// Calls by which the daemon builds a token transaction: the guard verifies it before the program
// gets it.

import { isJsonObject, JsonFaultError, memberOf, parseJson } from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'
import { answerText, daemonJson, RpcFailure } from '../server/json-rpc.ts'
import { isAnswerTo } from './answer-of.ts'
import { type Admitted, type ClientCall, textOfCall } from './call.ts'
import { ChainFailure } from './chain-agreement.ts'
import { type Ending, refusalOf } from './ending.ts'
import { type EvidenceClient, withTip } from './evidence-cache.ts'
import { longHexIn } from './long-hex.ts'
import type { Look } from './look.ts'
import { withinOrder } from './order-rest.ts'
import { noteRefusal, type PaymentParts, requireChainOf, undertake } from './payments.ts'
import { guardFailure, Refusal } from './refusals.ts'
import { requestedOf } from './requested.ts'
import { tokenMethods, tokenRequest } from './token-requests.ts'
import type { Upstream } from './upstream.ts'

/** A built transaction has at most 200 kB, so its answer has twice as many digits. */
const answerBytesMax = 1 << 20

/** The parts by which a daemon builds a transaction. */
export interface BuildParts extends PaymentParts {
  readonly upstream: Upstream
  readonly evidence: EvidenceClient
  /** Begins to look at the chain. */
  readonly look: () => Look
}

/**
 * Lets the daemon build a transaction, verifies it, and returns the daemon's answer. Otherwise the
 * answer is a failure in the form of the method, without any signed hex.
 */
export async function build(parts: BuildParts, call: Admitted<ClientCall>): Promise<string> {
  const { method, params } = call
  // Before the first payment, nothing else is asked: the daemon may run another chain.
  if (!call.isForbidden && (await parts.chain(undefined)) === undefined) {
    await requireChainOf(parts, call)
  }
  try {
    const { network } = parts.terms
    const asked = await withinOrder(tokenRequest(method, params, parts.terms), {
      ...parts,
      network,
    })
    const ended = await handedOverOrHeld(parts, call, asked)
    if ('text' in ended) return ended.text
    // A payment whose bytes are no longer kept was not noted yet.
    noteRefusal(parts, call, 'repetition')
    return moduleFailure(call, refusalOf(ended.held).message)
  } catch (error) {
    if (error instanceof DaemonAnswer) return error.text
    const isFailure = error instanceof RpcFailure && !(error instanceof ChainFailure)
    if (!isFailure || call.isForbidden) throw error
    noteRefusal(parts, call, error instanceof Refusal ? error.reason : 'daemon')
    return moduleFailure(call, error.message)
  }
}

/**
 * Returns the answer that hands a transaction over, or the ending of a payment that was held. It
 * returns once the handed-over transaction is recorded, and does not wait for later records.
 */
async function handedOverOrHeld(
  parts: BuildParts,
  call: Admitted<ClientCall>,
  asked: AskedFor,
): Promise<{ readonly text: string } | { readonly held: Ending }> {
  const { upstream, evidence, requireChain } = parts
  let looked: Look | undefined
  const requested = await requestedOf(
    {
      ...parts,
      evidence: withTip(evidence, async () => looked?.tip()),
      // A new payment looks at the chain while the daemon builds.
      async chain(known) {
        if (known !== undefined) await requireChain()
        return parts.chain(known)
      },
      spends: (recorded) => (looked ?? parts).spends(recorded),
    },
    asked,
  )
  return new Promise((resolve, reject) => {
    let answer: string | undefined
    undertake(parts, call, {
      requested,
      isBuiltBeside: true,
      async newTransaction({ check }) {
        looked = parts.look()
        const [built] = await Promise.all([builtBy(upstream, call), looked.chain()])
        answer = built.answer
        return check(built.hex)
      },
      async send({ txid, hex }) {
        const isOfDaemon = answer?.toLowerCase().includes(`"${hex}"`) === true
        resolve({ text: isOfDaemon ? answer! : ownAnswer(call, hex) })
        await evidence.keep(txid, hex)
      },
    }).then((ending) => {
      const { held, report } = ending
      if (held !== undefined || report.hex === '') resolve({ held: ending })
      // The flow does not call `send` for a payment that is already in a block.
      else resolve({ text: ownAnswer(call, report.hex) })
    }, reject)
  })
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
  call: Admitted<ClientCall>,
): Promise<{ readonly answer: string; readonly hex: string }> {
  const { text = '' } = await upstream.ask(textOfCall(call), call, answerBytesMax)
  const answer = text.replace(/\n$/, '')
  const given = parsed(answer)
  const [result, error = null] = [memberOf(given, 'result'), memberOf(given, 'error')]
  if (!isAnswerTo(call.id, answer)) throw anotherForm()
  const hex = memberOf(result, 'hex')
  const runs = longHexIn(answer)
  const members = isJsonObject(result) ? Object.keys(result) : []
  const isBuilt =
    error === null &&
    typeof hex === 'string' &&
    runs.length === 1 &&
    runs[0] === hex &&
    (memberOf(result, 'result') ?? 'success') === 'success' &&
    members.every((name) => name === 'hex' || name === 'result')
  if (isBuilt) return { answer, hex }
  // An answer without a transaction is passed on only if it cannot contain one.
  if (typeof hex !== 'string' && runs.length === 0) throw new DaemonAnswer(answer)
  throw anotherForm()
}

function anotherForm(): RpcFailure {
  return guardFailure('the daemon answered in another form than that of this method')
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

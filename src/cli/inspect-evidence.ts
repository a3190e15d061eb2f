// The evidence that the page of `antara-tx inspect` may ask for, from the server of its options.

import { randomBytes } from 'node:crypto'

import { networks } from '../chain/network.ts'
import { type CaseCompleter, createCaseCompleter } from '../chain-source/case-evidence.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { formatCase } from '../request/format-case.ts'
import { isRpcError } from '../rpc/errors.ts'
import type { HttpRequest, Reply } from '../server/http-server.ts'
import { parseCase } from '../verification/parse-case.ts'
import { openChain } from './chain.ts'
import type { ParsedArguments, Terminal } from './command.ts'

/** Bytes of the longest case: what the page reads. */
export const caseBytesMax = 20_000_000

/** A page with a way to evidence, below a path that nobody guesses. */
export interface EvidenceServer {
  /** The folder of the page, which other users of this machine do not know. */
  readonly path: string
  /** Lets a page ask its own server, and names the source. */
  page(text: string): string
  handle(request: HttpRequest): Promise<Reply>
  close(): void
}

/** Opens the server that the options name. */
export async function openEvidence(
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<EvidenceServer> {
  // Evidence is found by txid, which is the same for every network.
  const { chain, close } = await openChain(parsed, terminal, networks.assetChain)
  const complete = createCaseCompleter(chain)
  const path = `/${randomBytes(16).toString('hex')}/`
  let isBusy = false
  return {
    path,
    close,
    page(text) {
      const [before, after, ...more] = text.split("connect-src 'none'")
      if (after === undefined || more.length > 0)
        throw new Error('the policy of the page is unknown')
      const source = parsed.options.has('electrum') ? 'the Electrum servers' : 'the daemon'
      const meta = `<meta name="evidence" content="${source}">`
      return `${before}connect-src 'self'${after.replace('<meta name="viewport"', `${meta}\n$&`)}`
    },
    async handle(request) {
      if (request.path !== `${path}evidence`) return answer(404, 'there is nothing here')
      // Pages of other sites cannot send this type without a question that is refused.
      if (request.headers['content-type'] !== 'application/json') {
        return answer(415, 'expected application/json')
      }
      if (isBusy) return answer(503, 'the last question is not answered yet')
      isBusy = true
      try {
        return await completed(request, complete)
      } finally {
        isBusy = false
      }
    },
  }
}

async function completed({ body, signal }: HttpRequest, complete: CaseCompleter): Promise<Reply> {
  try {
    const { given, missing } = await complete(parseCase(body ?? ''), { signal })
    return {
      status: 200,
      headers: json,
      body: JSON.stringify({ case: formatCase(given), missing }),
    }
  } catch (error) {
    if (isAntaraError(error)) return answer(400, sentenceOf(error))
    if (isRpcError(error)) return answer(502, `${error.kind}: ${error.message}`)
    throw error
  }
}

const json = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }

function answer(status: number, error: string): Reply {
  return { status, headers: json, body: JSON.stringify({ error }) }
}

// Fetches evidence for the page of `antara-tx inspect` from the server that the options name.

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

/** Largest number of bytes of a case. The page reads no longer one. */
export const caseBytesMax = 20_000_000

/** Serves the page and its evidence below a path that nobody can guess. */
export interface EvidenceServer {
  /** The path of the page, which other users of this machine do not know. */
  readonly path: string
  /** Returns the page with a policy that lets it call this server, and the name of the source. */
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
        throw new Error("the page has not exactly one connect-src 'none'")
      const source = parsed.options.has('electrum') ? 'the Electrum servers' : 'the daemon'
      const meta = `<meta name="evidence" content="${source}">`
      return `${before}connect-src 'self'${after.replace('<meta name="viewport"', `${meta}\n$&`)}`
    },
    async handle(request) {
      if (request.path !== `${path}evidence`) return answer(404, 'there is nothing here')
      // The browser lets a page of another site send this type only after a preflight, which fails.
      if (request.headers['content-type'] !== 'application/json') {
        return answer(415, 'expected application/json')
      }
      if (isBusy) return answer(503, 'the previous request is not answered yet')
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

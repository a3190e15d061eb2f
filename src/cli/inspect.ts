import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'

import {
  type HttpServer,
  openHttpServer,
  type Reply,
  type RequestHead,
} from '../server/http-server.ts'
import {
  type Command,
  exitAgrees,
  jsonOption,
  onePositional,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import {
  namesServer,
  requireNoConnection,
  serverNotes,
  serverOptions,
} from './connection-options.ts'
import type { EvidenceServer } from './inspect-evidence.ts'
import { listening } from './listening.ts'
import { readSource } from './read.ts'
import { served } from './served.ts'

/** Longest link in characters that browsers and terminals accept. */
const linkMax = 30_000

export const inspect: Command = {
  usage: ['[HEX | CASE.json | -]'],
  about: `Serves a page on this machine that shows what a transaction does: a picture, every byte by its
field, scripts and conditions as trees, and the verdict on a case. The page makes no request. With
--daemon or --electrum it has a button that fetches the evidence of a case from that server.`,
  options: [
    { name: 'port', value: 'PORT', about: 'port of the page; default: any free one' },
    { name: 'daemon', about: 'let the page fetch evidence from a daemon' },
    ...serverOptions,
    jsonOption,
  ],
  notes: `The input is in the part of the link after #, which browsers do not send. With --json the first line
is one object: { "url": … }. The first interrupt ends it.

With --daemon or --electrum, this process asks the server when the button is pressed. Every
transaction must hash to its txid. The page is below a path of 32 random digits, which other users
of this machine do not know.

${serverNotes}`,
  async run(parsed, terminal) {
    const given = onePositional(parsed)
    const text = given === undefined ? undefined : await readSource(given, terminal)
    const page = readFileSync(new URL('../../dist/inspector.html', import.meta.url), 'utf8')
    const port = portOf(parsed.options.get('port'))
    const evidence = await evidenceOf(parsed, terminal)
    const server = await listening(() => open(page, port, evidence))
    const link = text === undefined ? '' : fragmentOf(text)
    const isShort = link.length <= linkMax
    const url = `${server.url}${evidence?.path.slice(1) ?? ''}${isShort ? link : ''}`
    const shown = `Open in a browser:\n\n${url}\n\nThe first interrupt ends it.\n`
    const interrupted = served(parsed, terminal, { facts: { url }, text: shown })
    if (!isShort) {
      terminal.printError('The input is too long for a link: paste or drop it on the page.\n')
    }
    await interrupted
    await server.close()
    evidence?.close()
    return exitAgrees
  },
}

async function evidenceOf(
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<EvidenceServer | undefined> {
  if (!namesServer(parsed)) {
    requireNoConnection(parsed)
    return undefined
  }
  // Loaded only here, because most uses need no client.
  const { openEvidence } = await import('./inspect-evidence.ts')
  return openEvidence(parsed, terminal)
}

async function open(
  page: string,
  port: number,
  evidence: EvidenceServer | undefined,
): Promise<HttpServer> {
  const isPage = true
  if (evidence === undefined) {
    const admit = (head: RequestHead) => answerTo(head, page, '/')
    return openHttpServer({ admit, handle: () => notFound, isPage }, { port, bodyBytesMax: 1 })
  }
  const { caseBytesMax } = await import('./inspect-evidence.ts')
  const text = evidence.page(page)
  const admit = (head: RequestHead) =>
    head.method === 'POST' && head.path === `${evidence.path}evidence`
      ? undefined
      : answerTo(head, text, evidence.path)
  const handle = evidence.handle
  return openHttpServer({ admit, handle, isPage }, { port, bodyBytesMax: caseBytesMax })
}

function answerTo({ method, path }: RequestHead, page: string, place: string): Reply {
  if (method !== 'GET' && method !== 'HEAD') return { ...notFound, status: 405 }
  return path === place ? { status: 200, headers, body: method === 'GET' ? page : '' } : notFound
}

/**
 * Headers of the page. The rest of its policy is in the page, but only a header can forbid framing.
 */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
const notFound: Reply = { status: 404, headers: { 'content-type': 'text/plain' }, body: '' }

/** Encodes the input for inspector/link.ts. */
function fragmentOf(text: string): string {
  return `#network=assetChain&z=${deflateRawSync(text).toString('base64url')}`
}

function portOf(port = '0'): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port)
  throw new UsageError('--port: expected a number from 0 to 65535')
}

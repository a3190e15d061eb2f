import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'

import { openHttpServer, type Reply, type RequestHead } from '../server/http-server.ts'
import { type Command, exitAgrees, jsonOption, onePositional, UsageError } from './command.ts'
import { listening } from './listening.ts'
import { readSource } from './read.ts'
import { untilEnded } from './until-ended.ts'

/** Longest link in characters that browsers and terminals accept. */
const linkMax = 30_000

export const inspect: Command = {
  usage: ['[HEX | CASE.json | -]'],
  about: `Serves a page on this machine that shows what a transaction does: a picture, every byte by its
field, scripts and conditions as trees, and the verdict on a case. The page makes no request.`,
  options: [
    { name: 'port', value: 'PORT', about: 'port of the page; default: any free one' },
    jsonOption,
  ],
  notes: `The input is in the part of the link after #, which browsers do not send. With --json the first line
is one object: { "url": … }. The first interrupt ends it.`,
  async run(parsed, terminal) {
    const given = onePositional(parsed)
    const text = given === undefined ? undefined : await readSource(given, terminal)
    const page = readFileSync(new URL('../../dist/inspector.html', import.meta.url), 'utf8')
    const rules = { admit: (head: RequestHead) => answerTo(head, page), handle: () => notFound }
    const port = portOf(parsed.options.get('port'))
    const server = await listening(() =>
      openHttpServer({ ...rules, isPage: true }, { port, bodyBytesMax: 1 }),
    )
    const link = text === undefined ? '' : fragmentOf(text)
    const isShort = link.length <= linkMax
    const url = `${server.url}${isShort ? link : ''}`
    // Set up before the first line, because its reader may interrupt at once.
    const interrupted = untilEnded()
    if (parsed.flags.has('json')) terminal.print(`${JSON.stringify({ url })}\n`)
    else {
      terminal.print(`Open in a browser:\n\n${url}\n\n`)
      terminal.print('The first interrupt ends it.\n')
    }
    if (!isShort) {
      terminal.printError('The input is too long for a link: paste or drop it on the page.\n')
    }
    await interrupted
    await server.close()
    return exitAgrees
  },
}

function answerTo({ method, path }: RequestHead, page: string): Reply {
  if (method !== 'GET' && method !== 'HEAD') return { ...notFound, status: 405 }
  return path === '/' ? { status: 200, headers, body: method === 'GET' ? page : '' } : notFound
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

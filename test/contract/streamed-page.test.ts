// A page whose WebAssembly is a file of its own, in a real browser. It verifies. If a server does not
// give the file, only calls that need the engine fail.

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { parseCase, verifyCase } from '../../src/index.ts'
import { root } from '../support/built.ts'
import { noChromium, openPage } from '../support/chromium.ts'
import { testUnless } from '../support/skip.ts'
import { reply, startServer, type TestServer } from './support/server.ts'

const names = ['transfer.json', 'transfer-wrong-destination.json']
const cases = names.map((name) => readFileSync(`${root}examples/${name}`, 'utf8'))
const wasm = readFileSync(`${root}native/wasm/antara_tx.wasm`)

/** By the first folder of the page's script: what the server answers for the module. */
const answers: Readonly<Record<string, readonly [status: number, type: string, body: Buffer]>> = {
  right: [200, 'application/wasm', wasm],
  untyped: [200, 'application/octet-stream', wasm],
  missing: [404, 'text/html', Buffer.from('<p>not here')],
  page: [200, 'text/html', Buffer.from('<p>a page in its place')],
  cut: [200, 'application/wasm', wasm.subarray(0, 100_000)],
}

interface Outcome {
  readonly verdicts?: readonly boolean[]
  /** Calls of `WebAssembly.compileStreaming`. */
  readonly streamed: number
  readonly code?: string
  readonly message?: string
  readonly needsNoEngine: string
}

let script: string
let server: TestServer
let closePage = async (): Promise<void> => undefined
let report: (outcome: string) => void

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { networks, parseCase, verifyCase } from 'antara-tx'",
      resolveDir: root,
    },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
    conditions: ['antara-tx-streamed', 'module'],
  })
  script = outputFiles[0]!.text
  server = await startServer((request, response) => {
    const [, folder = '', ...rest] = request.path.split('/')
    if (folder === '') {
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy':
          "default-src 'none'; script-src 'self' 'nonce-page' 'wasm-unsafe-eval'; connect-src 'self'",
      })
      return void response.end(page)
    }
    if (folder === 'report') {
      report(request.body)
      return reply(response, 200, '{}')
    }
    if (rest.at(-1) === 'page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      return void response.end(script)
    }
    const [status, type, body] = answers[folder]!
    expect(rest).toEqual(['native', 'wasm', 'antara_tx.wasm'])
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  })
})
afterAll(async () => {
  await closePage()
  await server.close()
})

// esbuild leaves the module where it is from the script: ../../native/wasm.
const page = `<!doctype html>
<script type="module" nonce="page">
const cases = ${JSON.stringify(cases)}
const compileStreaming = WebAssembly.compileStreaming.bind(WebAssembly)
let streamed = 0
WebAssembly.compileStreaming = (response) => {
  streamed += 1
  return compileStreaming(response)
}
async function outcomeOf(folder) {
  streamed = 0
  const { networks, parseCase, verifyCase } = await import('/' + folder + '/site/js/page.js')
  const needsNoEngine = networks.komodo.name
  try {
    const verdicts = cases.map((text) => verifyCase(parseCase(text)).ok)
    return { verdicts, streamed, needsNoEngine }
  } catch ({ code, message }) {
    return { code, message, streamed, needsNoEngine }
  }
}
const outcomes = {}
for (const folder of ${JSON.stringify(Object.keys(answers))}) {
  outcomes[folder] = await outcomeOf(folder).catch((error) => String(error?.stack ?? error))
}
fetch('/report/', { method: 'POST', body: JSON.stringify(outcomes) })
</script>`

test('the script holds no module, and is 110 kB with gzip', () => {
  expect(script).not.toContain(readFileSync(`${root}native/wasm/antara_tx.lzma`, 'base64'))
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(110_000)
})

testUnless(noChromium)(
  'the page verifies with the streamed module, or its error names the reason',
  async () => {
    const reported = new Promise<string>((resolve) => {
      report = resolve
    })
    closePage = openPage(server.url)
    const outcomes: Record<string, Outcome> = JSON.parse(await reported)
    const verdicts = cases.map((text) => verifyCase(parseCase(text)).ok)
    expect(verdicts).toEqual([true, false])
    const needsNoEngine = 'komodo'
    expect(outcomes.right).toEqual({ verdicts, streamed: 1, needsNoEngine })
    expect(outcomes.untyped).toEqual({ verdicts, streamed: 0, needsNoEngine })
    for (const folder of ['missing', 'page', 'cut']) {
      expect(outcomes[folder]).toMatchObject({ code: 'engine_unavailable', needsNoEngine })
      expect(outcomes[folder]!.message).toContain(`/${folder}/native/wasm/antara_tx.wasm: `)
    }
    expect(outcomes.missing!.message).toContain('the server answered 404')
  },
)

// The page that explains a transaction, used as a person would: what is pasted, in browsers, themes
// and widths. axe-core finds nothing, no request leaves, hostile text stays text.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  buildTokenCreate,
  conditionUri,
  formatCase,
  parseCase,
  tokenConditionTree,
  tokenScript,
} from '../../src/index.ts'
import { root } from '../support/built.ts'
import { describeUnless } from '../support/skip.ts'
import { browsers, noDriver, press, visit } from './browsers.mjs'

const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const example = (name: string) => read(`examples/${name}.json`)
const { hex } = JSON.parse(example('transfer'))

/** Turned around, invisible, markup: as much as a token's name and description take. */
const hostileName = '<img src=x>\u202egnp.exe\u200b'
const hostileDescription = `</script><script>alert(1)</script>${'\u0301'.repeat(20)}${'W'.repeat(20)}`

function hostileCreation(): string {
  const { note: _, supply, ...request } = JSON.parse(example('create-request'))
  const made = buildTokenCreate({
    ...request,
    ...{ supply: BigInt(supply), name: hostileName, description: hostileDescription },
  })
  const given = parseCase(example('create'))
  const intent = { ...given.intent, name: hostileName, description: hostileDescription }
  return formatCase({ ...given, hex: made.hex, intent } as typeof given)
}

const owner = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'

/** The pasted text, and the start of the page's answer. */
const pasted: Record<string, readonly [text: string | readonly string[], answer: string]> = {
  'a good transfer': [example('transfer'), 'AGREES'],
  'a wrong destination': [example('transfer-wrong-destination'), 'REJECTED'],
  'stolen change': [example('transfer-stolen-change'), 'REJECTED'],
  'a creation': [example('create'), 'AGREES'],
  hex: [hex, 'What it does'],
  'half of the hex': [hex.slice(0, 200), 'This cannot be read'],
  'hex with a wrong digit': [`${hex.slice(0, 100)}zz`, 'This cannot be read'],
  'an address': ['REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', 'Script'],
  'a condition': [conditionUri(tokenConditionTree(owner)), 'Condition'],
  'a script': [tokenScript(owner), 'Script'],
  'no case': ['{"hex": 1}', 'This cannot be read'],
  'hostile text': [
    `${hostileName}${hostileDescription}${'\u0301'.repeat(200)}${'W'.repeat(2000)}`,
    'This cannot be read',
  ],
  'a creation with a hostile name': [hostileCreation(), 'UNSIGNED'],
  'two transfers': [[example('transfer'), example('transfer-wrong-destination')], '2 differences'],
  'a case and its hex': [[example('transfer'), hex], 'The two are the same'],
  'a transfer and an address': [
    [hex, 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'],
    'The second is not a transaction or case',
  ],
  'a transfer and a hostile creation': [[example('transfer'), hostileCreation()], '1'],
  'a hundred thousand digits': ['00'.repeat(50_000), 'This cannot be read'],
}

/** A transfer without evidence, and an answer with it, as `antara-tx inspect --daemon` gives it. */
const whole = parseCase(example('transfer'))
const bare = formatCase({ ...whole, evidence: { previousTransactions: [] } })

let server: Server
let url = ''
beforeAll(async () => {
  const page = read('dist/inspector.html')
  const asking = page
    .replace("connect-src 'none'", "connect-src 'self'")
    .replace('<meta name="viewport"', '<meta name="evidence" content="the daemon">\n$&')
  server = createServer((request, response) => {
    if (request.url === '/asking/evidence') {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ case: formatCase(whole), missing: [] }))
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(request.url === '/' ? page : request.url === '/asking/' ? asking : '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server.close())

describeUnless(noDriver).each(browsers.filter(({ path }) => path !== undefined))(
  'in $name',
  (kind) => {
    test.each([
      ['light', 1200],
      ['light', 420],
      ['dark', 1200],
      ['dark', 420],
    ] as const)(
      '%s, %i wide: axe finds nothing, nothing is asked for',
      async (theme, width) => {
        const texts = Object.entries(pasted).map(([name, [text]]) => [name, text])
        const options = { url, theme, width, pasted: Object.fromEntries(texts) }
        const { isDark, looks, requests, trouble } = await visit(kind, options)
        expect(isDark).toBe(theme === 'dark')
        for (const [name, [, answer]] of Object.entries(pasted)) {
          const { answer: given, ...look } = looks[name]!
          expect(given.slice(0, answer.length), name).toBe(answer)
          expect(look, name).toEqual({
            findings: [],
            ...{ images: 0, scripts: 1 },
            ...{ isDisguised: false, isOverflowing: false },
          })
        }
        expect(trouble).toEqual([])
        expect(requests.filter((asked) => !asked.startsWith('data:'))).toEqual([url])
      },
      600_000,
    )

    test.each([
      ['light', 1200],
      ['dark', 420],
    ] as const)(
      '%s, %i wide: a page that may ask fetches evidence once, and axe finds nothing',
      async (theme, width) => {
        const { before, answer, findings, requests } = await press(kind, {
          ...{ url: `${url}asking/`, theme, width, text: bare },
          ...{ button: 'Fetch evidence', status: 'Evidence fetched from the daemon.' },
        })
        expect([before.slice(0, 8), answer.slice(0, 6), findings]).toEqual([
          'REJECTED',
          'AGREES',
          [],
        ])
        const asked = requests.filter((line) => !line.includes('data:'))
        expect(asked).toEqual([`GET ${url}asking/`, `POST ${url}asking/evidence`])
      },
      120_000,
    )
  },
)

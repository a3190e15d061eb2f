// The page that explains a transaction, used as a person would: what is pasted, in browsers, themes and
// widths. axe-core finds nothing, no request leaves, hostile text stays text.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  buildTokenCreate,
  conditionUri,
  formatCase,
  parseCase,
  tokenConditionTree,
  tokenScript,
} from '../../src/index.ts'
import { root } from '../support/built.ts'
import { browsers, canDrive, launch } from './browsers.ts'

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

/** What is pasted, and how the page's answer begins. */
const pasted: Record<string, readonly [text: string, answer: string]> = {
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
  'a hundred thousand digits': ['00'.repeat(50_000), 'This cannot be read'],
}

let server: Server
let url = ''
beforeAll(async () => {
  const page = read('dist/inspector.html')
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(request.url === '/' ? page : '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server.close())

const axe = canDrive ? read('test/consumers/node_modules/axe-core/axe.min.js') : ''

describe.skipIf(!canDrive).each(browsers.filter(({ path }) => path !== undefined))(
  'in $name',
  (kind) => {
    test.each([
      ['light', 1200],
      ['dark', 420],
      ['dark', 1200],
      ['light', 420],
    ] as const)(
      '%s, %i wide: axe finds nothing, nothing is asked for',
      async (theme, width) => {
        const browser = await launch(kind, theme)
        try {
          const page = await browser.newPage()
          const trouble: string[] = []
          const requests: string[] = []
          page.on('request', (request) => requests.push(request.url()))
          page.on('pageerror', (error) => trouble.push(String(error)))
          page.on('console', (message) => trouble.push(message.text()))
          page.on('dialog', (dialog) => {
            trouble.push(`dialog: ${dialog.message()}`)
            dialog.dismiss()
          })
          await page.setViewport({ width, height: 900 })
          if (kind.name === 'chrome') {
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
          }
          await page.goto(url)
          await page.waitForSelector('#pasted')
          const isDark = await page.evaluate(
            () => matchMedia('(prefers-color-scheme: dark)').matches,
          )
          expect(isDark).toBe(theme === 'dark')
          await page.evaluate(axe)

          for (const [name, [text, answer]] of Object.entries(pasted)) {
            await page.$eval(
              '#pasted',
              (box, value) => {
                ;(box as HTMLTextAreaElement).value = value
                box.dispatchEvent(new Event('input', { bubbles: true }))
              },
              text,
            )
            const shown = await page.evaluate(async () => {
              for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
              return document.querySelector('main section')!.textContent!
            })
            expect(shown.slice(0, answer.length), name).toBe(answer)
            const found = await page.evaluate(
              "(async () => (await axe.run()).violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))()",
            )
            expect(found, name).toEqual([])
            const seen = await page.evaluate(() => ({
              images: document.querySelectorAll('img').length,
              scripts: document.querySelectorAll('script').length,
              disguised: /[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/.test(
                document.querySelector('main section')!.textContent!,
              ),
              overflow: document.documentElement.scrollWidth > innerWidth,
            }))
            const calm = { images: 0, scripts: 1, disguised: false, overflow: false }
            expect(seen, name).toEqual(calm)
          }
          expect(trouble).toEqual([])
          expect(requests.filter((asked) => !asked.startsWith('data:'))).toEqual([url])
        } finally {
          await browser.close()
        }
      },
      600_000,
    )
  },
)

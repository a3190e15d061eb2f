// Opens the built site in a browser that may ask no other host, at two widths, light and dark, and
// searches in it. Pictures go to out/site-looks. The browser is CHROMIUM, or /usr/bin/chromium.

import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const site = fileURLToPath(new URL('../out/site/', import.meta.url))
const looks = fileURLToPath(new URL('../out/site-looks/', import.meta.url))
mkdirSync(looks, { recursive: true })
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://127.0.0.1')
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  try {
    const body = readFileSync(site + decodeURIComponent(path))
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body)
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`

/** Runs in the page: what is cut off, or too small to read. */
async function cutOff() {
  const found = []
  for (const code of document.querySelectorAll('.vp-doc div.language-ts pre')) {
    if (code.scrollWidth > code.clientWidth) found.push(`cut off: ${code.textContent.slice(0, 60)}`)
  }
  for (const table of document.querySelectorAll('.vp-doc table')) {
    if (table.scrollWidth > table.clientWidth) found.push('a table is cut off')
  }
  for (const picture of document.querySelectorAll('.vp-doc img')) {
    // A browser does not tell the size of a diagram that has no width of its own.
    const [, own] = /viewBox="0 0 (\d+)/.exec(await (await fetch(picture.src)).text()) ?? []
    const scale = picture.getBoundingClientRect().width / Number(own)
    // The smallest text in a diagram has 11 pixels, and that of the terminal 13.
    if (scale < 0.65) found.push(`a picture is shown at ${scale.toFixed(2)} of its size`)
  }
  return found
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const faults = []
for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 390]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const page = await context.newPage()
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) faults.push(`asks ${request.url()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    for (const [name, path] of [
      ['home', '/'],
      ['tutorial', '/docs/tutorial.html'],
      ['concepts', '/docs/concepts.html#tokens'],
      ['errors', '/docs/errors.html#truncated'],
      ['function', '/docs/reference/verifyTokenTransfer.html'],
    ]) {
      await page.goto(origin + path, { waitUntil: 'networkidle' })
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (wider > 0) faults.push(`${path} is ${wider} pixels wider than ${width}`)
      for (const what of await page.evaluate(cutOff)) faults.push(`${path} at ${width}: ${what}`)
      await page.screenshot({ path: `${looks}${name}-${width}-${colorScheme}.png` })
    }
    await page.keyboard.press('Control+k')
    await page.locator('.VPLocalSearchBox input').fill('expiry')
    await page.locator('.VPLocalSearchBox .result').first().waitFor()
    const found = await page.locator('.VPLocalSearchBox .result').count()
    if (found === 0) faults.push('a search finds nothing')
    await page.screenshot({ path: `${looks}search-${width}-${colorScheme}.png` })
    await context.close()
  }
}
await browser.close()
server.close()
for (const fault of [...new Set(faults)]) console.error(fault)
console.log(`${faults.length} faults; pictures in out/site-looks`)
process.exitCode = faults.length === 0 ? 0 : 1

// Browsers that are driven as a person would use them. puppeteer-core drives the installed Chromium and
// Firefox alike, the latter by WebDriver BiDi. What is given to `evaluate` runs in the page.

import { existsSync, readFileSync } from 'node:fs'

const here = new URL('node_modules/', import.meta.url)
const placesOf = (variable, ...paths) =>
  [process.env[variable], ...paths].find((path) => path !== undefined && existsSync(path))

export const browsers = [
  { name: 'chrome', path: placesOf('CHROMIUM', '/usr/bin/chromium', '/usr/bin/chromium-browser') },
  { name: 'firefox', path: placesOf('FIREFOX', '/usr/bin/firefox-esr', '/usr/bin/firefox') },
]
for (const { name, path } of browsers) {
  const variable = name === 'chrome' ? 'CHROMIUM' : 'FIREFOX'
  if (path === undefined) console.warn(`SKIPPED: no ${name} here; set ${variable} to its path`)
}

/** The reason why no browser can be driven, or false. */
export const noDriver =
  !existsSync(new URL('puppeteer-core', here)) &&
  'puppeteer-core is not installed: npm install --prefix test/consumers --ignore-scripts'

/** Opens a page, of a server on loopback, and returns what closes the browser. */
export async function open(kind, url) {
  const browser = await launch(kind, 'light')
  const page = await browser.newPage()
  // Where the page says by itself when it is done.
  page.goto(url).catch(() => {})
  return () => browser.close()
}

/** Returns the text of the element `#told` of a page, at first and, if asked, after a click. */
export async function listen(kind, url, { isClicked = false } = {}) {
  const browser = await launch(kind, 'light')
  try {
    const page = await browser.newPage()
    const trouble = []
    page.on('pageerror', (error) => trouble.push(String(error)))
    page.on('console', (message) => trouble.push(message.text()))
    await page.goto(url)
    const claimed = async () => {
      const element = await page.waitForSelector('#told:not(:empty)')
      return element.evaluate(({ textContent }) => textContent)
    }
    const reported = [await claimed()]
    if (isClicked) {
      await page.click('#told')
      reported.push(await claimed())
    }
    return { reported, trouble }
  } finally {
    await browser.close()
  }
}

async function launch({ name, path }, theme) {
  const { launch: start } = await import('puppeteer-core')
  const forChrome = { args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] }
  // 0 is dark, 1 light: BiDi has no word for it.
  const scheme = 'layout.css.prefers-color-scheme.content-override'
  const forFirefox = { extraPrefsFirefox: { [scheme]: theme === 'dark' ? 0 : 1 } }
  return start({
    ...{ browser: name, executablePath: path, headless: true },
    ...{ timeout: 120_000, protocolTimeout: 300_000 },
    ...(name === 'chrome' ? forChrome : forFirefox),
  })
}

export async function visit(kind, { url, theme, width, pasted }) {
  const browser = await launch(kind, theme)
  try {
    const page = await browser.newPage()
    const trouble = []
    const requests = []
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
    const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    await page.evaluate(readFileSync(new URL('axe-core/axe.min.js', here), 'utf8'))
    const looks = {}
    for (const [name, text] of Object.entries(pasted)) looks[name] = await look(page, text)
    return { isDark, looks, requests, trouble }
  } finally {
    await browser.close()
  }
}

/** Pastes a text, presses a button, and looks at the page once its status says how that ended. */
export async function press(kind, { url, theme, width, text, button, status }) {
  const browser = await launch(kind, theme)
  try {
    const page = await browser.newPage()
    const requests = []
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
    await page.setViewport({ width, height: 900 })
    await page.goto(url)
    await page.waitForSelector('#pasted')
    await page.evaluate(readFileSync(new URL('axe-core/axe.min.js', here), 'utf8'))
    const before = await look(page, text)
    await page.evaluate((name) => {
      const buttons = [...document.querySelectorAll('button')]
      buttons.find(({ textContent }) => textContent === name).click()
    }, button)
    const selector = '[role=status]'
    const hasWords = (place, words) => document.querySelector(place).textContent.includes(words)
    await page.waitForFunction(hasWords, {}, selector, status)
    const { violations, answer } = await page.evaluate(async () => {
      const { violations } = await globalThis.axe.run()
      return { violations, answer: document.querySelector('main section').textContent }
    })
    const findings = [...before.findings, ...violations.map(({ id }) => id)]
    return { before: before.answer, answer, findings, requests }
  } finally {
    await browser.close()
  }
}

/** Pastes a text, or two texts that are compared, and looks at the answer. */
function look(page, pasted) {
  return page.evaluate(async (given) => {
    const [text, other] = [given].flat()
    const paste = (selector, value) => {
      const box = document.querySelector(selector)
      box.value = value
      box.dispatchEvent(new Event('input', { bubbles: true }))
    }
    const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
      textContent.startsWith('Compare'),
    )
    paste('#pasted', text)
    await new Promise(requestAnimationFrame)
    const isPressed = button.getAttribute('aria-pressed') === 'true'
    if (isPressed !== (other !== undefined)) button.click()
    await new Promise(requestAnimationFrame)
    if (other !== undefined) paste('#other', other)
    // The picture is drawn again when its width is known.
    for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame)
    const { violations } = await globalThis.axe.run()
    const answer = document.querySelector('main section').textContent
    return {
      answer,
      findings: violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      images: document.querySelectorAll('img').length,
      scripts: document.querySelectorAll('script').length,
      isDisguised: /[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/.test(answer),
      isOverflowing: document.documentElement.scrollWidth > innerWidth,
    }
  }, pasted)
}

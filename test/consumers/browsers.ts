// Browsers that are driven as a person would use them. puppeteer-core drives the installed Chromium and
// Firefox alike, the latter by WebDriver BiDi.

import { existsSync } from 'node:fs'
import { chromium } from '../support/chromium.ts'

export interface BrowserKind {
  readonly name: 'chrome' | 'firefox'
  readonly path: string | undefined
}

const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (path) => path !== undefined && existsSync(path),
)
if (firefox === undefined) console.warn('SKIPPED: no Firefox here; set FIREFOX to its path')

export const browsers: readonly BrowserKind[] = [
  { name: 'chrome', path: chromium },
  { name: 'firefox', path: firefox },
]

/** Whether puppeteer-core is there. */
export const canDrive = existsSync(new URL('node_modules/puppeteer-core', import.meta.url))
if (!canDrive) console.warn('SKIPPED: no puppeteer-core here; npm ci --prefix test/consumers')

export async function launch({ name, path }: BrowserKind, theme: 'light' | 'dark') {
  const { launch } = await import('puppeteer-core')
  return launch({
    browser: name,
    executablePath: path!,
    headless: true,
    timeout: 120_000,
    protocolTimeout: 300_000,
    ...(name === 'chrome'
      ? { args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] }
      : // 0 is dark, 1 light: BiDi has no word for it.
        {
          extraPrefsFirefox: {
            'layout.css.prefers-color-scheme.content-override': theme === 'dark' ? 0 : 1,
          },
        }),
  })
}

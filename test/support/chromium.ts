import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where a Chromium is, if there is one: CHROMIUM names it, or Debian has put it there. */
export const chromium: string | undefined = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((path) => path !== undefined && existsSync(path))

if (chromium === undefined) console.warn('SKIPPED: no Chromium here; set CHROMIUM to its path')

/** Opens a page, of a server on loopback, and returns what closes it. */
export function openPage(url: string): () => Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'antara-tx-chromium-'))
  const browser = spawn(
    chromium!,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      `--user-data-dir=${profile}`,
      url,
    ],
    { stdio: 'ignore' },
  )
  return async () => {
    if (browser.kill()) await once(browser, 'exit')
    // Its helpers outlive it for a moment, and write.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 })
  }
}

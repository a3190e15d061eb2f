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

/** For `testUnless`. */
export const noChromium: string | false =
  chromium === undefined && 'Chromium is not installed, or CHROMIUM does not name its path'

export const chromiumFlags: readonly string[] = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens a page, of a server on loopback, and returns what closes it. */
export function openPage(url: string, flags: readonly string[] = []): () => Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'antara-tx-chromium-'))
  const browser = spawn(
    chromium!,
    [...chromiumFlags, ...flags, `--user-data-dir=${profile}`, url],
    // A group of its own, so that its helpers end with it.
    { stdio: 'ignore', detached: true },
  )
  const ended = once(browser, 'exit')
  const kill = () => process.kill(-browser.pid!, 'SIGKILL')
  // A test that runs out of time closes nothing.
  process.once('exit', kill)
  return async () => {
    process.off('exit', kill)
    if (browser.exitCode === null) {
      kill()
      await ended
    }
    // They are gone when the kernel has found the time.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 })
  }
}

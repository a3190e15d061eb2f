// Pages whose commands a test runs as they stand.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './built.ts'

/** Returns the commands of a page, which call the command of this checkout. */
export function commandsOf(page: string): string {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)]
  const commands = blocks.map(([, text]) => text).join('')
  return commands.replace(/^main=.*$/m, `main=${join(root, 'dist/cli/main.js')}`)
}

/**
 * Runs commands in a folder, for at most 100 seconds.
 *
 * @param servers - variables with the processes to end: whatever fails, no server stays behind
 */
export function runCommands(commands: string, folder: string, servers: string) {
  const whole = `trap 'kill ${servers} 2> ended' EXIT; exec 2> errors\n${commands}`
  const { stdout, status } = spawnSync('timeout', ['100', 'bash', '-c', whole], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { stdout, status, errors: readFileSync(join(folder, 'errors'), 'utf8') }
}

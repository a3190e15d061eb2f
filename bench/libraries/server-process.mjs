import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Returns the port of a server in its own process, so that no library is charged for its work. It
 * ends with this process.
 *
 * @param {string} name of a file in bench/lib
 * @returns {Promise<number>}
 */
export async function startServerProcess(name) {
  const path = fileURLToPath(new URL(`../lib/${name}`, import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const port = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout.once('data', (text) => resolve(Number(text)))
  })
  for (const handle of [child, child.stdin, child.stdout]) handle.unref()
  return port
}

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Returns what a server in its own process prints first, such as its port. No library is charged for
 * its work. It ends with this process.
 *
 * @param {string} name of a file in bench/lib
 * @param {readonly string[]} [args]
 * @returns {Promise<any>}
 */
export async function startServerProcess(name, args = []) {
  const path = fileURLToPath(new URL(`../lib/${name}`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const port = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout.once('data', (text) => resolve(JSON.parse(String(text))))
  })
  for (const handle of [child, child.stdin, child.stdout]) handle.unref()
  return port
}

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Port of a server in a process of its own, so that its work is on nobody's account; it ends with
 * this process.
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

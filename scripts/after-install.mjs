// npm runs this after `npm install` or `npm ci` in a checkout, never for a consumer of the package.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)

if (!existsSync(new URL('node_modules/typescript', root))) {
  console.log('antara-tx: development dependencies are absent, nothing was built (npm run build)')
} else {
  // Beside the build: each of the two leaves a core idle for half of its time.
  const script = fileURLToPath(new URL('build-sqlite.mjs', import.meta.url))
  const sqlite = once(spawn(process.execPath, [script], { stdio: 'inherit' }), 'exit')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
  await sqlite
}

// npm runs this after `npm install` or `npm ci` in a checkout, never for a consumer of the package.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const root = new URL('..', import.meta.url)

if (!existsSync(new URL('node_modules/typescript', root))) {
  console.log('antara-tx: development dependencies are absent, nothing was built (npm run build)')
} else {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
  await import('./build-sqlite.mjs')
}

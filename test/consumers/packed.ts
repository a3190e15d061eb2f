// The tarball that all of these tests install, made once.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    tarball: string
  }
}

export default function pack({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'antara-tx-packed-'))
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd })
  provide('tarball', join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!))
  return () => rmSync(folder, { recursive: true })
}

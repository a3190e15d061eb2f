// A server bundle that was made without the condition `module` has the loader of Node, but no engine.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'

import { enginePath } from '../../../src/engine/engine.ts'
import { isWasm, root } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-bundled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { ANTARA_TX_ADDON: _, ANTARA_TX_ENGINE: __, ...env } = process.env
const empty = '0400008085202f89000000000000000000000000000000000000000000'
const inEngine = `import { transactionId } from 'antara-tx'
  try { console.log(transactionId('${empty}')) } catch (error) { console.log(error.message) }`
const inJournal = `import { fileJournal } from 'antara-tx/journal'
  fileJournal(process.argv[2]).read(0).catch(({ code, message }) => console.log(code, message))`

interface How {
  readonly format?: 'esm' | 'cjs'
  readonly conditions?: string[]
  readonly place?: string
}

async function printed(contents: string, how: How, ...args: string[]): Promise<string> {
  const { format = 'esm', conditions, place = folder } = how
  const outfile = join(place, format === 'cjs' ? 'server.cjs' : 'server.mjs')
  await build({
    stdin: { contents, resolveDir: root },
    ...{ bundle: true, platform: 'node', format, outfile, logLevel: 'error' },
    ...(conditions && { conditions }),
  })
  return spawnSync(process.execPath, [outfile, ...args], { encoding: 'utf8', env }).stdout
}

describe.each(['esm', 'cjs'] as const)('as %s', (format) => {
  test('without the condition, the error names it', async () => {
    const text = await printed(inEngine, { format, conditions: ['production'] })
    expect(text).toContain('antara-tx has no engine for')
    expect(text).toContain('bundle with the condition "module"')
    expect(text).toContain('leave antara-tx out of the bundle')
    expect(text).not.toContain('cmake')
  })

  test('with the condition beside another one, it has an engine', async () => {
    const text = await printed(inEngine, { format, conditions: ['production', 'module'] })
    expect(text).toMatch(/^[0-9a-f]{64}\n$/)
  })

  test('a file journal does not open without a lock, and the error names the package', async () => {
    const text = await printed(inJournal, { format }, join(folder, 'journal'))
    expect(text).toMatch(/^journal_failed fs-native-extensions: .*outside of any bundle/)
  })
})

describe('it loads no binary from the folders above the bundle', () => {
  const packages = {
    'if they are no package': undefined,
    'if a package.json is broken': '{"name": "app",',
    'if a package.json is no object': 'null',
    'if a package.json has the name of this package': '{"name": "antara-tx"}',
  }
  for (const [title, text] of Object.entries(packages)) {
    testUnless(isWasm && 'there is no addon')(title, async () => {
      const above = mkdtempSync(join(folder, 'above-'))
      const place = join(above, 'a/b')
      mkdirSync(join(above, 'build/Release'), { recursive: true })
      mkdirSync(place, { recursive: true })
      copyFileSync(enginePath()!, join(above, 'build/Release/antara_tx.node'))
      if (text !== undefined) writeFileSync(join(above, 'package.json'), text)
      const shown = await printed(inEngine, { place, conditions: ['production'] })
      expect(shown).toContain('antara-tx has no engine for')
      expect(shown).toContain('bundle with the condition "module"')
    })
  }
})

// The code under test, as it is or with one thing wrong. A mutant is a copy of the files that a
// payment goes through, with one piece of text replaced.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import * as file from '../../src/journal/file.ts'
import * as memory from '../../src/journal/memory.ts'
import * as idempotentSend from '../../src/rpc/safe-flow/idempotent-send.ts'
import { root } from '../support/built.ts'

export interface CodeUnderTest {
  readonly idempotentSend: typeof idempotentSend.idempotentSend
  readonly fileJournal: typeof file.fileJournal
  readonly memoryJournal: typeof memory.memoryJournal
}

export const realCode: CodeUnderTest = { ...idempotentSend, ...file, ...memory }

export interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

const copied = [
  'src/journal/book.ts',
  'src/journal/compaction.ts',
  'src/journal/file.ts',
  'src/journal/file-format.ts',
  'src/journal/memory.ts',
  'src/journal/open-file.ts',
  'src/rpc/safe-flow/attempts.ts',
  'src/rpc/safe-flow/idempotent-send.ts',
  'src/rpc/safe-flow/release.ts',
  'src/rpc/safe-flow/pending.ts',
]

/** @throws if a text to replace is not there exactly once: the code has changed, and so must the bug */
export async function codeWith(changes: readonly Change[]): Promise<CodeUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'antara-tx-mutant-'))
  try {
    for (const path of copied) {
      const text = changes
        .filter((change) => change.file === path)
        .reduce(replaced, readFileSync(join(root, path), 'utf8'))
      const target = join(folder, path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, withPlaces(text, path))
    }
    const load = (path: string) => import(/* @vite-ignore */ join(folder, path))
    return {
      ...(await load('src/rpc/safe-flow/idempotent-send.ts')),
      ...(await load('src/journal/file.ts')),
      ...(await load('src/journal/memory.ts')),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function replaced(text: string, { file: path, from, to }: Change): string {
  if (text.split(from).length !== 2) throw new Error(`${path}: not there once: ${from}`)
  return text.replace(from, () => to)
}

/** Copies import each other; everything else they import from where it is. */
function withPlaces(text: string, path: string): string {
  return text.replace(/((?:from|import\()\s*')(\.[^']+)'/g, (all, before, target) => {
    const absolute = resolve(root, dirname(path), target)
    return copied.some((it) => join(root, it) === absolute) ? all : `${before}${absolute}'`
  })
}

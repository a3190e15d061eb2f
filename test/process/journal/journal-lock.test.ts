// One process at a time has the file of a journal.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'

import { fileJournal } from '../../../src/wallet/index.ts'
import { root } from '../../support/built.ts'

// A busy disk can take seconds for each sync. Locks are the same in memory.
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'antara-tx-journal-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `${++files}`, 'journal')

async function textsOf(path: string, waitMs = 0): Promise<readonly string[]> {
  const journal = fileJournal(path, { waitMs })
  try {
    return await journal.read(0)
  } finally {
    await journal.close()
  }
}

/**
 * Starts a process that appends one text, forgets the journal without closing it, collects garbage,
 * reports that, and stays.
 */
function holder(path: string): { readonly child: ChildProcess; readonly ready: Promise<void> } {
  const code = `import { fileJournal } from ${JSON.stringify(join(root, 'dist/journal/index.js'))}
    const journal = fileJournal(${JSON.stringify(path)})
    await journal.append(1, 'of the child')
    setInterval(() => {}, 1000)
    setImmediate(() => {
      gc()
      setImmediate(() => console.log('ready'))
    })`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout!.once('data', () => resolve())
    child.once('exit', (status, signal) => {
      reject(new Error(`the process ended before it had the journal: ${status ?? signal}`))
    })
  })
  return { child, ready }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

describe('the lock', () => {
  test('excludes another process, and is free again when that is killed', async () => {
    const path = newPath()
    const { child, ready } = holder(path)
    await ready
    await expect(textsOf(path)).rejects.toMatchObject({ code: 'journal_locked' })
    await kill(child)
    // The kernel may still be closing the files of the killed process.
    expect(await textsOf(path, 10_000)).toEqual(['of the child'])
  })

  test('is waited for', async () => {
    const path = newPath()
    const { child, ready } = holder(path)
    await ready
    const journal = fileJournal(path, { waitMs: 20_000 })
    const texts = journal.read(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await kill(child)
    expect(await texts).toEqual(['of the child'])
    await journal.close()
  })

  test('stays with a stopped process, however long it sleeps', async () => {
    const path = newPath()
    const { child, ready } = holder(path)
    await ready
    child.kill('SIGSTOP')
    const journal = fileJournal(path, { waitMs: 300 })
    await expect(journal.read(0)).rejects.toMatchObject({ code: 'journal_locked' })
    await journal.close()
    await kill(child)
  })

  test('excludes a worker of the same process', async () => {
    const path = newPath()
    const first = fileJournal(path)
    await first.append(1, 'one')
    const code = `import(${JSON.stringify(join(root, 'dist/journal/index.js'))}).then(async (it) => {
      const outcome = await it.fileJournal(${JSON.stringify(path)}).read(0).catch((error) => error.code)
      require('node:worker_threads').parentPort.postMessage(outcome)
    })`
    const worker = new Worker(code, { eval: true })
    const outcome = await new Promise((resolve) => worker.once('message', resolve))
    await worker.terminate()
    expect(outcome).toBe('journal_locked')
    await first.close()
  })

  test('makes of 8 processes at once exactly one winner for a position', async () => {
    const path = newPath()
    const code = (name: number) => `
      import { fileJournal } from ${JSON.stringify(join(root, 'dist/journal/index.js'))}
      const journal = fileJournal(${JSON.stringify(path)}, { waitMs: 30_000 })
      console.log(await journal.append(1, 'process ${name}'))
      await journal.close()`
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, name) => {
        const args = ['--input-type=module', '-e', code(name)]
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
        return new Promise<string>((resolve) => {
          let text = ''
          child.stdout.on('data', (data) => {
            text += data
          })
          child.once('close', () => resolve(text.trim()))
        })
      }),
    )
    expect(answers.filter((answer) => answer === 'true')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'false')).toHaveLength(7)
    expect(await textsOf(path)).toHaveLength(1)
  })
})

// `antara-tx key new --out` shows an address only once its private key is on the disk.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { run } from '../../../src/cli/run.ts'
import { realDisk } from '../../../src/journal/disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-durable-key-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('syncs the file of a new key, and its folder, before it prints the address', async () => {
  const steps: string[] = []
  const path = join(folder, 'key')
  const any = await open(folder)
  const files = Object.getPrototypeOf(any) as typeof any
  await any.close()
  vi.spyOn(files, 'sync').mockImplementation(async function (this: typeof any) {
    steps.push((await this.stat()).isFile() ? `file of ${(await this.stat()).size}` : 'a folder')
  })
  const syncDirectory = vi.spyOn(realDisk, 'syncDirectory').mockImplementation(async (of) => {
    steps.push(`folder ${of}`)
  })
  const status = await run(['key', 'new', '--out', path], {
    print: () => steps.push('printed'),
    printError: () => undefined,
    readStdin: async () => '',
    isInteractive: false,
    hasColor: false,
  })
  vi.restoreAllMocks()
  expect(status).toBe(0)
  expect(syncDirectory).toHaveBeenCalledOnce()
  const { length } = readFileSync(path, 'utf8')
  expect(steps).toEqual([`file of ${length}`, `folder ${folder}`, 'printed'])
})

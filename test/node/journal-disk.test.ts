// Payments on a journal whose disk fails: a typed error before anything is sent, and one payment
// once the disk works again. journal-cli.test.ts does the same on file systems that are full or
// read-only.

import { beforeEach, describe, expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, createToken, transferToken } from '../../src/rpc/index.ts'
import { fileJournal } from '../../src/wallet/index.ts'
import { type DiskOperation, SimulatedDisk, systemError } from '../support/simulated-disk.ts'

const path = '/state/journal'
let node: DevNode
let tokenid: string
let disk: SimulatedDisk
let calls: string[]

const newClient = () =>
  createDaemonClient({
    ...node.identities[0]!,
    url: 'http://127.0.0.1/',
    fetch: node.fetch,
    retry: false,
  })

beforeEach(async () => {
  disk = new SimulatedDisk()
  calls = []
  node = await createDevNode({
    listen: false,
    time: 1_800_000_000,
    onCall: ({ method }) => calls.push(method),
  })
  const owner = node.identities[0]!.pubkey
  const creation = { name: 'GOLD', supply: 1000n, description: '', owner }
  ;({ txid: tokenid } = (await createToken(newClient(), creation)) as { txid: string })
  calls.length = 0
  return () => node.close()
})

interface Fault {
  readonly operation: DiskOperation
  readonly code: string
  /** How often the operation works before. */
  readonly after: number
}

/** Pays in a process of its own, whose disk fails from a moment on. */
async function pay(fault?: Fault) {
  let left = fault?.after ?? 0
  const own = disk.process((operation) => {
    if (operation === fault?.operation && left-- <= 0) throw systemError(fault.code)
  })
  const journal = fileJournal(path, { disk: own })
  const [payer, payee] = node.identities
  const intent = { tokenid, amount: 70n, from: payer!.pubkey, destination: payee!.pubkey }
  try {
    return await transferToken(newClient(), intent, { journal, id: 'invoice-17' })
  } finally {
    await journal.close()
    own.end()
  }
}

async function paid(): Promise<number> {
  const { pubkey } = node.identities[1]!
  return ((await node.request('tokenbalance', [tokenid, pubkey])) as { balance: number }).balance
}

describe('sends nothing, and the error names the file and the reason, if', () => {
  test.each<Fault & { readonly title: string }>([
    {
      title: 'the disk is full when the file is created',
      operation: 'write',
      code: 'ENOSPC',
      after: 0,
    },
    {
      title: 'the disk is full when the payment is recorded',
      operation: 'write',
      code: 'ENOSPC',
      after: 1,
    },
    { title: 'a quota is used up', operation: 'write', code: 'EDQUOT', after: 1 },
    { title: 'the directory is read-only', operation: 'open', code: 'EROFS', after: 0 },
    {
      title: 'the directory cannot be made',
      operation: 'make-directory',
      code: 'EACCES',
      after: 0,
    },
    { title: 'the new file cannot be synced', operation: 'sync', code: 'EIO', after: 0 },
    { title: 'the record cannot be synced', operation: 'sync', code: 'EIO', after: 1 },
    { title: 'the directory cannot be synced', operation: 'sync-directory', code: 'EIO', after: 0 },
    { title: 'the file cannot be locked', operation: 'lock', code: 'ENOLCK', after: 0 },
    { title: 'a server of files has lost the file', operation: 'write', code: 'ESTALE', after: 1 },
  ])('$title', async ({ title: _, ...fault }) => {
    const context = { path, actual: fault.code }
    await expect(pay(fault)).rejects.toMatchObject({ code: 'journal_failed', context })
    expect(calls).not.toContain('sendrawtransaction')
    expect(await paid()).toBe(0)
    expect((await pay()).txid).toBeDefined()
    expect((await pay()).repeated).toBe(true)
    expect(await paid()).toBe(70)
  })
})

test('a failure to record the answer does not hide that the payment was sent', async () => {
  const { txid } = await pay({ operation: 'write', code: 'ENOSPC', after: 2 })
  expect(txid).toBeDefined()
  expect(await pay()).toMatchObject({ txid, repeated: true })
  expect(await paid()).toBe(70)
})

describe('a rename as a network file system may answer it', () => {
  async function journalWith(texts: readonly string[], rename: 'works' | 'does nothing') {
    const own = disk.process()
    const journal = fileJournal(path, {
      disk: {
        ...own,
        async rename(from, to) {
          // The server carried it out, and the repeated request finds nothing to rename.
          if (rename === 'works') await own.rename(from, to)
          throw systemError('ENOENT')
        },
      },
    })
    for (const [index, text] of texts.entries()) await journal.append(index + 1, text)
    await expect(journal.replace!(texts.length, ['both'])).rejects.toMatchObject({
      code: 'journal_failed',
    })
    return { journal, end: () => own.end() }
  }
  const reread = async () => {
    const journal = fileJournal(path, { disk: disk.process() })
    const texts = await journal.read(0)
    await journal.close()
    return texts
  }

  test('a rename that was carried out but answered with an error ends all writing to the old file', async () => {
    const { journal, end } = await journalWith(['one', 'two'], 'works')
    await expect(journal.append(3, 'three')).rejects.toMatchObject({ code: 'journal_changed' })
    await journal.close()
    end()
    expect(await reread()).toEqual(['both'])
  })

  test('a rename that failed leaves the journal usable', async () => {
    const { journal, end } = await journalWith(['one', 'two'], 'does nothing')
    expect(await journal.append(3, 'three')).toBe(true)
    await journal.close()
    end()
    expect(await reread()).toEqual(['one', 'two', 'three'])
  })
})

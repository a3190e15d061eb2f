import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGuard } from '../../../dist/guard/index.js'
import { fileJournal } from '../../../dist/journal/index.js'
import { definePeer } from '../../lib/define.mjs'
import { callerOf, daemon } from '../../libraries/guarded.mjs'

const folder = mkdtempSync(join(tmpdir(), 'bench-guard-'))
const guard = await createGuard({
  daemon: { url: daemon.url, credentials: () => daemon },
  pubkey: daemon.pubkey,
  journal: fileJournal(join(folder, 'journal')),
})

export const peer = definePeer({
  name: 'antara-tx',
  note: 'a guard',
  ...callerOf(guard.url),
  close: async () => {
    await guard.close()
    rmSync(folder, { recursive: true })
  },
})

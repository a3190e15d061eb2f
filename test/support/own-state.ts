// The journal of the command line is in the user's home by default. Each test has a state directory
// of its own, so that no test meets what another one sent, or the user's payments.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-state-'))
let tests = 0

beforeEach(() => {
  process.env.XDG_STATE_HOME = join(folder, `${++tests}`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Bugs that people write, each in a copy of the code. The explorer must find every one.

import type { Change } from './mutants.ts'
import type { Scenario } from './world.ts'

export interface Bug {
  readonly name: string
  readonly changes: readonly Change[]
  readonly scenario: Scenario
  /** How many deviations it takes at least. */
  readonly deviations: number
}

const idempotentSend = 'src/rpc/safe-flow/idempotent-send.ts'
const release = 'src/rpc/safe-flow/release.ts'
const settle = 'src/rpc/safe-flow/pending.ts'
const attempts = 'src/rpc/safe-flow/attempts.ts'
const book = 'src/journal/book.ts'
const file = 'src/journal/file.ts'
const openFile = 'src/journal/open-file.ts'
const format = 'src/journal/file-format.ts'
const memory = 'src/journal/memory.ts'

const id = 'invoice-17'
const onFile: Scenario = { name: 'file', journal: 'file', id, calls: 3 }
const twice: Scenario = { ...onFile, calls: 2 }
const hostile: Scenario = { ...onFile, name: 'file, hostile', isHostile: true }
const noId: Scenario = { name: 'file, no id', journal: 'file', calls: 3 }
const shared: Scenario = { name: 'shared', journal: 'shared', id, calls: 3 }

/** A journal is compacted behind every payment. */
const eager: Change = {
  file: book,
  from: 'const recordsWorthCompacting = 64',
  to: 'const recordsWorthCompacting = 1',
}
const shorter: Change = {
  file: book,
  from: 'if (needed.length * 2 > count) return',
  to: 'if (needed.length > count) return',
}
export const compacting: readonly Change[] = [eager, shorter]

const bug = (
  name: string,
  scenario: Scenario,
  deviations: number,
  ...changes: readonly Change[]
): Bug => ({ name, scenario, deviations, changes })

const change = (path: string, from: string, to: string): Change => ({ file: path, from, to })

export const bugs: readonly Bug[] = [
  bug('the attempt is recorded after it was sent', onFile, 0, {
    file: release,
    from: 'const remembered = await attempts.remember(attempt, allowed)',
    to: "const remembered = 'recorded' as string as 'recorded' | 'changed' | Obstacle",
  }),
  bug('the attempt is forgotten before it is sent', onFile, 0, {
    file: release,
    from: '    await runCallback(journal, nameOfCall(named), () =>\n      reportAndWait(',
    to: '    await attempts.forget()\n    await runCallback(journal, nameOfCall(named), () =>\n      reportAndWait(',
  }),
  bug(
    'an error of the broadcast ends the attempt',
    onFile,
    1,
    change(
      release,
      'if (isRpcError(error) && error.uncertain !== true) await refused()',
      'await attempts.forget()',
    ),
  ),
  bug(
    'an error of the broadcast settles the attempt',
    onFile,
    1,
    change(
      release,
      'if (isRpcError(error) && error.uncertain !== true) await refused()',
      'await settled(attempts, txid, named)',
    ),
    change(settle, "if (hex !== '' && (await hasLeftChain(flow, settled))) {", 'if (false) {'),
  ),
  bug('a refusal ends the attempt', hostile, 1, {
    file: release,
    from: "if (!wasOpen) await attempts.note('refused', txid).catch(() => undefined)",
    to: 'await attempts.forget()',
  }),
  bug('records are not synced', onFile, 0, {
    file,
    from: 'await this.#file!.sync()',
    to: 'await Promise.resolve()',
  }),
  bug('the sync is not waited for', onFile, 1, {
    file,
    from: '    await this.#sync()\n    this.#end',
    to: '    void this.#sync()\n    this.#end',
  }),
  bug('a new file is not synced into its directory', onFile, 0, {
    file: openFile,
    from: '  await disk.syncDirectory(dirname(path))',
    to: '',
  }),
  bug('what a killed process wrote is not synced', onFile, 1, {
    file: openFile,
    from: '  await file.sync()\n  await disk.syncDirectory(dirname(path))',
    to: '  if (end === 0) await file.sync()\n  await disk.syncDirectory(dirname(path))',
  }),
  bug('the lock is ignored', onFile, 1, {
    file: openFile,
    from: 'if (await file.lock()) {',
    to: 'if ((await file.lock()) || true) {',
  }),
  bug('a torn record is not cut off', onFile, 1, {
    file: openFile,
    from: '  if (torn > 0) await file.truncate(end)',
    to: '',
  }),
  bug('a torn record is an error', onFile, 1, {
    file: format,
    from: "return isTorn ? { texts, end, torn } : { problem: 'damaged', offset: end }",
    to: "return torn === 0 ? { texts, end, torn } : { problem: 'damaged', offset: end }",
  }),
  bug('half a header makes a journal foreign', twice, 1, {
    file: format,
    from: 'if (isTornHeader(bytes)) return',
    to: 'if (bytes.length === 0) return',
  }),
  bug('two spellings are two payments', noId, 0, {
    file: idempotentSend,
    from: 'const { client, key, options } = payment',
    to: 'const { client, options } = payment\n  const key = payment.request()',
  }),
  bug('a position of a shared journal can be taken twice', shared, 1, {
    file: memory,
    from: 'if (position !== texts.length + 1) return false',
    to: '',
  }),
  bug(
    'what others recorded meanwhile is not looked at',
    shared,
    1,
    {
      file: attempts,
      from: "if (book.payment(name)?.last !== before?.last) return 'changed'",
      to: '',
    },
    change(
      attempts,
      'const found = known === undefined ? whyNot(attempt, allowed) : undefined',
      'const found = undefined as Obstacle | undefined',
    ),
  ),
  bug('a refused append is taken for a stored one', shared, 1, {
    file: book,
    from: '    }\n    return false\n  }\n  return {',
    to: '    }\n    return true\n  }\n  return {',
  }),
  bug(
    'an attempt that nobody has is taken for dead',
    twice,
    2,
    {
      file: settle,
      from: '  if (payment.options.trustServer !== true) return false\n',
      to: '  if (payment.options.trustServer !== true) return true\n',
    },
    change(
      settle,
      'const outcome = isSendable(recorded) ? await sentAgain(flow, recorded) : undefined',
      'const outcome = undefined as SafeFlowResult | undefined',
    ),
  ),
  bug(
    'inputs are not compared with earlier attempts',
    onFile,
    0,
    {
      file: attempts,
      from: "if (isBeside && !differentInputs) return 'different-inputs'",
      to: '',
    },
    change(idempotentSend, '(await settlePending(flow)) ??\n', ''),
  ),
  bug('refused attempts are not compared', hostile, 1, {
    file: attempts,
    from: '          .filter(({ fate }) => fate === undefined)\n          .reverse()',
    to: '          .filter(({ fate, isOpen }) => fate === undefined && isOpen)\n          .reverse()',
  }),
  bug('a settled payment is not looked for again', onFile, 2, {
    file: settle,
    from: "if (hex !== '' && (await hasLeftChain(flow, settled))) {",
    to: 'if (hex === undefined) {',
  }),
  bug(
    'acceptance is settlement, and is not looked at again',
    hostile,
    1,
    {
      file: release,
      from: "const noted = isDurable ? attempts.note('accepted', txid) : settled(attempts, txid, named)",
      to: 'const noted = settled(attempts, txid, named)',
    },
    change(
      settle,
      "if (hex !== '' && (await hasLeftChain(flow, settled))) {",
      'if (hex === undefined) {',
    ),
  ),
  bug('a clock that was moved back makes a repetition a new payment', noId, 1, {
    file: attempts,
    from: 'return Date.now() - Date.parse(at) < ms',
    to: 'return Math.abs(Date.now() - Date.parse(at)) < ms',
  }),
  bug('compaction drops what is unsettled', onFile, 0, ...compacting, {
    file: 'src/journal/compaction.ts',
    from: '  if (settled !== undefined && id !== undefined) {\n    const { txid: sent',
    to: '  if (settled === undefined) return []\n  if (settled !== undefined && id !== undefined) {\n    const { txid: sent',
  }),
  bug('compaction renames before it syncs', onFile, 1, ...compacting, {
    file,
    from: '      await file.sync()\n      // The new file',
    to: '      // The new file',
  }),
]

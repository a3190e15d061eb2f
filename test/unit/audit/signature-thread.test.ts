// The thread that checks signatures for a ledger. Its channel stands in memory here, so the thread
// runs the sources themselves, and not what was built of them.

import { expect, test, vi } from 'vitest'

import { decodeTransaction } from '../../../src/index.ts'
import { many } from '../../support/ledgers.ts'
import { putModulesBack } from '../../support/own-modules.ts'

putModulesBack()

const path = '../../../src/audit/signatures.ts'
const groupSize = 64

const outputs = new Map(
  many.flatMap(({ hex }) => {
    const { txid, outputs } = decodeTransaction(hex)
    return outputs.map((output, vout) => [`${txid}:${vout}`, output] as const)
  }),
)
/** The recorded transfer, which a tokeld mined, with the outputs that it spends. */
const { hex } = many.at(-1)!
const prevouts = decodeTransaction(hex).inputs.map((it) => outputs.get(`${it.txid}:${it.vout}`)!)
const raw = Buffer.from(hex, 'hex')

type Handler = (value: unknown) => void

/** Loads the module anew, as each thread does. */
async function loadedWith(threads: {
  isMainThread: boolean
  workerData: unknown
  parentPort?: object
  Worker?: object
}): Promise<typeof import('../../../src/audit/signatures.ts')> {
  vi.resetModules()
  vi.doMock('node:worker_threads', () => ({ parentPort: null, Worker: class {}, ...threads }))
  try {
    return await import(path)
  } finally {
    vi.doUnmock('node:worker_threads')
    vi.resetModules()
  }
}

/** One end of a channel, which keeps what is sent. */
function end() {
  const handlers = new Map<string, Handler>()
  const sent: unknown[] = []
  return {
    handlers,
    sent,
    on: (event: string, handler: Handler) => void handlers.set(event, handler),
    postMessage: (value: unknown) => void sent.push(value),
  }
}

test('a thread finds what is badly signed in the groups that it is sent', async () => {
  const [toThread, toMain] = [end(), end()]
  const opened: { url: URL; workerData: unknown }[] = []
  class Worker {
    on = toThread.on
    postMessage = toThread.postMessage
    constructor(url: URL, { workerData }: { workerData: unknown }) {
      opened.push({ url, workerData })
    }
  }
  const { SignatureChecks } = await loadedWith({ isMainThread: true, workerData: null, Worker })
  const checks = new SignatureChecks(1)
  const bad = prevouts.map((it) => ({ ...it, value: it.value + 1n }))
  for (let at = 0; at < groupSize; at += 1) {
    checks.add({ txid: `${at}`, raw, prevouts: at === 7 ? bad : prevouts })
  }
  const [{ url, workerData }] = opened as [(typeof opened)[0]]
  expect(url.pathname).toMatch(/\/audit\/signatures\.ts$/)
  await loadedWith({ isMainThread: false, workerData, parentPort: toMain })
  expect([...toMain.handlers.keys()]).toEqual(['message'])
  const [group] = toThread.sent
  toMain.handlers.get('message')!(group)
  const found = [{ index: 7, actual: expect.stringMatching(/ in inputs\[0\]$/) }]
  expect(toMain.sent).toEqual([found])
  toThread.handlers.get('message')!(toMain.sent[0])
  expect(await checks.finish()).toMatchObject([{ txid: '7', rule: 'signature_invalid' }])
})

// A program may load the package in threads of its own.
test.each([
  ['the main thread', true, null],
  ['a thread without data', false, null],
  ['a thread that has a text', false, 'antara-tx audit'],
  ['a thread that has other data', false, { name: 'antara-tx audit' }],
])('%s listens to no ledger', async (_, isMainThread, workerData) => {
  const parentPort = end()
  await loadedWith({ isMainThread, workerData, parentPort })
  expect(parentPort.handlers.size).toBe(0)
})

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

import { takeNumbers } from '../../../src/engine/call.ts'
import { enginePath } from '../../../src/engine/engine.ts'
import * as at from '../../../src/engine/words.ts'
import { encodeTransaction, signTransaction, verifyInputsAsync } from '../../../src/index.ts'
import { writeSigningWords } from '../../../src/signing/prevout.ts'
import { isWasm } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

const key = '11'.repeat(32)
const script = '76a914fc7250a211deddc70ee5a2738de5f07817351cef88ac'
const prevouts = Array.from({ length: 60 }, () => ({ value: 7n, script }))
const { hex } = signTransaction(
  encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: prevouts.map((_, vout) => ({
      txid: 'ab'.repeat(32),
      vout,
      scriptSig: '',
      sequence: 0xffffffff,
    })),
    outputs: [{ value: 1n, script }],
    lockTime: 0,
  }),
  [key],
  prevouts,
)

test('bytes that change while threads verify them make no difference', async () => {
  const bytes = Buffer.from(hex, 'hex')
  const spent = prevouts.map((prevout) => ({ ...prevout }))
  const verdicts = verifyInputsAsync(bytes, spent)
  bytes.fill(0)
  for (const prevout of spent) prevout.script = ''
  spent.length = 0
  expect((await verdicts).map(({ ok }) => ok)).toEqual(prevouts.map(() => true))
})

test('many verifications at once keep their results apart', async () => {
  const wrong = prevouts.map((prevout, index) => ({ ...prevout, value: BigInt(index % 2 ? 7 : 8) }))
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, index) => verifyInputsAsync(hex, index % 3 ? prevouts : wrong)),
  )
  all.forEach((verdicts, index) => {
    const expected = (index % 3 ? prevouts : wrong).map(({ value }) => value === 7n)
    expect(verdicts.map(({ ok }) => ok)).toEqual(expected)
  })
})

// Straight to the addon: a worker cannot load these sources in every Node that is supported.
const workerSource = `
  const { parentPort, workerData } = require('node:worker_threads')
  const engine = require(workerData.enginePath)
  const words = engine.makeScratch(4096)
  for (let call = 0; call < 32; call += 1) {
    words.set(workerData.words)
    engine.startVerification(workerData.hex, workerData.scripts)
  }
  parentPort.postMessage('started')
`

testUnless(isWasm && 'WebAssembly starts no threads of its own')(
  'a worker may end while its threads still verify',
  async () => {
    const {
      hashType,
      branchId,
      hasBranchId,
      selector,
      prevouts: count,
    } = writeSigningWords({
      hashType: 1,
      branchId: undefined,
      selector: 2,
      prevouts,
    })
    const written = takeNumbers(0, at.resultBase + at.signingWords + at.prevoutWords * count)
    written.set([hashType, branchId, hasBranchId, selector, count], at.resultBase)
    for (let round = 0; round < 4; round += 1) {
      const worker = new Worker(workerSource, {
        eval: true,
        workerData: {
          enginePath: enginePath(),
          words: written,
          hex,
          scripts: script.repeat(prevouts.length),
        },
      })
      expect(await once(worker, 'message')).toEqual(['started'])
      expect(await worker.terminate()).toBeTypeOf('number')
    }
    expect((await verifyInputsAsync(hex, prevouts)).every(({ ok }) => ok)).toBe(true)
  },
)

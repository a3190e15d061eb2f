// A verifier keeps the creations of tokens that cases named lately. The bytes of a creation decide
// everything that is kept, so one case must not change the report on another.

import { expect, test } from 'vitest'

import { decodeTransaction, encodeTransaction, parseCase, verifyCase } from '../../../src/index.ts'
import { finish } from '../../../src/primitives/steps.ts'
import type { Evidence } from '../../../src/request/evidence.ts'
import { indexEvidence } from '../../../src/verification/evidence.ts'
import { reportLine } from '../../../src/verification/report-json.ts'
import { textOf } from '../../support/files.ts'

const text = textOf('examples/transfer.json')
const given = parseCase(text)
const creation = given.evidence.tokenCreate!
const { txid: tokenid, ...fields } = decodeTransaction(creation)

/** Returns a new string of the same characters, as JSON.parse does for each line. */
const copyOf = (hex: string): string => Buffer.from(hex).toString()

/** Returns a creation that differs from the example's in its lock time, with as many digits. */
const otherCreation = (lockTime: number): string => encodeTransaction({ ...fields, lockTime })

function transactionOf(tokenCreate: string, previousTransactions: readonly string[] = []) {
  const { txid } = decodeTransaction(tokenCreate)
  return finish(indexEvidence({ previousTransactions, tokenCreate }, txid)).byTxid.get(txid)
}

const reportOn = (evidence: Evidence): string => reportLine(verifyCase({ ...given, evidence }))

test('decodes a creation once that several cases name', () => {
  const first = transactionOf(copyOf(creation))
  expect(first?.txid).toBe(tokenid)
  expect(transactionOf(copyOf(creation))).toBe(first)
  expect(transactionOf(copyOf(creation), [copyOf(creation)])).toBe(first)
})

test('decodes each creation whose bytes differ', () => {
  const others = [1, 2, 3].map(otherCreation)
  for (const hex of [...others, ...others]) {
    expect(hex).toHaveLength(creation.length)
    expect(transactionOf(hex)).toEqual(decodeTransaction(hex))
  }
})

test('forgets creations after a mebibyte of others', () => {
  const first = transactionOf(copyOf(creation))
  const count = Math.ceil(2 ** 20 / creation.length)
  for (let lockTime = 1; lockTime <= count; lockTime += 1) transactionOf(otherCreation(lockTime))
  expect(transactionOf(copyOf(creation))).toEqual(first)
  expect(transactionOf(copyOf(creation))).not.toBe(first)
})

test('keeps no creation of more than 4 KiB', () => {
  const outputs = [...fields.outputs, { value: 0n, script: `6a${'00'.repeat(4096)}` }]
  const hex = encodeTransaction({ ...fields, outputs })
  const first = transactionOf(copyOf(hex))
  expect(transactionOf(copyOf(hex))).toEqual(first)
  expect(transactionOf(copyOf(hex))).not.toBe(first)
})

test('gives the same report before, between and after cases with other evidence', () => {
  const { evidence } = given
  const changed = Array.from({ length: 40 }, (_, at): Evidence => {
    const place = (at * 37) % creation.length
    const digit = creation[place] === '0' ? '1' : '0'
    const tokenCreate = `${creation.slice(0, place)}${digit}${creation.slice(place + 1)}`
    return { ...evidence, tokenCreate }
  })
  const strange = ['', 'zz', '\ud800', `${creation}\ud800`, `${creation}00`, creation.toUpperCase()]
  const all = [evidence, ...changed, ...strange.map((it) => ({ ...evidence, tokenCreate: it }))]
  const reports = all.map(reportOn)
  expect(reports[0]).toContain('"ok":true')
  expect(all.toReversed().map(reportOn).toReversed()).toEqual(reports)
})

test('shows the half of a character that a malformed creation has', () => {
  const evidence = { ...given.evidence, tokenCreate: `\ud800${creation.slice(1)}` }
  const { findings } = verifyCase({ ...given, evidence })
  const found = findings.find(({ path }) => path === 'evidence.tokenCreate')
  expect(found?.actual).toContain('\\ud800')
})

// Where each field of a transaction stands in its bytes.

import type { Finding, Transaction } from '../src/index.ts'

/** The kind of a field, for its color. */
export type FieldKind = 'header' | 'count' | 'txid' | 'index' | 'script' | 'amount' | 'shielded'

/** A field of the wire form. */
export interface Field {
  /** As findings name it: `outputs[0].script`. */
  readonly path: string
  readonly kind: FieldKind
  /** Offset of its first byte, and of the one after its last. */
  readonly start: number
  readonly end: number
  /** The meaning of the field, for people. */
  readonly meaning: string
}

type Row = readonly [path: string, kind: FieldKind, bytes: number, meaning: string]

/**
 * All fields of a transaction, in order and without a gap.
 *
 * A decoder refuses lengths that are longer than they need be, so the places follow from the
 * values.
 */
export function fieldsOf(transaction: Transaction): Field[] {
  let start = 0
  const fields: Field[] = []
  for (const [path, kind, bytes, meaning] of rowsOf(transaction)) {
    if (bytes === 0) continue
    fields.push({ path, kind, start, end: start + bytes, meaning })
    start += bytes
  }
  return fields
}

function* rowsOf(tx: Transaction): Generator<Row> {
  const marked = tx.overwintered ? ', overwintered' : ''
  yield ['version', 'header', 4, `version ${tx.version}${marked}`]
  if (tx.overwintered) {
    yield ['versionGroupId', 'header', 4, `version group 0x${hexOf(tx.versionGroupId)}`]
  }
  yield countRow('inputs', tx.inputs.length, 'inputs')
  for (const [at, { txid, vout, scriptSig, sequence }] of tx.inputs.entries()) {
    const path = `inputs[${at}]`
    yield [`${path}.txid`, 'txid', 32, `spends from transaction ${txid}`]
    yield [`${path}.vout`, 'index', 4, `its output ${vout}`]
    yield* scriptRows(`${path}.scriptSig`, scriptSig, 'scriptSig')
    yield [`${path}.sequence`, 'header', 4, `sequence 0x${hexOf(sequence)}`]
  }
  yield countRow('outputs', tx.outputs.length, 'outputs')
  for (const [at, { value, script }] of tx.outputs.entries()) {
    const path = `outputs[${at}]`
    yield [`${path}.value`, 'amount', 8, `${value} satoshis, or units of a token`]
    yield* scriptRows(`${path}.script`, script, 'scriptPubKey')
  }
  yield ['lockTime', 'header', 4, `lock time ${tx.lockTime}`]
  if (tx.overwintered) yield ['expiryHeight', 'header', 4, `expires at height ${tx.expiryHeight}`]
  yield* shieldedRows(tx)
}

function* scriptRows(path: string, script: string, name: string): Generator<Row> {
  const bytes = script.length / 2
  yield countRow(`${path}.length`, bytes, `bytes of ${name}`)
  yield [path, 'script', bytes, `${name}, ${bytes} bytes`]
}

function* shieldedRows(tx: Transaction): Generator<Row> {
  const isSapling = tx.overwintered && tx.version >= 4
  if (isSapling) {
    yield ['valueBalance', 'amount', 8, `value balance ${tx.valueBalance}`]
    yield* itemRows('shieldedSpends', tx.shieldedSpends.length, 384)
    yield* itemRows('shieldedOutputs', tx.shieldedOutputs.length, 948)
  }
  if (tx.version >= 2) {
    yield* itemRows('joinSplits', tx.joinSplits.length, isSapling ? 1698 : 1802)
    if (tx.joinSplits.length > 0) {
      yield ['joinSplitPubKey', 'shielded', 32, 'key of the join-splits']
      yield ['joinSplitSig', 'shielded', 64, 'signature of the join-splits']
    }
  }
  if (tx.bindingSig !== undefined) yield ['bindingSig', 'shielded', 64, 'binding signature']
}

function* itemRows(path: string, count: number, bytes: number): Generator<Row> {
  yield countRow(path, count, path)
  for (let at = 0; at < count; at += 1)
    yield [`${path}[${at}]`, 'shielded', bytes, `${bytes} bytes`]
}

function countRow(path: string, count: number, noun: string): Row {
  return [path, 'count', compactSizeBytes(count), `${count} ${noun}`]
}

/** Bytes of a CompactSize. */
function compactSizeBytes(count: number): number {
  if (count < 0xfd) return 1
  return count <= 0xffff ? 3 : 5
}

function hexOf(value: number): string {
  return value.toString(16).padStart(8, '0')
}

/** The worst that findings say of each field, or of what it is a part of; of most, nothing. */
export function marksOf(
  fields: readonly Field[],
  findings: readonly Pick<Finding, 'path' | 'severity'>[],
): Map<string, 'reject' | 'warn'> {
  const severityAt = new Map<string, 'reject' | 'warn'>()
  for (const { path, severity } of findings) {
    if (severity !== 'info' && severityAt.get(path) !== 'reject') severityAt.set(path, severity)
  }
  const marks = new Map<string, 'reject' | 'warn'>()
  for (const { path } of fields) {
    const severities = wholesOf(path).map((whole) => severityAt.get(whole))
    const worst = severities.includes('reject') ? 'reject' : severities.find((it) => it === 'warn')
    if (worst !== undefined) marks.set(path, worst)
  }
  return marks
}

/** A path and all that it is a part of: `outputs[0].script`, `outputs[0]`, `outputs`. */
function wholesOf(path: string): string[] {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index)
  return [path, ...ends.map((end) => path.slice(0, end))]
}

/** Tells whether a path names a field, or a whole that the field is part of. */
export function isWithin(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`)
}

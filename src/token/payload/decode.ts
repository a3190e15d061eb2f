// Decodes token payloads.

import { assetsEvalCode, assetsV2EvalCode, tokelDataEvalCode } from '../../chain/modules.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { resultOf, unlessMalformed } from '../../errors/malformed.ts'
import {
  byteHex,
  type Cursor,
  cursorOver,
  readByte,
  readHex,
  readVector,
  remaining,
  textOfHex,
} from '../../primitives/wire.ts'
import { isNulldata } from '../../script/nulldata.ts'
import { shortestForm } from '../../script/push.ts'
import { type AssetForm, readAssetOrder } from './asset-order.ts'
import {
  assetsExtraId,
  type CreatePayload,
  type ExtraKind,
  type IdentifiedExtra,
  type PayloadEnvelope,
  type PayloadExtra,
  type PayloadHeader,
  payloadHeaders,
  payloadPubkeysMax,
  payloadVersion,
  type TokenLayout,
  type TokenPayload,
  type TransferPayload,
} from './payload.ts'
import { readPush } from './push.ts'
import { readTokelData } from './tokel-data.ts'

// komodo src/cc/CCinclude.h, opretid; transactions of older builds contain 0x17
const kindOfId: ReadonlyMap<number, ExtraKind> = new Map([
  [0x11, 'nonFungible'],
  [assetsExtraId, 'assets'],
  [0x13, 'gateways'],
  [0x14, 'channels'],
  [0x15, 'heir'],
  [0x16, 'rogue'],
  [0x17, 'pegs'],
  [0x80, 'burn'],
  [0x81, 'import'],
])

const kindOfEvalCode: ReadonlyMap<number, ExtraKind> = new Map([
  [tokelDataEvalCode, 'nonFungible'],
  [assetsEvalCode, 'assets'],
  [assetsV2EvalCode, 'assets'],
  [0xf1, 'gateways'],
  [0xeb, 'channels'],
  [0xea, 'heir'],
  [0x11, 'rogue'],
  [0xee, 'pegs'],
])

/**
 * Decodes the token payload of a nulldata output.
 *
 * A script holds no payload if it is not nulldata, or if its data do not begin with the eval code
 * of a tokens module. Bytes of unknown meaning are kept in `rest` and `trailing`.
 *
 * @param opReturnScript - the output's whole script, hex, `6a…`
 * @returns the payload, or `undefined` if the script holds none
 * @throws {AntaraError} `truncated`, `non_canonical_length`, `length_over_limit`,
 * `unknown_token_function`, `unknown_payload_version`, `pubkey_count`, with the byte offset in the
 * script; `malformed_hex`, `odd_length_hex`
 * @see komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet, DecodeTokenCreateOpRet
 * @example
 * decodeTokenPayload('6a23f57401' + tokenid) // { layout: 'tokens-v2', kind: 'transfer', tokenid, … }
 */
export function decodeTokenPayload(opReturnScript: string): TokenPayload | undefined {
  const script = cursorOver(opReturnScript)
  if (!isNulldata(script.hex)) return undefined
  script.offset = 1
  const push = readPush(script)
  if (push === undefined || push.length === 0) return undefined
  const evalCode = Number.parseInt(script.hex.slice(2 * script.offset, 2 * script.offset + 2), 16)
  if (!payloadHeaders.some((it) => it.evalCode === evalCode)) return undefined
  if (push.length > remaining(script)) {
    throw new AntaraError('truncated', {
      offset: script.offset,
      path: 'push',
      expected: push.length,
      actual: remaining(script),
    })
  }
  const blob: Cursor = { hex: script.hex, offset: script.offset, end: script.offset + push.length }
  return readPayload(blob, {
    push: push.form,
    minimal: push.form === shortestForm(push.length),
    trailing: script.hex.slice(2 * blob.end),
  })
}

/**
 * Members are listed one by one: spreading objects into one another costs more than all the rest.
 */
function readPayload(
  blob: Cursor,
  { push, minimal, trailing }: Omit<PayloadEnvelope, 'rest'>,
): TokenPayload {
  const evalCode = readByte(blob, 'evalCode')
  const functionAt = blob.offset
  const letter = String.fromCharCode(readByte(blob, 'function'))
  const header = payloadHeaders.find((it) => it.evalCode === evalCode && it.function === letter)
  if (header === undefined) {
    throw new AntaraError('unknown_token_function', {
      offset: functionAt,
      path: 'function',
      actual: byteHex(letter.charCodeAt(0)),
    })
  }
  const { layout, kind } = header
  if (layout !== 'komodo-v1') readVersion(blob)
  if (kind === 'transfer') {
    const { tokenid, pubkeys } = readTransfer(blob, layout)
    const { extras, rest } = readLayoutExtras(blob, header)
    const transfer = { layout, kind, tokenid, pubkeys, extras, push, minimal, trailing, rest }
    return transfer as TransferPayload
  }
  const owner = readVector(blob, 'owner')
  const nameHex = readVector(blob, 'name')
  const descriptionHex = readVector(blob, 'description')
  const { extras, rest } = readLayoutExtras(blob, header)
  const create = {
    layout,
    kind,
    owner,
    name: textOfHex(nameHex),
    nameHex,
    description: textOfHex(descriptionHex),
    descriptionHex,
    extras,
    push,
    minimal,
    trailing,
    rest,
  }
  return create as CreatePayload
}

function readVersion(blob: Cursor): void {
  const offset = blob.offset
  const actual = readByte(blob, 'version')
  if (actual !== payloadVersion) {
    throw new AntaraError('unknown_payload_version', {
      offset,
      path: 'version',
      expected: payloadVersion,
      actual,
    })
  }
}

function readTransfer(
  blob: Cursor,
  layout: TokenLayout,
): Pick<TransferPayload, 'tokenid' | 'pubkeys'> {
  // The wire holds it in display order, unlike the outpoints of inputs.
  const tokenid = readHex(blob, 32, 'tokenid')
  if (layout === 'tokens-v2') return { tokenid, pubkeys: [] }
  const offset = blob.offset
  const count = readByte(blob, 'pubkeys')
  if (count > payloadPubkeysMax) {
    throw new AntaraError('pubkey_count', {
      offset,
      path: 'pubkeys',
      expected: payloadPubkeysMax,
      actual: count,
    })
  }
  const pubkeys: string[] = []
  while (pubkeys.length < count) pubkeys.push(readVector(blob, `pubkeys[${pubkeys.length}]`))
  return { tokenid, pubkeys }
}

interface Extras<Extra extends PayloadExtra> {
  readonly extras: readonly Extra[]
  readonly rest: string
}

function readLayoutExtras(blob: Cursor, { layout, kind }: PayloadHeader): Extras<PayloadExtra> {
  if (remaining(blob) === 0) return { extras: [], rest: '' }
  return layout === 'komodo-v1' ? readIdentifiedExtras(blob, kind) : readBareExtras(blob, kind)
}

function readIdentifiedExtras(blob: Cursor, kind: TokenPayload['kind']): Extras<IdentifiedExtra> {
  const legacy = kind === 'transfer' ? readLegacyExtra(blob) : undefined
  if (legacy !== undefined) return { extras: [legacy], rest: '' }
  return readExtras(blob, (explained) => {
    const id = readByte(blob, 'extras')
    return { id, ...readExtra(blob, 'komodo', () => kindOfId.get(id) ?? 'unknown', explained) }
  })
}

function readBareExtras(blob: Cursor, payload: TokenPayload['kind']): Extras<PayloadExtra> {
  return readExtras(blob, (explained) =>
    readExtra(blob, 'tokel', (data) => bareKind(data, payload), explained),
  )
}

function bareKind(data: string, payload: TokenPayload['kind']): ExtraKind {
  return payload === 'create' ? 'nonFungible' : (kindOfEvalCode.get(firstByte(data)) ?? 'unknown')
}

/**
 * Reads data of the rogue and assets modules that have no id, as older builds wrote them. Komodod
 * looks for these first, so bytes that can be read both ways are legacy data.
 */
function readLegacyExtra(blob: Cursor): IdentifiedExtra | undefined {
  if (!mayBeOneVector(blob)) return undefined
  const start = blob.offset
  const extra = attempt(blob, () => readExtra(blob, 'komodo', legacyKind))
  if (extra !== undefined && extra.kind !== 'unknown' && remaining(blob) === 0) {
    return { id: extra.kind === 'rogue' ? 0x16 : assetsExtraId, legacy: true, ...extra }
  }
  blob.offset = start
  return undefined
}

/**
 * Returns whether the remaining bytes may be one vector. This check is cheaper than a failed read.
 */
function mayBeOneVector(blob: Cursor): boolean {
  const length = firstByte(blob.hex.slice(2 * blob.offset))
  return length >= 0xfd || length === remaining(blob) - 1
}

// komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet: "RHQKG" after 11, "sbSBxo" after e3
function legacyKind(data: string): ExtraKind {
  if (/^11(?:52|48|51|4b|47)/.test(data)) return 'rogue'
  return /^e3(?:73|62|53|42|78|6f)/.test(data) ? 'assets' : 'unknown'
}

/** Reads whole extras, one after the other; the remaining bytes are `rest`. */
function readExtras<Extra extends PayloadExtra>(
  blob: Cursor,
  read: (explained: Set<ExtraKind>) => Extra,
): Extras<Extra> {
  const extras: Extra[] = []
  const explained = new Set<ExtraKind>()
  while (remaining(blob) > 0) {
    const extra = attempt(blob, () => read(explained))
    if (extra === undefined) break
    extras.push(extra)
  }
  return { extras, rest: blob.hex.slice(2 * blob.offset, 2 * blob.end) }
}

/**
 * Reads an extra. Only the first of its kind is decoded: daemons look no further, and a payload of
 * thousands would mean as many errors.
 *
 * @see komodo src/cc/CCtokenutils.cpp, GetOpretBlob
 */
function readExtra(
  blob: Cursor,
  form: AssetForm,
  kindOf: (data: string) => ExtraKind,
  explained = new Set<ExtraKind>(),
): PayloadExtra {
  const data = readVector(blob, 'extras')
  const kind = kindOf(data)
  if (explained.has(kind)) return { kind, data }
  explained.add(kind)
  const inside: Cursor = { ...blob, offset: blob.offset - data.length / 2, end: blob.offset }
  if (kind === 'assets')
    return { kind, data, ...explain(() => ({ order: readAssetOrder(inside, form) })) }
  if (kind !== 'nonFungible' || firstByte(data) !== tokelDataEvalCode) return { kind, data }
  return { kind, data, ...explain(() => ({ properties: readTokelData(inside) })) }
}

type Explained = Pick<PayloadExtra, 'order' | 'properties' | 'problem'>

/** Returns problems instead of throwing them, because data of other modules may be anything. */
function explain(read: () => Explained): Explained {
  const result = resultOf(read)
  if (!(result instanceof AntaraError)) return result
  return { problem: { code: result.code, offset: result.context.offset ?? 0 } }
}

/** Returns the value of `read`; on failure returns `undefined` and moves the cursor back. */
function attempt<Value>(cursor: Cursor, read: () => Value): Value | undefined {
  const start = cursor.offset
  const value = unlessMalformed(read)
  if (value === undefined) cursor.offset = start
  return value
}

function firstByte(data: string): number {
  return Number.parseInt(data.slice(0, 2), 16)
}

import { AntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import {
  type AssetForm,
  type AssetOrder,
  assetsEvalCode,
  assetsV2EvalCode,
  readAssetOrder,
} from './asset-order.ts'
import {
  byteHex,
  type Cursor,
  cursorOver,
  fixedHex,
  hexText,
  readByte,
  readHex,
  readVector,
  remaining,
  textOfHex,
  vectorHex,
} from './payload-bytes.ts'
import { type PushForm, pushHex, readPush, shortestForm } from './push.ts'
import { readTokelData, type TokelData, textBytes, tokelDataEvalCode } from './tokel-data.ts'

export type { PushForm } from './push.ts'

/** Komodod's tokens; tokeld's tokens with the same eval code f2; tokeld's tokens v2, eval code f5. */
export type TokenLayout = 'komodo-v1' | 'tokel-v1' | 'tokens-v2'

/** How the payload lies in its script. Nothing of the script is lost: `encodeTokenPayload` gives it back. */
export interface PayloadEnvelope {
  readonly push: PushForm
  /** Whether `push` is the shortest form for this payload, the only one that the daemons write. */
  readonly minimal: boolean
  /** Script bytes after the push, hex. Daemons write none and read none. */
  readonly trailing: string
  /** Payload bytes after the last whole extra, hex. More than one byte makes komodod refuse the payload; any makes tokeld. */
  readonly rest: string
}

export type ExtraKind =
  | 'nonFungible'
  | 'assets'
  | 'gateways'
  | 'channels'
  | 'heir'
  | 'rogue'
  | 'pegs'
  | 'burn'
  | 'import'
  | 'unknown'

/** Further data in a payload: a token's own data, or what another module has to say. */
export interface PayloadExtra {
  readonly kind: ExtraKind
  /** The bytes, hex. What is written; the decoded members below are only read. */
  readonly data: string
  /** Set when `kind` is assets and the order is well-formed. */
  readonly order?: AssetOrder
  /** Set when the data are well-formed Tokel properties. */
  readonly properties?: TokelData
  /** Why an order or properties could not be read; the offset is in the script. */
  readonly problem?: { readonly code: ErrorCode; readonly offset: number }
}

/** An extra of komodod's layout, marked with its id; `legacy` ones are written without it. */
export interface IdentifiedExtra extends PayloadExtra {
  readonly id: number
  readonly legacy?: true
}

interface CreateFields {
  readonly kind: 'create'
  /** The owner's public key as it stands, hex; 33 bytes in a sound payload. */
  readonly owner: string
  /** UTF-8; U+FFFD stands for what is not. Not safe to print: see `printable`. */
  readonly name: string
  readonly nameHex: string
  readonly description: string
  readonly descriptionHex: string
}

interface TransferFields {
  readonly kind: 'transfer'
  readonly tokenid: string
  /** Public keys as they stand, hex: at most two, and none in tokens v2. */
  readonly pubkeys: readonly string[]
}

export interface KomodoCreatePayload extends CreateFields, PayloadEnvelope {
  readonly layout: 'komodo-v1'
  readonly extras: readonly IdentifiedExtra[]
}
export interface KomodoTransferPayload extends TransferFields, PayloadEnvelope {
  readonly layout: 'komodo-v1'
  readonly extras: readonly IdentifiedExtra[]
}
export interface TokelCreatePayload extends CreateFields, PayloadEnvelope {
  readonly layout: 'tokel-v1' | 'tokens-v2'
  readonly extras: readonly PayloadExtra[]
}
export interface TokelTransferPayload extends TransferFields, PayloadEnvelope {
  readonly layout: 'tokel-v1' | 'tokens-v2'
  readonly extras: readonly PayloadExtra[]
}

/** What a token transaction says in its nulldata output; `layout` and `kind` tell the members. */
export type TokenPayload =
  | KomodoCreatePayload
  | KomodoTransferPayload
  | TokelCreatePayload
  | TokelTransferPayload

export type CreatePayload = KomodoCreatePayload | TokelCreatePayload
export type TransferPayload = KomodoTransferPayload | TokelTransferPayload

type Written<Payload extends TokenPayload, Optional extends string> = Payload extends TokenPayload
  ? Omit<Payload, keyof PayloadEnvelope | 'extras' | Optional> &
      Partial<Pick<Payload, Extract<keyof Payload, keyof PayloadEnvelope | 'extras' | Optional>>>
  : never

/** A payload to be encoded: a decoded one, or one written by hand, which needs the meaning only. */
export type TokenPayloadFields = Written<TokenPayload, 'nameHex' | 'descriptionHex'>

const tokensEvalCode = 0xf2
const tokensV2EvalCode = 0xf5
const version = 1
const pubkeysMax = 2
const opReturn = '6a'
interface Header {
  readonly evalCode: number
  readonly function: string
  readonly layout: TokenLayout
  readonly kind: 'create' | 'transfer'
}

// spec/tokens.md 2
const headers: readonly Header[] = [
  { evalCode: tokensEvalCode, function: 'c', layout: 'komodo-v1', kind: 'create' },
  { evalCode: tokensEvalCode, function: 't', layout: 'komodo-v1', kind: 'transfer' },
  { evalCode: tokensEvalCode, function: 'C', layout: 'tokel-v1', kind: 'create' },
  { evalCode: tokensEvalCode, function: 'T', layout: 'tokel-v1', kind: 'transfer' },
  { evalCode: tokensV2EvalCode, function: 'c', layout: 'tokens-v2', kind: 'create' },
  { evalCode: tokensV2EvalCode, function: 't', layout: 'tokens-v2', kind: 'transfer' },
]

// komodo src/cc/CCinclude.h, opretid; 0x17 is in transactions of older builds
const kindOfId: ReadonlyMap<number, ExtraKind> = new Map([
  [0x11, 'nonFungible'],
  [0x12, 'assets'],
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
 * Decodes what a token transaction says in its nulldata output.
 *
 * A script that is no nulldata, or whose data do not begin with a tokens module's eval code, is
 * not a payload. Bytes that mean nothing to us are kept in `rest` and `trailing`.
 *
 * @param opReturnScript - the output's whole script, hex, `6a…`
 * @returns the payload, or undefined when the script is none
 * @throws {AntaraError} `truncated`, `non_canonical_length`, `length_over_limit`,
 * `unknown_token_function`, `unknown_payload_version`, `pubkey_count`, with the byte offset in the
 * script; `malformed_hex`, `odd_length_hex`
 * @see spec/tokens.md 2; komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet, DecodeTokenCreateOpRet
 * @example
 * decodeTokenPayload('6a23f57401' + tokenid) // { layout: 'tokens-v2', kind: 'transfer', tokenid, … }
 */
export function decodeTokenPayload(opReturnScript: string): TokenPayload | undefined {
  const script = cursorOver(opReturnScript)
  if (!script.hex.startsWith(opReturn)) return undefined
  script.offset = 1
  const push = readPush(script)
  if (push === undefined) return undefined
  const evalCode = Number.parseInt(script.hex.slice(2 * script.offset, 2 * script.offset + 2), 16)
  if (evalCode !== tokensEvalCode && evalCode !== tokensV2EvalCode) return undefined
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

/** Written out member by member: objects that are spread into one another cost more than the rest. */
function readPayload(
  blob: Cursor,
  { push, minimal, trailing }: Omit<PayloadEnvelope, 'rest'>,
): TokenPayload {
  const evalCode = readByte(blob, 'evalCode')
  const functionAt = blob.offset
  const letter = String.fromCharCode(readByte(blob, 'function'))
  const header = headers.find((it) => it.evalCode === evalCode && it.function === letter)
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
  if (actual !== version) {
    throw new AntaraError('unknown_payload_version', {
      offset,
      path: 'version',
      expected: version,
      actual,
    })
  }
}

function readTransfer(
  blob: Cursor,
  layout: TokenLayout,
): Pick<TransferFields, 'tokenid' | 'pubkeys'> {
  // on the wire in display order, unlike the outpoints of inputs
  const tokenid = readHex(blob, 32, 'tokenid')
  if (layout === 'tokens-v2') return { tokenid, pubkeys: [] }
  const offset = blob.offset
  const count = readByte(blob, 'pubkeys')
  if (count > pubkeysMax) {
    throw new AntaraError('pubkey_count', {
      offset,
      path: 'pubkeys',
      expected: pubkeysMax,
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

function readLayoutExtras(blob: Cursor, { layout, kind }: Header): Extras<PayloadExtra> {
  return layout === 'komodo-v1' ? readIdentifiedExtras(blob, kind) : readBareExtras(blob, kind)
}

function readIdentifiedExtras(blob: Cursor, kind: TokenPayload['kind']): Extras<IdentifiedExtra> {
  const legacy = kind === 'transfer' ? readLegacyExtra(blob) : undefined
  if (legacy !== undefined) return { extras: [legacy], rest: '' }
  return readExtras(blob, () => {
    const id = readByte(blob, 'extras')
    return { id, ...readExtra(blob, 'komodo', () => kindOfId.get(id) ?? 'unknown') }
  })
}

function readBareExtras(blob: Cursor, payload: TokenPayload['kind']): Extras<PayloadExtra> {
  return readExtras(blob, () => readExtra(blob, 'tokel', (data) => bareKind(data, payload)))
}

function bareKind(data: string, payload: TokenPayload['kind']): ExtraKind {
  return payload === 'create' ? 'nonFungible' : (kindOfEvalCode.get(firstByte(data)) ?? 'unknown')
}

/**
 * Before there were ids, data of the rogue and assets modules stood bare. Komodod still looks for
 * that first, so bytes that can be read both ways are legacy data.
 */
function readLegacyExtra(blob: Cursor): IdentifiedExtra | undefined {
  if (!mayBeOneVector(blob)) return undefined
  const start = blob.offset
  const extra = attempt(blob, () => readExtra(blob, 'komodo', legacyKind))
  if (extra !== undefined && extra.kind !== 'unknown' && remaining(blob) === 0) {
    return { id: extra.kind === 'rogue' ? 0x16 : 0x12, legacy: true, ...extra }
  }
  blob.offset = start
  return undefined
}

/** Whether what is left begins with its own length: asking is cheaper than a failed attempt. */
function mayBeOneVector(blob: Cursor): boolean {
  const length = firstByte(blob.hex.slice(2 * blob.offset))
  return length >= 0xfd || length === remaining(blob) - 1
}

// komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet: "RHQKG" after 11, "sbSBxo" after e3
function legacyKind(data: string): ExtraKind {
  if (/^11(?:52|48|51|4b|47)/.test(data)) return 'rogue'
  return /^e3(?:73|62|53|42|78|6f)/.test(data) ? 'assets' : 'unknown'
}

/** Whole extras, one after the other; what is left is `rest`. */
function readExtras<Extra extends PayloadExtra>(blob: Cursor, read: () => Extra): Extras<Extra> {
  const extras: Extra[] = []
  while (remaining(blob) > 0) {
    const extra = attempt(blob, read)
    if (extra === undefined) break
    extras.push(extra)
  }
  return { extras, rest: blob.hex.slice(2 * blob.offset, 2 * blob.end) }
}

function readExtra(
  blob: Cursor,
  form: AssetForm,
  kindOf: (data: string) => ExtraKind,
): PayloadExtra {
  const data = readVector(blob, 'extras')
  const kind = kindOf(data)
  const inside: Cursor = { ...blob, offset: blob.offset - data.length / 2, end: blob.offset }
  if (kind === 'assets')
    return { kind, data, ...explain(() => ({ order: readAssetOrder(inside, form) })) }
  if (kind !== 'nonFungible' || firstByte(data) !== tokelDataEvalCode) return { kind, data }
  return { kind, data, ...explain(() => ({ properties: readTokelData(inside) })) }
}

type Explained = Pick<PayloadExtra, 'order' | 'properties' | 'problem'>

/** Data of other modules may be anything: what is wrong with them is told, not thrown. */
function explain(read: () => Explained): Explained {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    return { problem: { code: error.code, offset: error.context.offset ?? 0 } }
  }
}

/** What `read` gives, or nothing and the cursor where it was. */
function attempt<Value>(cursor: Cursor, read: () => Value): Value | undefined {
  const start = cursor.offset
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    cursor.offset = start
    return undefined
  }
}

function firstByte(data: string): number {
  return Number.parseInt(data.slice(0, 2), 16)
}

/**
 * Encodes a token payload into a nulldata script.
 *
 * A decoded payload comes back byte for byte, odd push, rest and trailing bytes included. A payload
 * written by hand needs none of these: the shortest push is taken. `nameHex` and `descriptionHex`
 * decide the bytes where they are given, and must agree with the text beside them.
 *
 * @param payload - a layout, a kind and their members
 * @returns the script, hex, `6a…`
 * @throws {AntaraError} `wrong_length`, `pubkey_count`, `text_mismatch`, `push_too_short`,
 * `malformed_hex`, `odd_length_hex`, with the member's path
 * @see spec/tokens.md 2; komodo src/cc/CCtokenutils.cpp, EncodeTokenOpRet, EncodeTokenCreateOpRet
 * @example
 * encodeTokenPayload({ layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys: [destination] })
 */
export function encodeTokenPayload(payload: TokenPayloadFields): string {
  const { layout, kind } = payload
  const header = headers.find((it) => it.layout === layout && it.kind === kind)
  if (header === undefined) throw new TypeError(`no payload ${String(layout)} ${String(kind)}`)
  const blob =
    byteHex(header.evalCode) +
    byteHex(header.function.charCodeAt(0)) +
    (layout === 'komodo-v1' ? '' : byteHex(version)) +
    (payload.kind === 'create' ? createHex(payload) : transferHex(payload)) +
    extrasHex(payload) +
    hexText(payload.rest ?? '', 'rest')
  const form = payload.minimal === false ? payload.push : undefined
  return opReturn + pushHex(blob, form) + hexText(payload.trailing ?? '', 'trailing')
}

function createHex(payload: Extract<TokenPayloadFields, { kind: 'create' }>): string {
  const { owner, name, nameHex, description, descriptionHex } = payload
  return [
    hexText(owner, 'owner'),
    textBytes(name, nameHex, 'name'),
    textBytes(description, descriptionHex, 'description'),
  ]
    .map(vectorHex)
    .join('')
}

function transferHex(payload: Extract<TokenPayloadFields, { kind: 'transfer' }>): string {
  const { layout, pubkeys } = payload
  const tokenid = fixedHex(payload.tokenid, 32, 'tokenid')
  const allowed = layout === 'tokens-v2' ? 0 : pubkeysMax
  if (pubkeys.length > allowed) {
    throw new AntaraError('pubkey_count', {
      path: 'pubkeys',
      expected: allowed,
      actual: pubkeys.length,
    })
  }
  if (layout === 'tokens-v2') return tokenid
  const keys = pubkeys.map((pubkey, at) => vectorHex(hexText(pubkey, `pubkeys[${at}]`)))
  return tokenid + byteHex(keys.length) + keys.join('')
}

function extrasHex(payload: TokenPayloadFields): string {
  if (payload.layout !== 'komodo-v1') {
    return (payload.extras ?? []).map(({ data }, at) => vectorHex(extraData(data, at))).join('')
  }
  return (payload.extras ?? [])
    .map(({ id, legacy, data }, at) => (legacy ? '' : byteHex(id)) + vectorHex(extraData(data, at)))
    .join('')
}

function extraData(data: string, at: number): string {
  return hexText(data, `extras[${at}].data`)
}

import { AntaraError } from '../../errors/antara-error.ts'
import { requireByte } from '../../primitives/arguments.ts'
import { byteHex, fixedHex, hexText, vectorHex } from '../../primitives/wire.ts'
import { opReturn } from '../../script/nulldata.ts'
import { pushOf } from '../../script/push.ts'
import {
  payloadHeaders,
  payloadPubkeysMax,
  payloadVersion,
  type TokenPayloadFields,
} from './payload.ts'
import { textBytes } from './tokel-data.ts'

/**
 * Encodes a token payload into a nulldata script.
 *
 * A decoded payload comes back byte for byte, including an odd push, rest and trailing bytes. A
 * payload written by hand needs none of these and gets the shortest push. `nameHex` and
 * `descriptionHex` take precedence where they are given, and must agree with the text beside them.
 *
 * @param payload - a layout, a kind and their members
 * @returns the script, hex, `6a…`
 * @throws {AntaraError} `wrong_length`, `pubkey_count`, `text_mismatch`, `push_too_short`,
 * `malformed_hex`, `odd_length_hex`, with the member's path
 * @see komodo src/cc/CCtokenutils.cpp, EncodeTokenOpRet, EncodeTokenCreateOpRet
 * @example
 * encodeTokenPayload({ layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys: [destination] })
 */
export function encodeTokenPayload(payload: TokenPayloadFields): string {
  const { layout, kind } = payload
  const header = payloadHeaders.find((it) => it.layout === layout && it.kind === kind)
  if (header === undefined) throw new TypeError(`no payload ${String(layout)} ${String(kind)}`)
  const blob =
    byteHex(header.evalCode) +
    byteHex(header.function.charCodeAt(0)) +
    (layout === 'komodo-v1' ? '' : byteHex(payloadVersion)) +
    (payload.kind === 'create' ? createHex(payload) : transferHex(payload)) +
    extrasHex(payload) +
    hexText(payload.rest ?? '', 'rest')
  const form = payload.minimal === false ? payload.push : undefined
  return opReturn + pushOf(blob, form) + hexText(payload.trailing ?? '', 'trailing')
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
  const allowed = layout === 'tokens-v2' ? 0 : payloadPubkeysMax
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
    .map(
      ({ id, legacy, data }, at) => (legacy ? '' : idHex(id, at)) + vectorHex(extraData(data, at)),
    )
    .join('')
}

function idHex(id: number, at: number): string {
  requireByte(id, `extras[${at}].id`)
  return byteHex(id)
}

function extraData(data: string, at: number): string {
  return hexText(data, `extras[${at}].data`)
}

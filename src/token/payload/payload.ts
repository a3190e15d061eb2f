// The types of token payloads, in all layouts.

import { tokensEvalCode, tokensV2EvalCode } from '../../chain/modules.ts'
import type { ErrorCode } from '../../errors/codes.ts'
import type { PushForm } from '../../script/push.ts'
import type { AssetOrder } from './asset-order.ts'
import type { TokelData } from './tokel-data.ts'

/**
 * The layouts of payloads: komodod's tokens, tokeld's tokens with the same eval code f2, and
 * tokeld's tokens v2 with eval code f5.
 */
export type TokenLayout = 'komodo-v1' | 'tokel-v1' | 'tokens-v2'

/**
 * The encoding of the payload in its script. `encodeTokenPayload` reproduces the script byte for
 * byte.
 */
export interface PayloadEnvelope {
  readonly push: PushForm
  /**
   * Tells whether `push` is the shortest form for this payload, the only one that the daemons
   * write.
   */
  readonly minimal: boolean
  /** Script bytes after the push, hex. Daemons write none and ignore them. */
  readonly trailing: string
  /**
   * Payload bytes after the last whole extra, hex. komodod refuses a payload with more than one
   * such byte, and tokeld with any.
   */
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

/**
 * Further data in a payload: the token's own data, or data of another module.
 *
 * Only the first extra of a kind has decoded members or a problem, because daemons read no other.
 */
export interface PayloadExtra {
  readonly kind: ExtraKind
  /** The bytes, hex. Encoding writes these bytes and ignores the decoded members below. */
  readonly data: string
  /** Set when `kind` is assets and the order is well-formed. */
  readonly order?: AssetOrder
  /** Set when the data are well-formed Tokel properties. */
  readonly properties?: TokelData
  /** The reason why an order or properties could not be read; the offset is in the script. */
  readonly problem?: { readonly code: ErrorCode; readonly offset: number }
}

/** The id of orders among the extras of komodod's layout. @see komodo src/cc/CCinclude.h, opretid */
export const assetsExtraId = 0x12

/** An extra of komodod's layout, with its id; `legacy` extras are encoded without it. */
export interface IdentifiedExtra extends PayloadExtra {
  readonly id: number
  readonly legacy?: true
}

interface CreateFields {
  readonly kind: 'create'
  /** The owner's public key as the bytes give it, hex; 33 bytes in a valid payload. */
  readonly owner: string
  /** Decoded UTF-8, with U+FFFD for invalid sequences. Not safe to print: see `printable`. */
  readonly name: string
  readonly nameHex: string
  readonly description: string
  readonly descriptionHex: string
}

interface TransferFields {
  readonly kind: 'transfer'
  readonly tokenid: string
  /** Public keys as the bytes give them, hex: at most two, and none in tokens v2. */
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

/**
 * The payload of a token transaction's nulldata output; `layout` and `kind` determine the members.
 */
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

/** A payload to encode: a decoded one, or one written by hand, which may leave out the encoding. */
export type TokenPayloadFields = Written<TokenPayload, 'nameHex' | 'descriptionHex'>

/** The first bytes of a layout's payload of one kind. */
export interface PayloadHeader {
  readonly evalCode: number
  readonly function: string
  readonly layout: TokenLayout
  readonly kind: 'create' | 'transfer'
}

// komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet; tokel's function of the same name
export const payloadHeaders: readonly PayloadHeader[] = [
  { evalCode: tokensEvalCode, function: 'c', layout: 'komodo-v1', kind: 'create' },
  { evalCode: tokensEvalCode, function: 't', layout: 'komodo-v1', kind: 'transfer' },
  { evalCode: tokensEvalCode, function: 'C', layout: 'tokel-v1', kind: 'create' },
  { evalCode: tokensEvalCode, function: 'T', layout: 'tokel-v1', kind: 'transfer' },
  { evalCode: tokensV2EvalCode, function: 'c', layout: 'tokens-v2', kind: 'create' },
  { evalCode: tokensV2EvalCode, function: 't', layout: 'tokens-v2', kind: 'transfer' },
]

/** The version in tokeld's layouts. */
export const payloadVersion = 1

/** komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet */
export const payloadPubkeysMax = 2

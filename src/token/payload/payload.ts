import { tokensEvalCode, tokensV2EvalCode } from '../../chain/modules.ts'
import type { ErrorCode } from '../../errors/codes.ts'
import type { PushForm } from '../../script/push.ts'
import type { AssetOrder } from './asset-order.ts'
import type { TokelData } from './tokel-data.ts'

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

/**
 * Further data in a payload: a token's own data, or what another module has to say.
 *
 * Only the first of a kind has decoded members or a problem, because daemons look no further.
 */
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

/** How a layout's payload of one kind begins. */
export interface PayloadHeader {
  readonly evalCode: number
  readonly function: string
  readonly layout: TokenLayout
  readonly kind: 'create' | 'transfer'
}

// komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet; tokeld's of the same name
export const payloadHeaders: readonly PayloadHeader[] = [
  { evalCode: tokensEvalCode, function: 'c', layout: 'komodo-v1', kind: 'create' },
  { evalCode: tokensEvalCode, function: 't', layout: 'komodo-v1', kind: 'transfer' },
  { evalCode: tokensEvalCode, function: 'C', layout: 'tokel-v1', kind: 'create' },
  { evalCode: tokensEvalCode, function: 'T', layout: 'tokel-v1', kind: 'transfer' },
  { evalCode: tokensV2EvalCode, function: 'c', layout: 'tokens-v2', kind: 'create' },
  { evalCode: tokensV2EvalCode, function: 't', layout: 'tokens-v2', kind: 'transfer' },
]

/** Of tokeld's layouts. */
export const payloadVersion = 1

/** komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet */
export const payloadPubkeysMax = 2

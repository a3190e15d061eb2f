import { argumentError, requireObject } from '../primitives/arguments.ts'
import { object, height as readHeight, string } from '../primitives/json-fields.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { TokelData } from '../token/payload/tokel-data.ts'
import { type Spend, type TokenRequest, tokenForms } from './common.ts'
import {
  type Form,
  hex,
  oneOf,
  optional,
  pubkey,
  text,
  units,
  unitsOrText,
  unless,
} from './forms.ts'
import type { Forms, RequestForms } from './members.ts'
import type { IntentTerms } from './terms.ts'

/** The token that a wallet asked a daemon to create. */
export interface CreateIntent extends IntentTerms {
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description: string
  /** Data of a non-fungible token, hex. */
  readonly data?: string
  /**
   * On tokeld's chains, instead of `data`: properties that the token must have, in whatever order.
   */
  readonly properties?: TokelProperties
  /** On tokeld's chains: by which of its two modules of tokens. 2 if absent. */
  readonly version?: 1 | 2
  /** The wallet's own compressed public key. */
  readonly owner: string
}

/** Properties of a Tokel token, as `tokenv2createtokel` takes them. */
export interface TokelProperties {
  readonly id?: number
  readonly url?: string
  /** Thousandths of what is paid for the token, 0 to 999. */
  readonly royalty?: number
  /** Hex. */
  readonly arbitrary?: string
}

/** A creation of a token that a builder is asked for. */
export interface TokenCreateRequest extends TokenRequest {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string
  /** Token units: bigint, or decimal digits. Either this or `supplyCoins`. */
  readonly supply?: bigint | string
  /** As the daemon takes it, decimal text in coins, and exact: 4.35 is 435000000 units. */
  readonly supplyCoins?: string
  /** At most 4096 bytes of UTF-8. */
  readonly description?: string
  /**
   * Makes the token non-fungible, on komodod's chains with a supply of one unit: hex, at most 10001
   * bytes.
   */
  readonly data?: string
  /** On tokeld's chains, instead of `data`: properties, written in the order of the members. */
  readonly properties?: TokelData
  /** On tokeld's chains: by which of its modules of tokens. 2 if absent. */
  readonly version?: 1 | 2
  /** One's own compressed public key. */
  readonly owner: string
  /** `selected` if absent. */
  readonly spend?: Spend
}

const propertyMembers: readonly string[] = memberNames<TokelProperties>({
  id: true,
  url: true,
  royalty: true,
  arbitrary: true,
})

const properties: Form<TokelProperties> = {
  shown: '{ "id": 1, "url": "https://a.b/c", "royalty": 25, "arbitrary": "HEX" }',
  read(value, path) {
    const { id, url, royalty, arbitrary } = object(value, path, propertyMembers)
    return {
      ...(id !== undefined && { id: readHeight(id, `${path}.id`) }),
      ...(url !== undefined && { url: string(url, `${path}.url`) }),
      ...(royalty !== undefined && { royalty: readHeight(royalty, `${path}.royalty`) }),
      ...(arbitrary !== undefined && { arbitrary: string(arbitrary, `${path}.arbitrary`) }),
    }
  },
  requireType(given, path) {
    requireObject(given, path)
    requireKnownMembers(given, propertyMembers, path)
    for (const [name, value] of Object.entries(given)) {
      const type = name === 'id' || name === 'royalty' ? 'number' : 'string'
      if (value !== undefined && typeof value !== type) {
        throw argumentError(`${path}.${name}`, type, value)
      }
    }
  },
}

export const createForms: Forms<CreateIntent> = {
  name: text('GOLD'),
  supply: units,
  description: optional(text('a token'), ''),
  data: optional(hex),
  properties: optional(properties),
  version: optional(oneOf(1, 2)),
  owner: pubkey,
}

export const createRequestForms: RequestForms<TokenCreateRequest> = {
  ...tokenForms,
  name: createForms.name,
  supply: unless('supplyCoins', unitsOrText),
  supplyCoins: optional(text('4.35')),
  description: optional(text('a token'), ''),
  data: createForms.data,
  properties: optional({ ...properties, requireType: requireObject }),
  version: createForms.version,
  owner: createForms.owner,
}

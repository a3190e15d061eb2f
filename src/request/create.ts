import { argumentError, requireObject } from '../primitives/arguments.ts'
import type { TokelData } from '../token/payload/tokel-data.ts'
import { type Spend, type TokenRequest, tokenForms } from './common.ts'
import { type Form, member, optional, type RequestForms, unless } from './form-table.ts'
import { height, hex, oneOf, pubkey, record, text, units, unitsOrText } from './forms.ts'
import type { Forms } from './members.ts'
import type { IntentTerms } from './terms.ts'

/** The token that a wallet asked a daemon to create. */
export interface CreateIntent extends IntentTerms {
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  /** Empty if absent. */
  readonly description?: string
  /** Data of a non-fungible token, hex. */
  readonly data?: string
  /**
   * On tokeld's chains, instead of `data`: properties that the token must have, in any order.
   */
  readonly properties?: TokelProperties
  /** On tokeld's chains: the module of tokens, 1 or 2. 2 if absent. */
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

/** The request to build a creation of a token. */
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

/** Any number, because the rules for properties name its range. */
const numberOf = (shown: string): Form<number> => ({
  ...height,
  shown,
  requireType(value, path) {
    if (typeof value !== 'number') throw argumentError(path, 'a number', value)
  },
})

const properties = record<TokelProperties>({
  id: optional(numberOf('1')),
  url: optional(text('https://a.b/c')),
  royalty: optional(numberOf('25')),
  arbitrary: optional(hex),
})

export const createForms: Forms<CreateIntent> = {
  name: member('name of the token, at most 32 bytes', text('GOLD')),
  supply: member('token units', units),
  description: member(
    'description of the token, at most 4096 bytes; empty if absent',
    optional(text('a token')),
  ),
  data: member('data of a non-fungible token, hex', optional(hex)),
  properties: member("on tokeld's chains: properties in place of data", optional(properties)),
  version: member(
    "on tokeld's chains: the module of tokens, 1 or 2; 2 if absent",
    optional(oneOf(1, 2)),
  ),
  owner: member('your own public key, which gets all units', pubkey),
}

export const createRequestForms: RequestForms<TokenCreateRequest> = {
  ...tokenForms,
  name: createForms.name,
  supply: member('token units', unless('supplyCoins', unitsOrText)),
  supplyCoins: member(
    'in place of supply: coins of 100000000 units, as komodod counts',
    optional(text('4.35')),
  ),
  description: createForms.description,
  data: createForms.data,
  properties: { ...createForms.properties, requireType: requireObject },
  version: createForms.version,
  owner: createForms.owner,
}

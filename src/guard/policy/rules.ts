// The rules of a policy file, as they are after reading.

/** Limits of one coin or token. Amounts are satoshis, or units of the token. */
export interface AssetRules {
  readonly perPayment?: bigint
  /** The most in any 60 minutes. */
  readonly perHour?: bigint
  /** The most in any 24 hours. */
  readonly perDay?: bigint
  /** A payment of more needs a confirmation. */
  readonly confirmAbove?: bigint
}

export interface TokenRules extends AssetRules {
  readonly price?: PriceRules
}

/** Bounds of what orders may ask and bid: satoshis for `per` units. */
export interface PriceRules {
  readonly min?: bigint
  readonly max?: bigint
  readonly per: bigint
}

/** Payees by their names: see payee.ts. */
export interface RecipientRules {
  /** Absent if every payee is allowed that `deny` does not name. */
  readonly allow?: ReadonlySet<string>
  readonly deny: ReadonlySet<string>
}

/** Hours, UTC, in which nothing is paid. */
export interface QuietHours {
  /** Minutes after midnight. */
  readonly from: number
  /** Minutes after midnight. Before `from`, it is on the next day. */
  readonly to: number
  /** The days on which the hours begin, 0 for Sunday. Absent for every day. */
  readonly days?: ReadonlySet<number>
}

/** Rules that a payment must satisfy. An absent member restricts nothing. */
export interface Rules {
  /** Names of methods, and `@read`, `@build`, `@send` for classes of them. */
  readonly methods?: ReadonlySet<string>
  readonly recipients?: RecipientRules
  readonly coins?: AssetRules
  /** By tokenid. A token that is missing here is refused. */
  readonly tokens?: ReadonlyMap<string, TokenRules>
  /** The highest fee of a transaction, in satoshis. */
  readonly fee?: bigint
  /** The highest fee for 1,000 bytes, in satoshis. */
  readonly feePerKilobyte?: bigint
  readonly allowsBurn?: boolean
  readonly quietHours?: readonly QuietHours[]
}

export interface UserRules extends Rules {
  /** The stored form of the password: see users.ts. */
  readonly password: string
}

/** How a payment above `confirmAbove` is confirmed. */
export interface Confirmation {
  /** A program and its arguments. No shell reads them. */
  readonly command?: readonly string[]
  readonly webhook?: URL
  /** Time for the answer. */
  readonly seconds: number
}

export interface PolicyRules extends Rules {
  readonly confirm?: Confirmation
  /** By name. Absent if the guard has no users of its own. */
  readonly users?: ReadonlyMap<string, UserRules>
}

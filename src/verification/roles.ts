import type { OutputRole } from '../request/report.ts'

/** The outputs that an operation has, each with its name for people. */
export type Roles = { readonly [Role in OutputRole]?: RoleWords }

interface RoleWords {
  /** The label beside the amount; up to 25 letters keep the addresses in one column. */
  readonly text: string
  /** Tells whether the value counts units of the token or satoshis of coins. */
  readonly holds: 'units' | 'coins'
}

/** Outputs that several operations have, under one name. */
export const commonRoles: Readonly<
  Record<'token-change' | 'native-change' | 'nulldata', RoleWords>
> = {
  'token-change': { text: 'units back to the sender', holds: 'units' },
  'native-change': { text: 'coins back to the sender', holds: 'coins' },
  nulldata: { text: 'nulldata: names the token', holds: 'coins' },
}

/**
 * The types of scripts, as the daemon prints them. source: komodo src/script/standard.cpp,
 * GetTxnOutputType
 */
export type ScriptType =
  | 'nonstandard'
  | 'pubkey'
  | 'pubkeyhash'
  | 'scripthash'
  | 'multisig'
  | 'nulldata'
  | 'cryptocondition'

/** The order is that of native/core/script/templates.h. */
export const scriptTypes: readonly ScriptType[] = [
  'nonstandard',
  'pubkey',
  'pubkeyhash',
  'scripthash',
  'multisig',
  'nulldata',
  'cryptocondition',
]

export interface DecodedScript {
  readonly type: ScriptType
  readonly asm: string
  /** Absent if the script pays no address. */
  readonly reqSigs?: number
  readonly addresses?: readonly string[]
}

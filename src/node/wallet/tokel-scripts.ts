// The scripts of tokeld's two modules of tokens.

import { tokensEvalCode } from '../../chain/modules.ts'
import { hashOfKey } from '../../script/public-key.ts'
import type { Holder, TokenRules } from '../../token/rules/rules.ts'
import { fungible } from '../../token/rules/rules.ts'
import { slotScript } from '../../token/rules/slot-script.ts'
import type { TokenVersion } from '../../token/rules/tokel-output.ts'
import { rulesTokelV1 } from '../../token/rules/tokel-v1.ts'
import { keyScriptV2, rulesV2 } from '../../token/rules/tokens-v2.ts'

export const tokelRules: { readonly [Version in TokenVersion]: TokenRules } = {
  1: rulesTokelV1,
  2: rulesV2,
}

/**
 * Scripts at whose addresses a key's tokens are.
 *
 * @see tokel src/cc/CCtokens.cpp, GetTokenV1IndexKeys, GetTokenV2IndexKeys
 */
export function tokelIndexScripts(version: TokenVersion, pubkey: string): string[] {
  if (version === 1) return [slotScript([pubkey], [tokensEvalCode])]
  return [keyScriptV2(pubkey), holderScript(2, hashOfKey(pubkey))]
}

/** The script that pays a holder: by a key's hash where one is given. */
export function holderScript(version: TokenVersion, holder: Holder, naming?: string): string {
  return tokelRules[version].placesOf(fungible).scriptsOf([holder], naming)[0]!
}

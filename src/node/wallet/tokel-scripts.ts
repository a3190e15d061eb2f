// The scripts of tokeld's two modules of tokens.

import { tokensEvalCode } from '../../chain/modules.ts'
import { hashOfKey } from '../../script/public-key.ts'
import { fungible, type Holder } from '../../token/rules/rules.ts'
import { slotScript } from '../../token/rules/slot-script.ts'
import { rulesOfVersion, type TokenVersion } from '../../token/rules/tokel-output.ts'
import { keyScriptV2 } from '../../token/rules/tokens-v2.ts'

/**
 * Returns the scripts at whose addresses a key's tokens are.
 *
 * @see tokel src/cc/CCtokens.cpp, GetTokenV1IndexKeys, GetTokenV2IndexKeys
 */
export function tokelIndexScripts(version: TokenVersion, pubkey: string): string[] {
  if (version === 1) return [slotScript([pubkey], [tokensEvalCode])]
  return [keyScriptV2(pubkey), holderScript(2, hashOfKey(pubkey))]
}

/** Returns the script that pays a holder: a key, the hash of a key, or several keys. */
export function holderScript(version: TokenVersion, holder: Holder, naming?: string): string {
  return rulesOfVersion[version].placesOf(fungible).scriptsOf([holder], naming)[0]!
}

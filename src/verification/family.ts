import { burnPublicKeys, tokensEvalCode } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import type { TokenLayout } from '../token/payload/payload.ts'
import { createTokenHistory, type TokenHistory } from '../token/proof/history.ts'
import {
  komodoRules,
  nonFungibleEvalCode,
  nonFungibleId,
  paysToCondition,
  slotScript,
  tokenEvalCodes,
} from '../token/rules/komodo.ts'
import type { CreatedData } from '../token/rules/rules.ts'
import { markerScript, tokenScript } from '../token/rules/token-script.ts'
import {
  hashScriptV2,
  keyScriptV2,
  markerScriptV2,
  rulesV2,
  tokenFinderV2,
} from '../token/rules/tokens-v2.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'

/** How a kind of daemon lays its tokens out. */
export interface TokenFamily {
  readonly layout: TokenLayout
  /** Where a creation leaves its marker. */
  readonly marker: string
  /** Where a creation puts the supply. @param data - of a non-fungible token, hex, or '' */
  issuanceScript(owner: string, data: string): string
  /** Satoshis that the owner's own coins must bring into a creation: spec/tokens.md 4.1, row 9. */
  paidByOwner(supply: bigint): bigint
  /** @param prevouts - what the transaction spends, as far as it is known */
  tokens(tokenid: string, owner: string, known: KnownTransactions, prevouts: Prevouts): Tokens
}

type Prevouts = readonly (Pick<TransactionOutput, 'script'> | undefined)[]

/** The tokens of one id and one owner, as far as the given transactions tell. */
export interface Tokens {
  readonly tokenid: string
  readonly history: TokenHistory
  /** Whether an output that pays `script` would be the owner's. */
  isOwn(script: string): boolean
  /** Where a transfer puts what it gives to a key, the owner's own too. */
  scriptOf(pubkey: string): string
  /** Whether a script pays the key, but not as a transfer does. */
  isLookalike(script: string, pubkey: string): boolean
}

export function familyOf({ conditions }: Network): TokenFamily {
  return conditions === 'tokel' ? tokelFamily : komodoFamily
}

/** komodod's tokens: a condition of the key and eval code f2, for some with that of their data. */
const komodoFamily: TokenFamily = {
  layout: 'komodo-v1',
  marker: markerScript,
  issuanceScript(owner, data) {
    const code = data === '' ? tokensEvalCode : Number.parseInt(data.slice(0, 2), 16)
    return tokenScript(owner, { evalCodes: tokenEvalCodes(code) })
  },
  paidByOwner: (supply) => supply,
  tokens(tokenid, owner, { byTxid }, prevouts) {
    const assumed = byTxid.has(tokenid) ? fungible : assumedCreation(owner, prevouts)
    const history = createTokenHistory(tokenid, byTxid, komodoRules, { assumed })
    const code = nonFungibleEvalCode(history.created ?? assumed)
    const evalCodes = tokenEvalCodes(code ?? tokensEvalCode)
    const own = slotScript([owner], evalCodes)
    return {
      tokenid,
      history,
      isOwn: (script) => script === own,
      scriptOf: (pubkey) => slotScript([pubkey], evalCodes),
      isLookalike: paysKeyOtherwise,
    }
  },
}

const fungible: CreatedData = { extras: [] }

/**
 * What a creation that was not given must have said for the owner's coins to be the token's: a
 * token with another eval code in its conditions is one whose data begin with that.
 */
function assumedCreation(owner: string, prevouts: Prevouts): CreatedData {
  const scriptFor = (code: number): string => slotScript([owner], tokenEvalCodes(code))
  const conditions = new Set(
    prevouts.flatMap((it) => it?.script ?? []).filter((script) => paysToCondition(script)),
  )
  if (conditions.size === 0 || conditions.has(scriptFor(tokensEvalCode))) return fungible
  for (let code = 0; code <= 0xff; code += 1) {
    if (!conditions.has(scriptFor(code))) continue
    const data = code.toString(16).padStart(2, '0')
    return { extras: [{ kind: 'nonFungible', id: nonFungibleId, data }] }
  }
  return fungible
}

/** tokeld's tokens v2. */
const tokelFamily: TokenFamily = {
  layout: 'tokens-v2',
  marker: markerScriptV2,
  issuanceScript: keyScriptV2,
  // one input of the owner's is enough here
  paidByOwner: () => 1n,
  tokens: (tokenid, owner, { byTxid }) => ({
    tokenid,
    history: createTokenHistory(tokenid, byTxid, rulesV2, { assumed: fungible }),
    isOwn: tokenFinderV2(owner),
    // tokenv2burn names the key that it burns with
    scriptOf: (pubkey) => (pubkey === burnPublicKeys.tokel ? keyScriptV2 : hashScriptV2)(pubkey),
    // the right condition too: something else may be dropped after it, or nothing
    isLookalike: (script, pubkey) =>
      tokenFinderV2(pubkey)(script) || paysKeyOtherwise(script, pubkey),
  }),
}

/** Plain addresses, and the conditions of every module: komodo src/cc/eval.h, FOREACH_EVAL, codes e1 to f7. */
function paysKeyOtherwise(script: string, pubkey: string): boolean {
  if (script === pubkeyScript(pubkey) || script === pubkeyHashScript(pubkey)) return true
  if (!paysToCondition(script)) return false
  const modules = Array.from({ length: 0xf7 - 0xe1 + 1 }, (_, index) => 0xe1 + index)
  return modules.some((code) => tokenScript(pubkey, { evalCodes: [code] }) === script)
}

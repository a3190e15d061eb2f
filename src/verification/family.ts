import type { Network } from '../network/network.ts'
import { type BareProof, createTokenHistory } from '../token/history.ts'
import { pubkeyHashScript, pubkeyScript } from '../token/keys.ts'
import type { TokenLayout } from '../token/payload.ts'
import { nonFungibleEvalCode, tokenEvalCodes } from '../token/rules.ts'
import { markerScript, tokenScript, tokensEvalCode } from '../token/token-script.ts'
import type { KnownTransactions } from './evidence.ts'
import { type Finding, finding } from './report.ts'

/** How a kind of daemon lays its tokens out. */
export interface TokenFamily {
  readonly layout: TokenLayout
  /** Where a creation leaves its marker. */
  readonly marker: string
  /** Where a creation puts the supply. @param data - of a non-fungible token, hex, or '' */
  issuanceScript(owner: string, data: string): string
  tokens(tokenid: string, owner: string, known: KnownTransactions): Tokens
}

/** The tokens of one id and one owner, as far as the given transactions tell. */
export interface Tokens {
  readonly tokenid: string
  /** What is wrong with the creation, or that it is not there. */
  readonly findings: readonly Finding[]
  /** Whether an output that pays `script` would be the owner's. */
  isOwn(script: string): boolean
  /** Where a transfer puts what it gives to a key, the owner's own too. */
  scriptOf(pubkey: string): string
  /** Scripts that pay a key without holding its tokens. */
  lookalikesOf(pubkey: string): readonly string[]
  prove(txid: string, vout: number): BareProof
  /** What is missing to prove outputs of these transactions. */
  missingFor(txids: readonly string[]): readonly string[]
}

export function familyOf(_network: Network): TokenFamily {
  return komodoFamily
}

/** komodod's tokens: a condition of the key and eval code f2, for some with that of their data. */
const komodoFamily: TokenFamily = {
  layout: 'komodo-v1',
  marker: markerScript,
  issuanceScript(owner, data) {
    const code = data === '' ? tokensEvalCode : Number.parseInt(data.slice(0, 2), 16)
    return tokenScript(owner, { evalCodes: tokenEvalCodes(code) })
  },
  tokens(tokenid, owner, known) {
    const { created, scriptOf, prove, missingFor } = createTokenHistory(tokenid, known.byTxid)
    const code = created && nonFungibleEvalCode(created)
    const evalCodes = tokenEvalCodes(code ?? tokensEvalCode)
    const own = scriptOf([owner], evalCodes)
    return {
      tokenid,
      findings: creationFindings(tokenid, known, created !== undefined),
      isOwn: (script) => script === own,
      scriptOf: (pubkey) => scriptOf([pubkey], evalCodes),
      lookalikesOf: komodoLookalikes,
      prove,
      missingFor,
    }
  },
}

/** Without the creation, a token is taken for a fungible one. */
function creationFindings(
  tokenid: string,
  known: KnownTransactions,
  isCreated: boolean,
): Finding[] {
  if (isCreated) return []
  const path = 'evidence.tokenCreate'
  if (!known.byTxid.has(tokenid)) return [finding('token_create_missing', path)]
  const details = { expected: tokenid, actual: 'no creation' }
  return [finding('token_create_malformed', path, details)]
}

/** Plain addresses, and the conditions of every module: komodo src/cc/eval.h, FOREACH_EVAL, codes e1 to f7. */
function komodoLookalikes(pubkey: string): string[] {
  const modules = Array.from({ length: 0xf7 - 0xe1 + 1 }, (_, index) => 0xe1 + index)
  return [
    pubkeyScript(pubkey),
    pubkeyHashScript(pubkey),
    ...modules.map((code) => tokenScript(pubkey, { evalCodes: [code] })),
  ]
}

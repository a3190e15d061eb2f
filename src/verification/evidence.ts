import { AntaraError } from '../errors/antara-error.ts'
import { decodeTokenPayload, type TokenPayload } from '../token/payload.ts'
import { tokensEvalCode } from '../token/token-script.ts'
import { decodeTransaction, transactionId } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'
import { type Evidence, type Finding, finding } from './report.ts'

/** The transactions that a verifier was given, each under the txid that its bytes hash to. */
export interface KnownTransactions {
  readonly byTxid: ReadonlyMap<string, Transaction>
  /** The same transactions as they were given. */
  readonly sources: readonly string[]
  readonly findings: readonly Finding[]
}

export function indexEvidence({ previousTransactions }: Evidence): KnownTransactions {
  const byTxid = new Map<string, Transaction>()
  const sources: string[] = []
  const findings: Finding[] = []
  previousTransactions.forEach((hex, index) => {
    try {
      const transaction = decodeTransaction(hex)
      byTxid.set(transaction.txid, transaction)
      sources.push(hex)
    } catch (error) {
      if (!(error instanceof AntaraError)) throw error
      const path = `evidence.previousTransactions[${index}]`
      findings.push(finding('previous_transaction_malformed', path, { actual: error.message }))
    }
  })
  return { byTxid, sources, findings }
}

/** The payload of a token transaction, as chains look for it: in the last output only. */
export function payloadOf(transaction: Transaction): TokenPayload | undefined {
  const last = transaction.outputs.at(-1)
  if (last === undefined) return undefined
  try {
    return decodeTokenPayload(last.script)
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
}

/** What the creation of a token says that matters to those who move it. */
export interface TokenCreation {
  /** The raw transaction; absent when it was not given. */
  readonly source?: string
  /**
   * Eval codes in the conditions of this token's outputs: f2 alone, or for a non-fungible token
   * the first byte of its data and f2.
   */
  readonly evalCodes: readonly number[]
}

/** Finds the creation of `tokenid`. Without it the token is taken for a fungible one. */
export function findCreation(
  tokenid: string,
  evidence: Evidence,
  known: KnownTransactions,
): { creation: TokenCreation; findings: Finding[] } {
  const fungible: TokenCreation = { evalCodes: [tokensEvalCode] }
  const path = 'evidence.tokenCreate'
  let create = known.byTxid.get(tokenid)
  if (evidence.tokenCreate !== undefined) {
    try {
      create = decodeTransaction(evidence.tokenCreate)
    } catch (error) {
      if (!(error instanceof AntaraError)) throw error
      const findings = [finding('token_create_malformed', path, { actual: error.message })]
      return { creation: fungible, findings }
    }
  }
  if (create === undefined) {
    return { creation: fungible, findings: [finding('token_create_missing', path)] }
  }
  const payload = payloadOf(create)
  if (create.txid !== tokenid || payload?.kind !== 'create') {
    const actual = create.txid === tokenid ? 'no creation' : create.txid
    const findings = [finding('token_create_malformed', path, { expected: tokenid, actual })]
    return { creation: fungible, findings }
  }
  const source =
    evidence.tokenCreate ?? known.sources.find((hex) => transactionId(hex) === tokenid)!
  return { creation: { source, evalCodes: evalCodesFrom(payload) }, findings: [] }
}

function evalCodesFrom(payload: Extract<TokenPayload, { kind: 'create' }>): readonly number[] {
  return evalCodesOfData(payload.extras.find(({ kind }) => kind === 'nonFungible')?.data ?? '')
}

/**
 * The first byte of a non-fungible token's data is an eval code that its conditions carry too.
 *
 * @see komodo src/cc/CCtokens.cpp, CreateToken and TokenTransfer; spec/tokens.md 2
 */
export function evalCodesOfData(data: string): readonly number[] {
  if (data === '') return [tokensEvalCode]
  const code = Number.parseInt(data.slice(0, 2), 16)
  return code === tokensEvalCode ? [tokensEvalCode] : [code, tokensEvalCode]
}

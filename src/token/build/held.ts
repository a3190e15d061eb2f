// The token that a transaction moves: which it is, and whether coins hold it.

import { tokensEvalCode, transferableDataCodes } from '../../chain/modules.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { requireString } from '../../primitives/misuse.ts'
import { transactionId } from '../../transaction/decode.ts'
import type { Transaction } from '../../transaction/types.ts'
import { byteHex, fixedHex } from '../payload/bytes.ts'
import type { KomodoCreatePayload } from '../payload/payload.ts'
import { createTokenHistory } from '../proof/history.ts'
import { komodoRules, lastPayload, nonFungibleEvalCode } from '../rules/komodo.ts'
import { tokenEvalCodes } from '../rules/slot-script.ts'
import { type CoinSources, decodeAt } from './coins.ts'
import type { SpentCoin } from './unsigned.ts'

interface CreationSource {
  readonly tokenCreate?: string
  readonly previousTransactions: readonly string[]
}

export function readTokenid(tokenid: string): string {
  requireString(tokenid, 'tokenid')
  const id = fixedHex(tokenid, 32, 'tokenid')
  if (/^0*$/.test(id))
    throw new AntaraError('token_create_missing', { path: 'tokenid', actual: id })
  return id
}

export interface FoundCreation {
  readonly transaction: Transaction
  readonly hex: string
  readonly payload: KomodoCreatePayload
}

export function findCreation(
  { tokenCreate, previousTransactions }: CreationSource,
  tokenid: string,
  sources: CoinSources,
): FoundCreation {
  if (tokenCreate !== undefined) requireString(tokenCreate, 'tokenCreate')
  const transaction =
    tokenCreate === undefined ? sources.get(tokenid) : decodeAt(tokenCreate, 'tokenCreate')
  const payload = transaction === undefined ? undefined : lastPayload(transaction.outputs)
  if (transaction?.txid !== tokenid || payload?.kind !== 'create') {
    throw new AntaraError('token_create_missing', {
      path: 'tokenCreate',
      expected: tokenid,
      actual:
        transaction === undefined
          ? undefined
          : `${payload?.kind ?? 'no token'} ${transaction.txid}`,
    })
  }
  const hex = tokenCreate ?? previousTransactions.find((it) => transactionId(it) === tokenid)!
  return { transaction, hex: hex.toLowerCase(), payload }
}

export function transferableEvalCodes(
  { payload }: FoundCreation,
  dataCodes: readonly number[] = transferableDataCodes,
): readonly number[] {
  const code = nonFungibleEvalCode(payload)
  if (code === undefined || code === tokensEvalCode) return [tokensEvalCode]
  if (dataCodes.includes(code)) return tokenEvalCodes(code)
  throw new AntaraError('untransferable_data', {
    path: 'tokenCreate',
    expected: dataCodes.map(byteHex).join(' or '),
    actual: byteHex(code),
  })
}

/**
 * Refuses coins that are not the token; tells which could not be proven for lack of ancestors.
 *
 * @param own - script of all of them
 * @param coinsPath - of their list in the request
 */
export function checkTokens(
  coins: readonly SpentCoin[],
  own: string,
  { transaction }: FoundCreation,
  sources: CoinSources,
  coinsPath = 'tokenCoins',
): SpentCoin[] {
  const tokenid = transaction.txid
  // not a prover, which would tell what is missing for every coin
  const known = new Map([...sources, [tokenid, transaction]])
  const history = createTokenHistory(tokenid, known, komodoRules)
  const proofs = history.prove(coins)
  return coins.filter(({ script }, at) => {
    const path = `${coinsPath}[${at}]`
    if (script !== own) {
      throw new AntaraError('foreign_coin', { path, expected: own, actual: script })
    }
    const proof = proofs[at]!
    if (proof.verdict === 'disproven') {
      const actual = `${proof.rule} in ${proof.txid}`
      throw new AntaraError('token_disproven', { path, expected: tokenid, actual })
    }
    return proof.verdict === 'incomplete'
  })
}

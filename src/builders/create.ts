import { markerSats } from '../chain/limits.ts'
import { parseCoins } from '../primitives/amount.ts'
import { createRequestForms, type TokenCreateRequest } from '../request/create.ts'
import { createProblems, tokenDataProblems } from '../request/create-problems.ts'
import { amountProblems } from '../request/holders.ts'
import { requireRequest } from '../request/members.ts'
import { throwFirst } from '../request/problem.ts'
import { encodeTokenPayload } from '../token/payload/encode.ts'
import { encodeTokelData } from '../token/payload/tokel-data.ts'
import { nonFungibleId } from '../token/rules/komodo.ts'
import { rulesOfNew } from '../token/rules/network.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import { assemble, readTerms, readUnits } from './assemble.ts'
import { chooseNative } from './choose.ts'
import { readNativeCoins, readSources } from './coins.ts'
import { type UnsignedCreate, withEvidence } from './unsigned.ts'

/**
 * Builds the creation of a token as komodod would, unsigned; on tokeld's chains of tokens v2, as
 * tokeld.
 *
 * @param request - supply in token units, fee in satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} `text_length`, `text_mismatch`, `malformed_amount`, `amount_out_of_range`,
 *   `data_length`, `untransferable_data`, `supply_not_one`, what `decodeTokelData` finds,
 *   `invalid_pubkey`, `burn_key`, `module_key`, `previous_transaction_missing`, `no_such_output`, `duplicate_coin`,
 *   `foreign_coin`, `insufficient_coins`, `fee_over_limit`, `nulldata_too_large`,
 *   `expiry_height`, `unsupported_network`, `input_count`, `transaction_too_large`,
 *   `fee_below_relay`
 * @see komodo src/cc/CCtokens.cpp, CreateToken; tokel src/cc/CCtokens_impl.h, CreateTokenExt
 * @example
 * buildTokenCreate({
 *   name: 'DEMO', supplyCoins: '4.35', description: 'demo', owner, coins, previousTransactions,
 *   tipHeight: 223,
 * }).hex
 */
export function buildTokenCreate(request: TokenCreateRequest): UnsignedCreate {
  requireRequest(request, createRequestForms)
  const terms = readTerms(request)
  const { description = '', spend } = request
  const owner = request.owner.toLowerCase()
  const supply = readSupply(request)
  throwFirst(createProblems({ ...request, description, supply }, terms.network))
  const rules = rulesOfNew(terms.network, request.version ?? 2)
  const { layout } = rules
  const { properties } = request
  const data = properties === undefined ? request.data?.toLowerCase() : encodeTokelData(properties)
  throwFirst(tokenDataProblems(data ?? '', layout, request.dataCodes))

  const sources = readSources(request.previousTransactions)
  const offered = readNativeCoins(request.coins, owner, sources)
  const outputs: TransactionOutput[] = [
    { value: markerSats, script: rules.marker },
    { value: supply, script: rules.issuanceScript(owner, data ?? '') },
  ]
  const claimed = { kind: 'create', owner, name: request.name, description } as const
  const extra = { kind: 'nonFungible', data: data ?? '' } as const
  const purpose = {
    layout,
    outputs,
    nulldata: encodeTokenPayload(
      layout === 'komodo-v1'
        ? {
            ...claimed,
            layout,
            extras: data === undefined ? [] : [{ ...extra, id: nonFungibleId }],
          }
        : { ...claimed, layout, extras: data === undefined ? [] : [extra] },
    ),
    changeKey: owner,
  }
  const native = chooseNative(offered, supply + markerSats, purpose, terms, spend)
  const { hex, coins, fee } = assemble({ ...purpose, native, tokens: [] }, terms)
  return withEvidence({
    operation: 'tokencreate',
    intent: {
      name: request.name,
      supply,
      description,
      ...(data !== undefined && { data }),
      owner,
      ...(request.version !== undefined && { version: request.version }),
      network: terms.network,
      fee: terms.fee,
      maxFee: terms.maxFee,
      spendable: coins.map(({ txid, vout }) => ({ txid, vout })),
    },
    hex,
    previousTransactions: request.previousTransactions.map((it) => it.toLowerCase()),
    ...(request.tipHeight !== undefined && { tipHeight: request.tipHeight }),
    coins,
    fee,
  })
}

function readSupply({ supply, supplyCoins }: TokenCreateRequest): bigint {
  if (supplyCoins === undefined) return readUnits(supply!, 'supply')
  const units = parseCoins(supplyCoins, 'supplyCoins')
  throwFirst(amountProblems(units, 'supplyCoins'))
  return units
}

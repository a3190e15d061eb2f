import {
  markerSats,
  tokenDataBytesMax,
  tokenDescriptionBytesMax,
  tokenNameBytesMax,
} from '../chain/limits.ts'
import { movableDataCodes, tokelDataEvalCode } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { parseCoins } from '../primitives/amount.ts'
import { argumentError } from '../primitives/arguments.ts'
import { createRequestForms, type TokenCreateRequest } from '../request/create.ts'
import { unitsOrText } from '../request/forms.ts'
import { requireRequest } from '../request/members.ts'
import { byteHex, hexText } from '../token/payload/bytes.ts'
import { encodeTokenPayload } from '../token/payload/encode.ts'
import type { TokenLayout } from '../token/payload/payload.ts'
import { decodeTokelData, encodeTokelData, textBytes } from '../token/payload/tokel-data.ts'
import { nonFungibleId } from '../token/rules/komodo.ts'
import { rulesOfNew } from '../token/rules/network.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import { assemble, readPubkey, readTerms, readUnits, requireAmount } from './assemble.ts'
import { chooseNative } from './choose.ts'
import { readNativeCoins, readSources } from './coins.ts'
import { requireMovableData } from './moved-token.ts'
import { type UnsignedCreate, withEvidence } from './unsigned.ts'

/**
 * Builds the creation of a token as komodod would, unsigned; on tokeld's chains of tokens v2, as
 * tokeld.
 *
 * @param request - supply in token units, fee in satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} `text_length`, `text_mismatch`, `malformed_amount`, `amount_out_of_range`,
 *   `data_length`, `untransferable_data`, `supply_not_one`, what `decodeTokelData` finds,
 * `invalid_pubkey`, `burn_key`,
 *   `module_key`, `previous_transaction_missing`, `no_such_output`, `duplicate_coin`,
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
  const owner = readPubkey(request.owner, 'owner')
  requireText(request.name, 'name', 1, tokenNameBytesMax)
  requireText(description, 'description', 0, tokenDescriptionBytesMax)
  const rules = rulesOfNew(terms.network, readVersion(request, terms.network))
  const { layout } = rules
  const supply = readSupply(request)
  const data = readData(request, supply, layout)

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

function requireText(text: string, path: string, smallest: number, largest: number): void {
  const bytes = textBytes(text, undefined, path).length / 2
  if (bytes >= smallest && bytes <= largest) return
  throw new AntaraError('text_length', {
    path,
    expected: `${smallest} to ${largest} bytes`,
    actual: bytes,
  })
}

function readSupply({ supply, supplyCoins }: TokenCreateRequest): bigint {
  if (supplyCoins === undefined) {
    unitsOrText.requireType(supply, 'supply')
    return readUnits(supply!, 'supply')
  }
  if (supply !== undefined) throw argumentError('supply', 'nothing beside supplyCoins', supply)
  const units = parseCoins(supplyCoins, 'supplyCoins')
  requireAmount(units, 'supplyCoins')
  return units
}

function readVersion({ version }: TokenCreateRequest, { conditions }: Network): 1 | 2 {
  if (version === undefined || (conditions === 'tokel' && (version === 1 || version === 2))) {
    return version ?? 2
  }
  throw argumentError('version', "1 or 2, on tokeld's chains alone", version)
}

function readData(
  request: TokenCreateRequest,
  supply: bigint,
  layout: TokenLayout,
): string | undefined {
  const data = givenData(request, layout)
  if (data === undefined) return undefined
  const bytes = data.length / 2
  if (bytes === 0 || bytes > tokenDataBytesMax) {
    throw new AntaraError('data_length', {
      path: 'data',
      expected: `1 to ${tokenDataBytesMax} bytes`,
      actual: bytes,
    })
  }
  requireMovableData(data, request.dataCodes ?? movableDataCodes[layout], 'data')
  if (layout === 'komodo-v1') {
    if (supply === 1n) return data
    throw new AntaraError('supply_not_one', { path: 'supply', expected: 1n, actual: supply })
  }
  // tokeld mines no token whose data claim to be properties and are not
  if (data.startsWith(byteHex(tokelDataEvalCode))) decodeTokelData(data)
  return data
}

function givenData(
  { data, properties }: TokenCreateRequest,
  layout: TokenLayout,
): string | undefined {
  if (properties === undefined) return data === undefined ? undefined : hexText(data, 'data')
  if (data !== undefined) throw argumentError('properties', 'nothing beside data', properties)
  if (layout === 'komodo-v1')
    throw argumentError('properties', "none but on tokeld's chains", properties)
  return encodeTokelData(properties)
}

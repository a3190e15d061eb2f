import {
  markerSats,
  tokenDataBytesMax,
  tokenDescriptionBytesMax,
  tokenNameBytesMax,
} from '../../chain/limits.ts'
import { tokensEvalCode, transferableDataCodes } from '../../chain/modules.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { parseCoins } from '../../primitives/amount.ts'
import { misuse, requireObject, requireString } from '../../primitives/misuse.ts'
import type { Outpoint, TransactionOutput } from '../../transaction/types.ts'
import { byteHex, hexText } from '../payload/bytes.ts'
import { encodeTokenPayload } from '../payload/encode.ts'
import type { IdentifiedExtra } from '../payload/payload.ts'
import { textBytes } from '../payload/tokel-data.ts'
import { nonFungibleId } from '../rules/komodo.ts'
import { tokenEvalCodes } from '../rules/slot-script.ts'
import { markerScript, tokenScript } from '../rules/token-script.ts'
import {
  assemble,
  type CommonRequest,
  readPubkey,
  readTerms,
  readUnits,
  requireAmount,
} from './assemble.ts'
import { chooseNative, requireSpend, type Spend } from './choose.ts'
import { readNativeCoins, readSources } from './coins.ts'
import type { UnsignedCreate } from './unsigned.ts'

export interface TokenCreateRequest extends CommonRequest {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string
  /** Token units: bigint, or decimal digits. Either this or `supplyCoins`. */
  readonly supply?: bigint | string
  /** As the daemon takes it, decimal text in coins, and exact: 4.35 is 435000000 units. */
  readonly supplyCoins?: string
  /** At most 4096 bytes of UTF-8. */
  readonly description?: string
  /** Makes the token non-fungible, with a supply of one unit: hex, at most 10001 bytes. */
  readonly data?: string
  /** One's own compressed public key. */
  readonly owner: string
  /** Native coins that may be spent: pay to the own public key or its hash. */
  readonly coins: readonly Outpoint[]
  /** Raw transactions of all coins. */
  readonly previousTransactions: readonly string[]
  /** `selected` if absent. */
  readonly spend?: Spend
  /**
   * Eval codes that this chain validates in a non-fungible token: f1 and f3 if absent, which every
   * chain does. A token whose data begin with any other byte can never be moved.
   */
  readonly dataCodes?: readonly number[]
}

/**
 * Builds the creation of a token as komodod would, unsigned.
 *
 * @param request - supply in token units, fee in satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} `text_length`, `text_mismatch`, `malformed_amount`, `amount_out_of_range`,
 *   `data_length`, `untransferable_data`, `supply_not_one`, `invalid_pubkey`, `burn_key`,
 *   `module_key`, `previous_transaction_missing`, `no_such_output`, `duplicate_coin`,
 *   `foreign_coin`, `insufficient_coins`, `fee_over_limit`, `nulldata_too_large`,
 *   `expiry_height`, `unsupported_network`, `input_count`, `transaction_too_large`,
 *   `fee_below_relay`
 * @see komodo src/cc/CCtokens.cpp, CreateToken
 * @example
 * buildTokenCreate({
 *   name: 'DEMO', supplyCoins: '4.35', description: 'demo', owner, coins, previousTransactions,
 *   tipHeight: 223,
 * }).hex
 */
export function buildTokenCreate(request: TokenCreateRequest): UnsignedCreate {
  requireObject(request, 'request')
  const terms = readTerms(request)
  const { description = '', spend } = request
  requireSpend(spend)
  const owner = readPubkey(request.owner, 'owner')
  requireText(request.name, 'name', 1, tokenNameBytesMax)
  requireText(description, 'description', 0, tokenDescriptionBytesMax)
  const supply = readSupply(request)
  const data = request.data === undefined ? undefined : readData(request, supply)
  const evalCodes = data === undefined ? [tokensEvalCode] : tokenEvalCodes(firstByte(data))

  const sources = readSources(request.previousTransactions)
  const offered = readNativeCoins(request.coins, owner, sources)
  const outputs: TransactionOutput[] = [
    { value: markerSats, script: markerScript },
    { value: supply, script: tokenScript(owner, { evalCodes }) },
  ]
  const purpose = {
    outputs,
    nulldata: encodeTokenPayload({
      layout: 'komodo-v1',
      kind: 'create',
      owner,
      name: request.name,
      description,
      extras: data === undefined ? [] : [nonFungibleExtra(data)],
    }),
    changeKey: owner,
  }
  const native = chooseNative(offered, supply + markerSats, purpose, terms, spend)
  const { hex, coins, fee } = assemble({ ...purpose, native, tokens: [] }, terms)
  return {
    operation: 'tokencreate',
    intent: {
      name: request.name,
      supply,
      description,
      ...(data !== undefined && { data }),
      owner,
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
  }
}

function requireText(text: string, path: string, smallest: number, largest: number): void {
  requireString(text, path)
  const bytes = textBytes(text, undefined, path).length / 2
  if (bytes >= smallest && bytes <= largest) return
  throw new AntaraError('text_length', {
    path,
    expected: `${smallest} to ${largest} bytes`,
    actual: bytes,
  })
}

function readSupply({ supply, supplyCoins }: TokenCreateRequest): bigint {
  if (supplyCoins === undefined) return readUnits(supply as bigint | string, 'supply')
  if (supply !== undefined) throw misuse('supply', 'nothing beside supplyCoins', supply)
  requireString(supplyCoins, 'supplyCoins')
  const units = parseCoins(supplyCoins, 'supplyCoins')
  requireAmount(units, 'supplyCoins')
  return units
}

function readData(request: TokenCreateRequest, supply: bigint): string {
  const data = hexText(request.data!, 'data')
  const bytes = data.length / 2
  if (bytes === 0 || bytes > tokenDataBytesMax) {
    throw new AntaraError('data_length', {
      path: 'data',
      expected: `1 to ${tokenDataBytesMax} bytes`,
      actual: bytes,
    })
  }
  const dataCodes = request.dataCodes ?? transferableDataCodes
  if (!dataCodes.includes(firstByte(data))) {
    throw new AntaraError('untransferable_data', {
      path: 'data',
      expected: dataCodes.map(byteHex).join(' or '),
      actual: data.slice(0, 2),
    })
  }
  if (supply !== 1n) {
    throw new AntaraError('supply_not_one', { path: 'supply', expected: 1n, actual: supply })
  }
  return data
}

function firstByte(data: string): number {
  return Number.parseInt(data.slice(0, 2), 16)
}

function nonFungibleExtra(data: string): IdentifiedExtra {
  return { id: nonFungibleId, kind: 'nonFungible', data }
}

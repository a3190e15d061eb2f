// Turns chosen coins and outputs into an unsigned transaction, within the limits of fee and size.

import {
  dustOfScript,
  expiryDelta,
  finalSequence,
  inputsMax,
  lockedSequence,
  relayFee,
  saplingVersionGroupId,
  transactionBytesMax,
  unsignedInputBytes,
} from '../chain/limits.ts'
import { defaultNetwork, type Network } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import type { CommonRequest, TokenRequest } from '../request/common.ts'
import { throwFirst } from '../request/problem.ts'
import { expiryProblems, feeBounds, feeProblems, networkProblems } from '../request/terms.ts'
import { pubkeyScript } from '../script/key-script.ts'
import { scriptSigBytesMax } from '../script/script-sig-bytes.ts'
import type { TokenLayout } from '../token/payload/payload.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { TransactionFields, TransactionOutput } from '../transaction/types.ts'
import { sumOf } from './coins.ts'
import type { SpentCoin } from './unsigned.ts'

export interface CommonTerms {
  readonly network: Network
  readonly fee: bigint
  readonly maxFee: bigint
  readonly expiryHeight: number
  readonly nativeChange: 'exact' | 'daemon'
}

/**
 * @throws {AntaraError} `unsupported_network` where there are no tokens, `amount_out_of_range`,
 *   `fee_over_limit`, `expiry_height`
 */
export function readTerms(request: TokenRequest): CommonTerms {
  const { network = defaultNetwork, nativeChange = 'exact' } = request
  throwFirst([...networkProblems(network), ...feeProblems(request)])
  return { network, ...feeBounds(request), nativeChange, expiryHeight: readExpiry(request) }
}

export function readExpiry({ tipHeight, expiryHeight }: CommonRequest): number {
  const height = expiryHeight ?? (tipHeight ?? 0) + 1 + expiryDelta
  throwFirst(expiryProblems(height, tipHeight))
  return height
}

/**
 * Reads token units, or satoshis: bigint, or decimal digits. Their range is checked with the rest
 * of the request.
 *
 * @throws {AntaraError} `malformed_amount`
 */
export function readUnits(amount: bigint | string, path: string): bigint {
  // units are not divided: 1.5 of them is as wrong as text
  if (typeof amount === 'string' && !/^(?:0|[1-9][0-9]{0,18})$/.test(amount)) {
    throw new AntaraError('malformed_amount', { path, actual: amount })
  }
  return BigInt(amount)
}

interface Draft {
  readonly native: readonly SpentCoin[]
  readonly tokens: readonly SpentCoin[]
  /** Before native change and nulldata. */
  readonly outputs: readonly TransactionOutput[]
  /** '' for none. */
  readonly nulldata: string
  readonly changeKey: string
  readonly layout: TokenLayout
}

export interface Assembled {
  readonly hex: string
  readonly coins: readonly SpentCoin[]
  readonly fee: bigint
}

/**
 * Puts a transaction together as the daemons do. The inputs are one native coin, the tokens, and
 * the other native coins, which stand before the tokens in tokens v2. The outputs end with native
 * change to a public key, and nulldata.
 *
 * @throws {AntaraError} `insufficient_coins`, `fee_over_limit`, `nulldata_too_large`,
 *   `input_count`, `transaction_too_large`, `fee_below_relay`
 * @see komodo src/cc/CCtx.cpp, FinalizeCCTx; tokel src/cc/CCtx.cpp, FinalizeCCV2Tx
 */
export function assemble(draft: Draft, terms: CommonTerms): Assembled {
  const { native, tokens, nulldata, layout } = draft
  const { network } = terms
  if (nulldata.length / 2 > network.nulldataBytesMax) {
    throw new AntaraError('nulldata_too_large', {
      path: 'nulldata',
      expected: network.nulldataBytesMax,
      actual: nulldata.length / 2,
    })
  }
  const leading = layout === 'tokens-v2' ? native.length : 1
  const coins = [...native.slice(0, leading), ...tokens, ...native.slice(leading)]
  if (coins.length > inputsMax) {
    throw new AntaraError('input_count', { expected: inputsMax, actual: coins.length })
  }
  const { change, fee } = nativeChange(draft, coins, terms)
  const outputs = withNulldata([...draft.outputs, ...change], nulldata)
  const hex = encodeTransaction({
    ...emptyTransaction(terms),
    inputs: coins.map(({ txid, vout, role }) => {
      return { txid, vout, scriptSig: '', sequence: sequenceOf(role, network) }
    }),
    outputs,
  })
  const bytes = hex.length / 2 + coins.reduce((sum, coin) => sum + signedBytesMax(coin), 0)
  requireRelayable(bytes, fee)
  return { hex, coins, fee }
}

export function withNulldata(
  outputs: readonly TransactionOutput[],
  nulldata: string,
): readonly TransactionOutput[] {
  return nulldata === '' ? outputs : [...outputs, { value: 0n, script: nulldata }]
}

/** Refuses transactions that no node relays: too large, or with too low a fee for their bytes. */
export function requireRelayable(bytes: number, fee: bigint): void {
  if (bytes > transactionBytesMax) {
    throw new AntaraError('transaction_too_large', { expected: transactionBytesMax, actual: bytes })
  }
  const expected = relayFee(bytes)
  if (fee < expected)
    throw new AntaraError('fee_below_relay', { path: 'fee', expected, actual: fee })
}

/** @see tokel src/cc/CCtx.cpp, AddNormalinputsRemote */
function sequenceOf(role: SpentCoin['role'], { conditions }: Network): number {
  return conditions === 'tokel' && role === 'native' ? lockedSequence : finalSequence
}

/** A transaction as komodod's builders start it. */
export function emptyTransaction({
  expiryHeight,
}: Pick<CommonTerms, 'expiryHeight'>): TransactionFields {
  return {
    version: 4,
    overwintered: true,
    versionGroupId: saplingVersionGroupId,
    inputs: [],
    outputs: [],
    lockTime: 0,
    expiryHeight,
  }
}

function nativeChange(
  { native, outputs, changeKey }: Draft,
  coins: readonly SpentCoin[],
  terms: CommonTerms,
): { change: TransactionOutput[]; fee: bigint } {
  const { fee, maxFee } = terms
  const rest = sumOf(coins) - sumOf(outputs)
  if (rest < fee) {
    const actual = sumOf(native)
    const expected = actual + fee - rest
    throw new AntaraError('insufficient_coins', { path: 'coins', expected, actual })
  }
  const script = pubkeyScript(changeKey)
  const value = rest - fee
  const smallest = smallestChange(script, terms)
  if (value >= smallest) return { change: [{ value, script }], fee }
  if (rest > maxFee) {
    throw new AntaraError('fee_over_limit', { path: 'fee', expected: maxFee, actual: rest })
  }
  return { change: [], fee: rest }
}

/** Less than this is not change: it goes to the fee. */
export function smallestChange(script: string, terms: CommonTerms): bigint {
  const { fee, nativeChange, network } = terms
  const dust = dustOfScript(script)
  const isDaemons = nativeChange === 'daemon' && network.conditions === 'komodo'
  return isDaemons && fee > dust ? fee : dust
}

/** The most that a signed input takes. */
export function inputBytesMax(coin: SpentCoin): number {
  return unsignedInputBytes + signedBytesMax(coin)
}

/** Reads M and N of the parameters beside a condition: how many of its keys must sign. */
const keysOfParams = /cc(?:..|4c..|4d.{4})0402f[56](..)(..)/

/**
 * The most that a signed scriptSig adds to an unsigned input: its bytes and a longer length before
 * them.
 */
function signedBytesMax({ role, script }: SpentCoin): number {
  const [, required = '', keys = ''] = keysOfParams.exec(script) ?? []
  if (keys > '01') {
    const signed = Number.parseInt(required, 16)
    // a key with its signature, a key's condition, and what is around them
    return 103 * signed + 45 * (Number.parseInt(keys, 16) - signed) + 40
  }
  // the marker of an order of tokens v2, which names nobody: one key signs, the other's condition
  if (role === 'order' && script.startsWith('3e4d')) return 172
  // one key and one or two eval codes
  if (role === 'token') return 128
  // the same with up to three: an offer of a non-fungible token
  if (role === 'order') return 133
  // a key or its hash
  return scriptSigBytesMax(script)!
}

import {
  defaultFee,
  defaultMaxFee,
  dustOfScript,
  inputsMax,
  relayFee,
  transactionBytesMax,
} from '../../chain/limits.ts'
import { moduleNames } from '../../chain/modules.ts'
import { defaultNetwork, type Network, networks, requireNetwork } from '../../chain/network.ts'
import { accruedReward } from '../../chain/reward.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import type { Payee } from '../../intent/intent.ts'
import { normalizeHex } from '../../primitives/hex.ts'
import {
  misuse,
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../../primitives/misuse.ts'
import { scriptHashOf } from '../../script/key-script.ts'
import { pushOf } from '../../script/push.ts'
import { scriptOfAddress } from '../../script/script.ts'
import { scriptSigBytesMax } from '../../script/script-sig-bytes.ts'
import { selectCoins } from '../../selection/select-coins.ts'
import { ownershipOf, scriptsOfName, tellableName } from '../../signing/own-scripts.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import type { Outpoint, TransactionOutput } from '../../transaction/types.ts'
import { type CommonRequest, emptyTransaction, readExpiry, requireAmount } from './assemble.ts'
import { type CoinSources, readCoins, readSources, sumOf } from './coins.ts'
import type { SpentCoin, UnsignedPayment } from './unsigned.ts'

/** What payments and consolidations have in common. */
interface SpendingRequest extends Omit<CommonRequest, 'nativeChange'> {
  /** Satoshis per 1000 bytes, instead of `fee`. */
  readonly feeRate?: bigint
  /**
   * The wallet's own: compressed public keys, addresses, or scripts, hex. Only their coins are
   * spent. Change goes to the first, unless `change` says otherwise.
   */
  readonly own: readonly string[]
  /** Scripts behind own script hashes, hex. */
  readonly redeemScripts?: readonly string[]
  /** Coins that may be spent. */
  readonly coins: readonly Outpoint[]
  /** Raw transactions of all coins. */
  readonly previousTransactions: readonly string[]
  /** If absent 0, or on KMD `tipTime`, from which coins accrue their reward. */
  readonly lockTime?: number
  /** On KMD: time of the last block, and heights of coins' transactions; rewards are claimed then. */
  readonly tipTime?: number
  readonly heights?: Readonly<Record<string, number>>
}

export interface PaymentRequest extends SpendingRequest {
  /** Whom to pay; `max` gives one of them all that is left of all coins. */
  readonly recipients: readonly Payee[]
  /** Where change goes: one of `own`, or any key, address or script, which then is own too. */
  readonly change?: string
  /** Data that one nulldata output says, hex. */
  readonly nulldata?: string
  /** `selected` (if absent) for the least cost, or `all` coins. */
  readonly spend?: 'selected' | 'all'
}

export interface ConsolidationRequest extends SpendingRequest {
  /** Where the one coin goes; the first of `own` if absent. */
  readonly to?: string
  /** How many coins are merged at most, the smallest first; 500 if absent. */
  readonly maxInputs?: number
}

/**
 * Builds a payment in plain coins, unsigned: coins by `selectCoins`, change, and a note if wanted.
 *
 * On KMD, with `tipTime` and `heights`, the reward that the coins have accrued goes to the change,
 * or to whoever gets all.
 *
 * @param request - satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} `unknown_address`, `malformed_hex`, `amount_out_of_range`, `module_key`,
 *   `previous_transaction_missing`, `no_such_output`, `duplicate_coin`, `foreign_coin`,
 *   `redeem_script_missing`, `insufficient_coins`, `fee_over_limit`, `nulldata_too_large`,
 *   `expiry_height`, `input_count`, `transaction_too_large`, `fee_below_relay`
 * @example
 * const recipients = [{ address: addressOf(destination, networks.assetChain), amount: 1000n }]
 * buildPayment({ recipients, own: [from], coins, previousTransactions, tipHeight: 223 }).fee // 10000n
 */
export function buildPayment(request: PaymentRequest): UnsignedPayment {
  requireObject(request, 'request')
  const { spend = 'selected' } = request
  if (spend !== 'selected' && spend !== 'all') throw misuse('spend', "'selected' or 'all'", spend)
  const terms = readTerms(request, request.change)
  const nulldata = readNulldata(request.nulldata, terms.network)
  requireArray(request.recipients, 'recipients')
  if (request.recipients.length === 0) throw misuse('recipients', 'at least one', 'none')
  const payees = request.recipients.map((payee, at) => readPayee(payee, at, terms.network))
  const rest = payees.findIndex(({ value }) => value === undefined)
  if (payees.filter(({ value }) => value === undefined).length > 1) {
    throw misuse('recipients', 'max once', 'more often')
  }
  const offered = offeredCoins(request, terms)
  const isAll = rest >= 0 || spend === 'all'
  const draft = { payees, nulldata }
  const coins = isAll ? offered : selected(offered, draft, terms)
  return assembled(request, terms, { coins, ...draft })
}

/**
 * Builds a payment to oneself that turns many small coins into one, unsigned.
 *
 * @param request - satoshis
 * @returns as `buildPayment`
 * @throws {AntaraError} as `buildPayment`
 * @example
 * buildConsolidation({ own: [from], coins, previousTransactions, tipHeight: 223 }).coins.length // 1
 */
export function buildConsolidation(request: ConsolidationRequest): UnsignedPayment {
  requireObject(request, 'request')
  const { maxInputs = 500, to } = request
  requireUint32(maxInputs, 'maxInputs')
  const terms = readTerms(request, to)
  const smallest = offeredCoins(request, terms).toSorted((one, other) =>
    one.worth < other.worth ? -1 : 1,
  )
  const coins = smallest.slice(0, Math.min(maxInputs, inputsMax))
  return assembled(request, terms, { coins, payees: [{ script: terms.changeScript }] })
}

interface Terms {
  readonly network: Network
  /** Satoshis; absent where it follows from the rate. */
  readonly fee?: bigint
  readonly rate?: bigint
  readonly maxFee: bigint
  readonly expiryHeight: number
  readonly lockTime: number
  readonly own: readonly string[]
  readonly isOwn: { has(script: string): boolean }
  readonly redeemScriptOf: ReadonlyMap<string, string>
  readonly changeScript: string
}

function readTerms(request: SpendingRequest, change: string | undefined): Terms {
  const { network = defaultNetwork, feeRate, lockTime, tipTime } = request
  requireNetwork(network, 'network')
  requireArray(request.own, 'own')
  const [first = ''] = request.own
  const own = change === undefined ? request.own : [change, ...request.own]
  const scripts = own.map((name, at) => readName(name, `own[${at}]`, network))
  const redeemScripts = request.redeemScripts ?? []
  requireArray(redeemScripts, 'redeemScripts')
  const redeemScriptOf = new Map(
    redeemScripts.map((it, at) => {
      requireString(it, `redeemScripts[${at}]`)
      const hex = normalizeHex(it, `redeemScripts[${at}]`)
      return [scriptHashOf(hex), hex] as const
    }),
  )
  if (own.length === 0) throw misuse('own', 'at least one key, address or script', first)
  if (lockTime !== undefined) requireUint32(lockTime, 'lockTime')
  if (tipTime !== undefined) requireUint32(tipTime, 'tipTime')
  const isKomodo = network.name === networks.komodo.name
  return {
    network,
    ...readFee(request),
    ...(feeRate !== undefined && { rate: feeRate }),
    expiryHeight: readExpiry(request),
    lockTime: lockTime ?? (isKomodo ? (tipTime ?? 0) : 0),
    own,
    isOwn: ownershipOf(new Set([...scripts.flat(), ...redeemScriptOf.keys()])),
    redeemScriptOf,
    changeScript: scripts[0]![0]!,
  }
}

function readFee({ fee, maxFee, feeRate }: SpendingRequest): { fee?: bigint; maxFee: bigint } {
  if (feeRate !== undefined) {
    if (fee !== undefined) throw misuse('feeRate', 'nothing beside fee', feeRate)
    requireBigint(feeRate, 'feeRate')
    requireAmount(feeRate, 'feeRate', 0n)
    if (maxFee !== undefined) requireBigint(maxFee, 'maxFee')
    return { maxFee: maxFee ?? 1n << 62n }
  }
  const exact = fee ?? defaultFee
  requireBigint(exact, 'fee')
  requireAmount(exact, 'fee', 0n)
  const most = maxFee ?? defaultMaxFee(exact)
  requireBigint(most, 'maxFee')
  if (exact <= most) return { fee: exact, maxFee: most }
  throw new AntaraError('fee_over_limit', { path: 'fee', expected: most, actual: exact })
}

/** @throws {AntaraError} `unknown_address`, `module_key` */
function readName(name: string, path: string, network: Network): string[] {
  requireString(name, path)
  const module = moduleNames.get(name.toLowerCase())
  if (module !== undefined) throw new AntaraError('module_key', { path, actual: module })
  const scripts = scriptsOfName(name, network)
  if (scripts.length > 0) return scripts
  throw new AntaraError('unknown_address', {
    path,
    expected: 'a compressed public key, an address or a script',
    actual: tellableName(name),
  })
}

interface ReadyPayee {
  readonly script: string
  /** Satoshis; absent for all that is left. */
  readonly value?: bigint
}

function readPayee({ address, script, amount }: Payee, at: number, network: Network): ReadyPayee {
  const path = `recipients[${at}]`
  const paid = readScript(address, script, path, network)
  if (amount === 'max') return { script: paid }
  requireBigint(amount, `${path}.amount`)
  requireAmount(amount, `${path}.amount`)
  return { script: paid, value: amount }
}

function readScript(
  address: string | undefined,
  script: string | undefined,
  path: string,
  network: Network,
): string {
  if (address === undefined) {
    requireString(script, `${path}.script`)
    return normalizeHex(script, `${path}.script`)
  }
  if (script !== undefined) throw misuse(path, 'an address or a script, not both', script)
  requireString(address, `${path}.address`)
  return scriptOfAddress(address, network)
}

function readNulldata(data: string | undefined, network: Network): string | undefined {
  if (data === undefined) return undefined
  requireString(data, 'nulldata')
  const script = `6a${pushOf(normalizeHex(data, 'nulldata'))}`
  const bytes = script.length / 2
  if (bytes <= network.nulldataBytesMax) return script
  throw new AntaraError('nulldata_too_large', {
    path: 'nulldata',
    expected: network.nulldataBytesMax,
    actual: bytes,
  })
}

/** A coin with what it brings and takes. */
interface OfferedCoin extends SpentCoin {
  /** Satoshis: its value, and the reward that it has accrued. */
  readonly worth: bigint
  /** The most that a signed input takes. */
  readonly bytes: number
}

const outpointAndSequence = 32 + 4 + 1 + 4

function offeredCoins(request: SpendingRequest, terms: Terms): OfferedCoin[] {
  const sources = readSources(request.previousTransactions)
  return readCoins(request.coins, 'native', sources, 'coins').map((coin, at) => {
    const path = `coins[${at}]`
    const { script, value } = coin
    if (!terms.isOwn.has(script)) {
      throw new AntaraError('foreign_coin', { path, expected: terms.changeScript, actual: script })
    }
    const bytes = scriptSigBytesMax(script, terms.redeemScriptOf.get(script))
    if (bytes === undefined) throw new AntaraError('redeem_script_missing', { path })
    const worth = value + rewardOf(coin, request, sources, terms.network)
    return { ...coin, worth, bytes: outpointAndSequence + bytes }
  })
}

function rewardOf(
  { txid, value }: SpentCoin,
  { heights = {}, tipTime }: SpendingRequest,
  sources: CoinSources,
  { name }: Network,
): bigint {
  if (name !== networks.komodo.name || tipTime === undefined) return 0n
  const height = Object.hasOwn(heights, txid) ? heights[txid]! : 0
  return accruedReward({ value, height, lockTime: sources.get(txid)!.lockTime }, tipTime)
}

interface Draft {
  readonly payees: readonly ReadyPayee[]
  readonly nulldata?: string | undefined
}

/** What is paid but for the change; of what gets all that is left, nothing yet. */
function paidOutputs({ payees, nulldata }: Draft): TransactionOutput[] {
  const paid = payees.map(({ script, value = 0n }) => ({ script, value }))
  return nulldata === undefined ? paid : [...paid, { script: nulldata, value: 0n }]
}

function outputBytes(script: string): number {
  return 8 + 1 + script.length / 2
}

/** The counts of inputs and outputs may take two bytes more each. */
function baseBytesOf(draft: Draft, terms: Terms): number {
  return encodeTransaction({ ...empty(terms), outputs: paidOutputs(draft) }).length / 2 + 4
}

function empty({ expiryHeight, lockTime }: Terms) {
  return { ...emptyTransaction({ expiryHeight }), lockTime }
}

function selected(offered: readonly OfferedCoin[], draft: Draft, terms: Terms): OfferedCoin[] {
  const { fee, rate, changeScript } = terms
  const target = sumOf(paidOutputs(draft))
  const available = offered.reduce((sum, { worth }) => sum + worth, 0n)
  const expected = target + (fee ?? 0n)
  if (available < expected) {
    throw new AntaraError('insufficient_coins', { path: 'coins', expected, actual: available })
  }
  const useful = offered.filter(({ worth }) => worth > 0n)
  const selection = selectCoins(
    {
      values: BigInt64Array.from(useful, ({ worth }) => worth),
      inputBytes: Uint32Array.from(useful, ({ bytes }) => bytes),
    },
    {
      target,
      ...(fee === undefined ? { feeRate: Number(rate) } : { fixedFee: fee }),
      baseBytes: baseBytesOf(draft, terms),
      changeBytes: outputBytes(changeScript),
      changeSpendBytes: 0,
      dust: dustOfScript(changeScript),
      maxInputs: inputsMax,
      maxBytes: transactionBytesMax,
    },
  )
  if (selection.ok) return [...selection.picked].map((at) => useful[at]!)
  if (selection.code === 'selection_over_limits') {
    throw new AntaraError('input_count', { expected: inputsMax, actual: useful.length })
  }
  throw new AntaraError('insufficient_coins', {
    path: 'coins',
    expected,
    actual: selection.available,
  })
}

function assembled(
  request: SpendingRequest & Pick<PaymentRequest, 'nulldata'>,
  terms: Terms,
  { coins, ...draft }: Draft & { readonly coins: readonly OfferedCoin[] },
): UnsignedPayment {
  const { network, maxFee, changeScript, own } = terms
  if (coins.length > inputsMax) {
    throw new AntaraError('input_count', { expected: inputsMax, actual: coins.length })
  }
  const spent = coins.reduce((sum, { worth }) => sum + worth, 0n)
  const bytes = baseBytesOf(draft, terms) + coins.reduce((sum, coin) => sum + coin.bytes, 0)
  const { outputs, fee, recipients } = settled(spent, bytes, draft, terms)
  if (fee > maxFee) {
    throw new AntaraError('fee_over_limit', { path: 'fee', expected: maxFee, actual: fee })
  }
  const size = bytes + outputBytes(changeScript)
  if (size > transactionBytesMax) {
    throw new AntaraError('transaction_too_large', { expected: transactionBytesMax, actual: size })
  }
  if (fee < relayFee(size)) {
    throw new AntaraError('fee_below_relay', {
      path: 'fee',
      expected: relayFee(size),
      actual: fee,
    })
  }
  const inputs = coins.map(({ txid, vout }) => ({
    txid,
    vout,
    scriptSig: '',
    sequence: 0xffffffff,
  }))
  const { redeemScripts, nulldata, tipHeight, tipTime, heights } = request
  return {
    operation: 'payment',
    intent: {
      recipients,
      own,
      ...(redeemScripts !== undefined && { redeemScripts }),
      ...(nulldata !== undefined && { nulldata }),
      lockTime: terms.lockTime,
      expiryHeight: terms.expiryHeight,
      network,
      fee,
      maxFee: fee,
      spendable: coins.map(({ txid, vout }) => ({ txid, vout })),
    },
    hex: encodeTransaction({ ...empty(terms), inputs, outputs }),
    previousTransactions: request.previousTransactions.map((it) => it.toLowerCase()),
    ...(tipHeight !== undefined && { tipHeight }),
    ...(tipTime !== undefined && { tipTime }),
    ...(heights !== undefined && { heights }),
    coins: coins.map(({ worth: _, bytes: __, ...coin }) => coin),
    fee,
  }
}

interface Settled {
  readonly outputs: readonly TransactionOutput[]
  readonly recipients: readonly Payee[]
  /** Satoshis, with what is too little to be change. */
  readonly fee: bigint
}

/** Who gets what, once it is known what is spent and how large it all is. */
function settled(spent: bigint, bytes: number, draft: Draft, terms: Terms): Settled {
  const { changeScript } = terms
  const paid = sumOf(paidOutputs(draft))
  const feeFor = (size: number) => terms.fee ?? feeOf(size, terms.rate!)
  const rest = spent - paid
  const recipientsOf = (value: bigint): Payee[] =>
    draft.payees.map((payee) => ({ script: payee.script, amount: payee.value ?? value }))
  const outputsOf = (value: bigint) =>
    paidOutputs(draft).map((it, at) =>
      draft.payees[at] !== undefined && draft.payees[at].value === undefined
        ? { ...it, value }
        : it,
    )
  const taker = draft.payees.find(({ value }) => value === undefined)
  if (taker !== undefined) {
    const fee = feeFor(bytes)
    const value = rest - fee
    requireRest(value, dustOfScript(taker.script), rest, fee)
    return { outputs: outputsOf(value), recipients: recipientsOf(value), fee }
  }
  const fee = feeFor(bytes)
  requireRest(rest - fee, 0n, rest, fee)
  const change = rest - feeFor(bytes + outputBytes(changeScript))
  const outputs = outputsOf(0n)
  if (change < dustOfScript(changeScript) || change <= 0n) {
    return { outputs, recipients: recipientsOf(0n), fee: rest }
  }
  const withChange = [...outputs, { script: changeScript, value: change }]
  return { outputs: withChange, recipients: recipientsOf(0n), fee: rest - change }
}

function feeOf(bytes: number, rate: bigint): bigint {
  const fee = (rate * BigInt(bytes) + 999n) / 1000n
  return fee > relayFee(bytes) ? fee : relayFee(bytes)
}

function requireRest(value: bigint, least: bigint, rest: bigint, fee: bigint): void {
  if (value >= least) return
  throw new AntaraError('insufficient_coins', {
    path: 'coins',
    expected: fee + least,
    actual: rest,
  })
}

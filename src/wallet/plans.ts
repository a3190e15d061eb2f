// What each operation of the wallet builds, and from which of its coins.

import { buildTokenCreate } from '../builders/create.ts'
import { buildConsolidation, buildPayment } from '../builders/payment.ts'
import { buildTokenTransfer } from '../builders/transfer.ts'
import type { UnsignedTransaction } from '../builders/unsigned.ts'
import { defaultFee, inputsMax } from '../chain/limits.ts'
import { rewardsOf } from '../chain/network.ts'
import type { ChainOptions } from '../chain-source/source.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError, requireBigint, requireString } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { AskedFor, Case, Evidence } from '../request/case.ts'
import { pubkeyHashScript } from '../script/key-script.ts'
import { hashOfKey, isCompressedPoint } from '../script/public-key.ts'
import { addressOfScript, scriptOfAddress } from '../script/script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Outpoint } from '../transaction/types.ts'
import { isMature } from './amounts.ts'
import { ownScriptsOf } from './own-scripts.ts'
import type { TokenProofs } from './proofs.ts'
import type { CaseOptions, Plan, Taken } from './send.ts'
import { keyOfOutpoint, type View, type ViewContext, type WalletCoin } from './view.ts'

/** What a plan reads of the wallet. */
export interface PlanContext extends ViewContext {
  readonly publicKeys: readonly string[]
  readonly coinbaseMaturity: number
  sync(options: ChainOptions): Promise<View>
  prove(tokenid: string, coins: readonly Outpoint[], options: ChainOptions): Promise<TokenProofs>
}

/** Fees, in satoshis. */
export interface FeeTerms {
  /** The exact fee; default 10,000. */
  readonly fee?: bigint
  readonly maxFee?: bigint
}

export interface PaidOutput {
  /** An address of the network, or a compressed public key, whose address is paid. */
  readonly to: string
  /** Satoshis; `max` for everything that the wallet can spend, less the fee. */
  readonly amount: bigint | 'max'
}

export interface PayRequest extends FeeTerms {
  readonly to?: string
  readonly amount?: bigint | 'max'
  /** Instead of `to` and `amount`: several at once. */
  readonly recipients?: readonly PaidOutput[]
  /** Satoshis per 1000 bytes, instead of `fee`. */
  readonly feeRate?: bigint
  /** Data of one nulldata output, hex. */
  readonly nulldata?: string
}

export interface TransferRequest extends FeeTerms {
  readonly tokenid: string
  /** A compressed public key; of tokens v2 an address of one will do. */
  readonly to: string
  /** Token units. */
  readonly amount: bigint
}

export interface CreateRequest extends FeeTerms {
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description?: string
  /** Makes the token non-fungible: hex. */
  readonly data?: string
  /** On chains that tokeld runs: by which of its modules. Default 2. */
  readonly version?: 1 | 2
}

export interface MergeRequest extends FeeTerms {
  /** Coins that are merged at most, the smallest first. Default 500. */
  readonly maxInputs?: number
}

/** Coins that one payment chooses from beside those that it needs. */
const offeredMin = 60
/** Satoshis for fees beside what is paid, when coins are offered: too many do no harm. */
const feeMargin = 1_000_000n

/** @throws {TypeError} for members that a request does not have, or of the wrong type */
export function payPlan(context: PlanContext, request: PayRequest): Plan {
  const { network, publicKeys } = context
  const names = ['to', 'amount', 'recipients', 'fee', 'maxFee', 'feeRate', 'nulldata']
  requireKnownMembers(request, names, 'request')
  const { fee, maxFee, feeRate, nulldata } = request
  const recipients = recipientsOf(request).map(({ to, amount }, at) => {
    const path = request.recipients === undefined ? 'to' : `recipients[${at}].to`
    if (amount !== 'max') requireBigint(amount, path.replace(/to$/, 'amount'))
    return { script: scriptPaid(to, path, context), amount }
  })
  const terms = {
    network,
    own: publicKeys,
    recipients,
    ...(fee !== undefined && { fee }),
    ...(maxFee !== undefined && { maxFee }),
    ...(feeRate !== undefined && { feeRate }),
    ...(nulldata !== undefined && { nulldata }),
  }
  const paid = recipients.map(({ script, amount }) => `${script} ${amount}`).toSorted()
  return {
    key: JSON.stringify(['pay', ...paid, nulldata?.toLowerCase() ?? '']),
    request: () => requestText(context, { wallet: 'pay', ...request }),
    build: (taken) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync({})
        const coins = spendableCoins(context, view, isFree, { needed: sumPaid(recipients) })
        return buildPayment({ ...terms, ...spending(context, view, coins) })
      }),
    caseOf: async (hex, state, options) => ({
      operation: 'payment',
      intent: { ...terms, own: keysOf(context, options) },
      hex,
      evidence: await evidenceOf(context, hex, state, options),
    }),
  }
}

/** Turns the smallest coins into one. */
export function mergePlan(context: PlanContext, request: MergeRequest): Plan {
  requireKnownMembers(request, ['fee', 'maxFee', 'maxInputs'], 'request')
  const { network, publicKeys } = context
  const { maxInputs, ...fees } = request
  const terms = { network, own: publicKeys, ...fees }
  const [to] = publicKeys
  return {
    key: JSON.stringify(['merge', to]),
    request: () => requestText(context, { wallet: 'merge', ...request }),
    build: (taken) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync({})
        const coins = plainCoins(context, view, isFree)
        const smallest = coins.toSorted(byValue).slice(0, maxInputs ?? 500)
        const built = { ...terms, ...spending(context, view, smallest) }
        return buildConsolidation({ ...built, ...(maxInputs !== undefined && { maxInputs }) })
      }),
    caseOf: async (hex, state, options) => ({
      operation: 'payment',
      intent: {
        ...terms,
        own: keysOf(context, options),
        recipients: [{ script: pubkeyHashScript(to!), amount: 'max' }],
      },
      hex,
      evidence: await evidenceOf(context, hex, state, options),
    }),
  }
}

export function createPlan(context: PlanContext, request: CreateRequest): Plan {
  const names = ['name', 'supply', 'description', 'data', 'version', 'fee', 'maxFee']
  requireKnownMembers(request, names, 'request')
  requireString(request.name, 'name')
  requireBigint(request.supply, 'supply')
  const { network, publicKeys } = context
  const { description = '', name, supply, data = '', version } = request
  const [owner] = publicKeys
  const intent = { ...request, description, network, owner: owner! }
  return {
    key: JSON.stringify(['create', name, `${supply}`, description, data.toLowerCase(), version]),
    request: () => requestText(context, { wallet: 'createToken', ...request }),
    build: (taken) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync({})
        const wanted = { publicKey: owner!, needed: supply }
        const coins = spendableCoins(context, view, isFree, wanted)
        return buildTokenCreate({ ...intent, ...spending(context, view, coins, 'tokens') })
      }),
    caseOf: async (hex, state, options) => ({
      operation: 'tokencreate',
      intent: { ...intent, owner: options.madeBy?.[0] ?? intent.owner },
      hex,
      evidence: await evidenceOf(context, hex, state, options),
    }),
  }
}

/** @param burn - sends the units to the burn key, where nobody can spend them */
export function transferPlan(context: PlanContext, request: TransferRequest, burn: boolean): Plan {
  requireKnownMembers(request, ['tokenid', 'to', 'amount', 'fee', 'maxFee'], 'request')
  const { network, known } = context
  const { to, amount, fee, maxFee } = request
  requireString(request.tokenid, 'tokenid')
  requireString(to, 'to')
  requireBigint(amount, 'amount')
  const tokenid = request.tokenid.toLowerCase()
  const terms = {
    network,
    tokenid,
    ...(burn && { burn }),
    ...(fee !== undefined && { fee }),
    ...(maxFee !== undefined && { maxFee }),
  }
  const receiver = isCompressedPoint(to.toLowerCase()) ? hashOfKey(to.toLowerCase()) : to
  return {
    key: JSON.stringify([burn ? 'burn' : 'transfer', tokenid, receiver, `${amount}`]),
    request: () => requestText(context, { wallet: burn ? 'burn' : 'transfer', ...request }),
    build: (taken) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync({})
        const held = [...view.coins.values()].filter((coin) => coin.tokenid === tokenid)
        const proofs = await context.prove(tokenid, held, {})
        const real = held.filter((coin) => isFree(coin) && isUsable(coin, proofs, context))
        const from = payingKey(context, real, amount)
        const tokenCoins = real.filter(isOf(from))
        const wanted = { publicKey: from, needed: fee ?? defaultFee }
        const coins = spendableCoins(context, view, isFree, wanted)
        const { previousTransactions, ...native } = spending(context, view, coins, 'tokens')
        return buildTokenTransfer({
          ...terms,
          ...native,
          from,
          recipients: [{ pubkey: to, amount }],
          tokenCoins: tokenCoins.map(({ txid, vout }) => ({ txid, vout })),
          previousTransactions: [
            ...new Set([...previousTransactions, ...ancestorsOf(context, tokenCoins, tokenid)]),
          ],
        })
      }),
    async caseOf(hex, state, options) {
      const { inputs } = decodeTransaction(hex)
      const makers = ownScriptsOf(keysOf(context, options), network)
      await known.fetch(
        inputs.map(({ txid }) => txid),
        options,
      )
      const owners = inputs.flatMap((input) => {
        const output = known.get(input.txid)?.outputs[input.vout]
        const owner = output && makers.ownerOf(output.script)
        return owner?.holds === 'units' ? [owner.publicKey] : []
      })
      const from = owners[0] ?? context.publicKeys[0]!
      const spent = inputs.map(({ txid, vout }) => ({ txid, vout }))
      await context.prove(tokenid, spent, options)
      const evidence = await evidenceOf(context, hex, state, options)
      const ancestors = ancestorsOf(context, spent, tokenid)
      const all = new Set([...evidence.previousTransactions, ...ancestors])
      return {
        operation: 'tokentransfer',
        intent: { ...terms, destination: to, amount, from },
        hex,
        evidence: { ...evidence, previousTransactions: [...all] },
      } satisfies Case
    },
  }
}

/** A plan for a transaction that another machine signed: it builds nothing. */
export function submittedPlan(context: PlanContext, requested: AskedFor): Plan {
  const { operation, intent } = requested
  const plan = planOfIntent(context, requested)
  if (plan === undefined) {
    throw argumentError('signed.operation', 'payment, tokentransfer or tokencreate', operation)
  }
  return {
    ...plan,
    // The request that was prepared, fees and all, and the evidence of this wallet.
    async caseOf(hex, state, options) {
      const { evidence } = await plan.caseOf(hex, state, options)
      return { operation, intent, hex, evidence } as Case
    },
  }
}

function planOfIntent(context: PlanContext, { operation, intent }: AskedFor): Plan | undefined {
  if (operation === 'payment') {
    const recipients = intent.recipients.map(({ address, script, amount }) => ({
      to: address ?? addressOfScript(script ?? '', context.network) ?? '',
      amount,
    }))
    const { nulldata } = intent
    return payPlan(context, { recipients, ...(nulldata !== undefined && { nulldata }) })
  }
  if (operation === 'tokentransfer') {
    const { tokenid, destination: to, amount, burn } = intent
    return transferPlan(context, { tokenid, to, amount }, burn === true)
  }
  if (operation === 'tokencreate') {
    const { name, supply, description, data, version } = intent
    const more = { ...(data !== undefined && { data }), ...(version !== undefined && { version }) }
    return createPlan(context, { name, supply, description, ...more })
  }
  return undefined
}

function recipientsOf({ to, amount, recipients }: PayRequest): readonly PaidOutput[] {
  if (recipients !== undefined) {
    if (to !== undefined || amount !== undefined) {
      throw argumentError('recipients', 'recipients, or to and amount, not both', recipients)
    }
    return recipients
  }
  if (to === undefined || amount === undefined) {
    throw argumentError(to === undefined ? 'to' : 'amount', 'a recipient and an amount', undefined)
  }
  return [{ to, amount }]
}

function sumPaid(recipients: readonly { readonly amount: bigint | 'max' }[]): bigint | 'max' {
  let sum = 0n
  for (const { amount } of recipients) {
    if (amount === 'max') return 'max'
    sum += amount
  }
  return sum
}

/** A key and its address are one payee: both are paid by the hash of the key. */
function scriptPaid(to: string, path: string, { network }: PlanContext): string {
  requireString(to, path)
  const key = to.toLowerCase()
  return isCompressedPoint(key) ? pubkeyHashScript(key) : scriptOfAddress(to, network)
}

/** The wallet's keys of now and then. */
function keysOf({ publicKeys }: PlanContext, { madeBy = [] }: CaseOptions): readonly string[] {
  return [...new Set([...publicKeys, ...madeBy])]
}

const isOf = (publicKey: string) => (coin: WalletCoin) => coin.publicKey === publicKey
const byValue = (one: WalletCoin, other: WalletCoin) => (one.value < other.value ? -1 : 1)
const byValueDown = (one: WalletCoin, other: WalletCoin) => byValue(other, one)

/**
 * Builds with coins that no other payment uses. After an unsettled attempt at the same payment it
 * spends that attempt's coins again, so that both cannot be mined.
 */
async function withSharedCoins(
  { reserved, shared }: Taken,
  build: (isFree: (coin: WalletCoin) => boolean) => Promise<UnsignedTransaction>,
): Promise<UnsignedTransaction> {
  if (shared.size > 0) {
    try {
      return await build((coin) => shared.has(keyOfOutpoint(coin)))
    } catch (error) {
      if (!(error instanceof AntaraError)) throw error
    }
  }
  return build((coin) => !reserved.has(keyOfOutpoint(coin)))
}

/** Plain coins that can be in the next block, without those of a stranger's pending transaction. */
function plainCoins(
  context: PlanContext,
  view: View,
  isFree: (coin: WalletCoin) => boolean,
): WalletCoin[] {
  return [...view.coins.values()].filter(
    (coin) =>
      coin.tokenid === undefined &&
      isFree(coin) &&
      isMature(coin, view, context.coinbaseMaturity) &&
      isSettled(context, coin),
  )
}

/** The largest coins that suffice for a sum, and some more to choose from. */
function spendableCoins(
  context: PlanContext,
  view: View,
  isFree: (coin: WalletCoin) => boolean,
  { publicKey, needed }: { readonly publicKey?: string; readonly needed: bigint | 'max' },
): WalletCoin[] {
  const coins = plainCoins(context, view, isFree)
    .filter((coin) => publicKey === undefined || coin.publicKey === publicKey)
    .toSorted(byValueDown)
  if (needed === 'max') return coins.slice(0, inputsMax)
  let left = needed + feeMargin
  const enough = coins.findIndex(({ value }) => {
    left -= value
    return left <= 0n
  })
  return enough < 0 ? coins : coins.slice(0, enough + offeredMin)
}

/** A pending transaction counts if the wallet alone paid it, from coins that are in blocks. */
function isSettled({ known, own }: PlanContext, { txid, height }: WalletCoin): boolean {
  if (height > 0) return true
  const transaction = known.get(txid)
  if (transaction === undefined) return false
  return transaction.inputs.every((input) => {
    const output = known.get(input.txid)?.outputs[input.vout]
    return output !== undefined && own.ownerOf(output.script) !== undefined
  })
}

function isUsable(coin: WalletCoin, proofs: TokenProofs, context: PlanContext): boolean {
  return proofs.verdictOf(coin) === 'proven' && isSettled(context, coin)
}

/** The first key that holds enough units, or else the one that holds the most. */
function payingKey(
  { publicKeys }: PlanContext,
  coins: readonly WalletCoin[],
  amount: bigint,
): string {
  const heldBy = (key: string) =>
    coins.filter(isOf(key)).reduce((sum, { value }) => sum + value, 0n)
  const [most] = publicKeys.toSorted((one, other) => (heldBy(one) < heldBy(other) ? 1 : -1))
  return publicKeys.find((key) => heldBy(key) >= amount) ?? most!
}

/** What builders take of coins: outpoints, the bytes that they are read from, and the tip. */
function spending(
  { known, network }: PlanContext,
  { tip }: View,
  coins: readonly WalletCoin[],
  kind: 'coins' | 'tokens' = 'coins',
) {
  const txids = [...new Set(coins.map(({ txid }) => txid))]
  const claimsRewards = kind === 'coins' && rewardsOf(network) === 'komodo'
  const heights = Object.fromEntries(coins.map(({ txid, height }) => [txid, height]))
  return {
    network,
    coins: coins.map(({ txid, vout }) => ({ txid, vout })),
    previousTransactions: txids.map((txid) => known.hexOf(txid)!),
    tipHeight: tip.height,
    ...(claimsRewards && { tipTime: tip.time, heights }),
  }
}

/** Hex digits of ancestors that one case has. */
const ancestorDigitsMax = 16_000_000

/** Every known transaction that token coins come from, back to the creation and what paid for it. */
function ancestorsOf(
  { known }: PlanContext,
  coins: readonly { readonly txid: string }[],
  tokenid: string,
): string[] {
  const seen = new Set<string>([tokenid, ...coins.map(({ txid }) => txid)])
  const found: string[] = []
  let digits = 0
  const waiting = [...seen]
  for (let txid = waiting.pop(); txid !== undefined; txid = waiting.pop()) {
    const hex = known.hexOf(txid)
    if (hex === undefined || digits + hex.length > ancestorDigitsMax) continue
    digits += hex.length
    found.push(hex)
    for (const input of known.get(txid)!.inputs) {
      if (seen.has(input.txid)) continue
      seen.add(input.txid)
      waiting.push(input.txid)
    }
  }
  return found
}

async function evidenceOf(
  { known, chain }: PlanContext,
  hex: string,
  state: 'new' | 'on-chain',
  options: ChainOptions,
): Promise<Evidence> {
  const spent = decodeTransaction(hex).inputs.map(({ txid }) => txid)
  await known.fetch(spent, options)
  const previous = [...new Set(spent)].flatMap((txid) => known.hexOf(txid) ?? [])
  const tipHeight = state === 'new' ? (await chain.tip(options)).height : undefined
  return { previousTransactions: previous, ...(tipHeight !== undefined && { tipHeight }) }
}

/** Amounts are written as decimal digits. */
function requestText({ publicKeys }: PlanContext, request: object): string {
  return JSON.stringify(
    { operation: 'wallet', ...request, keys: publicKeys },
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
  )
}

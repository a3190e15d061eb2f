// The plan of each operation: the transaction that it builds, and the case that verifies it.

import { buildTokenCreate } from '../builders/create.ts'
import { buildConsolidation, buildPayment } from '../builders/payment.ts'
import { buildTokenTransfer } from '../builders/transfer.ts'
import { defaultFee, markerSats } from '../chain/limits.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import {
  argumentError,
  requireArray,
  requireBigint,
  requireSome,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { AskedFor, Case } from '../request/case.ts'
import { pubkeyHashScript } from '../script/key-script.ts'
import { hashOfKey, isCompressedPoint } from '../script/public-key.ts'
import { addressOfScript, scriptOfAddress } from '../script/script.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import {
  ancestorsOf,
  byValue,
  evidenceOf,
  feesOf,
  keysOf,
  type PlanContext,
  payingKey,
  plainCoins,
  requestText,
  spendableCoins,
  spending,
  spendingKeys,
  usableUnits,
  withSharedCoins,
} from './choice.ts'
import { NeedsMerge, plainInputsMax, planMerges } from './merge.ts'
import { ownScriptsOf } from './own-scripts.ts'
import type {
  CreateRequest,
  FeeTerms,
  MergeRequest,
  PaidOutput,
  PayRequest,
  TransferRequest,
} from './requests.ts'
import type { Plan } from './send.ts'
import { readableTransaction } from './transactions.ts'
import { keyOfOutpoint, type View, type WalletCoin } from './view.ts'

/** @throws {TypeError} for members that a request does not have, or of the wrong type */
export function payPlan(context: PlanContext, request: PayRequest): Plan {
  const { network } = context
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
        const needed = sumPaid(recipients)
        const coins = spendableCoins(context, view, isFree, { needed })
        try {
          const own = spendingKeys(context.changeKey(), coins)
          return buildPayment({ ...terms, own, ...spending(context, view, coins) })
        } catch (error) {
          throw needsMerge(error, plainCoins(context, view, isFree), needed, request) ?? error
        }
      }),
    caseOf: async (hex, state, options) => ({
      operation: 'payment',
      intent: { ...terms, own: keysOf(context, options) },
      hex,
      evidence: await evidenceOf(context, hex, state, options),
    }),
  }
}

/** Errors of builders that fewer inputs avoid. */
const tooMany: readonly ErrorCode[] = ['input_count', 'transaction_too_large', 'fee_below_relay']

/** Returns the merges that a payment needs first, if it failed because of its many inputs. */
function needsMerge(
  error: unknown,
  coins: readonly WalletCoin[],
  needed: bigint | 'max',
  { fee = defaultFee }: FeeTerms,
): NeedsMerge | undefined {
  if (!isAntaraError(error) || !tooMany.includes(error.code)) return undefined
  if (coins.length <= plainInputsMax) return undefined
  const target = needed === 'max' ? 'all' : needed + fee
  const values = coins.map(({ value }) => value)
  const plan = planMerges(values, target, { inputs: plainInputsMax, fee: defaultFee })
  return plan && new NeedsMerge(plan)
}

/** Turns the smallest coins into one. */
export function mergePlan(context: PlanContext, request: MergeRequest): Plan {
  requireKnownMembers(request, ['fee', 'maxFee', 'maxInputs'], 'request')
  const [to] = context.publicKeys
  const choose = (view: View, isFree: IsFree) =>
    plainCoins(context, view, isFree)
      .toSorted(byValue)
      .slice(0, request.maxInputs ?? plainInputsMax)
  return {
    ...mergingPlan(context, request, choose),
    key: JSON.stringify(['merge', to]),
    // A merge that a block has is done: the next one takes other coins.
    repeatMs: 0,
    request: () => requestText(context, { wallet: 'merge', ...request }),
  }
}

type IsFree = (coin: WalletCoin) => boolean

function mergingPlan(
  context: PlanContext,
  { maxInputs, fee, maxFee }: MergeRequest,
  choose: (view: View, isFree: IsFree) => readonly WalletCoin[],
): Pick<Plan, 'build' | 'caseOf'> {
  const { network, publicKeys } = context
  const terms = { network, ...feesOf({ fee, maxFee }) }
  const [to] = publicKeys
  return {
    build: (taken) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync({})
        const coins = choose(view, isFree)
        const own = spendingKeys(to!, coins)
        const built = { ...terms, own, ...spending(context, view, coins) }
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

/** One of several merges: of coins that are known, under a key that names the first of them. */
interface MergeStepRequest extends FeeTerms {
  /** `txid:vout`: a coin is merged once, so it names the step. */
  readonly first: string
  /** With `amount` and `to`: the token whose coins are merged. */
  readonly tokenid?: string
  /** The key of the wallet that holds the units. */
  readonly to?: string
  readonly amount?: bigint
}

/** @param coins - `txid:vout`; absent for a step of the journal, which is never built again */
export function mergeStepPlan(
  context: PlanContext,
  request: MergeStepRequest,
  coins: readonly string[] = [],
): Plan {
  const { first, tokenid = '', to = '', amount = 0n, ...fees } = request
  const chosen = new Set(coins)
  const isChosen = (coin: WalletCoin) => chosen.has(keyOfOutpoint(coin))
  const plan =
    request.tokenid === undefined
      ? mergingPlan(context, fees, (view, isFree) =>
          plainCoins(context, view, (coin) => isFree(coin) && isChosen(coin)),
        )
      : transferPlan(context, { tokenid, to, amount, ...fees }, false, isChosen)
  return {
    ...plan,
    key: JSON.stringify(['merge step', tokenid, first]),
    request: () => requestText(context, { wallet: 'mergeStep', ...request }),
  }
}

export function createPlan(context: PlanContext, request: CreateRequest): Plan {
  const names = ['name', 'supply', 'description', 'data', 'version', 'fee', 'maxFee']
  requireKnownMembers(request, names, 'request')
  requireString(request.name, 'name')
  requireBigint(request.supply, 'supply')
  const { network, publicKeys } = context
  const { description = '', name, supply, data = '', version } = request
  const intent = { ...request, description, network }
  return {
    key: JSON.stringify(['create', name, `${supply}`, description, data.toLowerCase(), version]),
    request: () => requestText(context, { wallet: 'createToken', ...request }),
    build: (taken) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync({})
        // The first key, unless another one has the coins for it.
        const plain = plainCoins(context, view, isFree)
        const owner = payingKey(context, plain, supply + markerSats + (request.fee ?? defaultFee))
        const wanted = { publicKey: owner, needed: supply }
        const coins = spendableCoins(context, view, isFree, wanted)
        return buildTokenCreate({ ...intent, owner, ...spending(context, view, coins, 'tokens') })
      }),
    async caseOf(hex, state, options) {
      const evidence = await evidenceOf(context, hex, state, options)
      const makers = ownScriptsOf(keysOf(context, options), network)
      const owners = decodeTransaction(hex).inputs.flatMap((input) => {
        const output = context.known.get(input.txid)?.outputs[input.vout]
        return (output && makers.ownerOf(output.script)?.publicKey) ?? []
      })
      const owner = owners[0] ?? publicKeys[0]!
      return { operation: 'tokencreate', intent: { ...intent, owner }, hex, evidence }
    },
  }
}

/**
 * @param burn - sends the units to the burn key, where nobody can spend them
 * @param isMerged - the token coins that a merge spends, all of them
 */
export function transferPlan(
  context: PlanContext,
  request: TransferRequest,
  burn: boolean,
  isMerged?: (coin: WalletCoin) => boolean,
): Plan {
  requireKnownMembers(request, ['tokenid', 'to', 'amount', 'fee', 'maxFee'], 'request')
  const { network, known } = context
  const { to, amount, fee, maxFee } = request
  requireString(request.tokenid, 'tokenid')
  const keys = typeof to === 'object' ? readKeys(to) : undefined
  const pubkey = keys === undefined ? to : keys.pubkeys[0]
  requireString(pubkey, 'to')
  requireBigint(amount, 'amount')
  const tokenid = request.tokenid.toLowerCase()
  const terms = {
    network,
    tokenid,
    ...(burn && { burn }),
    ...(fee !== undefined && { fee }),
    ...(maxFee !== undefined && { maxFee }),
  }
  const receiver = keys === undefined ? receiverOf(pubkey) : receiverOfKeys(keys)
  return {
    key: JSON.stringify([burn ? 'burn' : 'transfer', tokenid, receiver, `${amount}`]),
    request: () => requestText(context, { wallet: burn ? 'burn' : 'transfer', ...request }),
    build: (taken) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync({})
        const isOffered = (coin: WalletCoin) =>
          isFree(coin) && (isMerged === undefined || isMerged(coin))
        const wantedUnits = { tokenid, amount }
        const { from, tokenCoins } = await usableUnits(context, view, wantedUnits, isOffered)
        const wanted = { publicKey: from, needed: fee ?? defaultFee }
        const offered = spendableCoins(context, view, isFree, wanted)
        const coins = isMerged === undefined ? offered : atLeast(offered, wanted.needed)
        const { previousTransactions, ...native } = spending(context, view, coins, 'tokens')
        return buildTokenTransfer({
          ...(isMerged !== undefined && { spend: 'all' as const }),
          ...terms,
          ...native,
          from,
          recipients: [keys === undefined ? { pubkey, amount } : { keys, amount }],
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
        intent: {
          ...terms,
          destination: pubkey,
          ...(keys !== undefined && { destinationKeys: keys }),
          amount,
          from,
        },
        hex,
        evidence: { ...evidence, previousTransactions: [...all] },
      } satisfies Case
    },
  }
}

function readKeys({ required, pubkeys }: KeySet): KeySet {
  requireUint32(required, 'to.required')
  requireArray(pubkeys, 'to.pubkeys')
  requireSome(pubkeys, 'to.pubkeys', 'public key')
  pubkeys.forEach((key, at) => {
    requireString(key, `to.pubkeys[${at}]`)
  })
  return { required, pubkeys: pubkeys.map((key) => key.toLowerCase()) }
}

/** A key and its address are one receiver. */
function receiverOf(to: string): string {
  const key = to.toLowerCase()
  return isCompressedPoint(key) ? hashOfKey(key) : to
}

/** Keys in another order are the same receiver. */
function receiverOfKeys({ required, pubkeys }: KeySet): string {
  return `${required} of ${pubkeys.toSorted().join()}`
}

/** The largest coins, as many as a sum needs. */
function atLeast(coins: readonly WalletCoin[], needed: bigint): readonly WalletCoin[] {
  let left = needed
  return coins.filter(({ value }) => {
    const isNeeded = left > 0n
    left -= value
    return isNeeded
  })
}

/**
 * A plan for a transaction that another machine signed: it builds nothing.
 *
 * @param signed - its hex
 */
export async function submittedPlan(
  context: PlanContext,
  requested: AskedFor,
  signed: string,
): Promise<Plan> {
  const { operation, intent } = requested
  const plan = await planOfIntent(context, requested)
  if (plan === undefined) {
    throw argumentError('signed.operation', 'an operation that the wallet prepares', operation)
  }
  return {
    ...plan,
    // The request that was prepared, fees and all, and the evidence of this wallet.
    async caseOf(hex, state, options) {
      // An earlier attempt was prepared with another expiry height.
      if (hex !== signed.toLowerCase() && hex !== signed) return plan.caseOf(hex, state, options)
      // A report names malformed hex: there is no evidence for it.
      const isWhole = readableTransaction(hex) !== undefined
      const evidence = isWhole
        ? (await plan.caseOf(hex, state, options)).evidence
        : { previousTransactions: [] }
      return { operation, intent, hex, evidence } as Case
    },
  }
}

async function planOfIntent(context: PlanContext, requested: AskedFor): Promise<Plan | undefined> {
  const { operation, intent } = requested
  if (operation === 'payment') {
    const recipients = intent.recipients.map(({ address, script, amount }) => ({
      to: address ?? addressOfScript(script ?? '', context.network) ?? '',
      amount,
    }))
    const { nulldata, fee, maxFee, feeRate } = intent
    if (isMerge(context, intent)) return mergePlan(context, feesOf(intent))
    return payPlan(context, {
      recipients,
      ...(nulldata !== undefined && { nulldata }),
      ...(fee !== undefined && { fee }),
      ...(maxFee !== undefined && { maxFee }),
      ...(feeRate !== undefined && { feeRate }),
    })
  }
  if (operation === 'tokentransfer') {
    const { tokenid, destination, destinationKeys, amount, burn } = intent
    const to = destinationKeys ?? destination
    return transferPlan(context, { tokenid, to, amount, ...feesOf(intent) }, burn === true)
  }
  if (operation === 'tokencreate') {
    const { name, supply, description, data, version } = intent
    const more = { ...(data !== undefined && { data }), ...(version !== undefined && { version }) }
    return createPlan(context, { name, supply, description, ...more, ...feesOf(intent) })
  }
  const { orderPlan } = await import('./trade.ts')
  return orderPlan(context, requested)
}

/** A merge may follow a merge, while one payment is made once. */
function isMerge(
  { publicKeys }: PlanContext,
  { recipients, nulldata }: AskedFor<'payment'>['intent'],
): boolean {
  const [first, second] = recipients
  const [to] = publicKeys
  const isAll = first?.amount === 'max' && second === undefined && nulldata === undefined
  return isAll && first.script?.toLowerCase() === pubkeyHashScript(to!)
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

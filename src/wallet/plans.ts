// The plan of each operation: the transaction that it builds, and the case that verifies it.

import { buildTokenCreate } from '../builders/create.ts'
import { buildConsolidation, buildPayment } from '../builders/payment.ts'
import { buildTokenTransfer } from '../builders/transfer.ts'
import { defaultFee } from '../chain/limits.ts'
import { argumentError, requireBigint, requireString } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { AskedFor, Case } from '../request/case.ts'
import { pubkeyHashScript } from '../script/key-script.ts'
import { hashOfKey, isCompressedPoint } from '../script/public-key.ts'
import { addressOfScript, scriptOfAddress } from '../script/script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import {
  ancestorsOf,
  byValue,
  evidenceOf,
  feesOf,
  keysOf,
  type PlanContext,
  plainCoins,
  requestText,
  spendableCoins,
  spending,
  usableUnits,
  withSharedCoins,
} from './choice.ts'
import { ownScriptsOf } from './own-scripts.ts'
import type {
  CreateRequest,
  MergeRequest,
  PaidOutput,
  PayRequest,
  TransferRequest,
} from './requests.ts'
import type { Plan } from './send.ts'
import { orderPlan } from './trade.ts'
import { readableTransaction } from './transactions.ts'

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
    // A merge that a block has is done: the next one takes other coins.
    repeatMs: 0,
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
        const { from, tokenCoins } = await usableUnits(context, view, { tokenid, amount }, isFree)
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
    throw argumentError('signed.operation', 'an operation that the wallet prepares', operation)
  }
  return {
    ...plan,
    // The request that was prepared, fees and all, and the evidence of this wallet.
    async caseOf(hex, state, options) {
      // A report names malformed hex: there is no evidence for it.
      const isWhole = readableTransaction(hex) !== undefined
      const evidence = isWhole
        ? (await plan.caseOf(hex, state, options)).evidence
        : { previousTransactions: [] }
      return { operation, intent, hex, evidence } as Case
    },
  }
}

function planOfIntent(context: PlanContext, requested: AskedFor): Plan | undefined {
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
    const { tokenid, destination: to, amount, burn } = intent
    return transferPlan(context, { tokenid, to, amount, ...feesOf(intent) }, burn === true)
  }
  if (operation === 'tokencreate') {
    const { name, supply, description, data, version } = intent
    const more = { ...(data !== undefined && { data }), ...(version !== undefined && { version }) }
    return createPlan(context, { name, supply, description, ...more, ...feesOf(intent) })
  }
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

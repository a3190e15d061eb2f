// The calls of a wallet that sign and send.

import { blockTime } from '../chain-source/block-time.ts'
import type { ChainOptions } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { RecordedAttempt } from '../journal/recorded-payment.ts'
import { depthMax } from '../journal/recorded-payment.ts'
import { requireArray, requireObject, requireString } from '../primitives/arguments.ts'
import { snapshot, snapshotOptions } from '../primitives/snapshot.ts'
import { blocksLookedBack } from '../rpc/safe-flow/look-back.ts'
import { readableTransaction } from '../transaction/readable.ts'
import type { Preparing, Resumed, Wallet } from './contract.ts'
import { requireReadOptions, requireSendOptions, type SendOptions } from './options.ts'
import type { Plan } from './plan.ts'
import { burnPlan, type PlanOf, plans, recordedPlan } from './plans.ts'
import { createPreparer } from './prepare.ts'
import { preparingCalls } from './preparing.ts'
import type { CreateRequest } from './requests/create.ts'
import type { MergeAllRequest, MergeRequest } from './requests/merge.ts'
import type { BidRequest, CancelRequest, FillRequest, OfferRequest } from './requests/order.ts'
import type { PayRequest } from './requests/pay.ts'
import type { BurnRequest, TransferRequest } from './requests/transfer.ts'
import { createSender, type Sender } from './send.ts'
import type { Sent } from './send-result.ts'
import { remembered } from './sent.ts'
import type { Session } from './session.ts'
import { settlerOfDeep } from './settling.ts'
import { lostReason, spenderOf } from './spenders.ts'
import { lookedBack, unrecordedSpends } from './unrecorded.ts'

type Sending = Pick<Wallet, keyof Preparing | 'mergeAll' | 'prepare' | 'submit' | 'resume'>

export function sendingCalls(session: Session): Sending {
  const { planContext, context, journal, ring } = session
  const sender = senderOf(session)
  const source = context.chain.name
  const preparer = createPreparer({ source, journal, taken: sender.taken })

  const settleSome = settlerOfDeep(session, sender)

  /** Sends after the settlement of a few earlier payments, so that the journal has room for this one. */
  async function sendPlan(plan: Plan, options: SendOptions, signed?: string): Promise<Sent> {
    if (options.dryRun !== true) await settleSome(options.signal)
    return remembered(session, await sender.send(plan, options, signed))
  }

  const requireSigners = (): void => {
    if (ring.signers.length > 0) return
    throw new TypeError('this wallet only watches: give it signers, or use wallet.prepare')
  }
  async function send<Request extends object>(
    given: Request & SendOptions,
    planOf: PlanOf<Request>,
  ): Promise<Sent> {
    requireObject(given, 'request')
    const { id, confirm, dryRun, repeatMs, signal, allow, acknowledged, paidBy, ...request } = given
    const taken = { id, confirm, dryRun, repeatMs, signal, allow, acknowledged, paidBy }
    const options = takenOptions(taken)
    const asked = snapshot(request, 'request') as unknown as Request
    await requireSendOptions(options)
    const plan = await planOf(planContext, asked)
    requireSigners()
    return sendPlan(plan, options)
  }

  return {
    pay: (request) => send<PayRequest>(request, plans.pay),
    transfer: (request) => send<TransferRequest>(request, plans.transfer),
    burn: (request) => send<BurnRequest>(request, burnPlan),
    async createToken(request) {
      const sent = await send<CreateRequest>(request, plans.createToken)
      return sent.txid === undefined ? sent : Object.assign(sent, { tokenid: sent.txid })
    },
    merge: (request = {}) => send<MergeRequest>(request, plans.merge),
    async mergeAll({ confirm, signal, acknowledged, ...request } = {}) {
      requireSigners()
      const given = snapshot(request, 'request') as MergeAllRequest
      const options = takenOptions({ confirm, signal, acknowledged })
      await requireSendOptions(options)
      const sendStep = (plan: Plan) => sendPlan(plan, options)
      const { mergeAll } = await import('./merge-all.ts')
      const taken = () => sender.taken()
      return mergeAll({ plans: planContext, signal: options.signal, taken, send: sendStep }, given)
    },
    ask: (request) => send<OfferRequest>(request, plans.ask),
    bid: (request) => send<BidRequest>(request, plans.bid),
    fill: (request) => send<FillRequest>(request, plans.fill),
    cancel: (request) => send<CancelRequest>(request, plans.cancel),
    prepare: preparingCalls(session, preparer),
    async submit(signed, given = {}) {
      const { own = [], ...options } = snapshotOptions(given, 'options')
      const taken = typeof signed === 'string' ? signed : snapshot(signed, 'signed')
      await requireSendOptions(options)
      requireArray(own, 'own')
      for (const [at, name] of own.entries()) requireString(name, `own[${at}]`)
      const { submittedPlan } = await import('./submitted-plan.ts')
      const { plan, hex } = submittedPlan(planContext, preparer, { taken, id: options.id, own })
      return sendPlan(plan, options, hex)
    },
    async resume(given = {}) {
      const options = snapshotOptions(given, 'options')
      requireReadOptions(options)
      return resumePayments(session, sender, options)
    },
  }
}

function senderOf(session: Session): Sender {
  const { options, context, journal, ring, entries } = session
  const blocksBack = blocksLookedBack(lookedBack)
  return createSender({
    chain: context.chain,
    journal,
    isDurable: options.journal !== undefined,
    isChainNamed: options.firstBlock !== undefined,
    signersOf(coins) {
      const keys = new Set(coins.map(({ script }) => context.own.ownerOf(script)?.publicKey))
      return ring.signers.filter(({ publicKey }) => keys.has(publicKey))
    },
    keysIn: (hex) => keysIn(context, hex),
    trustSource: options.trustSource ?? false,
    findKeys: ring.discover,
    historyOf: session.planContext.historyOf,
    unrecorded: async (compared, given) =>
      options.journal === undefined
        ? []
        : unrecordedSpends(
            context,
            {
              ...compared,
              journal,
              blocksBack: ({ height: tip, time }) =>
                blocksBack(tip, async (height) =>
                  height === tip ? time : blockTime(options.chain, height, given),
                ),
            },
            await entries(given),
            given,
          ),
    spenderOf: (outpoint, given) => spenderOf(session, outpoint, given),
  })
}

function keysIn({ own, known }: Session['context'], hex: string): readonly string[] {
  const transaction = readableTransaction(hex)
  if (transaction === undefined) return []
  const spent = transaction.inputs.map(({ txid, vout }) => known.get(txid)?.outputs[vout])
  const outputs = [...transaction.outputs, ...spent]
  return outputs.flatMap((output) => (output && own.ownerOf(output.script)?.publicKey) ?? [])
}

async function resumePayments(
  session: Session,
  sender: Sender,
  given: ChainOptions,
): Promise<readonly Resumed[]> {
  const book = bookOf(session.journal)
  await book.catchUp()
  const resumed: Resumed[] = []
  const { height: tip } = await session.context.chain.tip(given)
  // A payment this deep does not leave the chain any more, and a journal may have thousands.
  const isDeep = ({ fate, height }: RecordedAttempt): boolean =>
    fate === 'settled' && height !== undefined && tip >= height + depthMax
  for (const { name, id, request, attempts } of book.payments()) {
    if (request === undefined || attempts.every(({ fate }) => fate === 'dead')) continue
    if (attempts.some(isDeep)) continue
    const repeatMs = Number.POSITIVE_INFINITY
    const own = { ...given, repeatMs, resumeOnly: true, ...(id !== undefined && { id }) }
    // The failure of one payment must not prevent the settlement of others.
    try {
      const plan = await recordedPlan(session.planContext, request)
      if (plan === undefined) continue
      const result = remembered(session, await sender.send(plan, own))
      const isOver = result.status === 'accepted'
      const lost = isOver ? undefined : await lostReason(session, attempts, given)
      resumed.push({ name, result, ...(lost !== undefined && { lost }) })
    } catch (error) {
      resumed.push({ name, error })
    }
  }
  return resumed
}

/** Copies the options that are there: the caller may change a list while the call waits. */
function takenOptions(options: { readonly [Name in keyof SendOptions]: unknown }): SendOptions {
  const present = Object.entries(options).filter(([, value]) => value !== undefined)
  return snapshotOptions(Object.fromEntries(present), 'options')
}

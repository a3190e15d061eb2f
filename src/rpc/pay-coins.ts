// Pays coins from the wallet of a daemon, as a safe flow.

import { defaultNetwork } from '../chain/network.ts'
import { argumentError, requireArray, requireObject } from '../primitives/arguments.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { snapshot, snapshotOptions } from '../primitives/snapshot.ts'
import type { PaymentIntent } from '../request/payment.ts'
import { reportWithout } from '../request/report.ts'
import { chainDifference } from './daemon/chain-difference.ts'
import type { DaemonClient } from './daemon/client.ts'
import {
  inFundingTurn,
  losesReward,
  madeByDaemon,
  withMarkedCallbacks,
} from './safe-flow/coin-build.ts'
import type { SafeFlowResult } from './safe-flow/flow.ts'
import { idempotentSend } from './safe-flow/idempotent-send.ts'
import { callOptions, requireFlowOptions, type SafeFlowOptions } from './safe-flow/options.ts'
import { settleSome } from './safe-flow/settle-some.ts'
import { daemonPayment, undertakingOf } from './safe-flow/undertaking.ts'

/** A payment in coins from the wallet of a daemon. */
export interface PayCoinsIntent
  extends Pick<PaymentIntent, Exclude<keyof PaymentIntent, 'own' | 'recipients' | Unbuilt>> {
  /** Each address once, with its satoshis. */
  readonly recipients: readonly { readonly address: string; readonly amount: bigint }[]
  /** The daemon's own key, its `-pubkey`: compressed, hex. Change comes back to it. */
  readonly from: string
  /** Further keys and addresses of yours, whose coins may be spent and which may get change. */
  readonly own?: readonly string[]
}

/** Terms that a daemon does not let its caller choose. */
type Unbuilt = 'redeemScripts' | 'nulldata' | 'lockTime' | 'expiryHeight'

const unbuilt: readonly string[] = memberNames<Pick<PaymentIntent, Unbuilt>>({
  redeemScripts: true,
  nulldata: true,
  lockTime: true,
  expiryHeight: true,
})

/**
 * Pays coins from the wallet of a daemon. The daemon creates, funds and signs the transaction; it
 * is verified, and the verified copy is broadcast.
 *
 * The daemon must have been started with `-pubkey`, so that change comes back to a key that you
 * know. It is not trusted with anything else. Retries, journal and idempotency are those of
 * `transferToken`. Payments of one client follow one another. A warning holds a payment, except
 * `sequence`, which every daemon causes. Claims of the daemon, such as the owner of a coin, do not
 * hold it.
 *
 * @param intent - recipients with satoshis, and the daemon's key
 * @param options - as `transferToken`
 * @returns as `transferToken`
 * @throws {RpcError} and all others, as `transferToken`
 * @throws {TypeError} also for a recipient that is named twice, and on KMD, where the daemon would
 *   lose the reward of the coins
 * @throws {TypeError} if the daemon runs a chain of another network
 * @example
 * const intent = { recipients: [{ address, amount: 50_000_000n }], from: pubkey }
 * const { report, txid } = await payCoins(daemon, intent)
 */
export async function payCoins(
  client: DaemonClient,
  intent: PayCoinsIntent,
  options: SafeFlowOptions = {},
): Promise<SafeFlowResult> {
  const taken = snapshotOptions(options, 'options')
  const asked = snapshot(intent, 'intent')
  await requireFlowOptions(taken)
  const { from, payment } = paymentIntentOf(asked)
  const undertaking = await undertakingOf({ operation: 'payment', intent: payment }, from)
  const { intentFindings } = undertaking
  if (intentFindings.length > 0) return { report: reportWithout(intentFindings), held: 'rejected' }
  await settleSome(client, taken)
  const flow = daemonPayment(client, withMarkedCallbacks(client, taken), undertaking)
  return inFundingTurn(client, taken.signal, () =>
    idempotentSend({
      ...flow,
      async newTransaction() {
        await requireNetworkOf(client, payment, taken)
        const { hex } = await madeByDaemon(client, payment.recipients, taken)
        return flow.check(hex)
      },
    }),
  )
}

/** @throws {TypeError} if the daemon runs a chain of another network, such as KMD */
async function requireNetworkOf(
  client: DaemonClient,
  { network = defaultNetwork }: PaymentIntent,
  options: SafeFlowOptions,
): Promise<void> {
  const difference = chainDifference(await client.getinfo({}, callOptions(options)), network)
  if (difference === undefined) return
  const { fact, other } = difference
  const remedy = other === undefined ? '' : `; expected networks.${other}, or one like it`
  throw new TypeError(`intent.network: ${fact}${remedy}`)
}

/** @throws {TypeError} for terms that the calls of a daemon cannot express, or that it would ignore */
function paymentIntentOf(intent: PayCoinsIntent): { from: string; payment: PaymentIntent } {
  requireObject(intent, 'intent')
  for (const name of unbuilt) {
    if (Object.hasOwn(intent, name)) {
      throw new TypeError(`intent.${name}: a daemon chooses this itself`)
    }
  }
  const { from: given, own = [], recipients, ...terms } = intent
  // `resumePayments` finds the key in the journal by this form.
  const from = String(given).toLowerCase()
  if (!isCompressedKey(from)) {
    throw argumentError('intent.from', 'a compressed public key in hex', given)
  }
  requireArray(recipients, 'intent.recipients')
  requireArray(own, 'intent.own')
  const seen = new Set<string>()
  for (const [at, recipient] of recipients.entries()) {
    const path = `intent.recipients[${at}]`
    requireObject(recipient, path)
    requireKnownMembers(recipient, ['address', 'amount'], path)
    const { address, amount } = recipient
    if (typeof address !== 'string') throw argumentError(`${path}.address`, 'an address', address)
    if (typeof amount !== 'bigint') throw argumentError(`${path}.amount`, 'a bigint', amount)
    if (seen.has(address)) throw new TypeError(`${path}: a daemon pays an address once`)
    seen.add(address)
  }
  if (losesReward(terms.network ?? defaultNetwork)) {
    throw new TypeError('intent.network: the daemon would lose the reward of the coins')
  }
  return { from, payment: { ...terms, recipients, own: [from, ...own] } }
}

import { defaultNetwork, rewardsOf } from '../chain/network.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { redactName } from '../signing/own-scripts.ts'
import { member } from './form-table.ts'
import { text } from './forms.ts'
import { type Forms, requireIntent } from './members.ts'
import { address, names, type PaymentIntent, paymentForms, satsOrMax } from './payment.ts'

/** The withdrawal that a wallet requested from the framework. */
export interface WithdrawIntent extends Omit<PaymentIntent, 'recipients' | 'own'> {
  /** Ticker, as in the request. */
  readonly coin: string
  /** The address that is paid. */
  readonly to: string
  /** Satoshis; `max` for everything that is spent, less the fee. */
  readonly amount: bigint | 'max'
  /** The wallet's own addresses or keys, whose coins are spent and which get the change. */
  readonly own: readonly string[]
}

const { recipients: _, ...terms } = paymentForms

export const withdrawForms: Forms<WithdrawIntent> = {
  coin: member('the ticker, as in the request', text('KMD')),
  to: member('the address that is paid', address),
  amount: member('satoshis; "max" for all that is spent, less the fee', satsOrMax),
  ...terms,
  own: member(terms.own.about, names),
}

/**
 * Refuses KMD on a network without rewards. A server could leave the reward of the coins to a miner,
 * and no rule of that network would show it.
 *
 * @param path - the arguments that name coin and network
 * @throws {TypeError}
 */
export function requireRewards(
  { coin, network = defaultNetwork }: Pick<WithdrawIntent, 'coin' | 'network'>,
  path = 'intent',
): void {
  if (coin !== 'KMD' || rewardsOf(network) !== 'none') return
  throw new TypeError(`${path}.network: coins of KMD may earn a reward; expected networks.komodo`)
}

/** Converts a withdrawal to a payment. @throws {TypeError} for members of the wrong types */
export function paymentOf(intent: WithdrawIntent): PaymentIntent {
  requireIntent(intent, withdrawForms)
  const { coin: _coin, to, amount, ...rest } = intent
  return { ...rest, recipients: [{ address: to, amount }] }
}

/** Returns an intent for journals: redacts every name in it that may be a private key. */
export function redactIntent(intent: WithdrawIntent): WithdrawIntent {
  const { to, own, ownKeys } = intent
  const redacted = { ...intent, to: redactKey(to), own: own.map(redactName) }
  return ownKeys === undefined ? redacted : { ...redacted, ownKeys: ownKeys.map(redactKey) }
}

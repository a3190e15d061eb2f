import { networks } from '../chain/network.ts'
import { memoryJournal } from '../journal/memory.ts'
import { argumentError } from '../primitives/arguments.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { isPoint } from '../primitives/secp256k1.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { build } from './builds.ts'
import type { ClientCall } from './call.ts'
import { chainAgreement } from './chain-agreement.ts'
import { coinMethods } from './coin-requests.ts'
import { coinSender } from './coin-sends.ts'
import type { CarryOut } from './dispatch.ts'
import type { GuardOptions } from './options.ts'
import { noteRefusal, type PaymentParts } from './payments.ts'
import { send, submit } from './sends.ts'
import { tokenMethods } from './token-requests.ts'
import type { Upstream } from './upstream.ts'

/** Returns the methods that the guard verifies itself: none without a key. */
export function verifiedCalls(
  options: GuardOptions,
  {
    url,
    upstream,
    onDecision,
  }: { readonly url: string; readonly upstream: Upstream } & Pick<PaymentParts, 'onDecision'>,
): ReadonlyMap<string, CarryOut> {
  const { pubkey, daemon, network = networks.assetChain } = options
  if (pubkey === undefined) return new Map()
  if (typeof pubkey !== 'string' || !isCompressedKey(pubkey.toLowerCase()) || !isPoint(pubkey)) {
    throw argumentError('options.pubkey', 'a compressed public key in hex', pubkey)
  }
  const { repeatMs, trustServer, acknowledged } = options
  const parts = {
    client: createDaemonClient({
      url,
      credentials: daemon.credentials,
      allowedHosts: daemon.allowedHosts,
    }),
    upstream,
    journal: options.journal ?? memoryJournal(),
    terms: {
      network,
      pubkey: pubkey.toLowerCase(),
      allowsUnenforcedPrices: options.allowUnenforcedPrices === true,
      maxFee: options.maxFee,
    },
    policy: options.policy,
    record: options.record,
    flow: {
      ...(repeatMs !== undefined && { repeatMs }),
      ...(trustServer !== undefined && { trustServer }),
      ...(acknowledged !== undefined && { acknowledged }),
    },
    onDecision,
  }
  const builds = Object.keys(tokenMethods).map(
    (method) => [method, (call) => build(parts, call)] as const satisfies [string, CarryOut],
  )
  const pay = coinSender(parts)
  const requireAgreement = chainAgreement(parts.client, network)
  const methods: readonly (readonly [string, CarryOut])[] = [
    ...builds,
    ...coinMethods.map((method) => [method, pay] as const),
    ['sendrawtransaction', (call) => send(parts, call)],
    ['guard_submit', (call) => submit(parts, call)],
  ]
  return new Map(
    methods.map(([method, carryOut]) => [
      method,
      async (call: ClientCall) => {
        await requireAgreement().catch((error) => {
          noteRefusal(parts, call, 'network')
          throw error
        })
        return carryOut(call)
      },
    ]),
  )
}

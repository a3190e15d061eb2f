import { networks } from '../chain/network.ts'
import { memoryJournal } from '../journal/memory.ts'
import { argumentError } from '../primitives/arguments.ts'
import { isPoint } from '../primitives/curve-point.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { spendReader } from '../rpc/safe-flow/own-spends.ts'
import type { CarryOutOf } from './admit.ts'
import { type BuildParts, build } from './builds.ts'
import type { ClientCall } from './call.ts'
import { chainAgreement } from './chain-agreement.ts'
import { coinMethods } from './coin-requests.ts'
import { pay } from './coin-sends.ts'
import { evidenceClient } from './evidence-cache.ts'
import type { GuardOptions } from './options.ts'
import { noteRefusal, type PaymentParts } from './payments.ts'
import { requestedBy, send, submit } from './sends.ts'
import { settling } from './settling.ts'
import { blocksLookedBack, spendsOf } from './spends.ts'
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
): ReadonlyMap<string, CarryOutOf<ClientCall>> {
  const { pubkey, daemon, network = networks.assetChain } = options
  if (pubkey === undefined) return new Map()
  if (typeof pubkey !== 'string' || !isCompressedKey(pubkey.toLowerCase()) || !isPoint(pubkey)) {
    throw argumentError('options.pubkey', 'a compressed public key in hex', pubkey)
  }
  const { repeatMs, trustServer, acknowledged } = options
  const client = createDaemonClient({
    url,
    credentials: daemon.credentials,
    allowedHosts: daemon.allowedHosts,
  })
  const journal = options.journal ?? memoryJournal()
  const payer = { pubkey: pubkey.toLowerCase(), network }
  const agreement = chainAgreement(client, network)
  let chain: string | undefined
  const requireChain = async () => {
    chain = await agreement()
  }
  const parts = {
    client,
    evidence: evidenceClient(client),
    requireChain,
    chain: () => chain,
    // A journal in memory begins empty at each start, by the operator's choice.
    spends: spendsOf(
      journal,
      spendReader(client, payer, {}),
      options.journal === undefined ? 0 : blocksLookedBack,
    ),
    upstream,
    journal,
    terms: {
      ...payer,
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
  const settle = settling(parts, (text) => requestedBy(parts, text))
  const onChain =
    (carryOut: (parts: BuildParts, call: ClientCall) => Promise<string>): CarryOutOf<ClientCall> =>
    async (call) => {
      await requireChain().catch((error) => {
        noteRefusal(parts, call, 'network')
        throw error
      })
      return carryOut(parts, call).finally(settle)
    }
  const payInOrder = inOrder(onChain(pay))
  return new Map([
    ...Object.keys(tokenMethods).map((method) => [method, onChain(build)] as const),
    ...coinMethods.map((method) => [method, payInOrder] as const),
    ['sendrawtransaction', onChain(send)],
    ['guard_submit', onChain(submit)],
  ])
}

/** Carries out one call after the other. */
function inOrder(carryOut: CarryOutOf<ClientCall>): CarryOutOf<ClientCall> {
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const turn = last.then(() => carryOut(call))
    last = turn.catch(() => undefined)
    return turn
  }
}

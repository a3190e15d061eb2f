import { networks } from '../chain/network.ts'
import { memoryJournal } from '../journal/memory.ts'
import { argumentError } from '../primitives/arguments.ts'
import { isPoint } from '../primitives/curve-point.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { notify } from '../primitives/observers.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { readFirstBlock } from '../rpc/first-block.ts'
import { spendReader } from '../rpc/safe-flow/own-spends.ts'
import { inTurn } from '../rpc/safe-flow/turns.ts'
import type { CarryOutOf } from './admit.ts'
import { type BuildParts, build } from './builds.ts'
import type { Admitted, ClientCall } from './call.ts'
import { chainAgreement } from './chain-agreement.ts'
import { coinMethods } from './coin-requests.ts'
import { pay } from './coin-sends.ts'
import { daemonFetch } from './daemon-fetch.ts'
import { evidenceClient } from './evidence-cache.ts'
import { look } from './look.ts'
import { claimsIn, type GuardOptions } from './options.ts'
import { type PaymentParts, requireChainOf } from './payments.ts'
import { requestedBy, send, submit } from './sends.ts'
import { settling } from './settling.ts'
import { spendsOf } from './spends.ts'
import { tokenMethods } from './token-requests.ts'
import type { Upstream } from './upstream.ts'

/**
 * Ancestors of tokens that are fetched for one verification. It is far more than a safe flow fetches,
 * because tokens that are not proven are held, and the guard keeps what it fetched.
 */
const ancestorsMax = 20_000

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
  const firstBlock = readFirstBlock(options.firstBlock, 'options.firstBlock')
  if (pubkey === undefined) {
    if (firstBlock === undefined) return new Map()
    throw new TypeError(
      'options.firstBlock: needs options.pubkey, because only payments are compared',
    )
  }
  if (typeof pubkey !== 'string' || !isCompressedKey(pubkey.toLowerCase()) || !isPoint(pubkey)) {
    throw argumentError('options.pubkey', 'a compressed public key in hex', pubkey)
  }
  const { repeatMs, trustServer, acknowledged, allow } = options
  const client = createDaemonClient({
    url,
    credentials: daemon.credentials,
    allowedHosts: daemon.allowedHosts,
    fetch: daemonFetch(url),
  })
  const journal = options.journal ?? memoryJournal()
  const payer = { pubkey: pubkey.toLowerCase(), network }
  const agreement = chainAgreement(client, network, journal, firstBlock)
  // A journal in memory begins empty at each start, by the operator's choice.
  const isLookedBack = options.journal !== undefined
  const onNotCompared = () => notify(options.onNotCompared, undefined)
  const spends = spendsOf(journal, spendReader(client, payer, {}), { isLookedBack, onNotCompared })
  const parts: BuildParts = {
    client,
    evidence: evidenceClient(client),
    requireChain: agreement.require,
    chain: async () => agreement.known(),
    isLookedBack,
    spends: (recorded) => look({ client, agreement, spends }).spends(recorded),
    look: () => look({ client, agreement, spends }),
    upstream,
    journal,
    pubkey: payer.pubkey,
    terms: {
      ...payer,
      allowsUnenforcedPrices: options.allowUnenforcedPrices === true,
      maxFee: options.maxFee,
    },
    policy: options.policy,
    record: options.record,
    paidBy: claimsIn(options),
    flow: {
      ancestorsMax,
      ...(allow !== undefined && { allow }),
      ...(repeatMs !== undefined && { repeatMs }),
      ...(trustServer !== undefined && { trustServer }),
      ...(acknowledged !== undefined && { acknowledged }),
    },
    onDecision,
    requestedBy: (text) => requestedBy(parts, text),
  }
  const settle = settling(parts)
  const settled =
    (
      carryOut: (parts: BuildParts, call: Admitted<ClientCall>) => Promise<string>,
    ): CarryOutOf<ClientCall> =>
    (call) =>
      carryOut(parts, call).finally(settle)
  const onChain = (carryOut: typeof pay) =>
    settled(async (parts, call) => {
      if (!call.isForbidden) await requireChainOf(parts, call)
      return carryOut(parts, call)
    })
  const payAtOnce = onChain(pay)
  const payInOrder = inOrder(payAtOnce)
  // A forbidden call builds nothing, so it waits for no person who thinks about another.
  const payCoins: typeof payAtOnce = (call) => (call.isForbidden ? payAtOnce : payInOrder)(call)
  return new Map([
    ...Object.keys(tokenMethods).map((method) => [method, settled(build)] as const),
    ...coinMethods.map((method) => [method, payCoins] as const),
    ['sendrawtransaction', onChain(send)],
    ['guard_submit', onChain(submit)],
  ])
}

/**
 * Carries out one call after the other. The calls of one user follow each other to the end. Those of
 * others go on while a person thinks about one, because its user may ask without end.
 */
function inOrder(carryOut: CarryOutOf<ClientCall>): CarryOutOf<ClientCall> {
  const turns = {}
  return (call) =>
    inTurn(turns, `user ${call.user}`, undefined, async () => {
      let leave = await turnOf(turns)
      try {
        return await carryOut({
          ...call,
          async aside(work) {
            leave()
            try {
              return await work()
            } finally {
              leave = await turnOf(turns)
            }
          },
        })
      } finally {
        leave()
      }
    })
}

/** Waits for the one turn of all users, and returns what ends it. */
function turnOf(turns: object): Promise<() => void> {
  return new Promise((begin) => {
    void inTurn(turns, 'all', undefined, () => new Promise<void>((leave) => begin(leave)))
  })
}

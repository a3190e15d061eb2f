// The plan of a token transfer.

import { buildTokenTransfer } from '../builders/transfer.ts'
import { defaultFee } from '../chain/limits.ts'
import { requireSome } from '../primitives/arguments.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import type { Case } from '../request/case.ts'
import { holderName, holderOf } from '../request/holders.ts'
import { requireRequest } from '../request/members.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import { requireRelayedSpend } from '../token/rules/relayed-spend.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import {
  ancestorsOf,
  evidenceOf,
  furtherKeys,
  keysOf,
  type PlanContext,
  requestText,
  spendableCoins,
  spending,
  usableUnits,
  withSharedCoins,
} from './choice.ts'
import { readTxid } from './options.ts'
import { kindsOfTokens, mayHaveCondition, ownScriptsOf } from './own-scripts.ts'
import type { Plan } from './plan.ts'
import { type TransferRequest, transferForms } from './requests/transfer.ts'
import { tokenOf, type WalletCoin } from './view.ts'

interface FurtherTerms {
  /** The token coins that a merge spends, all of them. */
  readonly isMerged?: ((coin: WalletCoin) => boolean) | undefined
  /** All tokens that a case from elsewhere moves. The wallet itself builds transfers of one. */
  readonly tokenids?: readonly string[] | undefined
}

/** @param burn - sends the units to the burn key, where nobody can spend them */
export function transferPlan(
  context: PlanContext,
  request: TransferRequest,
  burn: boolean,
  { isMerged, tokenids }: FurtherTerms = {},
): Plan {
  requireRequest(request, transferForms)
  const { network, known } = context
  const { to, amount, fee, maxFee } = request
  const keys = typeof to === 'object' ? readKeys(to) : undefined
  const pubkey = typeof to === 'object' ? keys!.pubkeys[0]! : to
  const tokenid = readTxid(request.tokenid, 'tokenid')
  const terms = {
    network,
    tokenid,
    ...(burn && { burn }),
    ...(fee !== undefined && { fee }),
    ...(maxFee !== undefined && { maxFee }),
  }
  const holder = keys ?? holderOf(pubkey, network)
  const isOneKey = typeof holder === 'string' && isCompressedKey(holder)
  const receiver = holderName(holder)

  /** Sorts spent outputs by those of the named tokens that they claim to hold. */
  function byToken(spent: readonly Outpoint[], named: readonly string[]) {
    const wanted = new Set(named.map((it) => it.toLowerCase()))
    const found = new Map<string, Outpoint[]>()
    for (const outpoint of spent) {
      const parent = known.get(outpoint.txid)
      const held = parent && tokenOf(parent, outpoint.vout, network)
      if (held === undefined || !wanted.has(held)) continue
      const others = found.get(held)
      if (others === undefined) found.set(held, [outpoint])
      else others.push(outpoint)
    }
    return found
  }

  let finders: readonly ((script: string) => boolean)[] | undefined
  const paysReceiver = (script: string): boolean => {
    if (!mayHaveCondition(script)) return false
    finders ??= kindsOfTokens(network)
      // Only tokens v2 are paid to an address, or to several keys.
      .filter(({ rules }) => isOneKey || rules.layout === 'tokens-v2')
      .map(({ rules, created }) => rules.placesOf(created).finderOf(holder))
    return finders.some((isReceiver) => isReceiver(script))
  }

  const paysOnce = ({ outputs }: Transaction): boolean =>
    outputs.some(({ script, value }) => value === amount && paysReceiver(script))

  return {
    key: JSON.stringify([burn ? 'burn' : 'transfer', tokenid, receiver, `${amount}`]),
    request: () => requestText(context, { wallet: burn ? 'burn' : 'transfer', ...request }),
    ...(isMerged === undefined && { mayBe: paysOnce }),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync(limits)
        const isOffered = (coin: WalletCoin) =>
          isFree(coin) && (isMerged === undefined || isMerged(coin))
        const wantedUnits = { tokenid, amount }
        const { from, tokenCoins } = await usableUnits(context, view, wantedUnits, isOffered)
        const wanted = { publicKey: from, needed: fee ?? defaultFee }
        const offered = spendableCoins(context, view, isFree, wanted)
        const coins = isMerged === undefined ? offered : atLeast(offered, wanted.needed)
        const { previousTransactions, ...native } = spending(context, view, coins, 'tokens')
        const built = buildTokenTransfer({
          ...(isMerged !== undefined && { spend: 'all' as const }),
          ...terms,
          ...native,
          from,
          recipients: [keys === undefined ? { pubkey, amount } : { keys, amount }],
          tokenCoins: tokenCoins.map(({ txid, vout }) => ({ txid, vout })),
          previousTransactions: [
            ...new Set([...previousTransactions, ...ancestorsOf(context, tokenCoins, [tokenid])]),
          ],
        })
        if (keys !== undefined) requireRelayedSpend(keys)
        return built
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
      const moved = tokenids ? byToken(spent, tokenids) : new Map([[tokenid, spent]])
      await context.proveTogether(moved, options)
      const evidence = await evidenceOf(context, hex, state, options)
      const ancestors = ancestorsOf(context, spent, [...moved.keys()])
      const all = new Set([...evidence.previousTransactions, ...ancestors])
      return {
        operation: 'tokentransfer',
        intent: {
          ...terms,
          destination: pubkey,
          ...(keys !== undefined && { destinationKeys: keys }),
          amount,
          from,
          ...furtherKeys(context, options, from),
        },
        hex,
        evidence: { ...evidence, previousTransactions: [...all] },
      } satisfies Case
    },
  }
}

function readKeys({ required, pubkeys }: KeySet): KeySet {
  requireSome(pubkeys, 'to.pubkeys', 'public key')
  return { required, pubkeys: pubkeys.map((key) => key.toLowerCase()) }
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

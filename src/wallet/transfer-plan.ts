// The plan of a token transfer.

import { buildTokenTransfer } from '../builders/transfer.ts'
import { defaultFee } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { requireSome } from '../primitives/arguments.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import type { Case } from '../request/case.ts'
import { holderName } from '../request/holder-name.ts'
import { holderOf } from '../request/holders.ts'
import { requireRequest } from '../request/members.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import type { Holder } from '../token/rules/rules.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import {
  ancestorsOf,
  evidenceOf,
  furtherKeys,
  keysOf,
  requestText,
  spending,
} from './case-terms.ts'
import {
  atLeast,
  changeMargin,
  type PlanContext,
  spendableCoins,
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
  if (request.recipients !== undefined) requireSome(request.recipients, 'recipients', 'payee')
  const { to = '', amount: given = 0n, recipients, fee, maxFee } = request
  const payees = (recipients ?? [{ to, amount: given }]).map((it) => payeeOf(it, network))
  const amount = payees.reduce((sum, it) => sum + it.amount, 0n)
  const tokenid = readTxid(request.tokenid, 'tokenid')
  const terms = {
    network,
    tokenid,
    ...(burn && { burn }),
    ...(fee !== undefined && { fee }),
    ...(maxFee !== undefined && { maxFee }),
  }

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

  const finders = new Map<Payee, readonly ((script: string) => boolean)[]>()
  const findersOf = (payee: Payee) => {
    const known = finders.get(payee) ?? findersOfPayee(payee, network)
    finders.set(payee, known)
    return known
  }

  const paysAll = ({ outputs }: Transaction): boolean =>
    payees.every((payee) =>
      outputs.some(
        ({ script, value }) =>
          value === payee.amount &&
          mayHaveCondition(script) &&
          findersOf(payee).some((isReceiver) => isReceiver(script)),
      ),
    )

  return {
    key: keyOf(burn ? 'burn' : 'transfer', tokenid, payees),
    request: () => requestText(context, { wallet: burn ? 'burn' : 'transfer', ...request }),
    ...(isMerged === undefined && { mayBe: paysAll }),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree, isShared) => {
        const view = await context.sync(limits)
        const isOffered = (coin: WalletCoin) =>
          isFree(coin) && (isMerged === undefined || isMerged(coin))
        const units = await usableUnits(context, view, { tokenid, amount }, isOffered, isShared)
        const { from, tokenCoins, spend = isMerged && 'all' } = units
        const wanted = { publicKey: from, needed: fee ?? defaultFee }
        const offered = spendableCoins(context, view, isFree, wanted)
        const coins = spend === undefined ? offered : atLeast(offered, wanted.needed + changeMargin)
        const { previousTransactions, ...native } = spending(context, view, coins, 'tokens')
        return buildTokenTransfer({
          ...(spend !== undefined && { spend }),
          ...terms,
          ...native,
          from,
          recipients: payees.map(({ pubkey, keys, amount: paid }) =>
            keys === undefined ? { pubkey, amount: paid } : { keys, amount: paid },
          ),
          tokenCoins: tokenCoins.map(({ txid, vout }) => ({ txid, vout })),
          previousTransactions: [
            ...new Set([...previousTransactions, ...ancestorsOf(context, tokenCoins, [tokenid])]),
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
      const moved = tokenids ? byToken(spent, tokenids) : new Map([[tokenid, spent]])
      await context.proveTogether(moved, options)
      const evidence = await evidenceOf(context, hex, state, options)
      const ancestors = ancestorsOf(context, spent, [...moved.keys()])
      const { pubkey, keys, amount: paid } = payees[0]!
      const all = new Set([...evidence.previousTransactions, ...ancestors])
      return {
        operation: 'tokentransfer',
        intent: {
          ...terms,
          destination: pubkey,
          ...(keys !== undefined && { destinationKeys: keys }),
          amount: paid,
          ...(payees.length > 1 && {
            recipients: payees.map((it) => ({ pubkey: it.pubkey, amount: it.amount })),
          }),
          from,
          ...furtherKeys(context, options, from),
        },
        hex,
        evidence: { ...evidence, previousTransactions: [...all] },
      } satisfies Case
    },
  }
}

interface Payee {
  /** The key or the address as it was named; the first key of several. */
  readonly pubkey: string
  /** The keys that get the units together. */
  readonly keys?: KeySet
  readonly holder: Holder
  readonly amount: bigint
}

function payeeOf(
  { to, amount }: { readonly to: string | KeySet; readonly amount: bigint },
  network: Network,
): Payee {
  if (typeof to === 'string') return { pubkey: to, holder: holderOf(to, network), amount }
  const keys = readKeys(to)
  return { pubkey: keys.pubkeys[0]!, keys, holder: keys, amount }
}

/** Returns the terms of a transfer: the same for payees in another order, or by another name. */
function keyOf(kind: 'transfer' | 'burn', tokenid: string, payees: readonly Payee[]): string {
  const paid = payees.map(({ holder, amount }) => [holderName(holder), `${amount}`] as const)
  if (paid.length === 1) return JSON.stringify([kind, tokenid, ...paid[0]!])
  const several = paid.map(([holder, amount]) => `${holder} ${amount}`).toSorted()
  return JSON.stringify(['transferMany', tokenid, ...several])
}

/** Returns tests of scripts that hold tokens of any kind for a payee. */
function findersOfPayee({ holder }: Payee, network: Network) {
  const isOneKey = typeof holder === 'string' && isCompressedKey(holder)
  return (
    kindsOfTokens(network)
      // Only tokens v2 are paid to an address, or to several keys.
      .filter(({ rules }) => isOneKey || rules.layout === 'tokens-v2')
      .map(({ rules, created }) => rules.placesOf(created).finderOf(holder))
  )
}

function readKeys({ required, pubkeys }: KeySet): KeySet {
  requireSome(pubkeys, 'to.pubkeys', 'public key')
  return { required, pubkeys: pubkeys.map((key) => key.toLowerCase()) }
}

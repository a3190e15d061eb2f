// Builds token transfers, and plans the merges that a large one needs first.

import { keyProblems, namedKeysProblems, tokenidsProblems } from '../request/holders.ts'
import { requireRequest } from '../request/members.ts'
import { throwFirst } from '../request/problem.ts'
import { type SpelledOut, tokenidProblems } from '../request/terms.ts'
import {
  namedKeys,
  type TokenTransferRequest,
  type TransferIntent,
  transferRequestForms,
} from '../request/transfer.ts'
import { encodeTokenPayload } from '../token/payload/encode.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import { type Assembled, assemble, type CommonTerms, readTerms } from './assemble.ts'
import {
  type ChosenCoins,
  chooseForFee,
  chooseForTransfer,
  type Purpose,
  selectForTransfer,
  selectionError,
  type TokenMerge,
} from './choose.ts'
import { type CoinSources, readCoins, readNativeCoins, readSources, sumOf } from './coins.ts'
import {
  checkTokens,
  type FoundCreation,
  findCreation,
  heldBy,
  requireMovable,
} from './moved-token.ts'
import { severalTokens } from './transfer-many.ts'
import {
  type Payee,
  readKeySet,
  readRecipients,
  requireKeys,
  requireOneToken,
} from './transfer-request.ts'
import { type SpentCoin, type UnsignedTransfer, withEvidence } from './unsigned.ts'

/**
 * Builds a token transfer as komodod would, unsigned; of tokeld's tokens, as tokeld.
 *
 * The builder trusts no claim: it reads amounts and scripts from the coins' own
 * transactions, and a coin that is not the token it should be is an error.
 *
 * @param request - amounts in token units, fee in satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} `invalid_pubkey`, `burn_key`, `module_key`, `recipient_count`,
 *   `malformed_amount`, `amount_out_of_range`, `token_create_missing`, `untransferable_data`,
 *   `previous_transaction_missing`, `no_such_output`, `duplicate_coin`, `foreign_coin`,
 *   `token_disproven`, `insufficient_tokens`, `insufficient_coins`, `fee_over_limit`,
 *   `expiry_height`, `unsupported_network`, `input_count`, `transaction_too_large`,
 *   `fee_below_relay`; `size_out_of_range` if no node would relay a spend of the units, because
 *   too many keys hold them. If a transaction would have too many coins, use `planTokenTransfer`
 * @see komodo src/cc/CCtokens.cpp, TokenTransfer; tokel src/cc/CCtokens_impl.h,
 *   TokenTransferExtDest
 * @example
 * buildTokenTransfer({
 *   tokenid, recipients: [{ pubkey, amount: 40n }], from, tokenCoins, coins,
 *   previousTransactions, tipHeight: 223,
 * }).hex
 */
export function buildTokenTransfer(request: TokenTransferRequest): UnsignedTransfer {
  const wanted = readRequest(request)
  if (request.tokenids !== undefined) return buildOfSeveral(request, wanted)
  const { amount, own, purpose, terms, unproven } = wanted
  const { tokens, native } = chooseForTransfer(
    wanted.offered,
    amount,
    purpose,
    terms,
    request.spend,
  )
  const change = sumOf(tokens) - amount
  const outputs = [...purpose.outputs, ...(change > 0n ? [{ value: change, script: own }] : [])]
  const built = assemble({ ...purpose, native, tokens, outputs }, terms)
  const spent = unproven.filter((it) => tokens.includes(it))
  return finished(request, { ...wanted, unproven: spent }, built)
}

function finished(
  { previousTransactions, tipHeight }: TokenTransferRequest,
  wanted: WantedTransfer,
  { hex, coins, fee }: Assembled,
): UnsignedTransfer {
  return withEvidence({
    operation: 'tokentransfer',
    intent: intentOf(wanted),
    hex,
    previousTransactions: previousTransactions.map((it) => it.toLowerCase()),
    tokenCreate: wanted.creation.hex,
    ...(tipHeight !== undefined && { tipHeight }),
    coins,
    fee,
    unproven: wanted.unproven.map(({ txid, vout }) => ({ txid, vout })),
  })
}

/** The transfers to send before one that no single transaction can make. */
export interface TransferPlan {
  /** Transfers to yourself, in this order. */
  readonly merges: readonly TokenMerge[]
  /** Satoshis for all merges; the transfer's own fee comes on top. */
  readonly fee: bigint
  /** Token units that one transaction can send before any merge. */
  readonly sendable: bigint
}

/**
 * The most token coins that komodod spends at once: src/cc/CCtokens.cpp, TokenTransfer. Nodes take
 * seconds to validate more: the time grows with the square of their number.
 */
const plannedTokenInputsMax = 60

/**
 * Plans the transfers to yourself that merge token coins, if a transfer needs more than 60 of them,
 * or more than its fee pays for.
 *
 * Build each merge with `buildTokenTransfer`. Pay its amount to `from`, or to `{ keys: fromKeys }`
 * if several keys hold the tokens together. Pass its token coins, the coins that earlier merges
 * made, and `spend: 'all'`.
 *
 * @param request - as for `buildTokenTransfer`
 * @returns the merges to make first; `undefined` if the transfer needs none
 * @throws {AntaraError} as `buildTokenTransfer`; `selection_over_limits` if no merging helps, or
 *   if the coins hold less than the fees of the merges and of the transfer
 * @example
 * planTokenTransfer(request)?.merges.length // how many transactions come first
 */
export function planTokenTransfer(request: TokenTransferRequest): TransferPlan | undefined {
  requireOneToken(request)
  const { offered, amount, purpose, terms } = readRequest(request)
  const selection = selectForTransfer(offered, amount, purpose, terms, plannedTokenInputsMax)
  if (selection.ok) return undefined
  const { merges, available } = selection
  if (merges.length === 0) throw selectionError(selection, offered, amount, terms)
  return { merges, fee: merges.reduce((sum, it) => sum + it.fee, 0n), sendable: available }
}

interface WantedTransfer {
  readonly terms: CommonTerms
  readonly tokenid: string
  readonly tokenids?: readonly string[]
  readonly from: string
  readonly fromKeys?: KeySet
  readonly recipients: readonly Payee[]
  readonly creation: FoundCreation
  readonly sources: CoinSources
  /** The script of the sender's own tokens. */
  readonly own: string
  readonly offered: ChosenCoins
  readonly unproven: readonly SpentCoin[]
  readonly amount: bigint
  readonly purpose: Purpose
  readonly burn: boolean
}

function readRequest(request: TokenTransferRequest): WantedTransfer {
  requireRequest(request, transferRequestForms)
  const terms = readTerms(request)
  const { network } = terms
  const tokenid = request.tokenid.toLowerCase()
  const tokenids = request.tokenids?.map((it) => it.toLowerCase())
  const from = request.from.toLowerCase()
  const isOneKey = request.fromKeys === undefined
  throwFirst([
    ...tokenidProblems(tokenid),
    ...(tokenids === undefined ? [] : tokenidsProblems(tokenids, { tokenid, isOneKey, network })),
    ...keyProblems(request.from, 'from'),
  ])
  const fromKeys = request.fromKeys && readKeySet(request.fromKeys, 'fromKeys', network)
  const recipients = readRecipients(request, network)
  const sources = readSources(request.previousTransactions)
  const creation = findCreation(request, tokenid, sources, network)
  const { layout } = creation.rules
  requireMovable(creation, request.dataCodes)
  const owner = fromKeys ?? from
  const holders = recipients.map(({ holder }) => holder)
  requireKeys([...holders, owner], layout)
  // A payload of tokens v1 names those who get something.
  const isNamed = layout !== 'tokens-v2'
  if (isNamed) throwFirst(namedKeysProblems(recipients, from))
  const held = heldBy(owner, creation)
  const tokens = readCoins(request.tokenCoins, 'token', sources, 'tokenCoins')
  const scripts = creation.rules.placesOf(creation.payload).scriptsOf(holders)
  return {
    terms,
    tokenid,
    ...(tokenids !== undefined && { tokenids }),
    from,
    ...(fromKeys !== undefined && { fromKeys }),
    recipients,
    creation,
    sources,
    own: held.own,
    offered: { tokens, native: readNativeCoins(request.coins, from, sources) },
    unproven: tokenids === undefined ? checkTokens(tokens, held, sources) : [],
    amount: recipients.reduce((sum, it) => sum + it.amount, 0n),
    purpose: {
      layout,
      outputs: recipients.map(({ amount }, at) => ({ value: amount, script: scripts[at]! })),
      nulldata: encodeTokenPayload({
        layout,
        kind: 'transfer',
        tokenid,
        pubkeys: isNamed ? namedKeys(recipients, from) : [],
      }),
      changeKey: from,
    },
    burn: request.burn === true,
  }
}

/** As `tokenv2transfermany`: of each token what is given, then what is left of it. */
function buildOfSeveral(request: TokenTransferRequest, wanted: WantedTransfer): UnsignedTransfer {
  const { terms, purpose, recipients, offered, tokenids = [] } = wanted
  const several = severalTokens(
    { ...request, network: terms.network },
    { ...wanted, tokenids, payee: recipients[0]! },
  )
  const draft = { ...purpose, outputs: several.outputs, nulldata: '' }
  const native = chooseForFee(offered.native, draft, terms, request.spend)
  const built = assemble({ ...draft, native, tokens: several.tokens }, terms)
  return finished(request, { ...wanted, unproven: several.unproven }, built)
}

function intentOf({
  tokenid,
  tokenids,
  recipients,
  from,
  fromKeys,
  burn,
  terms: { network, fee, maxFee },
}: WantedTransfer): SpelledOut<TransferIntent> {
  const { pubkey: destination, amount, holder } = recipients[0]!
  return {
    tokenid,
    ...(tokenids !== undefined && { tokenids }),
    destination,
    amount,
    ...(recipients.length > 1 && {
      recipients: recipients.map((it) => ({ pubkey: it.pubkey, amount: it.amount })),
    }),
    from,
    ...(fromKeys !== undefined && { fromKeys }),
    ...(typeof holder !== 'string' && { destinationKeys: holder }),
    network,
    fee,
    maxFee,
    ...(burn && { burn }),
  }
}

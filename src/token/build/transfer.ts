import { burnPublicKeys } from '../../chain/modules.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import {
  namedKeys,
  namedKeysMax,
  type Recipient,
  type SpelledOut,
  type TransferIntent,
} from '../../intent/intent.ts'
import { requireArray, requireObject, requireString } from '../../primitives/misuse.ts'
import { tellablePublicKey } from '../../primitives/tellable-key.ts'
import type { Outpoint } from '../../transaction/types.ts'
import { encodeTokenPayload } from '../payload/encode.ts'
import { tokenScript } from '../rules/token-script.ts'
import {
  assemble,
  type CommonRequest,
  type CommonTerms,
  readPubkey,
  readTerms,
  readUnits,
  requireAmount,
} from './assemble.ts'
import {
  type ChosenCoins,
  chooseForTransfer,
  type Purpose,
  requireSpend,
  type Spend,
  selectForTransfer,
  selectionError,
  type TokenMerge,
} from './choose.ts'
import { readCoins, readNativeCoins, readSources, sumOf } from './coins.ts'
import {
  checkTokens,
  type FoundCreation,
  findCreation,
  readTokenid,
  transferableEvalCodes,
} from './held.ts'
import type { SpentCoin, UnsignedTransfer } from './unsigned.ts'

export interface TokenTransferRequest extends CommonRequest {
  readonly tokenid: string
  /**
   * Who gets how many units: bigint, or decimal digits. At most two keys besides one's own, which
   * is as many as a payload can name.
   */
  readonly recipients: readonly { readonly pubkey: string; readonly amount: bigint | string }[]
  /** One's own compressed public key: it spends, and gets what is left over. */
  readonly from: string
  /** Token coins that may be spent. */
  readonly tokenCoins: readonly Outpoint[]
  /** Native coins that may be spent: pay to the own public key or its hash. */
  readonly coins: readonly Outpoint[]
  /** Raw transactions of all coins. With their ancestors, the tokens are proven as well. */
  readonly previousTransactions: readonly string[]
  /** The transaction that created the token, unless it is among the previous ones. */
  readonly tokenCreate?: string
  /** Must be true to send to the burn key. */
  readonly burn?: boolean
  /** If absent, coins are selected unless, in the order given, there are none to spare. */
  readonly spend?: Spend
  /**
   * Eval codes that this chain validates in a non-fungible token: f1 and f3 if absent, which every
   * chain does. A token whose data begin with any other byte can never be moved.
   */
  readonly dataCodes?: readonly number[]
}

/**
 * Builds a token transfer as komodod would, unsigned.
 *
 * Nothing that comes from elsewhere is trusted: amounts and scripts are read from the coins' own
 * transactions, and a coin that is not the token it should be is an error.
 *
 * @param request - amounts in token units, fee in satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} `invalid_pubkey`, `burn_key`, `module_key`, `recipient_count`,
 *   `malformed_amount`, `amount_out_of_range`, `token_create_missing`, `untransferable_data`,
 *   `previous_transaction_missing`, `no_such_output`, `duplicate_coin`, `foreign_coin`,
 *   `token_disproven`, `insufficient_tokens`, `insufficient_coins`, `fee_over_limit`,
 *   `expiry_height`, `unsupported_network`, `input_count`, `transaction_too_large`,
 *   `fee_below_relay`; where there are too many coins for a transaction, `planTokenTransfer` helps
 * @see komodo src/cc/CCtokens.cpp, TokenTransfer
 * @example
 * buildTokenTransfer({
 *   tokenid, recipients: [{ pubkey, amount: 40n }], from, tokenCoins, coins,
 *   previousTransactions, tipHeight: 223,
 * }).hex
 */
export function buildTokenTransfer(request: TokenTransferRequest): UnsignedTransfer {
  const wanted = readRequest(request)
  const { tokenid, from, recipients, amount, own, purpose, terms, creation, unproven } = wanted
  requireSpend(request.spend)
  const { tokens, native } = chooseForTransfer(
    wanted.offered,
    amount,
    purpose,
    terms,
    request.spend,
  )
  const change = sumOf(tokens) - amount
  const outputs = [...purpose.outputs, ...(change > 0n ? [{ value: change, script: own }] : [])]
  const { hex, coins, fee } = assemble({ ...purpose, native, tokens, outputs }, terms)
  return {
    operation: 'tokentransfer',
    intent: intentOf(tokenid, recipients, from, terms),
    hex,
    previousTransactions: request.previousTransactions.map((it) => it.toLowerCase()),
    tokenCreate: creation.hex,
    ...(request.tipHeight !== undefined && { tipHeight: request.tipHeight }),
    coins,
    fee,
    unproven: unproven
      .filter((it) => tokens.includes(it))
      .map(({ txid, vout }) => ({ txid, vout })),
  }
}

/** What to send before a transfer that no single transaction can make. */
export interface TransferPlan {
  /** Transfers to oneself, in this order. */
  readonly merges: readonly TokenMerge[]
  /** Satoshis for all merges; the transfer's own fee comes on top. */
  readonly fee: bigint
  /** Token units that one transaction with so few token coins can send as things are. */
  readonly sendable: bigint
}

/**
 * As many token coins as komodod spends at once: src/cc/CCtokens.cpp, TokenTransfer. Nodes take
 * seconds to validate more, by the square of their number.
 */
const plannedTokenInputsMax = 60

/**
 * Plans the transfers to oneself that merge token coins, where a transfer needs more of them than
 * 60, or its fee pays for.
 *
 * Each merge is built with `buildTokenTransfer`: its amount to `from`, its token coins and the
 * coins that earlier merges made, `spend: 'all'`.
 *
 * @param request - as for `buildTokenTransfer`
 * @returns nothing if the transfer needs no merging
 * @throws {AntaraError} as `buildTokenTransfer`; `selection_over_limits` if no merging helps
 * @example
 * planTokenTransfer(request)?.merges.length // how many transactions come first
 */
export function planTokenTransfer(request: TokenTransferRequest): TransferPlan | undefined {
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
  readonly from: string
  readonly recipients: readonly Recipient[]
  readonly creation: FoundCreation
  /** The script of the sender's own tokens. */
  readonly own: string
  readonly offered: ChosenCoins
  readonly unproven: readonly SpentCoin[]
  readonly amount: bigint
  readonly purpose: Purpose
}

function readRequest(request: TokenTransferRequest): WantedTransfer {
  requireObject(request, 'request')
  const terms = readTerms(request)
  const tokenid = readTokenid(request.tokenid)
  const from = readPubkey(request.from, 'from')
  const recipients = readRecipients(request, from)
  const sources = readSources(request.previousTransactions)
  const creation = findCreation(request, tokenid, sources)
  const evalCodes = transferableEvalCodes(creation, request.dataCodes)
  const own = tokenScript(from, { evalCodes })
  const tokens = readCoins(request.tokenCoins, 'token', sources, 'tokenCoins')
  const unproven = checkTokens(tokens, own, creation, sources)
  const native = readNativeCoins(request.coins, from, sources)
  return {
    terms,
    tokenid,
    from,
    recipients,
    creation,
    own,
    offered: { tokens, native },
    unproven,
    amount: recipients.reduce((sum, it) => sum + it.amount, 0n),
    purpose: {
      outputs: recipients.map((it) => ({
        value: it.amount,
        script: tokenScript(it.pubkey, { evalCodes }),
      })),
      nulldata: encodeTokenPayload({
        layout: 'komodo-v1',
        kind: 'transfer',
        tokenid,
        pubkeys: namedKeys(recipients, from),
      }),
      changeKey: from,
    },
  }
}

function readRecipients(
  { recipients, burn }: TokenTransferRequest,
  from: string,
): readonly Recipient[] {
  requireArray(recipients, 'recipients')
  const read = recipients.map((recipient, at) => {
    const path = `recipients[${at}]`
    requireObject(recipient, path)
    const amount = readUnits(recipient.amount, `${path}.amount`)
    return { pubkey: readRecipientKey(recipient.pubkey, burn === true, `${path}.pubkey`), amount }
  })
  const others = new Set(read.map((it) => it.pubkey))
  others.delete(from)
  if (read.length === 0 || others.size > namedKeysMax) {
    throw new AntaraError('recipient_count', {
      path: 'recipients',
      expected: `1 to ${namedKeysMax} keys besides one's own`,
      actual: others.size,
    })
  }
  requireAmount(
    read.reduce((sum, it) => sum + it.amount, 0n),
    'recipients',
  )
  return read
}

function readRecipientKey(pubkey: string, burn: boolean, path: string): string {
  if (!burn) return readPubkey(pubkey, path)
  requireString(pubkey, path)
  if (pubkey.toLowerCase() === burnPublicKeys.komodo) return burnPublicKeys.komodo
  const actual = tellablePublicKey(pubkey)
  throw new AntaraError('not_burn_key', { path, expected: burnPublicKeys.komodo, actual })
}

function intentOf(
  tokenid: string,
  recipients: readonly Recipient[],
  from: string,
  { network, fee, maxFee }: CommonTerms,
): SpelledOut<TransferIntent> {
  const first = recipients[0]!
  return {
    tokenid,
    destination: first.pubkey,
    amount: first.amount,
    ...(recipients.length > 1 && { recipients }),
    from,
    network,
    fee,
    maxFee,
    ...(first.pubkey === burnPublicKeys.komodo && { burn: true }),
  }
}

// How contract modules put transactions together: coins chosen, change given, inputs signed.

import {
  defaultFee,
  expiryDelta,
  finalSequence,
  inputsMax,
  saplingVersionGroupId,
} from '../../chain/limits.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import { decodeAddress } from '../../script/read-address.ts'
import { addressOfScript } from '../../script/script.ts'
import { signTransaction } from '../../signing/sign.ts'
import type { KomodoCreatePayload } from '../../token/payload/payload.ts'
import { nonFungibleEvalCode } from '../../token/rules/komodo.ts'
import { slotScript, tokenEvalCodes } from '../../token/rules/slot-script.ts'
import { decodeTransaction } from '../../transaction/decode.ts'
import type { Outpoint, TransactionFields, TransactionOutput } from '../../transaction/types.ts'
import type { Engine } from '../engine.ts'
import { indexTypes } from '../state/script-index.ts'
import { finderOf, type NodeState, outputAt, unspentUnder } from '../state/view.ts'
import { isLocked, type Wallet } from '../state/wallet.ts'
import { toSign, walletCoins, wifsOf } from './coins.ts'

export interface Selected extends Outpoint {
  readonly value: bigint
}

export interface Builder {
  readonly engine: Engine
  readonly wallet: Wallet
  /** The key of -pubkey. */
  readonly pubkey: string
}

interface Choice {
  readonly total: bigint
  readonly inputsMax: number
  readonly taken?: readonly Selected[]
  /** Smaller coins are left out; by default those that would need too many inputs. */
  readonly least?: bigint
}

/**
 * Returns coins of any key of the wallet; none if they are worth less than the total.
 *
 * @see komodo src/cc/CCtx.cpp, AddNormalinputsLocal
 */
export function walletInputs({ engine, wallet }: Builder, choice: Choice): Selected[] {
  return chosenFrom(
    walletCoins(engine, wallet),
    choice,
    (coin) => coin.ownership === 'spendable' && !isLocked(wallet, coin),
  )
}

/**
 * Returns confirmed coins of the -pubkey key alone, in the order of the address index.
 *
 * @see komodo src/cc/CCtx.cpp, AddNormalinputsRemote
 */
export function pubkeyInputs({ engine, pubkey }: Builder, choice: Choice): Selected[] {
  const key = indexKeyOf(engine, pubkeyScript(pubkey), indexTypes.key)
  return chosenFrom(unspentUnder(engine, key), choice)
}

/** Takes coins until they are worth the total, and selects those of them that fit best. */
function chosenFrom<Coin extends Selected>(
  coins: Iterable<Coin>,
  { total, inputsMax: most, taken = [], least = total / BigInt(most) }: Choice,
  isUsable: (coin: Coin) => boolean = () => true,
): Selected[] {
  const found: Selected[] = []
  let sum = 0n
  for (const coin of coins) {
    const { txid, vout, value } = coin
    if (
      !isUsable(coin) ||
      value < least ||
      taken.some((it) => it.txid === txid && it.vout === vout)
    )
      continue
    found.push({ txid, vout, value })
    sum += value
    if (found.length >= most || sum >= total) break
  }
  return bestOf(found, total, most)
}

function bestOf(found: Selected[], total: bigint, most: number): Selected[] {
  const picked: Selected[] = []
  let remaining = total
  while (found.length > 0 && picked.length < most) {
    const at = bestIndex(found, remaining)
    if (at < 0) return []
    const coin = found[at]!
    picked.push(coin)
    remaining -= coin.value
    const last = found.pop()!
    if (at < found.length) found[at] = last
    if (remaining <= 0n) return picked
  }
  return []
}

/**
 * Returns the index of the coin of the wanted value, else of the least above it, else of the highest
 * below it; -1 if there is none.
 *
 * @see komodo src/cc/CCtx.cpp, CC_vinselect
 */
function bestIndex(coins: readonly Selected[], wanted: bigint): number {
  let above = -1
  let below = -1
  for (const [at, { value }] of coins.entries()) {
    if (value <= 0n) continue
    if (value === wanted) return at
    if (value > wanted) {
      if (above < 0 || value < coins[above]!.value) above = at
    } else if (below < 0 || value > coins[below]!.value) below = at
  }
  return above >= 0 ? above : below
}

interface TokenCoins {
  readonly inputs: readonly Selected[]
  readonly amount: bigint
  /** First byte of a non-fungible token's data. */
  readonly evalCode: number | undefined
}

interface TokenChoice {
  readonly tokenid: string
  readonly pubkey: string
  /** The wanted units; absent for all. */
  readonly total?: bigint
  /** The most coins; absent for any number. */
  readonly inputsMax?: number
}

/**
 * Returns confirmed coins of a token that a key has and that nothing in the mempool spends.
 *
 * @see komodo src/cc/CCtokens.cpp, AddTokenCCInputs
 */
export function tokenInputs(engine: Engine, choice: TokenChoice): TokenCoins {
  const { tokenid, pubkey, total = 0n, inputsMax: most = 0 } = choice
  const { tokens } = engine.rules.modules
  const threshold = total / BigInt(most === 0 ? inputsMax : most)
  const evalCode = evalCodeOf(engine, tokenid)
  // The creation may have paid to another script: then the daemon finds nothing either.
  const script = slotScript([pubkey], tokenEvalCodes(0xf2, evalCode ?? 0))
  const key = indexKeyOf(engine, script, indexTypes.condition)
  const inputs: Selected[] = []
  let amount = 0n
  for (const { txid, vout, value } of unspentUnder(engine, key)) {
    if (value < threshold) continue
    if (tokens.amountIn({ txid, vout }, tokenid, finderOf(engine)) === 0n) continue
    inputs.push({ txid, vout, value })
    amount += value
    if ((total > 0n && amount >= total) || (most > 0 && inputs.length >= most)) break
  }
  return { inputs, amount, evalCode }
}

/** Reads the creation of a token in the chain or the mempool. */
export function creationOf(engine: Engine, tokenid: string): KomodoCreatePayload | undefined {
  const { tokens } = engine.rules.modules
  return tokens.creationOf(tokenid, finderOf(engine))
}

/** Returns `undefined` for a token whose creation has no data, or is missing. */
export function evalCodeOf(engine: Engine, tokenid: string): number | undefined {
  const data = creationOf(engine, tokenid)
  return data === undefined ? undefined : nonFungibleEvalCode(data)
}

/**
 * Builds the output that pays units of a token to a key.
 *
 * @see komodo src/cc/CCtokenutils.cpp, MakeTokensCC1vout
 */
export function tokenOutput(
  evalCode: number | undefined,
  value: bigint,
  pubkey: string,
): TransactionOutput {
  return { value, script: slotScript([pubkey], tokenEvalCodes(evalCode ?? 0xf2)) }
}

/** Returns the key under which the chain's index has the outputs to a script's address. */
export function indexKeyOf(engine: Engine, script: string, type: string): string {
  const address = addressOfScript(script, engine.rules.network)!
  return type + decodeAddress(address)!.hash160
}

interface Assembly {
  readonly inputs: readonly Selected[]
  readonly outputs: readonly TransactionOutput[]
  /** The nulldata script that comes last; '' for none. */
  readonly nulldata: string
  /** Keys that the module lends, in hex. */
  readonly moduleKeys?: readonly string[]
}

/**
 * Gives change, adds the payload and signs.
 *
 * @returns hex; `0` for too many inputs; an empty text if an output is missing or a condition cannot be
 *   signed
 * @see komodo src/cc/CCtx.cpp, FinalizeCCTx
 */
export function finalized({ engine, wallet, pubkey }: Builder, assembly: Assembly): string {
  if (assembly.inputs.length > inputsMax) return '0'
  const { state, rules } = engine
  const spent = assembly.inputs.flatMap((input) => outputAt(engine, input) ?? [])
  // A payload may promise a marker that its transaction does not have.
  if (spent.length < assembly.inputs.length) return ''
  const order = inputOrder(
    spent.map(({ script }) => rules.scripts.describe(script).type === 'cryptocondition'),
  )
  const inputs = order.map((at) => assembly.inputs[at]!)
  const prevouts = order.map((at) => spent[at]!)
  const outputs = [...assembly.outputs]
  const totalIn = sum(prevouts)
  const totalOut = sum(outputs)
  if (totalIn >= totalOut + 2n * defaultFee) {
    outputs.push({ value: totalIn - totalOut - defaultFee, script: pubkeyScript(pubkey) })
  }
  if (assembly.nulldata !== '') outputs.push({ value: 0n, script: assembly.nulldata })
  const fields = moduleFields(
    state,
    inputs.map(({ txid, vout }) => ({ txid, vout, scriptSig: '', sequence: finalSequence })),
    outputs,
  )
  const keys = [...wifsOf(wallet), ...(assembly.moduleKeys ?? [])]
  const known = toSign(prevouts, wallet, rules.scripts)
  const { hex } = signTransaction(fields, keys, known, rules.network)
  // Ordinary inputs of another wallet stay unsigned; conditions have to be signed.
  const signed = decodeTransaction(hex)
  const isWhole = prevouts.every(
    ({ script }, at) =>
      rules.scripts.describe(script).type !== 'cryptocondition' ||
      signed.inputs[at]!.scriptSig !== '',
  )
  return isWhole ? hex : ''
}

/** The fields of a transaction that a module puts together for the next block. */
export function moduleFields(
  { chain }: NodeState,
  inputs: TransactionFields['inputs'],
  outputs: TransactionFields['outputs'],
): TransactionFields {
  return {
    version: 4,
    overwintered: true,
    versionGroupId: saplingVersionGroupId,
    inputs,
    outputs,
    lockTime: 0,
    expiryHeight: chain.tip.height + 1 + expiryDelta,
  }
}

/**
 * Returns the order of the inputs. If the first two are ordinary, all ordinary ones but the first
 * come after the conditions.
 */
export function inputOrder(areConditions: readonly boolean[]): number[] {
  const all = areConditions.map((_, at) => at)
  const hasMany = areConditions.length > 2 && !areConditions[0] && !areConditions[1]
  if (!hasMany || !areConditions.includes(true)) return all
  const rest = all.slice(1)
  return [0, ...rest.filter((at) => areConditions[at]), ...rest.filter((at) => !areConditions[at])]
}

export function sum(outputs: readonly { readonly value: bigint }[]): bigint {
  return outputs.reduce((total, { value }) => total + value, 0n)
}

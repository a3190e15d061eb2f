// How tokeld's modules put transactions together: coins chosen, change given, inputs signed.

import {
  defaultFee,
  dustOfScript,
  finalSequence,
  inputsMax,
  lockedSequence,
} from '../../chain/limits.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import { signTransaction } from '../../signing/sign.ts'
import type { PrevoutToSign } from '../../signing/task.ts'
import { type ModulesChain, tokelChain } from '../../token/rules/tokel-modules.ts'
import type { TokenVersion } from '../../token/rules/tokel-output.ts'
import { tokelTokensAt } from '../../token/rules/tokel-validation.ts'
import { decodeTransaction } from '../../transaction/decode.ts'
import type { Outpoint, TransactionFields, TransactionOutput } from '../../transaction/types.ts'
import type { Engine } from '../engine.ts'
import { outpointOf } from '../state/keys.ts'
import { lookUp } from '../state/ordered-map.ts'
import { type IndexKey, indexTypes } from '../state/script-index.ts'
import { findTransaction, indexedUnder } from '../state/view.ts'
import {
  type Builder,
  indexKeyOf,
  inputOrder,
  keysOf,
  moduleFields,
  pubkeyInputs,
  type Selected,
  sum,
  walletInputs,
} from './condition-builder.ts'
import { tokelIndexScripts } from './tokel-scripts.ts'

/** The chain as the modules' rules read it. */
export function modulesChain({ state, rules }: Engine): ModulesChain {
  return {
    find: (txid) => findTransaction(state, rules, txid)?.transaction,
    height: state.chain.tip.height + 1,
  }
}

/**
 * Returns confirmed coins of the -pubkey key alone; none if they do not reach.
 *
 * @see tokel src/cc/CCtx.cpp, AddNormalinputsRemote, which leaves no small coins out
 */
export function ownInputs(builder: Builder, total: bigint): Selected[] {
  return pubkeyInputs(builder, { total, inputsMax, least: 1n })
}

/** Returns coins of any key of the wallet. @see tokel src/cc/CCtx.cpp, AddNormalinputsLocal */
export function anyInputs(builder: Builder, total: bigint): Selected[] {
  return walletInputs(builder, { total, inputsMax, least: 1n })
}

interface TokelTokens {
  readonly version: TokenVersion
  readonly tokenid: string
  /** Keys of the address index under which the tokens are, in the daemon's order. */
  readonly places: readonly IndexKey[]
  /** Units wanted: the daemon goes to the next address only if those of the first do not reach. */
  readonly total?: bigint
  /** Coins that are in the transaction already. */
  readonly taken?: readonly Selected[]
}

interface HeldTokens {
  readonly inputs: readonly Selected[]
  readonly amount: bigint
}

/** A coin that holds tokens: its value counts them. */
interface TokenCoin extends Selected {
  readonly tokenid: string
}

/**
 * Returns confirmed tokens that nothing in the mempool spends: all of an address, even where fewer
 * reach.
 *
 * @see tokel src/cc/CCtokens_impl.h, AddTokenCCInputs
 */
export function tokelInputs(engine: Engine, tokens: TokelTokens): HeldTokens {
  const { version, tokenid, places, total = 0n, taken = [] } = tokens
  const inputs: Selected[] = []
  let amount = 0n
  for (const place of places) {
    for (const coin of tokensAt(engine, place, version)) {
      if (coin.tokenid !== tokenid || isAmong(taken, coin)) continue
      inputs.push({ txid: coin.txid, vout: coin.vout, value: coin.value })
      amount += coin.value
    }
    if (total > 0n && amount >= total) break
  }
  return { inputs, amount }
}

function isAmong(coins: readonly Outpoint[], { txid, vout }: Outpoint): boolean {
  return coins.some((it) => it.txid === txid && it.vout === vout)
}

/** Yields the coins at an address that hold tokens of any id, in the order of the address index. */
export function* tokensAt(
  engine: Engine,
  key: IndexKey,
  version: TokenVersion,
): Generator<TokenCoin, void, undefined> {
  const { chain, mempool } = engine.state
  const rules = tokelChain(modulesChain(engine))
  for (const [place, { value }] of indexedUnder(chain, 'addressCoins', key)) {
    const suffix = place.slice(key.length)
    if (value === 0n || lookUp(mempool.spends, suffix) !== undefined) continue
    const outpoint = outpointOf(suffix)
    const held = tokelTokensAt(outpoint, version, rules)
    if (held !== undefined) yield { ...outpoint, value, tokenid: held.tokenid }
  }
}

/** Returns the tokens of a key, as `tokelInputs` does. */
export function tokelInputsOf(
  engine: Engine,
  { pubkey, ...tokens }: Omit<TokelTokens, 'places'> & { readonly pubkey: string },
): HeldTokens {
  return tokelInputs(engine, { ...tokens, places: tokenPlaces(engine, tokens.version, pubkey) })
}

/** Returns the keys of the address index under which a key's tokens are. */
export function tokenPlaces(engine: Engine, version: TokenVersion, pubkey: string): IndexKey[] {
  return tokelIndexScripts(version, pubkey).map((script) =>
    indexKeyOf(engine, script, indexTypes.condition),
  )
}

export interface TokelAssembly {
  readonly version: TokenVersion
  /** Ordinary coins. */
  readonly coins: readonly Selected[]
  /** Outputs of conditions, in the order in which the daemon adds them. */
  readonly spends: readonly Selected[]
  readonly outputs: readonly TransactionOutput[]
  /** The nulldata script that comes last; '' for none. */
  readonly nulldata: string
  /** Keys that the module lends, in hex. */
  readonly moduleKeys?: readonly string[]
  /** Trees behind conditions of which the wallet has no key, by their place in `spends`. */
  readonly trees?: ReadonlyMap<number, NonNullable<PrevoutToSign['condition']>>
}

/**
 * Gives change, adds the payload and signs. Change that would be dust is left to the miner.
 *
 * @returns hex; `0` for too many inputs; undefined where an input cannot be signed
 * @see tokel src/cc/CCtx.cpp, FinalizeCCV2Tx, FinalizeCCTxExt
 */
export function finalizedTokel(builder: Builder, assembly: TokelAssembly): string | undefined {
  if (assembly.coins.length + assembly.spends.length > inputsMax) return '0'
  const { fields, prevouts } = assembledTokel(builder, assembly)
  const { network } = builder.engine.rules
  const keys = [...keysOf(builder.wallet), ...(assembly.moduleKeys ?? [])]
  const known = prevouts.map((prevout, at) => {
    const condition = assembly.trees?.get(at - assembly.coins.length)
    return { ...prevout, ...(condition && { condition }) }
  })
  const { hex } = signTransaction(fields, keys, known, network)
  const isWhole = decodeTransaction(hex).inputs.every(({ scriptSig }) => scriptSig !== '')
  return isWhole ? hex : undefined
}

/** The transaction before it is signed, and what it spends. */
export function assembledTokel(
  { engine, pubkey }: Builder,
  { version, coins, spends, outputs: paid, nulldata }: TokelAssembly,
): { readonly fields: TransactionFields; readonly prevouts: readonly TransactionOutput[] } {
  const { state, rules } = engine
  const added = [
    ...coins.map((coin) => ({ ...coin, sequence: lockedSequence })),
    ...spends.map((coin) => ({ ...coin, sequence: finalSequence })),
  ]
  // Only version 1 puts further ordinary inputs behind the conditions.
  const order = version === 1 ? inputOrder(added.map((_, at) => at >= coins.length)) : added.keys()
  const inputs = [...order].map((at) => added[at]!)
  const prevouts = inputs.map(
    ({ txid, vout }) => findTransaction(state, rules, txid)!.transaction.outputs[vout]!,
  )
  const script = pubkeyScript(pubkey)
  const change = sum(prevouts) - sum(paid) - defaultFee
  const outputs = [...paid]
  if (change >= dustOfScript(script)) outputs.push({ value: change, script })
  if (nulldata !== '') outputs.push({ value: 0n, script: nulldata })
  const fields = moduleFields(
    state,
    inputs.map(({ txid, vout, sequence }) => ({ txid, vout, scriptSig: '', sequence })),
    outputs,
  )
  return { fields, prevouts }
}

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
import { type IndexKey, indexTypes } from '../state/script-index.ts'
import { finderOf, outputAt, unspentUnder } from '../state/view.ts'
import { toSign, wifsOf } from './coins.ts'
import {
  type Builder,
  indexKeyOf,
  inputOrder,
  moduleFields,
  pubkeyInputs,
  type Selected,
  sum,
  walletInputs,
} from './condition-builder.ts'
import { tokelIndexScripts } from './tokel-scripts.ts'

/** The chain as the modules' rules read it. */
export function modulesChain(engine: Engine): ModulesChain {
  return { find: finderOf(engine), height: engine.state.chain.tip.height + 1 }
}

/**
 * Returns confirmed coins of the -pubkey key that make at least `total`; none if there are too few.
 * Small coins count too, unlike on a komodod.
 *
 * @see tokel src/cc/CCtx.cpp, AddNormalinputsRemote
 */
export function ownInputs(builder: Builder, total: bigint): Selected[] {
  return pubkeyInputs(builder, { total, inputsMax, least: 1n })
}

/**
 * Returns coins of any key of the wallet that make at least `total`; none if there are too few.
 *
 * @see tokel src/cc/CCtx.cpp, AddNormalinputsLocal
 */
export function anyInputs(builder: Builder, total: bigint): Selected[] {
  return walletInputs(builder, { total, inputsMax, least: 1n })
}

interface TokelTokens {
  readonly version: TokenVersion
  readonly tokenid: string
  /** Keys of the address index under which the tokens are, in the daemon's order. */
  readonly indexKeys: readonly IndexKey[]
  /** The units wanted: as in the daemon, the next address is read only if they are not reached. */
  readonly total?: bigint
  /** Coins that the transaction spends already. */
  readonly taken?: readonly Selected[]
}

interface HeldTokens {
  readonly inputs: readonly Selected[]
  /** Units of the token in all of `inputs`. */
  readonly amount: bigint
}

/** A coin that holds tokens. Its value is their number, in units. */
interface TokenCoin extends Selected {
  readonly tokenid: string
}

/**
 * Returns confirmed tokens that nothing in the mempool spends. It takes all tokens of an address,
 * even if a part of them is enough.
 *
 * @see tokel src/cc/CCtokens_impl.h, AddTokenCCInputs
 */
export function tokelInputs(engine: Engine, tokens: TokelTokens): HeldTokens {
  const { version, tokenid, indexKeys, total = 0n, taken = [] } = tokens
  const inputs: Selected[] = []
  let amount = 0n
  for (const key of indexKeys) {
    for (const coin of tokensAt(engine, key, version)) {
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

/**
 * Yields the coins at an address that hold tokens of any id, in the order of the address index. They
 * are confirmed, and nothing in the mempool spends them.
 */
export function* tokensAt(
  engine: Engine,
  key: IndexKey,
  version: TokenVersion,
): Generator<TokenCoin, void, undefined> {
  const rules = tokelChain(modulesChain(engine))
  for (const { txid, vout, value } of unspentUnder(engine, key)) {
    const held = value === 0n ? undefined : tokelTokensAt({ txid, vout }, version, rules)
    if (held !== undefined) yield { txid, vout, value, tokenid: held.tokenid }
  }
}

/** Returns the tokens of a key, as `tokelInputs` does. */
export function tokelInputsOf(
  engine: Engine,
  { pubkey, ...tokens }: Omit<TokelTokens, 'indexKeys'> & { readonly pubkey: string },
): HeldTokens {
  const indexKeys = tokenIndexKeys(engine, tokens.version, pubkey)
  return tokelInputs(engine, { ...tokens, indexKeys })
}

/** Returns the keys of the address index under which a key's tokens are. */
export function tokenIndexKeys(engine: Engine, version: TokenVersion, pubkey: string): IndexKey[] {
  return tokelIndexScripts(version, pubkey).map((script) =>
    indexKeyOf(engine, script, indexTypes.condition),
  )
}

/** The parts of a transaction, before its change, its order and its signatures. */
export interface TokelAssembly {
  readonly version: TokenVersion
  /** Coins of keys to spend, which have no condition. */
  readonly coins: readonly Selected[]
  /** Outputs of conditions to spend, in the order in which the daemon adds them. */
  readonly spends: readonly Selected[]
  readonly outputs: readonly TransactionOutput[]
  /** The script of the last output, hex; '' for no such output. */
  readonly nulldata: string
  /** Private keys that the module publishes for everyone to sign with, hex. */
  readonly moduleKeys?: readonly string[]
  /** Trees of conditions that the wallet cannot derive from its own keys, by index in `spends`. */
  readonly trees?: ReadonlyMap<number, NonNullable<PrevoutToSign['condition']>>
}

/**
 * Adds change and the payload to an assembly, and signs it. Change that would be dust becomes a part
 * of the fee.
 *
 * @returns hex; '0' for too many inputs, as the daemon; `undefined` if an input cannot be signed
 * @see tokel src/cc/CCtx.cpp, FinalizeCCV2Tx, FinalizeCCTxExt
 */
export function finalizedTokel(builder: Builder, assembly: TokelAssembly): string | undefined {
  if (assembly.coins.length + assembly.spends.length > inputsMax) return '0'
  const { fields, prevouts } = assembledTokel(builder, assembly)
  const { network, scripts } = builder.engine.rules
  const keys = [...wifsOf(builder.wallet), ...(assembly.moduleKeys ?? [])]
  const { hex } = signTransaction(fields, keys, toSign(prevouts, builder.wallet, scripts), network)
  const isWhole = decodeTransaction(hex).inputs.every(({ scriptSig }) => scriptSig !== '')
  return isWhole ? hex : undefined
}

type SpentOutput = TransactionOutput & Pick<PrevoutToSign, 'condition'>

/** Returns the transaction before it is signed, and the outputs that it spends, in its order. */
export function assembledTokel(
  { engine, pubkey }: Builder,
  { version, coins, spends, outputs: paid, nulldata, trees }: TokelAssembly,
): { readonly fields: TransactionFields; readonly prevouts: readonly SpentOutput[] } {
  const added = [
    ...coins.map((coin) => ({ ...coin, sequence: lockedSequence, condition: undefined })),
    ...spends.map((coin, at) => ({ ...coin, sequence: finalSequence, condition: trees?.get(at) })),
  ]
  // tokeld moves ordinary inputs behind the conditions for tokens of version 1 only.
  const order = version === 1 ? inputOrder(added.map((_, at) => at >= coins.length)) : added.keys()
  const inputs = [...order].map((at) => added[at]!)
  const prevouts = inputs.map(({ condition, ...input }) => {
    return { ...outputAt(engine, input)!, ...(condition && { condition }) }
  })
  const script = pubkeyScript(pubkey)
  const change = sum(prevouts) - sum(paid) - defaultFee
  const outputs = [...paid]
  if (change >= dustOfScript(script)) outputs.push({ value: change, script })
  if (nulldata !== '') outputs.push({ value: 0n, script: nulldata })
  const fields = moduleFields(
    engine.state,
    inputs.map(({ txid, vout, sequence }) => ({ txid, vout, scriptSig: '', sequence })),
    outputs,
  )
  return { fields, prevouts }
}

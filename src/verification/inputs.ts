// Checks of the spent outputs: who owns them, and whether they can be spent.

import type { Network } from '../chain/network.ts'
import { append } from '../primitives/append.ts'
import type { Steps } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import { heightIn } from '../request/heights.ts'
import { type Finding, finding } from '../request/report.ts'
import type { ScriptType } from '../script/types.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import type { Transaction } from '../transaction/types.ts'
import { prematureSpends } from './coinbase-maturity.ts'
import type { ResolvedInputs } from './previous-outputs.ts'
import {
  borrowedAt,
  disproofFinding,
  proveTokens,
  type TokenCoins,
  unprovenFindings,
} from './token-inputs.ts'
import { typeFinder } from './type-finder.ts'

/** Reports inputs whose transaction is in no block yet, by the evidence. */
export function checkConfirmed(
  { inputs }: Transaction,
  evidence: Pick<Evidence, 'heights'>,
): Finding[] {
  return inputs.flatMap(({ txid }, index) =>
    heightIn(evidence, txid) === 0
      ? [finding('unconfirmed_input', `inputs[${index}]`, { actual: txid })]
      : [],
  )
}

/** Reports coinbases that are too young to be spent, where heights show that. */
export function checkMature(
  prevouts: ResolvedInputs['prevouts'],
  network: Network,
  evidence: Pick<Evidence, 'tipHeight' | 'heights'>,
): Finding[] {
  const { tipHeight } = evidence
  if (tipHeight === undefined) return []
  const heightOf = (txid: string) => heightIn(evidence, txid)
  const spent = prevouts.map((it) => it?.transaction)
  // the transaction can be in the next block at the earliest
  return prematureSpends(spent, '', tipHeight + 1, { heightOf, network })
}

/** The outputs that a wallet may spend. */
export interface OwnCoins extends TokenCoins {
  /** Scripts of the main key's native coins: pay to public key, pay to its hash. */
  readonly native: readonly string[]
  /** Scripts of native coins of the wallet's other keys. */
  readonly further: { has(script: string): boolean }
  /** The script of outputs that must not be spent. */
  readonly marker?: string
}

interface Coin {
  readonly index: number
  readonly value: bigint
}

interface NativeCoin extends Coin {
  /** True if the main key owns it; false if another key of the wallet does. */
  readonly isMain: boolean
}

export interface CheckedInputs {
  readonly findings: readonly Finding[]
  /** In the order of the inputs. */
  readonly coins: { readonly native: readonly NativeCoin[]; readonly tokens: readonly Coin[] }
  /** Sum of everything spent, satoshis; undefined if an output is unknown. */
  readonly total: bigint | undefined
  /** Sum of the units that count as the token, or as one of several. */
  readonly tokens: bigint
  /** The same by tokenid. */
  readonly units: ReadonlyMap<string, bigint>
  /** Satoshis of borrowed outputs. */
  readonly borrowedCoins: bigint
  /** Inputs that one signature, or the keys of one fulfillment, can sign. */
  readonly singlySigned: ReadonlySet<number>
}

const marker =
  'a script of the tokens module, whose private key is published: anyone can spend its outputs'

/** Classifies each input as an own coin, a borrowed coin, a token, or none that may be spent. */
export function* checkInputs(
  prevouts: ResolvedInputs['prevouts'],
  own: OwnCoins,
): Steps<CheckedInputs> {
  const findings: Finding[] = []
  const coins = { native: [] as NativeCoin[], tokens: [] as Coin[] }
  const units = new Map<string, bigint>()
  let tokens = 0n
  let borrowedCoins = 0n
  const unproven: number[] = []
  const singlySigned = new Set<number>()
  const proofs = yield* proveTokens(prevouts, own)
  const typeOf = typeFinder(() => prevouts.flatMap((it) => it?.script ?? []))
  for (const [index, prevout] of prevouts.entries()) {
    if (prevout === undefined) continue
    const path = `inputs[${index}]`
    const { value, script } = prevout
    const isMain = own.native.includes(script)
    const borrowed = borrowedAt(prevout, own)
    const proof = proofs.get(prevout)
    if (isMain || own.further.has(script)) {
      if (isCoinbase(prevout.transaction)) findings.push(finding('immature_coinbase', path))
      coins.native.push({ index, value, isMain })
    } else if (borrowed?.holds === 'coins') {
      borrowedCoins += value
    } else if (proof !== undefined) {
      const tokenid = own.tokens!.tokenidOf(prevout)
      if (proof.verdict === 'incomplete') unproven.push(index)
      const problem = disproofFinding(proof, tokenid, path)
      if (problem !== undefined) findings.push(problem)
      if (problem?.code !== 'foreign_token_input') {
        tokens += value
        units.set(tokenid, (units.get(tokenid) ?? 0n) + value)
      }
      if (borrowed === undefined) coins.tokens.push({ index, value })
    } else {
      const type = typeOf(script)
      findings.push(foreignInput(script, type, own.marker, path))
      if (!singlySignedTypes.includes(type)) continue
    }
    singlySigned.add(index)
  }
  append(findings, yield* unprovenFindings(unproven, prevouts, own.tokens))
  if (coins.native.length > 0 && coins.tokens[0]?.index === 0) {
    findings.push(finding('input_order', 'inputs[0]', { expected: 'native', actual: 'token' }))
  }
  return {
    findings,
    coins,
    tokens,
    units,
    borrowedCoins,
    singlySigned,
    total: totalOf(prevouts),
  }
}

function totalOf(prevouts: ResolvedInputs['prevouts']): bigint | undefined {
  if (prevouts.includes(undefined)) return undefined
  return prevouts.reduce((sum, it) => sum + it!.value, 0n)
}

/**
 * Reports own coins that need not have been spent. komodod takes tokens as they come until they
 * suffice, so it needs the last one; of native coins it picks only those that it needs.
 *
 * @param needed - the amounts that have to be spent; `tokens` where the daemon takes no more
 * @see komodo src/cc/CCtokens.cpp, AddTokenCCInputs; src/cc/CCtx.cpp, CC_vinselect
 */
export function checkNeeded(
  { native, tokens }: CheckedInputs['coins'],
  needed: { readonly native: bigint; readonly tokens?: bigint },
): Finding[] {
  const smallest = native.reduce<Coin | undefined>(
    (least, coin) => (least === undefined || coin.value < least.value ? coin : least),
    undefined,
  )
  return [
    ...extraInput(smallest, native, needed.native),
    ...(needed.tokens === undefined ? [] : extraInput(tokens.at(-1), tokens, needed.tokens)),
  ]
}

function extraInput(coin: Coin | undefined, coins: readonly Coin[], needed: bigint): Finding[] {
  const spent = coins.reduce((sum, { value }) => sum + value, 0n)
  if (coins.length < 2 || spent - coin!.value < needed) return []
  return [finding('extra_input', `inputs[${coin!.index}]`, { expected: needed, actual: spent })]
}

/** Not `multisig` and `scripthash`, where each signature may have to be tried with every key. */
const singlySignedTypes: readonly ScriptType[] = ['pubkey', 'pubkeyhash', 'cryptocondition']

function foreignInput(
  script: string,
  type: ScriptType,
  markerScript: string | undefined,
  path: string,
): Finding {
  const details = { actual: script }
  if (script === markerScript) return finding('marker_spend', path, { actual: marker })
  if (type === 'cryptocondition') return finding('foreign_condition_input', path, details)
  return finding('unexpected_input', path, details)
}

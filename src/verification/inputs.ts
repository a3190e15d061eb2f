import { type Network, rewardsOf } from '../chain/network.ts'
import type { Steps } from '../primitives/steps.ts'
import type { Evidence } from '../request/case.ts'
import { type Finding, finding, type Known, type SpentAmount } from '../request/report.ts'
import type { ScriptType } from '../script/types.ts'
import type { BareProof } from '../token/proof/proof.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import type { Tokens } from './family.ts'
import { typeFinder } from './type-finder.ts'

/** The output that an input spends, read from the whole transaction it is in. */
export interface SpentOutput {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly script: string
  /** The same for all inputs that name it. */
  readonly output: TransactionOutput
  readonly transaction: Transaction
}

export interface ResolvedInputs {
  readonly findings: readonly Finding[]
  /** In the order of the inputs; undefined where the transaction was not given. */
  readonly prevouts: readonly (SpentOutput | undefined)[]
  /** The value of each input, and the evidence for it. */
  readonly spends: readonly SpentAmount[]
}

/** Finds what each input spends among the given transactions. */
export function resolveInputs(tx: Transaction, known: KnownTransactions): ResolvedInputs {
  const findings: Finding[] = []
  const prevouts = tx.inputs.map(({ txid, vout }, index): SpentOutput | undefined => {
    const path = `inputs[${index}]`
    const transaction = known.byTxid.get(txid)
    if (transaction === undefined) {
      findings.push(finding('prevout_missing', path, { expected: txid }))
      return undefined
    }
    const output = transaction.outputs[vout]
    if (output === undefined) {
      const expected = `below ${transaction.outputs.length}`
      findings.push(finding('prevout_index', `${path}.vout`, { expected, actual: vout }))
      return undefined
    }
    const { value, script } = output
    if (value < 0n) {
      findings.push(finding('value_range', path, { expected: 'at least 0', actual: value }))
      return undefined
    }
    return { txid, vout, value, script, output, transaction }
  })
  const spends = tx.inputs.map(({ txid, vout }, input) => {
    const said = known.claims.get(`${txid}:${vout}`)
    const spend = spentAmount(input, prevouts[input]?.value, said)
    if (spend.known === 'contradictory') {
      const details = { expected: said!.join(' and '), actual: prevouts[input]?.value }
      findings.push(finding('amount_contradicted', `inputs[${input}]`, details))
    }
    return spend
  })
  return { findings, prevouts, spends }
}

function spentAmount(
  input: number,
  proven: bigint | undefined,
  said: readonly bigint[] = [],
): SpentAmount {
  const value = proven ?? said[0]
  if (value === undefined) return { input, known: 'missing' }
  if (said.some((it) => it !== value)) return { input, value, known: 'contradictory' }
  return { input, value, known: proven === undefined ? 'asserted' : 'proven' }
}

/** Returns the status of the fee, which is that of the least certain amount. */
export function knownOf(spends: readonly SpentAmount[]): Known {
  const order = ['missing', 'contradictory', 'asserted'] as const
  return order.find((it) => spends.some(({ known }) => known === it)) ?? 'proven'
}

/** Reports inputs that are in no block yet, by the evidence. */
export function checkConfirmed(
  { inputs }: Transaction,
  heights: Evidence['heights'] = {},
): Finding[] {
  return inputs.flatMap(({ txid }, index) =>
    Object.hasOwn(heights, txid) && heights[txid] === 0
      ? [finding('unconfirmed_input', `inputs[${index}]`, { actual: txid })]
      : [],
  )
}

/** On KMD; other chains may have set another, 1 for instance. komodo src/consensus/consensus.h */
const coinbaseMaturity = 100

/**
 * Coinbases that nodes do not let anybody spend yet, where heights tell.
 *
 * @see komodo src/main.cpp, Consensus::CheckTxInputs, bad-txns-premature-spend-of-coinbase
 */
export function checkMature(
  prevouts: ResolvedInputs['prevouts'],
  network: Network,
  { tipHeight, heights = {} }: Pick<Evidence, 'tipHeight' | 'heights'>,
): Finding[] {
  if (rewardsOf(network) !== 'komodo' || tipHeight === undefined) return []
  return prevouts.flatMap((prevout, index) => {
    if (prevout === undefined || !isCoinbase(prevout.transaction)) return []
    const { txid } = prevout
    const height = Object.hasOwn(heights, txid) ? heights[txid]! : 0
    // the block that it would be spent in is the next one
    const depth = tipHeight + 1 - height
    if (height === 0 || depth >= coinbaseMaturity) return []
    const details = { expected: `${coinbaseMaturity} blocks`, actual: depth }
    return [finding('premature_coinbase', `inputs[${index}]`, details)]
  })
}

/** An output that the wallet does not own and may spend all the same, such as an order's. */
export interface BorrowedOutput {
  readonly holds: 'units' | 'coins'
  /** The key, hex, that must sign the input. */
  readonly signer: string
}

/** The outputs that a wallet may spend. */
export interface OwnCoins {
  /** Scripts of its main key's native coins: pay to public key, pay to its hash. */
  readonly native: readonly string[]
  /** Scripts of native coins of its other keys. */
  readonly further: { has(script: string): boolean }
  /** Its tokens of the one tokenid; absent where no token may be spent. */
  readonly tokens?: Tokens
  /** Outputs that must not be spent. */
  readonly marker?: string
  /** By `txid:vout`. */
  readonly borrowed?: ReadonlyMap<string, BorrowedOutput>
}

/** An input that the operation may spend. */
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
  /** Sum of everything spent, satoshis; undefined when something is unknown. */
  readonly total?: bigint
  /** Sum of what counts as the token, or as one of several. */
  readonly tokens: bigint
  /** The same by tokenid. */
  readonly units: ReadonlyMap<string, bigint>
  /** Satoshis that are spent without being the wallet's own. */
  readonly borrowedCoins: bigint
  /** Inputs that spend what one signature, or the keys of one fulfillment, can release. */
  readonly singlySigned: ReadonlySet<number>
}

const marker =
  'a script of the tokens module, whose private key is published: anyone can spend its outputs'

/** Decides for each input whether the operation may spend it. */
export function checkInputs(
  prevouts: readonly (SpentOutput | undefined)[],
  own: OwnCoins,
): CheckedInputs {
  const findings: Finding[] = []
  let total: bigint | undefined = 0n
  let tokens = 0n
  const units = new Map<string, bigint>()
  let borrowedCoins = 0n
  const unproven: number[] = []
  const coins = { native: [] as NativeCoin[], tokens: [] as Coin[] }
  const proofs = proveTokens(prevouts, own)
  const singlySigned = new Set<number>()
  const typeOf = typeFinder(() => prevouts.flatMap((it) => it?.script ?? []))
  prevouts.forEach((prevout, index) => {
    const path = `inputs[${index}]`
    if (prevout === undefined) {
      total = undefined
      return
    }
    const { value } = prevout
    if (total !== undefined) total += value
    const isMain = own.native.includes(prevout.script)
    if (isMain || own.further.has(prevout.script)) {
      if (isCoinbase(prevout.transaction)) findings.push(finding('immature_coinbase', path))
      coins.native.push({ index, value, isMain })
      singlySigned.add(index)
      return
    }
    const borrowed = borrowedAt(prevout, own)
    if (borrowed?.holds === 'coins') {
      borrowedCoins += value
      singlySigned.add(index)
      return
    }
    const proof = proofs.get(prevout)
    if (proof !== undefined) {
      const tokenid = own.tokens!.tokenidOf(prevout)
      if (proof.verdict === 'incomplete') unproven.push(index)
      const problem = disproofFinding(proof, tokenid, path)
      if (problem !== undefined) findings.push(problem)
      if (problem?.code !== 'foreign_token_input') {
        tokens += value
        units.set(tokenid, (units.get(tokenid) ?? 0n) + value)
      }
      if (borrowed === undefined) coins.tokens.push({ index, value })
      singlySigned.add(index)
      return
    }
    const type = typeOf(prevout.script)
    if (singlySignedTypes.includes(type)) singlySigned.add(index)
    findings.push(foreignInput(prevout.script, type, own.marker, path))
  })
  findings.push(...unprovenFindings(unproven, prevouts, own.tokens))
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
    ...(total !== undefined && { total }),
  }
}

/** Looks into the history of the tokens that are spent, so that judging finds it read. */
export function* prepareTokens(prevouts: ResolvedInputs['prevouts'], own: TokenCoins): Steps<void> {
  for (const [tokenid, held] of heldByToken(prevouts, own)) {
    yield* own.tokens!.histories.get(tokenid)!.prepare(held)
  }
}

type TokenCoins = Pick<OwnCoins, 'tokens' | 'borrowed'>

function borrowedAt(
  { txid, vout }: SpentOutput,
  { borrowed }: TokenCoins,
): BorrowedOutput | undefined {
  return borrowed?.get(`${txid}:${vout}`)
}

function heldTokens(prevouts: ResolvedInputs['prevouts'], own: TokenCoins): SpentOutput[] {
  const isToken = (it: SpentOutput) =>
    own.tokens?.isOwn(it.script) === true || borrowedAt(it, own)?.holds === 'units'
  return prevouts.flatMap((it) => (it && isToken(it) ? [it] : []))
}

/** Returns the units spent of each token. */
function heldByToken(
  prevouts: ResolvedInputs['prevouts'],
  own: TokenCoins,
): ReadonlyMap<string, readonly SpentOutput[]> {
  const byToken = new Map<string, SpentOutput[]>()
  for (const spent of heldTokens(prevouts, own)) {
    const tokenid = own.tokens!.tokenidOf(spent)
    const held = byToken.get(tokenid)
    if (held === undefined) byToken.set(tokenid, [spent])
    else held.push(spent)
  }
  return byToken
}

/** Proves the tokens that are spent, all of one kind at once: no two may rest on one output. */
function proveTokens(
  prevouts: ResolvedInputs['prevouts'],
  own: TokenCoins,
): ReadonlyMap<SpentOutput, BareProof> {
  const proven = new Map<SpentOutput, BareProof>()
  for (const [tokenid, held] of heldByToken(prevouts, own)) {
    const proofs = own.tokens!.histories.get(tokenid)!.prove(held)
    for (const [at, spent] of held.entries()) proven.set(spent, proofs[at]!)
  }
  return proven
}

/**
 * Own coins that could have stayed where they are. komodod takes tokens as they come until they
 * suffice, so the last is needed; of native coins it picks such that each is.
 *
 * @param needed - what has to be spent of either; of tokens, where the daemon takes no more
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

/** Of several keys each signature may have to be tried with every one: `multisig`, `scripthash`. */
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

/** Rules by which an output with the right script is not of this token at all. */
const foreignRules: readonly string[] = ['last_output', 'no_payload', 'other_token']

/** Why an output with the right script is not this token. */
function disproofFinding(proof: BareProof, tokenid: string, path: string): Finding | undefined {
  if (proof.verdict !== 'disproven') return undefined
  const code = foreignRules.includes(proof.rule) ? 'foreign_token_input' : 'fake_token_input'
  return finding(code, path, { expected: tokenid, actual: `${proof.rule} in ${proof.txid}` })
}

/** The list of what is missing may be long, and is the same for all. */
const missingShownMax = 8

function unprovenFindings(
  unproven: readonly number[],
  prevouts: readonly (SpentOutput | undefined)[],
  tokens: Tokens | undefined,
): Finding[] {
  const said = new Map<string, string>()
  const tokenids = unproven.map((index) => tokens!.tokenidOf(prevouts[index]!))
  for (const tokenid of new Set(tokenids)) {
    const txids = unproven.flatMap((index, at) =>
      tokenids[at] === tokenid ? [prevouts[index]!.txid] : [],
    )
    const missing = tokens!.histories.get(tokenid)!.missingFor(txids)
    const shown = missing.slice(0, missingShownMax).join(', ')
    const rest = missing.length - missingShownMax
    said.set(tokenid, `missing ${shown}${rest > 0 ? ` and ${rest} more` : ''}`)
  }
  return unproven.map((index, at) =>
    finding('token_parent_unproven', `inputs[${index}]`, { actual: said.get(tokenids[at]!) }),
  )
}

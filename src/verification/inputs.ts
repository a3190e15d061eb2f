import { networks } from '../network/network.ts'
import { decodeScript } from '../script/script.ts'
import type { BareProof } from '../token/history.ts'
import type { Transaction } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import type { Tokens } from './family.ts'
import { type Finding, finding } from './report.ts'

/** The output that an input spends, read from the whole transaction it is in. */
export interface Prevout {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly script: string
  readonly transaction: Transaction
}

export interface ResolvedInputs {
  readonly findings: readonly Finding[]
  /** In the order of the inputs; undefined where the transaction was not given. */
  readonly prevouts: readonly (Prevout | undefined)[]
}

/** Finds what each input spends among the given transactions. */
export function resolveInputs(tx: Transaction, known: KnownTransactions): ResolvedInputs {
  const findings: Finding[] = []
  const prevouts = tx.inputs.map(({ txid, vout }, index): Prevout | undefined => {
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
    return { txid, vout, value, script, transaction }
  })
  return { findings, prevouts }
}

/** What a wallet may spend. */
export interface OwnCoins {
  /** Scripts of its native coins: pay to public key, pay to its hash. */
  readonly native: readonly string[]
  /** Its tokens of the one tokenid; absent where no token may be spent. */
  readonly tokens?: Tokens
  /** What nobody should spend. */
  readonly marker: string
}

export interface JudgedInputs {
  readonly findings: readonly Finding[]
  /** Sum of everything spent, satoshis; undefined when something is unknown. */
  readonly total?: bigint
  /** Sum of what counts as the token. */
  readonly tokens: bigint
}

const marker =
  'a script of the tokens module, whose private key is published: anyone can spend its outputs'

/** Decides for each input whether the operation may spend it. */
export function judgeInputs(
  prevouts: readonly (Prevout | undefined)[],
  own: OwnCoins,
): JudgedInputs {
  const findings: Finding[] = []
  let total: bigint | undefined = 0n
  let tokens = 0n
  const unproven: number[] = []
  const kinds = prevouts.map((prevout, index) => {
    const path = `inputs[${index}]`
    if (prevout === undefined) {
      total = undefined
      return 'unknown'
    }
    if (total !== undefined) total += prevout.value
    if (own.native.includes(prevout.script)) {
      if (isCoinbase(prevout.transaction)) findings.push(finding('immature_coinbase', path))
      return 'native'
    }
    if (own.tokens?.isOwn(prevout.script)) {
      const proof = own.tokens.history.prove(prevout.txid, prevout.vout)
      if (proof.verdict === 'incomplete') unproven.push(index)
      const problem = disproofFinding(proof, own.tokens.tokenid, path)
      if (problem !== undefined) findings.push(problem)
      if (problem?.code !== 'foreign_token_input') tokens += prevout.value
      return 'token'
    }
    findings.push(foreignInput(prevout, own.marker, path))
    return 'foreign'
  })
  findings.push(...unprovenFindings(unproven, prevouts, own.tokens))
  const firstNative = kinds.indexOf('native')
  if (firstNative > 0 && kinds.indexOf('token') === 0) {
    findings.push(finding('input_order', 'inputs[0]', { expected: 'native', actual: 'token' }))
  }
  return { findings, tokens, ...(total !== undefined && { total }) }
}

function isCoinbase({ inputs }: Transaction): boolean {
  return inputs.length === 1 && /^0{64}$/.test(inputs[0]!.txid) && inputs[0]!.vout === 0xffffffff
}

function foreignInput({ script }: Prevout, markerScript: string, path: string): Finding {
  const details = { actual: script }
  if (script === markerScript) return finding('marker_spend', path, { actual: marker })
  const { type } = decodeScript(script, networks.tokel)
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
  prevouts: readonly (Prevout | undefined)[],
  tokens: Tokens | undefined,
): Finding[] {
  if (unproven.length === 0) return []
  const missing = tokens!.history.missingFor(unproven.map((index) => prevouts[index]!.txid))
  const shown = missing.slice(0, missingShownMax).join(', ')
  const rest = missing.length - missingShownMax
  const actual = `missing ${shown}${rest > 0 ? ` and ${rest} more` : ''}`
  return unproven.map((index) => finding('token_parent_unproven', `inputs[${index}]`, { actual }))
}

import { networks } from '../network/network.ts'
import { decodeScript } from '../script/script.ts'
import type { Transaction } from '../transaction/types.ts'
import { type KnownTransactions, payloadOf } from './evidence.ts'
import { type Finding, finding } from './report.ts'

/** The output that an input spends, read from the whole transaction it is in. */
export interface Prevout {
  readonly value: bigint
  readonly script: string
  readonly index: number
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
    return { ...output, index: vout, transaction }
  })
  return { findings, prevouts }
}

/** Scripts by which a wallet's own coins are known. */
export interface OwnScripts {
  readonly pubkey: string
  /** Native coins: pay to public key, pay to its hash. */
  readonly native: readonly string[]
  /** Tokens of the one tokenid; absent where no token may be spent. */
  readonly token?: string
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
  own: OwnScripts,
  tokenid: string | undefined,
  markerScript: string,
): JudgedInputs {
  const findings: Finding[] = []
  let total: bigint | undefined = 0n
  let tokens = 0n
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
    if (prevout.script === own.token && tokenid !== undefined) {
      const problem = tokenProblem(prevout, tokenid, path)
      if (problem === undefined) tokens += prevout.value
      else findings.push(problem)
      return 'token'
    }
    findings.push(foreignInput(prevout, markerScript, path))
    return 'foreign'
  })
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
  const { type } = decodeScript(script, networks.assetChain)
  if (type === 'cryptocondition') return finding('foreign_condition_input', path, details)
  return finding('unexpected_input', path, details)
}

/**
 * Why an output with the right script is not of this token at all, as far as its own transaction
 * tells. Whether it is genuine is for the prover.
 *
 * @see komodo src/cc/CCtokens.cpp, IsTokensvout; spec/tokens.md 4.1
 */
function tokenProblem(
  { index, transaction }: Prevout,
  tokenid: string,
  path: string,
): Finding | undefined {
  const { txid, outputs } = transaction
  const payload = index < outputs.length - 1 ? payloadOf(transaction) : undefined
  if (payload === undefined || payload.layout !== 'komodo-v1') {
    const actual = `no token payload in ${txid}`
    return finding('foreign_token_input', path, { expected: tokenid, actual })
  }
  const named = payload.kind === 'transfer' ? payload.tokenid : txid
  if (named !== tokenid) {
    return finding('foreign_token_input', path, { expected: tokenid, actual: named })
  }
  return undefined
}

// Inputs that spend tokens, which their history must prove.

import type { Steps } from '../primitives/steps.ts'
import { type Finding, finding } from '../request/report.ts'
import type { BareProof } from '../token/proof/proof.ts'
import type { Tokens } from './family.ts'
import type { ResolvedInputs, SpentOutput } from './previous-outputs.ts'

/** An output that the wallet does not own and may spend all the same, such as an order's. */
export interface BorrowedOutput {
  readonly holds: 'units' | 'coins'
  /** The key, hex, that must sign the input. */
  readonly signer: string
}

/** The part of what a wallet may spend that concerns tokens. */
export interface TokenCoins {
  /** The wallet's tokens that may be spent; absent where no token may be. */
  readonly tokens?: Tokens | undefined
  /** By `txid:vout`. */
  readonly borrowed?: ReadonlyMap<string, BorrowedOutput> | undefined
}

type Prevouts = ResolvedInputs['prevouts']

export function borrowedAt(
  { txid, vout }: SpentOutput,
  { borrowed }: TokenCoins,
): BorrowedOutput | undefined {
  return borrowed?.get(`${txid}:${vout}`)
}

/** Returns the spent outputs that hold tokens, by tokenid. */
function spentByToken(
  prevouts: Prevouts,
  own: TokenCoins,
): ReadonlyMap<string, readonly SpentOutput[]> {
  const isToken = (it: SpentOutput) =>
    own.tokens?.isOwn(it.script) === true || borrowedAt(it, own)?.holds === 'units'
  const byToken = new Map<string, SpentOutput[]>()
  for (const spent of prevouts) {
    if (spent === undefined || !isToken(spent)) continue
    const tokenid = own.tokens!.tokenidOf(spent)
    const others = byToken.get(tokenid)
    if (others === undefined) byToken.set(tokenid, [spent])
    else others.push(spent)
  }
  return byToken
}

/** Proves the spent tokens, all of one tokenid at once: no two may rest on one output. */
export function* proveTokens(
  prevouts: Prevouts,
  own: TokenCoins,
): Steps<ReadonlyMap<SpentOutput, BareProof>> {
  const proven = new Map<SpentOutput, BareProof>()
  for (const [tokenid, spent] of spentByToken(prevouts, own)) {
    const proofs = yield* own.tokens!.histories.get(tokenid)!.prove(spent)
    for (const [at, output] of spent.entries()) proven.set(output, proofs[at]!)
  }
  return proven
}

/** Rules that an output of the right script breaks if it belongs to another token, or to none. */
const foreignRules: readonly string[] = ['last_output', 'no_payload', 'other_token']

/** Returns why an output of the right script is not this token, if that is disproven. */
export function disproofFinding(
  proof: BareProof,
  tokenid: string,
  path: string,
): Finding | undefined {
  if (proof.verdict !== 'disproven') return undefined
  const code = foreignRules.includes(proof.rule) ? 'foreign_token_input' : 'fake_token_input'
  return finding(code, path, { expected: tokenid, actual: `${proof.rule} in ${proof.txid}` })
}

/** The list of missing ancestors may be long, and is the same for all inputs. */
const missingShownMax = 8

/** @param unproven - indexes of inputs whose tokens are not proven to their creation */
export function* unprovenFindings(
  unproven: readonly number[],
  prevouts: Prevouts,
  tokens: Tokens | undefined,
): Steps<Finding[]> {
  const missingOf = new Map<string, string>()
  const tokenids = unproven.map((index) => tokens!.tokenidOf(prevouts[index]!))
  for (const tokenid of new Set(tokenids)) {
    const txids = unproven.flatMap((index, at) =>
      tokenids[at] === tokenid ? [prevouts[index]!.txid] : [],
    )
    const missing = yield* tokens!.histories.get(tokenid)!.missingFor(txids)
    const shown = missing.slice(0, missingShownMax).join(', ')
    const rest = missing.length - missingShownMax
    missingOf.set(tokenid, `missing ${shown}${rest > 0 ? ` and ${rest} more` : ''}`)
  }
  return unproven.map((index, at) =>
    finding('token_parent_unproven', `inputs[${index}]`, { actual: missingOf.get(tokenids[at]!) }),
  )
}

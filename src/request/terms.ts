// The members that every request may have: how a file has them, what an argument must be, and what
// is wrong of their values. A further member is added here alone.

import {
  defaultFee,
  defaultMaxFee,
  expiryBlocksMax,
  expiryHeightThreshold,
} from '../chain/limits.ts'
import { defaultNetwork, type Network } from '../chain/network.ts'
import { errorOf, unlessMalformed } from '../errors/malformed.ts'
import { satsMax } from '../primitives/amount.ts'
import { isHex32, zeroHex32 } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { fixedHex } from '../primitives/wire.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { moduleOfScript } from '../script/burned-scripts.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { isCompressedPoint, learnPublicKeys } from '../script/public-key.ts'
import { scriptOfAddress } from '../script/script.ts'
import type { Outpoint } from '../transaction/types.ts'
import { member, optional, type RequestForms } from './form-table.ts'
import { height, outpoints, text, texts, txids, units } from './forms.ts'
import { type ChainTerms, chainTerms } from './known-chain.ts'
import { network } from './network.ts'
import type { Problem } from './problem.ts'

/** Members that every request may have. */
export interface IntentTerms {
  /** `assetChain` if absent. */
  readonly network?: Network
  /** Satoshis; 10000 if absent. */
  readonly fee?: bigint
  /** Satoshis; twice the fee, at most 20000, if absent. */
  readonly maxFee?: bigint
  /**
   * Further keys of the same wallet, as compressed hex or as addresses, because daemons pay fees
   * from any key. Their native coins may be spent, and no change goes to them.
   */
  readonly ownKeys?: readonly string[]
  /**
   * The only outputs that may be spent, besides those of an order that the intent names. A
   * transaction does not name its chain, and the same keys may have coins on many chains. The
   * wallet knows these outputs to be on its chain, which binds a creation to that chain.
   */
  readonly spendable?: readonly Outpoint[]
  /**
   * Txids of transactions that the wallet knows to be on its chain, such as a coinbase. At least
   * one spent output must descend from one of them, as the evidence shows. The transaction is then
   * valid on no other chain, unless that chain shares the blocks up to the known transaction.
   */
  readonly onChain?: readonly string[]
  /**
   * The chain, by blocks that the wallet knows. At least one spent output must come from a
   * transaction that `evidence.inclusion` proves to be in it.
   */
  readonly chain?: ChainTerms
  /**
   * The source of `ownKeys`, `spendable`, `onChain`, `chain`, if not the wallet; reports repeat it.
   */
  readonly reportedBy?: string
  /**
   * Blocks above the tip at which the transaction must have expired; 400 if absent, which is twice
   * the default of daemons.
   */
  readonly expiryBlocksMax?: number
}

/** An intent in which nothing that costs is left to defaults, as builders give it. */
export type SpelledOut<Intent extends IntentTerms> = Intent &
  Required<Pick<IntentTerms, 'network' | 'fee' | 'maxFee'>>

/** The form of each. A case file has the network beside its intent. */
export const termForms: Required<RequestForms<IntentTerms>> = {
  network: { ...member('the network', optional(network)), isArgument: true },
  fee: member('satoshis; 10000 if absent', optional(units)),
  maxFee: member('satoshis; twice the fee, at most 20000, if absent', optional(units)),
  ownKeys: member(
    'further keys of yours, whose coins may pay the fee',
    optional(texts('PUBKEY', 'ADDRESS')),
  ),
  spendable: member('the only outputs that may be spent', optional(outpoints)),
  onChain: member(
    'transactions on your chain; an input must descend from one of them',
    optional(txids),
  ),
  chain: member('blocks of your chain, to which proofs must lead', optional(chainTerms)),
  reportedBy: member(
    'the source of ownKeys, spendable, onChain and chain, for reports',
    optional(text('the wallet')),
  ),
  expiryBlocksMax: member(
    'blocks above the tip until which it must expire; 400 if absent',
    optional(height),
  ),
}

export interface FeeBounds {
  readonly fee: bigint
  readonly maxFee: bigint
}

/** The members of a request that set the bounds. */
export interface GivenFee {
  readonly fee?: bigint | undefined
  readonly maxFee?: bigint | undefined
}

export function feeBounds({ fee = defaultFee, maxFee = defaultMaxFee(fee) }: GivenFee): FeeBounds {
  return { fee, maxFee }
}

/** The terms of an intent, with nothing left to defaults. */
export interface ReadyTerms {
  readonly network: Network
  readonly bounds: FeeBounds
  /** Scripts of the coins of the wallet's further keys, each with its key or address. */
  readonly ownScripts: ReadonlyMap<string, string>
  /** As `txid:vout`; absent where anything may be spent. */
  readonly spendable?: ReadonlySet<string>
  /** Txids; absent where any chain will do. */
  readonly onChain?: ReadonlySet<string>
  /** Absent where the request names no chain by its blocks. */
  readonly chain?: ChainTerms
  readonly reportedBy?: string
  readonly expiryBlocksMax: number
}

interface CheckedTerms {
  readonly terms: ReadyTerms
  readonly problems: readonly Problem[]
}

/** Validates terms whose types are right; wrong values are problems. */
export function checkTerms(
  given: IntentTerms,
  needs: 'conditions' | 'nothing' = 'conditions',
): CheckedTerms {
  const { network = defaultNetwork, ownKeys, spendable, reportedBy } = given
  const fees = { fee: given.fee, maxFee: given.maxFee }
  const onChain = given.onChain?.map((txid) => txid.toLowerCase())
  const own = ownKeys === undefined ? noOwnKeys : checkOwnKeys(ownKeys, network)
  const outpoints = spendable?.map(({ txid, vout }) => `${txid.toLowerCase()}:${vout}`)
  const terms: { -readonly [Name in keyof ReadyTerms]: ReadyTerms[Name] } = {
    network,
    bounds: feeBounds(fees),
    ownScripts: own.scripts,
    expiryBlocksMax: given.expiryBlocksMax ?? expiryBlocksMax,
  }
  if (outpoints !== undefined) terms.spendable = new Set(outpoints)
  if (onChain !== undefined) terms.onChain = new Set(onChain)
  if (given.chain !== undefined) terms.chain = given.chain
  if (reportedBy !== undefined) terms.reportedBy = reportedBy
  return {
    terms,
    problems: [
      // A payment checks its fee by itself, because it may have a rate.
      ...(needs === 'conditions' ? [...networkProblems(network), ...feeProblems(fees)] : []),
      ...own.problems,
      ...spendableProblems(outpoints),
      ...onChainProblems(onChain),
    ],
  }
}

/** Returns a problem of a chain where nothing but plain coins can move. */
export function networkProblems({ name, conditions }: Network): Problem[] {
  if (conditions !== 'none') return []
  const expected = 'a chain with crypto-conditions'
  return [{ code: 'conditions', path: 'network', expected, actual: name }]
}

/** Returns a problem of a fee. A negative one would mean that another party adds coins. */
export function feeProblems(given: GivenFee): Problem[] {
  const { fee, maxFee } = feeBounds(given)
  const details = { path: 'fee', actual: [given.fee, given.maxFee].join(', ') }
  if (fee < 0n || fee > satsMax) return [{ code: 'fee', ...details, inError: { actual: fee } }]
  if (fee <= maxFee) return []
  const inError = { expected: maxFee, actual: fee }
  return [{ code: 'feeOverMax', ...details, expected: `at most ${maxFee}`, inError }]
}

/** Returns a problem of the height at which a transaction expires; 0 is for one that never does. */
export function expiryProblems(
  height: number,
  tipHeight: number | undefined,
  blocksMax: number = expiryBlocksMax,
): Problem[] {
  const tip = tipHeight ?? 0
  const last = tipHeight === undefined ? expiryHeightThreshold : tipHeight + blocksMax
  const most = Math.min(last, expiryHeightThreshold - 1)
  const inError = { expected: `over ${tip}, at most ${most}` }
  const details = { path: 'expiryHeight', actual: height, inError }
  if (height >= expiryHeightThreshold) {
    return [{ code: 'expiry', ...details, expected: `below ${expiryHeightThreshold}` }]
  }
  if (height === 0) return []
  if (height <= tip) return [{ code: 'expired', ...details, expected: `above ${tip}` }]
  if (height <= last) return []
  return [{ code: 'expiry', ...details, expected: `at most ${last}` }]
}

interface OwnKeys {
  readonly scripts: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

const noOwnKeys: OwnKeys = { scripts: new Map(), problems: [] }

function checkOwnKeys(ownKeys: readonly string[], network: Network): OwnKeys {
  const scripts = new Map<string, string>()
  const problems: Problem[] = []
  learnPublicKeys(ownKeys.map((key) => key.toLowerCase()))
  for (const [at, key] of ownKeys.entries()) {
    const path = `ownKeys[${at}]`
    const own = scriptsOf(key, network)
    if (own.some((script) => moduleOfScript(script) !== undefined)) {
      problems.push({ code: 'moduleKey', path, actual: redactKey(key) })
      continue
    }
    if (own.length === 0) {
      problems.push({ code: 'ownName', path, actual: redactKey(key) })
    }
    // keys as signatures have them; addresses as they are, where case matters
    const signer = own.length > 1 ? key.toLowerCase() : key
    for (const script of own) scripts.set(script, signer)
  }
  return { scripts, problems }
}

/** Returns the scripts of a key or of an address of a key; none for any other text. */
function scriptsOf(key: string, network: Network): string[] {
  const pubkey = key.toLowerCase()
  if (isCompressedPoint(pubkey)) return [pubkeyScript(pubkey), pubkeyHashScript(pubkey)]
  const script = unlessMalformed(() => scriptOfAddress(key, network)) ?? ''
  return addressedScript(script)?.type === 'pubkeyhash' ? [script] : []
}

function spendableProblems(outpoints: readonly string[] = []): Problem[] {
  const at = outpoints.findIndex((outpoint) => !/^[0-9a-f]{64}:/.test(outpoint))
  if (at < 0) return []
  return [{ code: 'spendable', path: `spendable[${at}]`, actual: outpoints[at] }]
}

function onChainProblems(txids: readonly string[] = []): Problem[] {
  const at = txids.findIndex((txid) => !isTxid(txid))
  if (at < 0) return []
  return [{ code: 'onChain', path: `onChain[${at}]`, actual: redactKey(txids[at]!) }]
}

/** Returns a problem of the id of a token, which is the txid of its creation. */
export function tokenidProblems(tokenid: string, path = 'tokenid'): Problem[] {
  const actual = tokenid.toLowerCase()
  if (isTxid(actual)) return []
  const inError = errorOf(() => fixedHex(tokenid, 32, path)) ?? { actual }
  return [{ code: 'tokenid', path, actual: redactKey(actual), inError }]
}

/** Returns true for lower-case hex of a txid, but not for the zeros that a coinbase spends. */
function isTxid(text: string): boolean {
  return isHex32(text) && text !== zeroHex32
}

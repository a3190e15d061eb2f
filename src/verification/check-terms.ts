import { expiryBlocksMax } from '../chain/limits.ts'
import { defaultNetwork, type Network, requireNetwork } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import {
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { redactKey } from '../primitives/redact-key.ts'
import type { IntentTerms } from '../request/intent.ts'
import { type Finding, finding } from '../request/report.ts'
import { moduleOfScript } from '../script/burned-scripts.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { isCompressedPoint, learnPublicKeys } from '../script/public-key.ts'
import { scriptOfAddress } from '../script/script.ts'
import type { Outpoint } from '../transaction/types.ts'
import { isTxid } from './check-intent.ts'
import { type FeeBounds, feeBounds } from './fee.ts'

/** The terms of an intent, nothing left to defaults. */
export interface ReadyTerms {
  readonly network: Network
  readonly bounds: FeeBounds
  /** Scripts of the coins of the wallet's further keys, each with its key or address. */
  readonly ownScripts: ReadonlyMap<string, string>
  /** As `txid:vout`; absent where anything may be spent. */
  readonly spendable?: ReadonlySet<string>
  /** Txids; absent where any chain will do. */
  readonly onChain?: ReadonlySet<string>
  readonly reportedBy?: string
  readonly expiryBlocksMax: number
}

interface CheckedTerms {
  readonly terms: ReadyTerms
  readonly findings: readonly Finding[]
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function checkTerms(
  given: IntentTerms,
  needs: 'conditions' | 'nothing' = 'conditions',
): CheckedTerms {
  requireTerms(given)
  const { network = defaultNetwork, ownKeys, spendable, reportedBy } = given
  const onChain = given.onChain?.map((txid) => txid.toLowerCase())
  const own = ownKeys === undefined ? noOwnKeys : checkOwnKeys(ownKeys, network)
  const outpoints = spendable?.map(({ txid, vout }) => `${txid.toLowerCase()}:${vout}`)
  return {
    terms: {
      network,
      bounds: feeBounds(given),
      ownScripts: own.scripts,
      ...(outpoints !== undefined && { spendable: new Set(outpoints) }),
      ...(onChain !== undefined && { onChain: new Set(onChain) }),
      ...(reportedBy !== undefined && { reportedBy }),
      expiryBlocksMax: given.expiryBlocksMax ?? expiryBlocksMax,
    },
    findings: [
      // a payment has a fee of another kind
      ...(needs === 'conditions' ? [...checkNetwork(network), ...checkRequestedFee(given)] : []),
      ...own.findings,
      ...checkSpendableTxids(outpoints),
      ...checkOnChain(onChain),
    ],
  }
}

function requireTerms(intent: IntentTerms): void {
  const { network, fee, maxFee, spendable, reportedBy, expiryBlocksMax } = intent
  if (network !== undefined) requireNetwork(network, 'intent.network')
  if (fee !== undefined) requireBigint(fee, 'intent.fee')
  if (maxFee !== undefined) requireBigint(maxFee, 'intent.maxFee')
  if (intent.ownKeys !== undefined) requireStrings(intent.ownKeys, 'intent.ownKeys')
  if (spendable !== undefined) requireOutpoints(spendable)
  if (intent.onChain !== undefined) requireStrings(intent.onChain, 'intent.onChain')
  if (reportedBy !== undefined) requireString(reportedBy, 'intent.reportedBy')
  if (expiryBlocksMax !== undefined) requireUint32(expiryBlocksMax, 'intent.expiryBlocksMax')
}

function requireStrings(given: unknown, path: string): void {
  requireArray(given, path)
  for (const [at, item] of given.entries()) requireString(item, `${path}[${at}]`)
}

function requireOutpoints(spendable: unknown): void {
  requireArray(spendable, 'intent.spendable')
  for (const [at, outpoint] of spendable.entries()) {
    const { txid, vout } = (outpoint ?? {}) as Partial<Outpoint>
    // there may be thousands: where they are is only put into words for one that is wrong
    if (typeof txid === 'string' && typeof vout === 'number' && vout >>> 0 === vout) continue
    const path = `intent.spendable[${at}]`
    requireObject(outpoint, path)
    requireString(txid, `${path}.txid`)
    requireUint32(vout, `${path}.vout`)
  }
}

function checkNetwork({ name, conditions }: Network): Finding[] {
  if (conditions !== 'none') return []
  const details = { expected: 'a chain with crypto-conditions', actual: name }
  return [finding('intent_network', 'intent.network', details)]
}

/** Less than nothing would be put in by somebody else. */
function checkRequestedFee({ fee, maxFee }: IntentTerms): Finding[] {
  if ((fee ?? 0n) >= 0n && (maxFee ?? 0n) >= 0n) return []
  return [finding('intent_fee', 'intent.fee', { actual: [fee, maxFee].join(', ') })]
}

interface OwnKeys {
  readonly scripts: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

const noOwnKeys: OwnKeys = { scripts: new Map(), findings: [] }

function checkOwnKeys(ownKeys: readonly string[], network: Network): OwnKeys {
  const scripts = new Map<string, string>()
  const findings: Finding[] = []
  learnPublicKeys(ownKeys.map((key) => key.toLowerCase()))
  for (const [at, key] of ownKeys.entries()) {
    const path = `intent.ownKeys[${at}]`
    const own = scriptsOf(key, network)
    if (own.some((script) => moduleOfScript(script) !== undefined)) {
      findings.push(finding('intent_module_key', path, { actual: redactKey(key) }))
      continue
    }
    if (own.length === 0) {
      findings.push(finding('intent_own_keys', path, { actual: redactKey(key) }))
    }
    // keys as signatures have them; addresses as they are, where case matters
    const signer = own.length > 1 ? key.toLowerCase() : key
    for (const script of own) scripts.set(script, signer)
  }
  return { scripts, findings }
}

/** Where coins of a key or an address of a key lie; nowhere if it is neither. */
function scriptsOf(key: string, network: Network): string[] {
  const pubkey = key.toLowerCase()
  if (isCompressedPoint(pubkey)) return [pubkeyScript(pubkey), pubkeyHashScript(pubkey)]
  try {
    const script = scriptOfAddress(key, network)
    return script.startsWith('76a9') ? [script] : []
  } catch (error) {
    if (isAntaraError(error)) return []
    throw error
  }
}

function checkSpendableTxids(outpoints: readonly string[] | undefined): Finding[] {
  if (outpoints === undefined) return []
  const at = outpoints.findIndex((outpoint) => !/^[0-9a-f]{64}:/.test(outpoint))
  if (at < 0) return []
  return [finding('intent_spendable', `intent.spendable[${at}]`, { actual: outpoints[at] })]
}

function checkOnChain(txids: readonly string[] = []): Finding[] {
  const at = txids.findIndex((txid) => !isTxid(txid))
  if (at < 0) return []
  return [finding('intent_on_chain', `intent.onChain[${at}]`, { actual: redactKey(txids[at]!) })]
}

/**
 * Checks that only allowed outputs are spent, and names the source of that list.
 *
 * @param borrowed - as `txid:vout`, of an order that the intent names
 */
export function checkSpendable(
  inputs: readonly Outpoint[],
  { spendable, onChain, ownScripts, reportedBy }: ReadyTerms,
  borrowed?: ReadonlyMap<string, unknown>,
): Finding[] {
  const findings: Finding[] = []
  if (reportedBy !== undefined) {
    const actual = reportedBy
    const reported = finding('intent_asserted', 'intent.spendable', { actual })
    if (spendable !== undefined) findings.push(reported)
    if (onChain !== undefined) findings.push({ ...reported, path: 'intent.onChain' })
    if (ownScripts.size > 0) findings.push({ ...reported, path: 'intent.ownKeys' })
  }
  if (spendable === undefined) return findings
  for (const [index, { txid, vout }] of inputs.entries()) {
    const outpoint = `${txid}:${vout}`
    if (spendable.has(outpoint) || borrowed?.has(outpoint)) continue
    findings.push(finding('unlisted_input', `inputs[${index}]`, { actual: outpoint }))
  }
  return findings
}

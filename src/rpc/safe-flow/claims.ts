// Facts that only the daemon reports, such as own keys and unspent outputs.

import { networks } from '../../chain/network.ts'
import { compressedKeyDigits } from '../../primitives/hex-forms.ts'
import { inSlices, type Steps } from '../../primitives/steps.ts'
import type { IntentTerms } from '../../request/terms.ts'
import { addressedScript } from '../../script/addressed-script.ts'
import type { TransactionInput, TransactionOutput } from '../../transaction/types.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { unlessRefused } from '../errors.ts'
import type { Fetched } from './evidence.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'
import { loadReader, type ReadTransaction, readTransaction } from './transaction.ts'

/** Terms of an intent that the daemon claims, and their source. */
export type ClaimedTerms = Pick<IntentTerms, 'ownKeys' | 'spendable' | 'onChain' | 'reportedBy'>

/** The terms of an intent that decide which facts about outputs are requested from the daemon. */
export type OwnTerms = {
  readonly [Name in 'network' | 'ownKeys' | 'spendable' | 'onChain' | 'chain' | 'reportedBy']?:
    | IntentTerms[Name]
    | undefined
}

interface Question {
  readonly hex: string
  readonly fetched: Fetched
  /** The caller's terms, which take precedence over the daemon's claims. */
  readonly terms: OwnTerms
  /** The wallet's key of the intent. */
  readonly pubkey: string
  /**
   * How to tie the transaction to the daemon's chain. `unspent` asks whether its inputs are
   * unspent. `spent` names the transactions that it spends, because the daemon has the transaction
   * already.
   */
  readonly inputs?: 'unspent' | 'spent' | undefined
}

/**
 * Fetches the daemon's claims about the spent outputs: which keys belong to its wallet, and which
 * outputs are unspent. They are unproven, and the report names their source.
 */
export async function fetchClaims(
  client: DaemonClient,
  options: SafeFlowOptions,
  question: Question,
): Promise<ClaimedTerms> {
  const { terms } = question
  const inputs = (await readTransaction(question.hex))?.inputs ?? []
  const ownKeys =
    terms.ownKeys === undefined ? await fetchOwnKeys(client, options, question, inputs) : undefined
  const spendable =
    terms.spendable === undefined && question.inputs === 'unspent'
      ? await fetchSpendable(client, options, inputs)
      : undefined
  const onChain = parentsOnChain(question, inputs)
  const claims = {
    ...(ownKeys && { ownKeys }),
    ...(spendable && { spendable }),
    ...(onChain && { onChain }),
  }
  const names = Object.keys(claims).join(', ')
  if (names === '') return {}
  const word = `the daemon that was asked (${names})`
  return {
    ...claims,
    reportedBy: terms.reportedBy === undefined ? word : `${terms.reportedBy}; ${word}`,
  }
}

/** Number of keys to query; a wallet that spends from more can name its own. */
const keysQueriedMax = 32

/**
 * Returns the keys, besides the intent's own, that the daemon claims for its wallet; `undefined` if
 * there are none.
 */
async function fetchOwnKeys(
  client: DaemonClient,
  options: SafeFlowOptions,
  { fetched, terms, pubkey }: Question,
  inputs: readonly TransactionInput[],
): Promise<string[] | undefined> {
  const { pubkeyHashScript, pubkeyScript } = await import('../../script/key-script.ts')
  const { addressOfScript } = await import('../../script/script.ts')
  const { network = networks.assetChain } = terms
  const read = await loadReader()
  const spent = await inSlices(spentOutputs(inputs, fetched, read), options)
  const scripts = new Set(spent.map(({ script }) => script))
  scripts.delete(pubkeyScript(pubkey))
  scripts.delete(pubkeyHashScript(pubkey))
  const own: string[] = []
  for (const script of [...scripts].filter(paysOneKey).slice(0, keysQueriedMax)) {
    const address = addressOfScript(script, network)
    if (address === undefined) continue
    const isMine = await unlessRefused(client.validateaddress({ address }, callOptions(options)))
    if (isMine?.ismine === true) own.push(script.startsWith('76') ? address : script.slice(2, -2))
  }
  return own.length === 0 ? undefined : own
}

function paysOneKey(script: string): boolean {
  const paid = addressedScript(script)
  return paid?.type === 'pubkey'
    ? paid.key.length === compressedKeyDigits
    : paid?.type === 'pubkeyhash'
}

/** Returns the spent outputs, as far as they are known; reads each transaction once. */
function* spentOutputs(
  inputs: readonly TransactionInput[],
  { byTxid }: Fetched,
  read: ReadTransaction,
): Steps<TransactionOutput[]> {
  const outputs = new Map<string, readonly TransactionOutput[]>()
  for (const txid of new Set(inputs.map((input) => input.txid))) {
    outputs.set(txid, read(byTxid.get(txid) ?? '')?.outputs ?? [])
    yield
  }
  return inputs.flatMap(({ txid, vout }) => outputs.get(txid)![vout] ?? [])
}

/** Returns the inputs that are unspent on the daemon's chain; `undefined` if it does not answer. */
async function fetchSpendable(
  client: DaemonClient,
  options: SafeFlowOptions,
  inputs: readonly TransactionInput[],
): Promise<{ txid: string; vout: number }[] | undefined> {
  const spendable: { txid: string; vout: number }[] = []
  for (const { txid, vout } of inputs) {
    const output = await unlessRefused(client.gettxout({ txid, n: vout }, callOptions(options)))
    if (output === undefined) return undefined
    if (output !== null) spendable.push({ txid, vout })
  }
  return spendable
}

/**
 * Returns the transactions that a transaction of the daemon's chain spends, as far as the daemon
 * gave their bytes. Outputs that are spent cannot tie a transaction to a chain.
 */
function parentsOnChain(
  { inputs: state, terms, fetched }: Question,
  inputs: readonly TransactionInput[],
): string[] | undefined {
  const { spendable, onChain, chain } = terms
  const isTied = spendable !== undefined || onChain !== undefined || chain !== undefined
  if (state !== 'spent' || isTied) return undefined
  const parents = [...new Set(inputs.map(({ txid }) => txid))]
  const known = parents.filter((txid) => fetched.byTxid.has(txid))
  return known.length === 0 ? undefined : known
}

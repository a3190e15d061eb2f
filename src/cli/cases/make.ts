// Makes the case files of transactions: fetches, reads the request, verifies, writes.

import { join } from 'node:path'
import type { Network } from '../../chain/network.ts'
import { blockTime } from '../../chain-source/block-time.ts'
import { withTransactionCache } from '../../chain-source/cached.ts'
import { evidenceFrom } from '../../chain-source/evidence.ts'
import type { ChainOptions, ChainSource } from '../../chain-source/source.ts'
import { isAntaraError, sentenceOf } from '../../errors/antara-error.ts'
import { printable } from '../../primitives/printable.ts'
import type { Case } from '../../request/case.ts'
import type { Evidence } from '../../request/evidence.ts'
import { formatCase } from '../../request/format-case.ts'
import { readTransaction } from '../../rpc/safe-flow/transaction.ts'
import { isNulldata } from '../../script/nulldata.ts'
import { decodeTokenTransaction } from '../../token/read/read.ts'
import { decodeTransaction, transactionId } from '../../transaction/decode.ts'
import { verifyCase } from '../../verification/case.ts'
import { parseCase } from '../../verification/parse-case.ts'
import { type Terminal, UsageError } from '../command.ts'
import { interruptible } from '../interrupt.ts'
import { readTextFile } from '../read.ts'
import { isTaken, writeNew } from './files.ts'
import { observedRequest } from './observed.ts'

interface Place {
  readonly chain: ChainSource
  readonly network: Network
  readonly folder: string
}

const note =
  'The request was read from the transaction itself, so this case agrees by construction. It does ' +
  'not show that anyone asked for it. Heights and times are what a server claims.'

/** Makes the files that are not there yet. Returns whether each transaction has a case that agrees. */
export async function makeCases(
  txids: readonly string[],
  { chain, network, folder }: Place,
  terminal: Terminal,
): Promise<boolean> {
  const place = { chain: withTransactionCache(chain), network, folder }
  let isWhole = true
  for (const txid of txids) isWhole = (await makeOrKeep(txid, place, terminal)) && isWhole
  return isWhole
}

/** Returns whether the transaction has a case that agrees. */
async function makeOrKeep(
  txid: string,
  { chain, network, folder }: Place,
  terminal: Terminal,
): Promise<boolean> {
  const name = `${txid}.json`
  const path = join(folder, name)
  if (isTaken(path)) return showKept(txid, path, terminal)
  const made = await interruptible((options) => caseOf(txid, chain, network, options))
  if ('reason' in made) {
    terminal.printError(`antara-tx cases: ${txid}: no case: ${printable(made.reason)}\n`)
    return false
  }
  const verdict = verdictOn(made)
  const text = formatCase(made).replace('{', `{\n  "note": ${JSON.stringify(note)},`)
  if (!writeNew(folder, name, text)) return showKept(txid, path, terminal)
  terminal.print(`${txid} ${made.operation} ${verdict}\n`)
  return verdict === agrees
}

const agrees = 'AGREES'

/** Returns the verdict on a case, with the codes of its rejects. */
function verdictOn(given: Case): string {
  const { ok, findings } = verifyCase(given)
  const rejects = findings.filter(({ severity }) => severity === 'reject')
  return ok ? agrees : `REJECTED ${rejects.map(({ code }) => code).join(', ')}`
}

/**
 * Shows that a file is kept. A further run has the exit status of the first one, so the file is
 * verified again.
 *
 * @returns whether the file is a case of the transaction that agrees
 */
async function showKept(txid: string, path: string, terminal: Terminal): Promise<boolean> {
  const kept = await keptCase(txid, path)
  if (kept === undefined) {
    const reason = 'kept: the file has no case of this transaction; remove it to make one'
    terminal.printError(`antara-tx cases: ${txid}: ${reason}\n`)
    return false
  }
  const verdict = verdictOn(kept)
  terminal.print(`${txid} kept: ${verdict === agrees ? 'the file is there' : verdict}\n`)
  return verdict === agrees
}

async function keptCase(txid: string, path: string): Promise<Case | undefined> {
  try {
    const kept = parseCase(await readTextFile(path))
    return transactionId(kept.hex) === txid ? kept : undefined
  } catch (error) {
    if (isAntaraError(error) || error instanceof UsageError) return undefined
    throw error
  }
}

async function caseOf(
  txid: string,
  chain: ChainSource,
  network: Network,
  options: ChainOptions,
): Promise<Case | { readonly reason: string }> {
  const [hex] = await chain.transactions([txid], options)
  if (hex === undefined) return { reason: 'the server does not have the transaction' }
  const tx = await readTransaction(hex)
  if (tx?.txid !== txid) return { reason: 'the server gave another transaction' }
  try {
    const token = decodeTokenTransaction(hex, network)
    const isTransfer = token?.payload.kind === 'transfer'
    const wanted = isTransfer ? { ...options, tokenid: token.tokenid } : options
    const { evidence, missing } = await evidenceFrom(chain, hex, wanted)
    const [lacking] = missing
    if (lacking !== undefined) {
      return { reason: `evidence missing: ${lacking.txid}: ${lacking.reason}` }
    }
    const asked = observedRequest(hex, byTxid(evidence), network)
    if ('reason' in asked) return asked
    return { ...asked, hex, evidence: await evidenceBefore(hex, evidence, chain, options) } as Case
  } catch (error) {
    // The chain may have a transaction that this library cannot read.
    if (isAntaraError(error)) return { reason: sentenceOf(error) }
    throw error
  }
}

function byTxid({ previousTransactions }: Evidence): ReadonlyMap<string, string> {
  return new Map(previousTransactions.map((hex) => [decodeTransaction(hex).txid, hex]))
}

/** Returns the evidence as it was before the block of a transaction; unchanged if it has none. */
async function evidenceBefore(
  hex: string,
  evidence: Evidence,
  chain: ChainSource,
  options: ChainOptions,
): Promise<Evidence> {
  const { txid, outputs } = decodeTransaction(hex)
  const output = outputs.find(({ script }) => !isNulldata(script))
  const paid = output === undefined ? [] : [{ txid, script: output.script }]
  const height = (await chain.heights?.(paid, options))?.get(txid) ?? 0
  if (height === 0) return evidence
  const tipHeight = height - 1
  const time = await blockTime(chain, tipHeight, options)
  // A parent in the same block was in no block then.
  const heights = Object.entries(evidence.heights ?? {}).map(([parent, at]) => [
    parent,
    at > tipHeight ? 0 : at,
  ])
  const { tipTime: _, ...rest } = evidence
  return {
    ...rest,
    tipHeight,
    ...(time !== undefined && { tipTime: time }),
    heights: Object.fromEntries(heights),
  }
}

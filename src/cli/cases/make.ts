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
import { decodeTransaction } from '../../transaction/decode.ts'
import { verifyCase } from '../../verification/case.ts'
import type { Terminal } from '../command.ts'
import { interruptible } from '../interrupt.ts'
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
  const source = withTransactionCache(chain)
  let isWhole = true
  for (const txid of txids) {
    const name = `${txid}.json`
    if (isTaken(join(folder, name))) {
      terminal.print(`${txid} kept: the file is there\n`)
      continue
    }
    const made = await interruptible((options) => caseOf(txid, source, network, options))
    if ('reason' in made) {
      isWhole = false
      terminal.printError(`antara-tx cases: ${txid}: no case: ${printable(made.reason)}\n`)
      continue
    }
    const { ok, findings } = verifyCase(made)
    if (
      !writeNew(
        folder,
        name,
        formatCase(made).replace('{', `{\n  "note": ${JSON.stringify(note)},`),
      )
    ) {
      terminal.print(`${txid} kept: the file is there\n`)
      continue
    }
    const rejects = findings.filter(({ severity }) => severity === 'reject')
    isWhole &&= ok
    const codes = rejects.map(({ code }) => code).join(', ')
    terminal.print(`${txid} ${made.operation} ${ok ? 'AGREES' : `REJECTED ${codes}`}\n`)
  }
  return isWhole
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

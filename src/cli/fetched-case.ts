// How `antara-tx verify` fetches evidence from the server that its options name.

import { networks } from '../chain/network.ts'
import { type CaseCompleter, createCaseCompleter } from '../chain-source/case-evidence.ts'
import type { Case } from '../request/case.ts'
import { RpcError } from '../rpc/errors.ts'
import { type ParsedArguments, ServerFailedError, type Terminal, UsageError } from './command.ts'
import type { LineJob } from './lines/job.ts'

/** Runs work with a function that fetches evidence from the server of the options. */
export async function withEvidence<T>(
  parsed: ParsedArguments,
  terminal: Terminal,
  work: (complete: CaseCompleter) => Promise<T>,
): Promise<T> {
  const { openChain } = await import('./chain.ts')
  // Evidence is found by txid, which is the same for every network.
  const { chain, close } = await openChain(parsed, terminal, networks.assetChain)
  try {
    return await work(createCaseCompleter(chain))
  } catch (error) {
    // A server that refuses is no finding about the transaction, and has another exit status.
    throw error instanceof RpcError ? new ServerFailedError(error) : error
  } finally {
    close()
  }
}

/** Fetches the evidence of one case, and names on standard error what the server did not give. */
export async function fetchCase(
  given: Case,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<Case> {
  const completed = await withEvidence(parsed, terminal, (complete) => complete(given))
  for (const { txid, reason } of completed.missing) {
    terminal.printError(`antara-tx verify: evidence missing: ${txid}: ${reason}\n`)
  }
  return completed.given
}

/** Verifies line by line with evidence from the server, and returns the exit status. */
export async function verifyFetchedLines(
  path: string | undefined,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<number> {
  if (parsed.options.has('jobs')) {
    throw new UsageError(
      '--jobs cannot be combined with --daemon or --electrum, which fetch in parallel',
    )
  }
  const server = parsed.options.has('electrum') ? 'electrum' : 'daemon'
  const isStrict = parsed.flags.has('strict')
  const job = { command: 'verify', evidence: server, ...(isStrict && { isStrict }) } as const
  const { runLines } = await import('./lines/run.ts')
  const { openFetchingPool } = await import('./lines/fetched.ts')
  return withEvidence(parsed, terminal, (complete) =>
    runLines(job satisfies LineJob, path, parsed, terminal, () => openFetchingPool(job, complete)),
  )
}

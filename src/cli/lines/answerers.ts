import { isAntaraError } from '../../errors/antara-error.ts'
import { internalError } from '../../primitives/internal-error.ts'
import { bigintAsText } from '../../primitives/json-replacer.ts'
import { printableJson } from '../../primitives/printable.ts'
import { passes } from '../../request/report.ts'
import type { Answerer, LineJob, Tally } from './job.ts'

/** Loads only the parts of the library that a job needs. */
export async function answererOf(job: LineJob): Promise<Answerer> {
  const answer = await strictAnswererOf(job)
  return (line, tally) => {
    try {
      return answer(line, tally)
    } catch (error) {
      return errorLine(error, tally)
    }
  }
}

async function strictAnswererOf(job: LineJob): Promise<Answerer> {
  switch (job.command) {
    case 'verify':
      return verifyAnswerer(job)
    case 'txid': {
      const { transactionId } = await import('../../transaction/decode.ts')
      return (line) => `{"txid":"${transactionId(hexOf(line))}"}`
    }
    case 'decode':
      return job.form === 'fields' ? fieldsAnswerer() : daemonAnswerer(job.form, job.network)
    case 'condition': {
      const { conditionAnswer } = await import('../condition-answer.ts')
      const { action } = job
      return (line) => plainJson(conditionAnswer(action, action === 'encode' ? line : hexOf(line)))
    }
  }
}

async function verifyAnswerer(job: { readonly isStrict?: true }): Promise<Answerer> {
  const { parseCase } = await import('../../verification/parse-case.ts')
  const { verifyParsed } = await import('../../verification/case.ts')
  const { reportLine } = await import('../../verification/report-json.ts')
  return (line, tally) => {
    const report = verifyParsed(parseCase(line))
    if (!passes(report, job)) tally.findings += 1
    return reportLine(report)
  }
}

async function fieldsAnswerer(): Promise<Answerer> {
  const { decodeWithTxid } = await import('../../transaction/decode.ts')
  const { transactionJson } = await import('../../transaction/transaction-json.ts')
  return (line) => transactionJson(decodeWithTxid(hexOf(line)))
}

async function daemonAnswerer(dialect: 'current' | 'legacy', named: unknown): Promise<Answerer> {
  const { describeTransaction } = await import('../../transaction/describe.ts')
  const { daemonJson } = await import('../../transaction/daemon-json.ts')
  const { readNetwork } = await import('../../request/network.ts')
  const network = readNetwork(named)
  return (line) => daemonJson(describeTransaction(hexOf(line), { network, dialect }), dialect)
}

const quote = 0x22

/** Returns the hex of a line, which may be a JSON string. Any other line fails as malformed hex. */
function hexOf(line: string): string {
  if (line.charCodeAt(0) !== quote) return line
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : line
  } catch {
    return line
  }
}

/** Formats an answer on one line, with the members of the command's `--json`. */
function plainJson(value: unknown): string {
  return printableJson(JSON.stringify(value, bigintAsText))
}

/**
 * Returns the answer for an error: malformed input, or a failure of antara-tx. Rethrows a missing
 * engine, because no line can be answered without one.
 */
export function errorLine(error: unknown, tally: Tally): string {
  if (isAntaraError(error, 'engine_unavailable')) throw error
  const known = isAntaraError(error) ? error : internalError(error)
  if (known.code === 'internal_error' || known.code === 'engine_failed') tally.failed += 1
  else tally.malformed += 1
  const { code, message, context } = known
  return plainJson({ error: { code, message, ...context } })
}

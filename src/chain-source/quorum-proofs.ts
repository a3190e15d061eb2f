// Headers and proofs of inclusion of several sources.

import { RpcError } from '../rpc/errors.ts'
import type { ChainOptions, ChainSource, ProvenInclusion, SourceHeaders } from './source.ts'

/**
 * The first proof that fits the header beside it. A liar can so withhold a proof, and prove nothing:
 * a verifier compares it with the headers on which the sources agree.
 */
export async function firstInclusion(
  sources: readonly ChainSource[],
  txid: string,
  height: number,
  options: ChainOptions,
): Promise<ProvenInclusion> {
  let last: ProvenInclusion | undefined
  let failure: unknown = unable('inclusion')
  for (const source of sources) {
    if (source.inclusion === undefined) continue
    try {
      last = await source.inclusion(txid, height, options)
      if (last.fault === undefined) return last
    } catch (error) {
      failure = error
    }
  }
  if (last === undefined) throw failure
  return last
}

export async function headersOf(
  source: ChainSource,
  start: number,
  count: number,
  options: ChainOptions,
): Promise<readonly string[]> {
  if (source.headers === undefined) throw unable('headers')
  const { headers } = await source.headers(start, count, options)
  return headers
}

interface Alike extends Pick<SourceHeaders, 'headers'> {
  readonly by: readonly ChainSource[]
  readonly others: readonly ChainSource[]
}

/** The headers that most of the sources gave. */
export function mostAlike(
  answers: readonly { readonly source: ChainSource; readonly answer: readonly string[] }[],
): Alike {
  const byText = new Map<string, ChainSource[]>()
  for (const { source, answer } of answers) {
    const text = answer.join('')
    byText.set(text, [...(byText.get(text) ?? []), source])
  }
  const [most] = [...byText].sort(([, one], [, other]) => other.length - one.length)
  const [text, by] = most!
  const others = answers.map(({ source }) => source).filter((source) => !by.includes(source))
  return { headers: text === '' ? [] : [text], by, others }
}

function unable(method: string): RpcError {
  const message = `${method}: no source can answer it`
  return new RpcError('transport', message, { method, reason: 'not_connected' })
}

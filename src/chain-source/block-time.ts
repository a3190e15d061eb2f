import { decodeBlockHeader } from '../block/header.ts'
import type { ChainOptions, ChainSource } from './source.ts'

/**
 * Reads the time of a block from its header; `undefined` if the source has no headers, or if the
 * chain has headers of another form.
 *
 * @throws {RpcError} as the source
 */
export async function blockTime(
  chain: ChainSource,
  height: number,
  options: ChainOptions,
): Promise<number | undefined> {
  const [header] = (await chain.headers?.(height, 1, options))?.headers ?? []
  if (header === undefined) return undefined
  try {
    return decodeBlockHeader(header).time
  } catch {
    return undefined
  }
}

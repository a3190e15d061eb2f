import { decodeBlockHeader } from '../block/header.ts'
import type { ChainOptions, ChainSource } from './source.ts'

/** Reads the time of a block from its header; `undefined` if the source has no headers. */
export async function blockTime(
  chain: ChainSource,
  height: number,
  options: ChainOptions,
): Promise<number | undefined> {
  const [header] = (await chain.headers?.(height, 1, options))?.headers ?? []
  return header === undefined ? undefined : decodeBlockHeader(header).time
}

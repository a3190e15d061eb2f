// Headers of real blocks, from test/vectors/headers.

import { textOf } from './files.ts'

interface PublicBlock {
  readonly chain: string
  readonly height: number
  readonly hash: string
  readonly previous: string
  readonly merkleroot: string
  readonly txids: readonly string[]
  /** All bytes of the block. */
  readonly block: string
  readonly header: string
  /** The bytes after the header. */
  readonly body: string
}

const headerDigits = 2 * 1487

export const publicBlocks: readonly PublicBlock[] = JSON.parse(
  textOf('test/vectors/headers/public-blocks.json'),
).map((block: PublicBlock) => ({
  ...block,
  header: block.block.slice(0, headerDigits),
  body: block.block.slice(headerDigits),
}))

/** Returns the headers in a file, one in each line. */
export function headersOf(name: string): string[] {
  return textOf(`test/vectors/headers/${name}`).trim().split('\n')
}

// Recognises KMD at a source that does not name its chain, such as an Electrum server.

import { decodeBlockHeader } from '../block/header.ts'
import { isRpcError } from '../rpc/errors.ts'
import type { ChainOptions, ChainSource } from './source.ts'

/** A block of KMD. spesmilo/electrumx, tests/blocks/komodo_mainnet_491000.json */
const komodoBlock = {
  height: 491_000,
  hash: '0000001238a01698491b73cf3c64282d64f02f50b9da22b220bdb0791819caee',
}

/**
 * Returns true if the chain of a source has a block of KMD. A source that refuses the height has a
 * shorter chain.
 */
export async function hasKomodoBlock(
  { headers }: Required<Pick<ChainSource, 'headers'>>,
  options: ChainOptions,
): Promise<boolean> {
  try {
    const [header] = (await headers(komodoBlock.height, 1, options)).headers
    return header !== undefined && decodeBlockHeader(header).hash === komodoBlock.hash
  } catch (error) {
    if (isRpcError(error, 'daemon')) return false
    throw error
  }
}

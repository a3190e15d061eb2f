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
 * Returns true if the chain of a source has a block of KMD. A source may refuse a height that its
 * chain does not have; other refusals, such as of a busy server, decide nothing.
 *
 * @throws {RpcError} as the source
 */
export async function hasKomodoBlock(
  { headers, tip }: Required<Pick<ChainSource, 'headers' | 'tip'>>,
  options: ChainOptions,
): Promise<boolean> {
  try {
    const [header] = (await headers(komodoBlock.height, 1, options)).headers
    return header !== undefined && decodeBlockHeader(header).hash === komodoBlock.hash
  } catch (error) {
    const isRefusal = isRpcError(error, 'daemon')
    if (isRefusal && (await tip(options)).height < komodoBlock.height) return false
    throw error
  }
}

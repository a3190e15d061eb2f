import { createDevNode } from '../../../src/node/index.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  privateKeySigner,
  type Wallet,
  type WalletOptions,
} from '../../../src/wallet/index.ts'

/** Two identities with 50,000,000 satoshis each, in blocks that are deep enough. */
export async function fundedNode() {
  const node = await createDevNode({ listen: false, identities: 2, mine: 'manual' })
  const [alice, bob] = node.identities
  for (const { address } of [alice, bob]) node.fund(address, 50_000_000n)
  node.mine(101)
  const chain = devNodeChain(node)
  return { node, alice, bob, chain }
}

export function openWallet(
  { wif }: { readonly wif: string },
  chain: ChainSource,
  options: Partial<WalletOptions> = {},
): Promise<Wallet> {
  return createWallet({ signers: [privateKeySigner(wif)], chain, ...options })
}

/** A source that answers one method otherwise. */
export function tampered(chain: ChainSource, changes: Partial<ChainSource>): ChainSource {
  return { ...chain, ...changes }
}

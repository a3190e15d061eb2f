import { startFromChainOf } from '../../../src/node/dev-node.ts'
import { createDevNode } from '../../../src/node/index.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  privateKeySigner,
  type Wallet,
  type WalletOptions,
} from '../../../src/wallet/index.ts'

const emptyNode = () => createDevNode({ listen: false, identities: 2, mine: 'manual' })

/** Mined once, because a hundred blocks take longer than what most tests do with them. */
let mined: ReturnType<typeof emptyNode> | undefined

async function minedNode() {
  const node = await emptyNode()
  for (const { address } of node.identities) node.fund(address, 50_000_000n)
  node.mine(101)
  return node
}

/** Two identities with 50,000,000 satoshis each, in blocks that are deep enough. */
export async function fundedNode() {
  mined ??= minedNode()
  const node = await emptyNode()
  startFromChainOf(node, await mined)
  const [alice, bob] = node.identities
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

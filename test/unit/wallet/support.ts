import { createDevNode, type DevIdentity, type DevNode } from '../../../src/node/index.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  privateKeySigner,
  type Wallet,
  type WalletOptions,
} from '../../../src/wallet/index.ts'

type FundedNode = DevNode & { readonly identities: readonly [DevIdentity, DevIdentity] }

/** Nodes of closed tests, each in the state that a new one has. */
const idle: FundedNode[] = []

/**
 * Two identities with 50,000,000 satoshis each, in blocks that are deep enough. A node that its test
 * has closed is used again, because 103 blocks take longer than most of these tests.
 *
 * @param further - coins of 5,000,000 satoshis that the first identity has beside that
 */
export async function fundedNode({ further = 0 } = {}) {
  const own = idle.pop() ?? (await minedNode())
  const fresh = own.snapshot()
  const close = async () => {
    own.revert(fresh)
    own.faults.clear()
    if (!idle.includes(own)) idle.push(own)
  }
  const node: FundedNode = Object.create(own, {
    close: { value: close },
    [Symbol.asyncDispose]: { value: close },
  })
  const [alice, bob] = node.identities
  const chain = devNodeChain(node)
  for (let coin = 0; coin < further; coin += 1) node.fund(alice.address, 5_000_000n)
  if (further > 0) node.mine()
  return { node, alice, bob, chain }
}

async function minedNode(): Promise<FundedNode> {
  const node = await createDevNode({ listen: false, identities: 2, mine: 'manual' })
  for (const { address } of node.identities) node.fund(address, 50_000_000n)
  node.mine(101)
  return node as FundedNode
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

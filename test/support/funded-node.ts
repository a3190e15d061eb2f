// A development node whose identities have coins, with the conf file by which commands reach it.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Case } from '../../src/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  privateKeySigner,
  type Wallet,
} from '../../src/wallet/index.ts'

interface FundedNode {
  readonly node: DevNode
  readonly chain: ChainSource
  /** Options of a command that reads the node as a daemon. */
  readonly daemon: readonly string[]
  /** Wallets of the first two identities. */
  readonly alice: Wallet
  readonly bob: Wallet
}

/** Starts a node that mines on request alone. Its conf file is in the folder. */
export async function fundedNode(
  folder: string,
  options: Parameters<typeof createDevNode>[0] = {},
): Promise<FundedNode> {
  const node = await createDevNode({ mine: 'manual', ...options })
  for (const { address } of node.identities) node.fund(address, 50_000_000n)
  node.mine(101)
  const chain = devNodeChain(node)
  const [one, two] = node.identities as [DevIdentity, DevIdentity]
  const conf = join(folder, 'node.conf')
  writeFileSync(conf, confOf(one))
  const walletOf = ({ wif }: DevIdentity) =>
    createWallet({ signers: [privateKeySigner(wif)], chain })
  return {
    node,
    chain,
    daemon: ['--daemon', '--conf', conf],
    alice: await walletOf(one),
    bob: await walletOf(two),
  }
}

/** Returns the conf file of a daemon at a URL. */
export function confOf({
  url,
  user,
  password,
}: Pick<DevIdentity, 'url' | 'user' | 'password'>): string {
  return `rpcuser=${user}\nrpcpassword=${password}\nrpcport=${new URL(url).port}\n`
}

/** Sends a payment of the first identity to the second, and returns its case without evidence. */
export async function sentPayment({ node, chain, alice }: FundedNode): Promise<Case<'payment'>> {
  const [one, two] = node.identities as [DevIdentity, DevIdentity]
  const { txid } = await alice.pay({ to: two.address, amount: 1_000_000n })
  return {
    operation: 'payment',
    intent: {
      recipients: [{ address: two.address, amount: 1_000_000n }],
      own: [one.pubkey],
      maxFee: 20_000n,
    },
    hex: (await chain.transactions([txid!]))[0]!,
    evidence: { previousTransactions: [] },
  }
}

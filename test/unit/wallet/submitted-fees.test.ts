// Daemons pay the fee of a token transaction from any key of their wallet. Another machine may build
// one in the same way, and `submit` takes it.

import { expect, test } from 'vitest'

import {
  addressOf,
  type Case,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  signCase,
  type UnsignedTransaction,
} from '../../../src/index.ts'
import type { DevNode } from '../../../src/node/index.ts'
import {
  type ChainSource,
  createWallet,
  memoryJournal,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { fundedNode, openWallet } from './support.ts'

const key = '6'.padStart(64, '0')
const further = publicKeyOf(key)
const address = addressOf(further, networks.assetChain)

/** Takes the coin that `txid` pays to the further key in place of the plain coin of a transaction. */
async function paidByFurther(made: UnsignedTransaction, txid: string, chain: ChainSource) {
  const [previous] = (await chain.transactions([txid])) as [string]
  const { outputs: paid } = decodeTransaction(previous)
  const vout = paid.findIndex(({ value }) => value === 1_000_000n)
  const at = made.coins.findIndex(({ role }) => role === 'native')
  const difference = 1_000_000n - made.coins[at]!.value
  const { inputs, outputs, ...rest } = decodeTransaction(made.hex)
  const change = outputs.findLastIndex(({ value }) => value > 1_000_000n)
  const hex = encodeTransaction({
    ...rest,
    inputs: inputs.map((it, index) => (index === at ? { ...it, txid, vout } : it)),
    outputs: outputs.map((it, index) =>
      index === change ? { ...it, value: it.value + difference } : it,
    ),
  })
  const { spendable: _, ...intent } = { ...made.intent, ownKeys: [further] }
  const previousTransactions = [...made.previousTransactions, previous]
  return { operation: made.operation, intent, hex, evidence: { previousTransactions } } as Case
}

/** Submits a signed case, mines it, and settles it in a later process. */
async function expectSettled(node: DevNode, open: () => Promise<Wallet>, signed: Case) {
  const isCreation = signed.operation === 'tokencreate'
  const allow = isCreation ? (['chain_unbound'] as const) : []
  const sent = await (await open()).submit(signed, { id: 'gold', allow })
  expect(sent).toMatchObject({ status: 'accepted' })
  node.mine()
  const resumed = await (await open()).resume()
  expect(resumed).toMatchObject([{ result: { status: 'accepted', txid: sent.txid } }])
}

test.each(['transfer', 'ask'] as const)(
  'resume settles a mined %s whose fee a further key paid',
  async (kind) => {
    const { node, alice, bob, chain } = await fundedNode()
    const creator = await openWallet(alice, chain)
    const { txid: tokenid = '' } = await creator.createToken({ name: 'GOLD', supply: 1000n })
    const paid = node.fund(address, 1_000_000n)
    node.mine()
    const journal = memoryJournal()
    const open = () => createWallet({ publicKeys: [alice.pubkey, further], chain, journal })
    const { prepare } = await open()
    const { case: made } =
      kind === 'ask'
        ? await prepare.ask({ tokenid, amount: 10n, price: 5000n })
        : await prepare.transfer({ tokenid, to: bob.pubkey, amount: 10n })
    const given = await paidByFurther(made, paid, chain)
    await expectSettled(node, open, { ...given, hex: signCase(given, [alice.wif, key]).hex })
    await node.close()
  },
)

test('resume settles a mined creation whose first coin is of a further key', async () => {
  const { node, alice, chain } = await fundedNode()
  const paid = node.fund(address, 1_000_000n)
  node.mine()
  const journal = memoryJournal()
  const open = () => createWallet({ publicKeys: [alice.pubkey, further], chain, journal })
  const { prepare } = await open()
  const { case: made } = await prepare.createToken({ name: 'GOLD', supply: 1000n })
  const [previous] = (await chain.transactions([paid])) as [string]
  const { inputs, outputs, ...rest } = decodeTransaction(made.hex)
  const vout = decodeTransaction(previous).outputs.findIndex((it) => it.value === 1_000_000n)
  const change = outputs.findLastIndex(({ value }) => value > 1_000_000n)
  const hex = encodeTransaction({
    ...rest,
    inputs: [{ ...inputs[0]!, txid: paid, vout }, ...inputs],
    outputs: outputs.map((it, at) => ({
      ...it,
      value: it.value + (at === change ? 1_000_000n : 0n),
    })),
  })
  const { spendable: _, ...intent } = { ...made.intent, ownKeys: [further] }
  const previousTransactions = [...made.previousTransactions, previous]
  const given = {
    operation: made.operation,
    intent,
    hex,
    evidence: { previousTransactions },
  } as Case
  await expectSettled(node, open, { ...given, hex: signCase(given, [alice.wif, key]).hex })
  await node.close()
})

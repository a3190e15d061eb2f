// A chain whose rewards have ended (-ac_end) makes coinbases of no value. Anyone who mines can pay
// such outputs to a wallet, too.

import { expect, test } from 'vitest'

import { decodeTransaction } from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { devNodeChain } from '../../../src/wallet/index.ts'
import { openWallet } from './support.ts'

test('are listed, and not spent: each would cost a fee, and gives nothing', async () => {
  const profile = { reward: 0n, maturity: 1 }
  await using node = await createDevNode({ listen: false, mine: 'manual', profile })
  const [alice, bob] = node.identities
  for (let count = 0; count < 3; count += 1) node.fund(alice.address, 5_000_000n)
  node.mine(20)
  const wallet = await openWallet(alice, devNodeChain(node), { coinbaseMaturity: 1 })
  const coins = await wallet.coins()
  const worthless = coins.filter(({ value }) => value === 0n)
  expect(worthless.length).toBeGreaterThan(10)
  const worth = coins.length - worthless.length

  const { report } = await wallet.pay({ to: bob.address, amount: 'max', dryRun: true })
  expect(decodeTransaction(report.hex).inputs).toHaveLength(worth)
  const merged = await wallet.merge({ dryRun: true })
  expect(decodeTransaction(merged.report.hex).inputs).toHaveLength(worth)
})

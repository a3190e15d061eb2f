import { createDaemonClient } from '../../../dist/rpc/index.js'
import { createWallet, daemonChain, privateKeySigner } from '../../../dist/wallet/index.js'
import { definePeer } from '../../lib/define.mjs'
import { daemonWith, key } from '../../lib/wallets.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  run: async ({ coins }) => {
    const chain = daemonChain(createDaemonClient(await daemonWith(coins)))
    const wallet = await createWallet({ signers: [privateKeySigner(key)], chain })
    return wallet.balance()
  },
  answer: ({ total }) => total,
})

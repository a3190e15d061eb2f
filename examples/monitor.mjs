// Watches a payment at a daemon: the mempool, its confirmations, and a reorganization.
//
//   node examples/monitor.mjs

import { createDevNode } from 'antara-tx/node'
import { createDaemonClient, payCoins, waitForTransaction } from 'antara-tx/rpc'

const node = await createDevNode({ listen: false, mine: 'manual' })
node.mine(5)
const [shop, customer] = node.identities
const daemon = (identity) =>
  createDaemonClient({ ...identity, url: 'http://127.0.0.1/', fetch: node.fetch })

// The shop pays one coin to the customer.
const { txid } = await payCoins(daemon(shop), {
  recipients: [{ address: customer.address, amount: 100_000_000n }],
  from: shop.pubkey,
})

// It waits in the mempool.
const { size } = await daemon(shop).getmempoolinfo()
console.log('waiting', size)

// Its first block leaves the chain; the wait reports that and goes on.
let reorganized = false
const { confirmations, reorganizations } = await waitForTransaction(daemon(shop), txid, {
  confirmations: 2,
  pollMs: 10,
  onProgress({ step, confirmations }) {
    console.log(step, confirmations ?? '')
    if (step === 'in-block' && confirmations === 1 && !reorganized) {
      reorganized = true
      node.reorg(1)
    } else if (step !== 'reorganized') node.mine(1)
  },
})
console.log('confirmed', confirmations, 'reorganizations', reorganizations)
await node.close()

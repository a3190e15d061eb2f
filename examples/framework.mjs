// Activates BCH on a hardware wallet, against a framework that does what a script says.
//
//   node examples/framework.mjs

import { readFileSync } from 'node:fs'
import { createDevFramework } from 'antara-tx/node'
import { createFrameworkClient } from 'antara-tx/rpc'

const options = JSON.parse(readFileSync(new URL('framework.json', import.meta.url), 'utf8'))
const server = await createDevFramework(options)
const framework = createFrameworkClient({ url: server.url, userpass: server.userpass })

const onUserAction = (need) => {
  console.log(`the device wants: ${need}`)
  return { action_type: 'TrezorPin', pin: '862743' }
}
await framework.startTask('init_trezor', {}, { onUserAction, pollMs: 0 })

const task = framework.enableBch(
  {
    ticker: 'BCH',
    activation_params: {
      bchd_urls: ['https://bchd.example'],
      mode: { rpc: 'Electrum', rpc_data: { servers: [{ url: 'electrum.example:20055' }] } },
      priv_key_policy: 'Trezor',
    },
  },
  { onUserAction, pollMs: 0 },
)
for await (const { status, details } of task)
  if (status === 'InProgress') console.log('in progress:', details)

const { ticker, current_block, wallet_balance } = await task
const { spendable, unspendable } = wallet_balance.balance[ticker]
const total = Number(spendable) + Number(unspendable)
console.log(`${ticker} at block ${current_block}: ${spendable} of ${total}`)
await server.close()

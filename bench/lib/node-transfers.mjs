// Token transfers in a development node, for bench/development-node.mjs and bench/node-builds.mjs.

import { performance } from 'node:perf_hooks'

export const time = 1_800_000_000
export const transfers = 300

/** Milliseconds of the clock and of this process, for each of `count`. */
export async function measured(count, action) {
  const [started, spent] = [performance.now(), process.cpuUsage()]
  await action()
  const { user, system } = process.cpuUsage(spent)
  return { clock: (performance.now() - started) / count, cpu: (user + system) / 1000 / count }
}

/** Makes transfers. @returns a function that broadcasts and mines them again */
export async function transfersOf(createDevNode) {
  const node = await createDevNode({ listen: false, mine: 'manual', time })
  const [, other] = node.identities
  const { hex } = await node.request('tokencreate', ['GOLD', '0.1'])
  const tokenid = await node.request('sendrawtransaction', [hex])
  node.mine()
  const start = node.snapshot()
  const made = []
  const mine = () => node.mine(1, { identity: 1 })
  for (let at = 0; at < transfers; at += 1) {
    const built = await node.request('tokentransfer', [tokenid, other.pubkey, '1'])
    made.push(built.hex)
    await node.request('sendrawtransaction', [built.hex])
    mine()
  }
  return () => {
    node.revert(start)
    return measured(transfers, async () => {
      for (const one of made) {
        await node.request('sendrawtransaction', [one])
        mine()
      }
    })
  }
}

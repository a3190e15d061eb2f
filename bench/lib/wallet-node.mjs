/**
 * A development node with coins of one address, as a process of its own. It prints where it listens,
 * and ends with the process that started it.
 *
 *   node wallet-node.mjs ADDRESS COINS
 */
import { createDevNode } from '../../dist/node/index.js'

const [address, coins] = process.argv.slice(2)
const perBlock = 1000
const coinValue = 1_000_000n

const node = await createDevNode({ mine: 'manual' })
for (let at = 0; at < Number(coins); at += 1) {
  node.fund(address, coinValue)
  if (at % perBlock === 0) node.mine()
}
node.mine(101)
const [{ url, user, password }] = node.identities
process.stdout.write(`${JSON.stringify({ url, user, password })}\n`)
process.stdin.on('end', () => process.exit())
process.stdin.resume()

/** A development node with a token, as a process of its own; it prints who may call it. */
import { createDevNode } from '../../dist/node/index.js'

const node = await createDevNode({ mine: 'manual', time: 1_800_000_000 })
const [{ url, user, password, pubkey }] = node.identities
const { hex } = await node.request('tokencreate', ['GOLD', '0.01'])
const tokenid = await node.request('sendrawtransaction', [hex])
node.mine()
process.stdout.write(`${JSON.stringify({ url, user, password, pubkey, tokenid })}\n`)
process.stdin.on('end', () => process.exit())
process.stdin.resume()

// Chains of a development node whose tokens change hands, and one with a wrong signature.

import { decodeTokenTransaction, decodeTransaction, transactionId } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'

interface Built {
  hex: string
}

export async function sent(node: DevNode, method: string, params: string[], identity = 0) {
  const { hex } = (await node.request(method, params, { identity })) as Built
  return (await node.request('sendrawtransaction', [hex])) as string
}

/** A chain with two tokens that change hands. */
export async function madeChain(): Promise<{ node: DevNode; tokenids: string[] }> {
  const node = await createDevNode({ listen: false, time: 1_800_000_000 })
  const tokenids = [
    await sent(node, 'tokencreate', ['GOLD', '0.00001', 'one']),
    await sent(node, 'tokencreate', ['SILVER', '0.00002', 'other'], 1),
  ]
  const [one, other] = node.identities
  for (const amount of ['400', '30', '7']) {
    await sent(node, 'tokentransfer', [tokenids[0]!, other!.pubkey, amount])
    await sent(node, 'tokentransfer', [tokenids[1]!, one!.pubkey, amount], 1)
  }
  await sent(node, 'tokentransfer', [tokenids[0]!, one!.pubkey, '433'], 1)
  return { node, tokenids }
}

export async function blocksOf(node: DevNode): Promise<string[]> {
  const count = (await node.request('getblockcount')) as number
  const heights = Array.from({ length: count + 1 }, (_, height) => String(height))
  return Promise.all(
    heights.map(async (height) => (await node.request('getblock', [height, 0])) as string),
  )
}

/** The chain of a node, of which the first transfer is not rightly signed. */
export function spoiledChain(node: DevNode) {
  const blocks = JSON.parse(node.dump()).blocks as { transactions: string[] }[]
  let spoiled = ''
  let units = 0n
  const changed = blocks.map(({ transactions }) =>
    transactions.map((hex) => {
      const read = decodeTokenTransaction(hex)
      if (spoiled !== '' || read?.kind !== 'transfer') return hex
      // A digit of the signature of its token input: 64 bytes behind the tag of that member.
      const { inputs } = decodeTransaction(hex)
      const { scriptSig } = inputs[read.inputs.findIndex(({ role }) => role === 'token')]!
      const digit = scriptSig.indexOf('8140') + 20
      const other = scriptSig[digit] === '0' ? '1' : '0'
      const bad = scriptSig.slice(0, digit) + other + scriptSig.slice(digit + 1)
      const result = hex.replace(scriptSig, bad)
      spoiled = transactionId(result)
      units = read.outputs[0]!.value
      return result
    }),
  )
  const rows = changed.flatMap((all, index) => all.map((hex) => ({ height: index + 1, hex })))
  return { text: JSON.stringify(rows), spoiled, units }
}

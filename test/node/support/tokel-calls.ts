// Calls of tokeld's methods for tokens and orders.

import type { DevNode } from '../../../src/node/index.ts'

/** Calls a method that builds, as an identity. @returns hex */
export async function builtBy(
  node: DevNode,
  identity: number,
  method: string,
  ...params: string[]
): Promise<string> {
  const answer = await node.request(method, params, { identity })
  const { hex, error } = answer as { hex?: string; error?: string }
  if (hex === undefined) throw new Error(error)
  return hex
}

/** Calls a method that builds, and broadcasts. @returns the transaction's id */
export async function sentBy(
  node: DevNode,
  identity: number,
  method: string,
  ...params: string[]
): Promise<string> {
  const hex = await builtBy(node, identity, method, ...params)
  return (await node.request('sendrawtransaction', [hex])) as string
}

import { decodeTransaction } from '../../src/index.ts'

/** Everything that `hex` descends from, as far as a chain, by txid, has it. */
export function ancestorsIn(chain: ReadonlyMap<string, string>, hex: string): string[] {
  const found = new Map<string, string>()
  const open = [hex]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { txid } of decodeTransaction(next).inputs) {
      const parent = chain.get(txid)
      if (parent === undefined || found.has(txid)) continue
      found.set(txid, parent)
      open.push(parent)
    }
  }
  return [...found.values()]
}

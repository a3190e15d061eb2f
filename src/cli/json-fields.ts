// Members of the JSON files that people write for the command line, each checked, each error naming
// the member.

import { AntaraError } from '../errors/antara-error.ts'
import { defineNetwork, type Network, networks } from '../network/network.ts'
import { parseJson as checkJson } from '../rpc/json.ts'

export type Members = Record<string, unknown>

/** Fee and bound, where they are given. */
export function fees(intent: Members): { fee?: bigint; maxFee?: bigint } {
  return {
    ...(intent.fee !== undefined && { fee: amount(intent.fee, 'intent.fee') }),
    ...(intent.maxFee !== undefined && { maxFee: amount(intent.maxFee, 'intent.maxFee') }),
  }
}

/** A known network by name, or members that differ from `assetChain`. */
export function readNetwork(value: unknown): Network {
  if (value === undefined) return networks.assetChain
  if (typeof value === 'string') {
    const named = Object.entries(networks).find(([name]) => name === value)?.[1]
    if (named !== undefined) return named
    throw malformed('network', Object.keys(networks).join(', '), value)
  }
  const { maxMoney, ...members } = object(value, 'network', Object.keys(networks.assetChain))
  const exact = maxMoney === undefined ? {} : { maxMoney: amount(maxMoney, 'network.maxMoney') }
  try {
    return defineNetwork({ ...members, ...exact })
  } catch (error) {
    throw malformed('network', 'overrides of assetChain', (error as Error).message)
  }
}

/** Two readers may take different ones of members given twice, so such a file is refused. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    checkJson(text)
    return value
  } catch (error) {
    throw malformed('case', 'JSON', (error as Error).message)
  }
}

/** An object with no other members than these. */
export function object(value: unknown, path: string, known: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(path, 'an object', value)
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw malformed(`${path}.${unknown}`, known.join(', '), unknown)
  return value as Members
}

export function string(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw malformed(path, 'a string', value)
}

export function strings(value: unknown, path: string): string[] {
  if (!Array.isArray(value)) throw malformed(path, 'an array of strings', value)
  return value.map((item, index) => string(item, `${path}[${index}]`))
}

/** A decimal string: JSON numbers lose digits. */
export function amount(value: unknown, path: string): bigint {
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value)
  throw malformed(path, 'a string of decimal digits', value)
}

export function height(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
    return value
  }
  throw malformed(path, 'a height', value)
}

export function malformed(path: string, expected: string, value: unknown): AntaraError {
  const actual = value === undefined ? 'nothing' : JSON.stringify(value)
  return new AntaraError('malformed_case', { path, expected, actual })
}

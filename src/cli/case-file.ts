import { AntaraError } from '../errors/antara-error.ts'
import { defineNetwork, type Network, networks } from '../network/network.ts'
import type { CreateIntent, TransferIntent } from '../verification/intent.ts'
import type { Evidence } from '../verification/report.ts'

interface CaseBase {
  readonly hex: string
  readonly evidence: Evidence
}

/** A case to verify: what was asked for, what came back, and what it is judged by. */
export type Case =
  | (CaseBase & { readonly operation: 'tokentransfer'; readonly intent: TransferIntent })
  | (CaseBase & { readonly operation: 'tokencreate'; readonly intent: CreateIntent })

type Members = Record<string, unknown>

/**
 * Reads a case file. Amounts are decimal strings of token units or satoshis.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function parseCase(text: string): Case {
  const root = object(parseJson(text), 'case', [
    'operation',
    'network',
    'intent',
    'hex',
    'previousTransactions',
    'tokenCreate',
    'tipHeight',
    'note',
  ])
  const network = readNetwork(root.network)
  const evidence: Evidence = {
    previousTransactions: strings(root.previousTransactions ?? [], 'previousTransactions'),
    ...(root.tokenCreate !== undefined && { tokenCreate: string(root.tokenCreate, 'tokenCreate') }),
    ...(root.tipHeight !== undefined && { tipHeight: height(root.tipHeight, 'tipHeight') }),
  }
  const hex = string(root.hex, 'hex')
  switch (root.operation) {
    case 'tokentransfer':
      return {
        operation: root.operation,
        hex,
        evidence,
        intent: transferIntent(root.intent, network),
      }
    case 'tokencreate':
      return {
        operation: root.operation,
        hex,
        evidence,
        intent: createIntent(root.intent, network),
      }
    default:
      throw malformed('operation', 'tokentransfer or tokencreate', root.operation)
  }
}

function transferIntent(value: unknown, network: Network): TransferIntent {
  const members = ['tokenid', 'destination', 'amount', 'from', 'fee', 'maxFee', 'burn']
  const intent = object(value, 'intent', members)
  if (intent.burn !== undefined && typeof intent.burn !== 'boolean') {
    throw malformed('intent.burn', 'true or false', intent.burn)
  }
  return {
    tokenid: string(intent.tokenid, 'intent.tokenid'),
    destination: string(intent.destination, 'intent.destination'),
    amount: amount(intent.amount, 'intent.amount'),
    from: string(intent.from, 'intent.from'),
    network,
    ...fees(intent),
    ...(intent.burn !== undefined && { burn: intent.burn }),
  }
}

function createIntent(value: unknown, network: Network): CreateIntent {
  const members = ['name', 'supply', 'description', 'data', 'owner', 'fee', 'maxFee']
  const intent = object(value, 'intent', members)
  return {
    name: string(intent.name, 'intent.name'),
    supply: amount(intent.supply, 'intent.supply'),
    description: string(intent.description ?? '', 'intent.description'),
    owner: string(intent.owner, 'intent.owner'),
    network,
    ...fees(intent),
    ...(intent.data !== undefined && { data: string(intent.data, 'intent.data') }),
  }
}

function fees(intent: Members): { fee?: bigint; maxFee?: bigint } {
  return {
    ...(intent.fee !== undefined && { fee: amount(intent.fee, 'intent.fee') }),
    ...(intent.maxFee !== undefined && { maxFee: amount(intent.maxFee, 'intent.maxFee') }),
  }
}

function readNetwork(value: unknown): Network {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed('case', 'JSON', (error as Error).message)
  }
}

function object(value: unknown, path: string, known: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(path, 'an object', value)
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw malformed(`${path}.${unknown}`, known.join(', '), unknown)
  return value as Members
}

function string(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw malformed(path, 'a string', value)
}

function strings(value: unknown, path: string): string[] {
  if (!Array.isArray(value)) throw malformed(path, 'an array of strings', value)
  return value.map((item, index) => string(item, `${path}[${index}]`))
}

function amount(value: unknown, path: string): bigint {
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value)
  throw malformed(path, 'a string of decimal digits', value)
}

function height(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
    return value
  }
  throw malformed(path, 'a height', value)
}

function malformed(path: string, expected: string, value: unknown): AntaraError {
  const actual = value === undefined ? 'nothing' : JSON.stringify(value)
  return new AntaraError('malformed_case', { path, expected, actual })
}

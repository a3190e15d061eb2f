import { defaultNetwork, type Network, networks } from '../chain/network.ts'
import {
  amount,
  height,
  malformed,
  object,
  parseJson,
  string,
  strings,
} from '../primitives/json-fields.ts'
import { requireString } from '../primitives/misuse.ts'
import { printableJson } from '../primitives/printable.ts'
import type { AskedFor, Case, Evidence } from './case.ts'
import type { CreateIntent, TransferIntent } from './intent.ts'
import { readNetwork, readRecipients, readTerms, termMembers } from './members.ts'

/**
 * Reads a case file: what `formatCase` writes, and what the command line verifies and signs.
 *
 * Amounts are decimal strings of token units or satoshis. Unknown members are refused, and members
 * given twice with different values.
 *
 * @param text - JSON
 * @throws {AntaraError} `malformed_case`, naming the member, or the byte where the text is no JSON
 * @example
 * const { operation, hex, intent, evidence } = parseCase(text)
 * operation // 'tokentransfer'
 */
export function parseCase(text: string): Case {
  requireString(text, 'text')
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
  const members = ['tokenid', 'destination', 'amount', 'recipients', 'from', 'burn', ...termMembers]
  const intent = object(value, 'intent', members)
  if (intent.burn !== undefined && typeof intent.burn !== 'boolean') {
    throw malformed('intent.burn', 'true or false', intent.burn)
  }
  return {
    tokenid: string(intent.tokenid, 'intent.tokenid'),
    destination: string(intent.destination, 'intent.destination'),
    amount: amount(intent.amount, 'intent.amount'),
    from: string(intent.from, 'intent.from'),
    ...readTerms(intent, network),
    ...(intent.burn !== undefined && { burn: intent.burn }),
    ...(intent.recipients !== undefined && {
      recipients: readRecipients(intent.recipients, 'intent.recipients'),
    }),
  }
}

function createIntent(value: unknown, network: Network): CreateIntent {
  const members = ['name', 'supply', 'description', 'data', 'owner', ...termMembers]
  const intent = object(value, 'intent', members)
  return {
    name: string(intent.name, 'intent.name'),
    supply: amount(intent.supply, 'intent.supply'),
    description: string(intent.description ?? '', 'intent.description'),
    owner: string(intent.owner, 'intent.owner'),
    ...readTerms(intent, network),
    ...(intent.data !== undefined && { data: string(intent.data, 'intent.data') }),
  }
}

/**
 * Writes a case, or an unsigned transaction that was built here, as a case file: JSON that the
 * command line verifies and signs.
 *
 * Amounts are decimal strings. What the coins are worth is left out, because whoever reads the
 * file computes it from the previous transactions.
 *
 * @returns JSON text
 * @example
 * formatCase(buildTokenTransfer(request)) // '{\n  "operation": "tokentransfer",\n …'
 */
export function formatCase(given: Case | (AskedFor & Evidence & { readonly hex: string })): string {
  const { operation, intent, hex } = given
  const { previousTransactions, tokenCreate, tipHeight } =
    'evidence' in given ? given.evidence : given
  const { network = defaultNetwork, ...asked } = intent
  const content = {
    operation,
    network: networkMember(network),
    intent: asked,
    hex,
    previousTransactions,
    ...(tokenCreate !== undefined && { tokenCreate }),
    ...(tipHeight !== undefined && { tipHeight }),
  }
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
  return `${printableJson(JSON.stringify(content, text, 2))}\n`
}

/** A known network's name, or what sets another apart from `assetChain`. */
function networkMember(network: Network): string | Partial<Network> {
  for (const [name, known] of Object.entries(networks)) if (known === network) return name
  const { assetChain } = networks
  const members = Object.entries(network).filter(
    ([member, value]) => assetChain[member as keyof Network] !== value,
  )
  return Object.fromEntries(members)
}

import type { Outpoint } from '../../transaction/types.ts'
import { type Network, networks } from '../../chain/network.ts'
import { printableJson } from '../../primitives/printable.ts'

/** A coin that an unsigned transaction spends, as its own transaction has it. */
export interface SpentCoin extends Outpoint {
  readonly role: 'native' | 'token'
  /** Satoshis; token units for a token. */
  readonly value: bigint
  readonly script: string
}

export interface TokenRecipient {
  /** Compressed public key, hex. */
  readonly pubkey: string
  /** Token units. */
  readonly amount: bigint
}

/** What a transfer is meant to do. `recipients` is there only when there are several. */
export interface BuiltTransferIntent {
  readonly tokenid: string
  readonly destination: string
  readonly amount: bigint
  readonly recipients?: readonly TokenRecipient[]
  readonly from: string
  readonly network: Network
  readonly fee: bigint
  readonly maxFee: bigint
  readonly burn?: true
}

/** What a creation is meant to do. */
export interface BuiltCreateIntent {
  readonly name: string
  readonly supply: bigint
  readonly description: string
  readonly data?: string
  readonly owner: string
  readonly network: Network
  readonly fee: bigint
  readonly maxFee: bigint
}

interface Unsigned {
  /** The transaction with empty scriptSigs. */
  readonly hex: string
  /** Raw transactions of everything that is spent, and what else was given. */
  readonly previousTransactions: readonly string[]
  readonly tipHeight?: number
  /** In the order of the inputs. */
  readonly coins: readonly SpentCoin[]
  /** Satoshis. */
  readonly fee: bigint
}

export interface UnsignedTransfer extends Unsigned {
  readonly operation: 'tokentransfer'
  readonly intent: BuiltTransferIntent
  /** The transaction that created the token. */
  readonly tokenCreate: string
  /** Token coins whose history is not among the transactions given, so that nothing shows them to be real. */
  readonly unproven: readonly Outpoint[]
}

export interface UnsignedCreate extends Unsigned {
  readonly operation: 'tokencreate'
  readonly intent: BuiltCreateIntent
}

/**
 * A transaction ready to be verified and signed, here or on another machine.
 *
 * `intent` and the whole object are what the verifier takes as intent and evidence.
 */
export type UnsignedTransaction = UnsignedTransfer | UnsignedCreate

/**
 * Writes an unsigned transaction as a case file: JSON that the command line verifies and signs.
 *
 * Amounts are decimal strings. What the coins are worth is left out, because whoever reads the
 * file computes it from the previous transactions.
 *
 * @returns JSON text
 * @example
 * formatCase(buildTokenTransfer(request)) // '{\n  "operation": "tokentransfer",\n …'
 */
export function formatCase(unsigned: UnsignedTransaction): string {
  const { operation, intent, hex, previousTransactions, tipHeight } = unsigned
  const { network, ...asked } = intent
  const content = {
    operation,
    network: networkMember(network),
    intent: asked,
    hex,
    previousTransactions,
    ...(operation === 'tokentransfer' && { tokenCreate: unsigned.tokenCreate }),
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
